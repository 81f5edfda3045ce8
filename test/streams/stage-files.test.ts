import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { generateNexmark, profiles } from '../../generators/nexmark/index.ts';
import { InputError } from '../../src/model/errors.ts';
import { rowFromJson } from '../../src/model/row-json.ts';
import { stageFiles } from '../../src/streams/stage-files.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tidemark-'));
});

afterEach(() => rm(root, { recursive: true, force: true }));

test.each(profiles.map(({ name }) => name))(
  'holds each stream in one file in arrival order, profile %s',
  async (profile) => {
    const options = { seed: 'stage', events: 2_000, profile };
    const files = await stageFiles(generateNexmark({ ...options, partitions: 3 }), join(root, 'stage'));
    const inOrder = generateNexmark({ ...options, partitions: 1 });
    expect([...files.keys()]).toEqual(['person', 'auction', 'bid']);
    for (const { schema, partitions } of inOrder.streams) {
      const lines = (await readFile(files.get(schema.name)!, 'utf8')).split('\n');
      expect(lines.pop()).toBe('');
      const rows = lines.map((line) => rowFromJson(schema.columns, line));
      expect(rows).toEqual(partitions[0]!.map(({ row }) => row));
    }
  },
);

test('a second staging replaces the first', async () => {
  await stageFiles(generateNexmark({ seed: 'long', events: 500 }), root);
  const files = await stageFiles(generateNexmark({ seed: 'short', events: 50 }), root);
  expect((await readFile(files.get('bid')!, 'utf8')).split('\n')).toHaveLength(46 + 1);
});

test('an unwritable directory is an input error with the code of the system', async () => {
  await writeFile(join(root, 'file'), '');
  const attempt = stageFiles(generateNexmark({ seed: 's', events: 50 }), join(root, 'file', 'below'));
  await expect(attempt).rejects.toThrow(InputError);
  await expect(attempt).rejects.toThrow('ENOTDIR');
});
