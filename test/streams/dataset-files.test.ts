import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc } from '@fast-check/vitest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { generateNexmark, profiles } from '../../generators/nexmark/index.ts';
import type { Dataset, Event, StreamData } from '../../src/model/dataset.ts';
import { InputError } from '../../src/model/errors.ts';
import type { StreamSchema } from '../../src/model/schema.ts';
import { readDataset, writeDataset, writeNexmark } from '../../src/streams/dataset-files.ts';

let root: string;
let dir: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tidemark-'));
  dir = join(root, 'data');
});

afterEach(() => rm(root, { recursive: true, force: true }));

const schema: StreamSchema = {
  name: 'reading',
  columns: [
    { name: 'sensor', type: 'STRING', nullable: true },
    { name: 'level', type: 'BIGINT', nullable: true },
    { name: 'ratio', type: 'DOUBLE', nullable: true },
    { name: 'cost', type: 'DECIMAL(6,2)', nullable: true },
    { name: 'good', type: 'BOOLEAN', nullable: true },
    { name: 'at', type: 'TIMESTAMP(3)', nullable: false },
  ],
  eventTime: 'at',
  unique: [],
};

function event(arrival: number, sensor: string | null = 'a'): Event {
  return { arrival, row: [sensor, 2n ** 60n, 0.1, '-12.50', true, -5] };
}

function dataset(...partitions: Event[][]): Dataset {
  return { lagMs: 4_000, provenance: 'captured', streams: [{ schema, partitions }] };
}

async function contents(of: string): Promise<Record<string, string>> {
  const names = (await readdir(of)).sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(of, name), 'utf8')] as const)),
  );
}

describe('a dataset written and read again', () => {
  test.each(profiles.map(({ name }) => name))('is the same, profile %s', async (profile) => {
    const written = generateNexmark({ seed: 'files', events: 3_000, partitions: 3, profile });
    await writeDataset(written, dir);
    expect(await readDataset(dir)).toEqual(written);
  });

  test('is the same with all types, a captured provenance and an empty partition', async () => {
    const written = dataset([event(0), event(7, null)], [], [event(3, '')]);
    await writeDataset(written, dir);
    expect(await readDataset(dir)).toEqual(written);
    expect((await contents(dir))['reading-0.ndjson']?.split('\n')[0]).toBe(
      '{"arrival":0,"row":{"sensor":"a","level":1152921504606846976,"ratio":0.1,"cost":"-12.50","good":true,"at":-5}}',
    );
  });

  test('keeps characters whole where a chunk of the file ends', async () => {
    // Lines of 3-byte and 4-byte characters, several chunks of them, at every alignment.
    const events = Array.from({ length: 8_000 }, (_, index) =>
      event(index, `${'x'.repeat(index % 7)}${'🚀é漢'.repeat(60)}`),
    );
    const written = dataset(events);
    await writeDataset(written, dir);
    expect(await readDataset(dir)).toEqual(written);
  });

  test('may have any string, whatever it holds', async () => {
    const strings = fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(strings, async (texts) => {
        await rm(dir, { recursive: true, force: true });
        const written = dataset(texts.map((text, index) => event(index, text)));
        await writeDataset(written, dir);
        expect(await readDataset(dir)).toEqual(written);
      }),
      { numRuns: 30 },
    );
  });
});

describe('writeNexmark', () => {
  test.each(profiles.map(({ name }) => name))(
    'writes the files of writeDataset, profile %s',
    async (profile) => {
      const options = { seed: 'stream', events: 2_345, partitions: 2, profile };
      await writeNexmark(options, dir);
      await writeDataset(generateNexmark(options), join(root, 'general'));
      expect(await contents(dir)).toEqual(await contents(join(root, 'general')));
    },
  );

  test('reports progress up to the number of events', async () => {
    const seen: number[] = [];
    await writeNexmark({ seed: 'progress', events: 2_345 }, dir, ({ events }) => seen.push(events));
    expect(seen).toEqual([1_000, 2_000, 2_345]);
  });
});

