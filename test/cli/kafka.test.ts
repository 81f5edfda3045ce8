import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bidStream } from '../../generators/nexmark/index.ts';
import { summarySchema } from '../../src/campaign/summary.ts';
import { engines } from '../../src/engines/index.ts';
import type { Dataset } from '../../src/model/dataset.ts';
import type { Row } from '../../src/model/value.ts';
import { writeDataset } from '../../src/streams/dataset-files.ts';
import { kafkaBroker } from '../../src/streams/kafka/index.ts';
import { neededBy } from '../support/needed-engines.ts';
import { tidemark } from '../support/tidemark.ts';

const { title, missing } = await neededBy('two engines, one Kafka', [
  engines.get('clink')!,
  engines.get('flink')!,
  kafkaBroker,
]);

/** A broker, a cluster and the quiet waits of Clink take their time, the more so beside another test. */
const RUN_LIMIT_MS = 540_000;
const TEST_LIMIT_MS = RUN_LIMIT_MS + 30_000;

let directory: string;
let temporary: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
  temporary = join(directory, 'tmp');
  mkdirSync(temporary);
});
afterAll(() => rmSync(directory, { recursive: true }));

async function runOver(name: string, ...args: string[]) {
  const out = join(directory, name);
  const command = ['run', '--transport', 'kafka', '--out', out, '--json', ...args];
  const { exitCode, stdout, stderr } = await tidemark(command, { TMPDIR: temporary }, RUN_LIMIT_MS);
  return { exitCode, stderr, summary: stdout === '' ? undefined : summarySchema.parse(JSON.parse(stdout)) };
}

/** Bids of one auction at the given times, over two partitions. */
function bidsAt(...times: number[]): Dataset {
  const rows = times.map((at, seq): Row => [1, seq % 2, 100 + seq, 'Apple', 'https://a/b', at, seq]);
  const partitions = [0, 1].map((partition) =>
    rows.flatMap((row, arrival) => (arrival % 2 === partition ? [{ arrival, row }] : [])),
  );
  const provenance = { seed: 'by hand', profile: 'by hand', parameters: {} };
  return { lagMs: 4_000, provenance, streams: [{ schema: bidStream, partitions }] };
}

