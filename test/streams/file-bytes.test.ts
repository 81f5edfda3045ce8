import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ByteSource } from '../../src/model/outcome.ts';
import { fileBytes } from '../../src/streams/file-bytes.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Bytes whose value tells their place, in more than three chunks. */
const long = Buffer.alloc(3_500_000, 0).map((_, index) => (index * 31 + (index >> 12)) & 0xff);

async function read(source: ByteSource): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of source.open()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

describe('the bytes of a file', () => {
  test('are all of them, in order, as often as they are asked for', async () => {
    const path = join(directory, 'long');
    writeFileSync(path, long);
    const source = fileBytes(path);
    expect((await read(source)).equals(long)).toBe(true);
    expect((await read(source)).equals(long)).toBe(true);
  });

  test('are not mixed up by two who read at a time', async () => {
    const path = join(directory, 'two');
    writeFileSync(path, long);
    const source = fileBytes(path);
    const both = await Promise.all([read(source), read(source)]);
    expect(both.map((bytes) => bytes.equals(long))).toEqual([true, true]);
  });

  test('are none of an empty file', async () => {
    const path = join(directory, 'empty');
    writeFileSync(path, '');
    expect(await read(fileBytes(path))).toHaveLength(0);
  });

  test('are refused where there is no file', async () => {
    await expect(read(fileBytes(join(directory, 'none')))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