describe('writing refuses', () => {
  test('a directory that holds anything', async () => {
    await mkdir(dir);
    await writeFile(join(dir, 'mine.txt'), '');
    const attempt = writeDataset(dataset([event(0)]), dir);
    await expect(attempt).rejects.toThrow(InputError);
    await expect(attempt).rejects.toThrow(`${dir}: the directory is not empty`);
    await expect(writeNexmark({ seed: 's', events: 1 }, dir)).rejects.toThrow('not empty');
    expect(await readdir(dir)).toEqual(['mine.txt']);
  });

  test('a path that cannot be a directory, with the code of the system', async () => {
    await writeFile(dir, '');
    const inside = join(dir, 'below');
    await expect(writeDataset(dataset([event(0)]), inside)).rejects.toThrow(InputError);
    await expect(writeDataset(dataset([event(0)]), inside)).rejects.toThrow(/below: .*\(ENOTDIR\)/);
  });

  test('options out of range, before it makes anything', async () => {
    await expect(writeNexmark({ seed: 's', events: 0 }, dir)).rejects.toThrow('field events');
    expect(await readdir(root)).toEqual([]);
  });

  test('to leave a dataset behind when it fails half way', async () => {
    const broken: StreamData = {
      schema,
      partitions: [
        new Proxy([event(0)], {
          get(target, key) {
            if (key === Symbol.iterator) throw new Error('out of rows');
            return Reflect.get(target, key);
          },
        }),
      ],
    };
    const attempt = writeDataset({ ...dataset([event(0)]), streams: [broken] }, dir);
    await expect(attempt).rejects.toThrow('out of rows');
    expect(await readdir(dir)).not.toContain('dataset.json');
  });
});