describe.skipIf(missing.length > 0)(title, () => {
  test('agree with their truths and with each other', { timeout: TEST_LIMIT_MS }, async () => {
    const { exitCode, summary, stderr } = await runOver(
      'agree',
      ...['--engines', 'clink,flink@2.2', '--queries', 'q5,q8', '--events', '20000'],
      ...['--partitions', '4', '--parallelism', '4'],
    );
    expect(summary, stderr).toMatchObject({ verdict: 'agree', complete: true, counts: { agree: 2 } });
    expect(exitCode).toBe(0);
    for (const { engines: results, pairs } of summary!.queries) {
      expect(results.map(({ verdict }) => verdict.kind)).toEqual(['agree', 'agree']);
      expect(pairs.map(({ verdict }) => verdict.kind)).toEqual(['agree']);
    }
    // Nothing of ours is left: the broker, the cluster and their files went with the run.
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('are held to the delivery that was asked for, or skipped', { timeout: TEST_LIMIT_MS }, async () => {
    const { exitCode, summary, stderr } = await runOver(
      'exactly-once',
      ...['--engines', 'clink,flink@2.2', '--queries', 'q2', '--events', '5000'],
      ...['--delivery', 'exactly-once'],
    );
    expect(exitCode, stderr).toBe(3);
    const [clink, flink] = summary!.queries[0]!.engines;
    expect(clink).toMatchObject({ skipped: true, verdict: { kind: 'inconclusive' } });
    expect(flink).toMatchObject({ skipped: false, verdict: { kind: 'agree' } });
  });

  test('are given up where the output still grows at the limit', { timeout: TEST_LIMIT_MS }, async () => {
    const { exitCode, summary, stderr } = await runOver(
      'limit',
      // A cluster that is given up so is in the tests of Flink's settling.
      ...['--engines', 'clink', '--queries', 'q0', '--events', '200000'],
      ...['--partitions', '4', '--parallelism', '4', '--limit', '1'],
    );
    expect(exitCode, stderr).toBe(3);
    const { verdict } = summary!.queries[0]!.engines[0]!;
    expect(verdict.kind).toBe('not-gated');
    expect(verdict.reason).toMatch(/^settle: .*after 1 s \(settle-timeout\)$/);
  });

  test('differ by a trait where a pane ends at W + 1, and each is right', {
    timeout: TEST_LIMIT_MS,
  }, async () => {
    // Both partitions reach 13 999, so W = 9 999: Flink fires [0, 10 000) at 9 999, Clink at 10 000.
    const data = join(directory, 'edge');
    await writeDataset(bidsAt(-6_000, -7_000, 1_000, 2_000, 3_000, 4_000, 13_999, 13_999), data);
    const { exitCode, summary, stderr } = await runOver(
      'edge-run',
      ...['--engines', 'clink,flink@2.2', '--queries', 'q12', '--data', data, '--parallelism', '2'],
    );
    expect(summary, stderr).toMatchObject({ verdict: 'agree' });
    const [q12] = summary!.queries;
    expect(q12!.engines.map(({ engine, rows }) => [engine, rows])).toEqual([
      ['clink', 2],
      ['flink@2.2', 4],
    ]);
    expect(q12!.pairs).toEqual([
      { engines: ['clink', 'flink@2.2'], verdict: { kind: 'agree' }, explainedByTrait: 2 },
    ]);
    expect(exitCode).toBe(0);
  });

  test('cancelled midway, have emitted a prefix of the truth', { timeout: TEST_LIMIT_MS }, async () => {
    const { summary, stderr } = await runOver(
      'cancelled',
      ...['--engines', 'clink,flink@2.2', '--queries', 'q0,q12', '--events', '100000'],
      ...['--partitions', '2', '--parallelism', '2', '--stop', 'cancel'],
    );
    const judged = summary!.queries.flatMap(({ engines: results }) => results);
    // A fast engine may have read every row before it is stopped; of a window query, panes are open even then.
    for (const { verdict, interrupted } of summary!.queries[1]!.engines) {
      expect(verdict, stderr).toEqual({ kind: 'agree' });
      expect(interrupted!.open).toBeGreaterThan(0);
    }
    for (const { verdict } of judged) expect(['agree', 'inconclusive']).toContain(verdict.kind);
  });
});

describe.skipIf(missing.includes('clink'))(
  'without a broker nothing is gated, and the message says what to do',
  () => {
    const notGated = async (name: string, brokers: string) => {
      const args = ['--engines', 'clink', '--queries', 'q0', '--events', '500', '--brokers', brokers];
      const { exitCode, summary } = await runOver(name, ...args);
      expect(exitCode).toBe(3);
      const [query] = summary!.queries;
      expect(query!.verdict.kind).toBe('not-gated');
      return query!.verdict.reason;
    };

    test('nobody listens', { timeout: 120_000 }, async () => {
      expect(await notGated('absent', '127.0.0.1:1')).toMatch(/no Kafka broker at 127\.0\.0\.1:1/);
    });

    test('somebody listens who is no broker', { timeout: 120_000 }, async () => {
      const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as { port: number };
      try {
        expect(await notGated('refusing', `127.0.0.1:${port}`)).toMatch(/no Kafka broker at/);
      } finally {
        server.close();
      }
    });

    test('no Java for a broker of our own', { timeout: 120_000 }, async () => {
      const { exitCode, stdout } = await tidemark(
        [
          ...['run', '--transport', 'kafka', '--engines', 'clink', '--queries', 'q0', '--events', '500'],
          ...['--out', join(directory, 'no-java')],
        ],
        { PATH: directory, JAVA_HOME: join(directory, 'no-java-here') },
      );
      expect(exitCode).toBe(3);
      expect(stdout).toMatch(/not-gated.*Java/s);
    });
  },
);
