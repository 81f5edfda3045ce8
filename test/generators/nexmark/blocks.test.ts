import { createHash } from 'node:crypto';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import {
  BLOCK_EVENTS,
  blockCount,
  blockEvents,
  blockNdjson,
  generateNexmark,
  nexmarkGenerator,
  nexmarkStreams,
  profiles,
} from '../../../generators/nexmark/index.ts';
import type { Dataset } from '../../../src/model/dataset.ts';
import { rowToJson } from '../../../src/model/row-json.ts';

const EVENTS = 2_750; // the last block is a short one
const profileNames = profiles.map((profile) => profile.name);

/** The lines of every partition file by the general way, from rows. */
function linesFromRows(dataset: Dataset): string[][] {
  return dataset.streams.map(({ schema, partitions }) =>
    partitions.map((events) =>
      events
        .map(({ arrival, row }) => `{"arrival":${arrival},"row":${rowToJson(schema.columns, row)}}\n`)
        .join(''),
    ),
  );
}

/** The same files by the fast way, block after block. */
function linesFromBlocks(options: Parameters<typeof nexmarkGenerator>[0]): string[][] {
  const generator = nexmarkGenerator(options);
  const files = nexmarkStreams.map(() => new Array<string>(generator.parameters.partitions).fill(''));
  for (let block = 0; block < blockCount(generator); block++) {
    const { person, auction, bid } = blockNdjson(generator, block);
    for (const [stream, partitions] of [person, auction, bid].entries()) {
      for (const [partition, { bytes, rows }] of partitions.entries()) {
        const text = Buffer.from(bytes).toString();
        expect(text.split('\n')).toHaveLength(rows + 1);
        files[stream]![partition] += text;
      }
    }
  }
  return files;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe.each(profileNames)('profile %s', (profile) => {
  const options = { seed: 'blocks', events: EVENTS, partitions: 3, profile };

  test('the fast lines are those of the general writer', () => {
    expect(linesFromBlocks(options)).toEqual(linesFromRows(generateNexmark(options)));
  });

  test('integers of every size are spelled alike', () => {
    const sizes = { ...options, eventsPerSecond: 0.001, startMs: -1_000_000_000_000 };
    expect(linesFromBlocks(sizes)).toEqual(linesFromRows(generateNexmark(sizes)));
  });

  test('a block alone is that block of the whole', () => {
    const generator = nexmarkGenerator(options);
    const whole = generateNexmark(options);
    for (const block of [2, 0, 1]) {
      const alone = blockEvents(generator, block);
      for (const [index, name] of (['person', 'auction', 'bid'] as const).entries()) {
        const ofBlock = whole.streams[index]!.partitions.map((events) =>
          events.filter(({ arrival }) => Math.floor(arrival / BLOCK_EVENTS) === block),
        );
        expect(alone[name]).toEqual(ofBlock);
      }
    }
  });

  test('another process makes a block of the same bytes', async () => {
    const program = `
      import { blockNdjson, nexmarkGenerator } from './generators/nexmark/index.ts';
      const lines = blockNdjson(nexmarkGenerator(${JSON.stringify(options)}), 1);
      process.stdout.write(Buffer.concat(lines.bid.map(({ bytes }) => bytes)));
    `;
    const { stdout } = await execa(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', program],
      { stripFinalNewline: false },
    );
    const { bid } = blockNdjson(nexmarkGenerator(options), 1);
    expect(stdout.length).toBeGreaterThan(0);
    expect(stdout).toBe(bid.map(({ bytes }) => Buffer.from(bytes).toString()).join(''));
  });
});

test.each([
  ['nexmark', '38991c91f3f656e71023b25f21f7abd2ce0d0031a66b4dc3683557ecabd9603a'],
  ['extremes', '9194ffe9c5e79a3eb8e02b81c42296e58360dfa2c547016c05bf2496d3c94fab'],
])(
  'the format of profile %s is pinned: the same seed gives the same bytes in every version',
  (profile, hash) => {
    const files = linesFromBlocks({ seed: 'golden', events: 12_345, partitions: 3, profile });
    expect(sha256(files.flat().join(''))).toBe(hash);
  },
);