describe('reading refuses', () => {
  const SECRET = 'hunter2';
  const line = (arrival: number, row: string) => `{"arrival":${arrival},"row":${row}}`;
  const row = (fields: Record<string, unknown> = {}) =>
    JSON.stringify({ sensor: SECRET, level: 1, ratio: 0.5, cost: '1.00', good: true, at: 5, ...fields });

  /** Writes a sound dataset of two partitions, then puts other bytes in one of its files. */
  async function tampered(file: string, bytes: string | Uint8Array): Promise<string> {
    await writeDataset(dataset([event(0), event(2)], [event(1), event(3)]), dir);
    await writeFile(join(dir, file), bytes);
    return join(dir, file);
  }

  async function refusal(): Promise<InputError> {
    const error: unknown = await readDataset(dir).then(
      () => expect.unreachable('the dataset was read'),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).not.toContain(SECRET);
    return error as InputError;
  }

  const without = (field: string) => {
    const fields: Record<string, unknown> = JSON.parse(row());
    delete fields[field];
    return JSON.stringify(fields);
  };

  test.each([
    ['malformed JSON', `${line(2, row().slice(0, -1))}`, undefined, /not a JSON value/],
    ['an empty line', '', undefined, /not a JSON value/],
    ['a line that is no object', `["${SECRET}"]`, undefined, /expected an object/],
    ['a line without arrival', `{"row":${row()}}`, 'arrival', /missing/],
    ['a line without row', '{"arrival":2}', 'row', /missing/],
    [
      'a field beside arrival and row',
      `{"arrival":2,"extra":"${SECRET}","row":${row()}}`,
      'extra',
      /not a field/,
    ],
    ['an arrival that is a fraction', line(1.5, row()), 'arrival', /whole number/],
    ['an arrival below zero', line(-1, row()), 'arrival', /whole number/],
    ['an arrival as before', line(0, row()), 'arrival', /not greater than on the line before/],
    ['a row that is no object', line(2, `"${SECRET}"`), undefined, /must be a JSON object/],
    ['a missing column', line(2, without('level')), 'level', /missing/],
    ['an unknown column', line(2, row({ colour: SECRET })), 'colour', /not a column/],
    ['a value of another type', line(2, row({ level: SECRET })), 'level', /expected a BIGINT/],
    [
      'a BIGINT out of range',
      line(2, row({ level: 0 }).replace(':0,', ':9223372036854775808,')),
      'level',
      /expected a BIGINT/,
    ],
    ['a DECIMAL of another scale', line(2, row({ cost: '1.005' })), 'cost', /expected a DECIMAL/],
    ['a null event time', line(2, row({ at: null })), 'at', /null/],
  ])('%s', async (_, second, field, problem) => {
    const file = await tampered('reading-0.ndjson', `${line(0, row())}\n${second}\n`);
    expect(await refusal()).toMatchObject({ file, line: 2, field, message: expect.stringMatching(problem) });
  });

  test('an arrival number that two partitions share', async () => {
    const file = await tampered('reading-1.ndjson', `${line(1, row())}\n${line(2, row())}\n`);
    expect(await refusal()).toMatchObject({ file, line: 2, field: 'arrival' });
  });

  test('a last line that was cut off', async () => {
    const file = await tampered('reading-0.ndjson', `${line(0, row())}\n${line(2, row())}`);
    expect(await refusal()).toMatchObject({ file, line: 2, message: expect.stringContaining('cut off') });
  });

  test.each([
    ['fewer', 1],
    ['more', 3],
  ])('%s rows than dataset.json says', async (_, rows) => {
    const lines = Array.from({ length: rows }, (_, index) => `${line(10 + index, row())}\n`);
    const file = await tampered('reading-0.ndjson', lines.join(''));
    expect(await refusal()).toMatchObject({
      file,
      message: `${file}: ${rows} rows where dataset.json says 2`,
    });
  });

  test('bytes that are not UTF-8', async () => {
    const bad = Buffer.from(`${line(0, row())}\n${line(2, row())}\n`);
    bad[bad.lastIndexOf('hunter2')] = 0xff;
    const file = await tampered('reading-0.ndjson', bad);
    expect(await refusal()).toMatchObject({ file, line: 2, message: expect.stringContaining('not UTF-8') });
  });

  test('bytes that are not UTF-8, far into a long file', async () => {
    const events = Array.from({ length: 20_000 }, (_, index) => event(index, 'long '.repeat(20)));
    await writeDataset(dataset(events), dir);
    const file = join(dir, 'reading-0.ndjson');
    const bytes = await readFile(file);
    bytes[bytes.lastIndexOf('long')] = 0xc0;
    await writeFile(file, bytes);
    expect(await refusal()).toMatchObject({ file, line: 20_000 });
  });

  test('a partition file that is missing', async () => {
    const file = await tampered('reading-0.ndjson', '');
    await rm(file);
    expect(await refusal()).toMatchObject({ file, message: `${file}: cannot read (ENOENT)` });
  });

  test('a directory without dataset.json', async () => {
    const file = await tampered('dataset.json', '');
    await rm(file);
    expect(await refusal()).toMatchObject({ file, message: `${file}: cannot read (ENOENT)` });
  });

  const header = {
    version: 1,
    lagMs: 1,
    provenance: 'captured',
    streams: [{ schema, rows: [2, 2] }],
  };

  test.each([
    ['that is newer', { ...header, version: 2 }, 'version', /newer than this program reads/],
    ['of no version', { ...header, version: undefined }, 'version', /./],
    ['without a lag', { ...header, lagMs: undefined }, 'lagMs', /./],
    ['with an unknown field', { ...header, colour: 1 }, undefined, /colour/],
    [
      'with a type that is none',
      { ...header, streams: [{ schema: { ...schema, columns: [{ name: 'a', type: 'TEXT' }] }, rows: [0] }] },
      'streams.0.schema.columns.0.type',
      /expected a type/,
    ],
    [
      'with two streams of one name',
      { ...header, streams: [...header.streams, ...header.streams] },
      'streams.1.schema.name',
      /named twice/,
    ],
  ])('a dataset.json %s', async (_, changed, field, problem) => {
    const file = await tampered('dataset.json', JSON.stringify(changed));
    const error = await refusal();
    expect(error).toMatchObject({ file, message: expect.stringMatching(problem) });
    expect(error.field || undefined).toBe(field);
  });

  test('a dataset.json that is not JSON', async () => {
    const file = await tampered('dataset.json', '{');
    expect(await refusal()).toMatchObject({
      file,
      message: expect.stringMatching(/dataset\.json.*: not a JSON value$/),
    });
  });
});
