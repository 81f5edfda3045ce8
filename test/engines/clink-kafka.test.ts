import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clink } from '../../src/engines/clink/engine.ts';
import { installation } from '../../src/engines/clink/install.ts';
import { type ClinkKafkaSession, openClinkOverKafka } from '../../src/engines/clink/kafka-session.ts';
import { judge } from '../../src/judge/judge.ts';
import {
  bigint,
  call,
  count,
  desc,
  from,
  hop,
  type PlanBuilder,
  session,
  sum,
  tumble,
} from '../../src/model/build.ts';
import type { Case, Schedule } from '../../src/model/case.ts';
import type { Dataset } from '../../src/model/dataset.ts';
import type { Capture } from '../../src/model/outcome.ts';
import { parseExactJson, rowFromObject } from '../../src/model/row-json.ts';
import type { StreamSchema } from '../../src/model/schema.ts';
import type { Row } from '../../src/model/value.ts';
import {
  type Broker,
  kafkaBroker,
  openRunTopics,
  type RunTopics,
  startBroker,
} from '../../src/streams/kafka/index.ts';
import {
  bytesOf,
  captureOf,
  clickStream,
  never,
  queryOf,
  sorted,
  temporaryDirectory,
  textOf,
} from './cases.ts';

const required = (process.env.TIDEMARK_REQUIRE_ENGINES ?? '').split(',');
const missing: string[] = [];
if (!required.includes('clink') && (await clink.status()).kind !== 'ready') missing.push('clink');
if (!required.includes('kafka') && (await kafkaBroker.status()).kind !== 'ready') missing.push('kafka');
const title =
  missing.length === 0
    ? 'Clink over Kafka'
    : `Clink over Kafka (skipped: not installed, run \`tidemark engines install\` for ${missing.join(' and ')})`;

/** One partition after the other; rows are numbered in the order of their times, which is that of arrival. */
function partitioned(
  schema: StreamSchema,
  lagMs: number,
  ...partitions: (readonly (readonly [arrival: number, row: Row])[])[]
): Dataset {
  const events = partitions.map((rows) => rows.map(([arrival, row]) => ({ arrival, row })));
  return { lagMs, provenance: 'captured', streams: [{ schema, partitions: events }] };
}

/** Clicks in two partitions, `[k, at, v]`, numbered by `seq` in the order of the arguments. */
function clicks(
  lagMs: number,
  first: readonly (readonly [string, number, number?])[],
  second: readonly (readonly [string, number, number?])[],
): Dataset {
  let seq = 0;
  const rows = (part: typeof first) => part.map(([k, at, v = 0]) => [seq, [k, at, v, seq++]] as const);
  return partitioned(clickStream, lagMs, rows(first), rows(second));
}

const click = from('click');

describe.skipIf(missing.length > 0)(title, () => {
  const directory = temporaryDirectory();
  let broker: Broker;
  let topics: RunTopics;
  let opened: ClinkKafkaSession;

  beforeAll(async () => {
    broker = await startBroker({ directory: directory.path, signal: never });
    topics = await openRunTopics({ brokers: broker.brokers, run: 'clink-test' });
    opened = (await clink.open({
      directory: join(directory.path, 'clink'),
      topics,
      signal: never,
    })) as ClinkKafkaSession;
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await topics?.[Symbol.asyncDispose]();
    await broker?.stop();
    directory.remove();
  });

  const caseOf = (plan: PlanBuilder, data: Dataset, schedule: Partial<Schedule> = {}): Case => ({
    query: queryOf(
      plan,
      data.streams.map(({ schema }) => schema),
    ),
    dataset: data,
    schedule: { parallelism: 2, stop: 'settle-cancel', ...schedule },
  });

  it.concurrent('fires the pane that ends at the watermark, and not the one that ends 1 ms later', async () => {
    // Watermarks 25 - 5 and 30 - 5: the source's is 20.
    const data = clicks(
      5,
      [
        ['a', 1],
        ['a', 18],
        ['a', 25],
      ],
      [
        ['b', 2],
        ['a', 30],
      ],
    );
    const testCase = caseOf(click.window(hop(3, 1)).perWindow(['k'], { n: count() }), data);
    const outcome = await opened.run(testCase, never);
    expect(await rowsOf(testCase, captureOf(outcome))).toEqual(
      sorted([
        [-1, 2, 'a', 1],
        [0, 3, 'a', 1],
        [1, 4, 'a', 1],
        [0, 3, 'b', 1],
        [1, 4, 'b', 1],
        [2, 5, 'b', 1],
        [16, 19, 'a', 1],
        [17, 20, 'a', 1],
      ]),
    );
    expect(outcome).toHaveProperty(
      'evidence.notes',
      expect.arrayContaining([expect.stringMatching(/last output/)]),
    );
  });

  it.concurrent('puts rows of both partitions into one session, touching ones too', async () => {
    // The watermark is 40. Gaps of 5: a from 1 to 11 (1, 6, 11 touch), then 20; b's last is still open.
    const data = clicks(
      10,
      [
        ['a', 1, 1],
        ['a', 11, 4],
        ['b', 36, 16],
        ['a', 50],
      ],
      [
        ['a', 6, 2],
        ['a', 20, 8],
        ['c', 60],
      ],
    );
    const plan = click.window(session(5, ['k'])).perWindow(['k'], { n: count(), total: sum('v') });
    const testCase = caseOf(plan, data);
    expect(await rowsOf(testCase, captureOf(await opened.run(testCase, never)))).toEqual(
      sorted([
        [1, 16, 'a', 3, 7],
        [20, 25, 'a', 1, 8],
      ]),
    );
  });

  it.concurrent('upserts the first of each key', async () => {
    const data = clicks(
      5,
      [
        ['a', 1, 3],
        ['b', 2, 1],
      ],
      [
        ['a', 3, 9],
        ['a', 4, 5],
      ],
    );
    const testCase = caseOf(click.top(1, ['k'], desc('v', 'last'), desc('seq')), data);
    const capture = captureOf(await opened.run(testCase, never));
    expect(capture.format).toBe('records');
    const { columns, definition } = testCase.query;
    // The partition that is read first decides whether a row is withdrawn on the way; the final state is the same.
    const verdict = await judge({
      columns,
      declaration: definition.declaration,
      expected: {
        rows: [
          ['a', 3, 9, 2],
          ['b', 2, 1, 1],
        ],
      },
      actual: { capture },
    });
    expect(verdict).toEqual({ kind: 'agree', rows: 2 });
  });

  it.concurrent('carries every type through a topic', async () => {
    const testCase = caseOf(from('order').select(...order.columns.map(({ name }) => name)), orders);
    const { columns, definition } = testCase.query;
    const verdict = await judge({
      columns,
      declaration: definition.declaration,
      expected: { rows: orderRows },
      actual: { capture: captureOf(await opened.run(testCase, never)) },
    });
    expect(verdict).toEqual({ kind: 'agree', rows: orderRows.length });
  });

  it.concurrent('cuts a run short, and gives what was written by then', async () => {
    const rows = (from: number) =>
      Array.from({ length: 20_000 }, (_, index) => ['a', index, from + index] as const);
    const data = clicks(5, rows(0), rows(1_000_000));
    const testCase = caseOf(click.select('v'), data, { stop: 'cancel', cancelAfterOutput: 100 });
    const outcome = await opened.run(testCase, never);
    const lines = await valuesOf(captureOf(outcome));
    const values = lines.map((line) => (line as { v: number }).v);
    expect(values.length).toBeGreaterThanOrEqual(100);
    // Of each partition a prefix.
    for (const start of [0, 1_000_000]) {
      const given = values.filter((value) => value >= start && value < start + 20_000);
      expect(given).toEqual(Array.from({ length: given.length }, (_, index) => start + index));
    }
  });

  it.concurrent('does not take an empty output for a settled one', async () => {
    const testCase = caseOf(
      click.filter(call('gt', 'v', bigint(9))).select('v'),
      clicks(5, [['a', 1]], [['a', 2]]),
    );
    expect(await opened.run(testCase, never)).toEqual({
      kind: 'failed',
      step: 'settle',
      code: 'nothing-seen',
      message: 'the engine is idle and has written nothing: whether it has read anything cannot be told',
    });
  });

  it.concurrent('reports SQL that the engine refuses, in its own words', async () => {
    const testCase = caseOf(from('order').select('seq'), orders);
    const elsewhere = { ...testCase, dataset: clicks(5, [['a', 1]], [['a', 2]]) };
    expect(await opened.run(elsewhere, never)).toMatchObject({
      kind: 'failed',
      step: 'submit',
      code: 'engine-refused',
      message: expect.stringContaining('order'),
    });
  });

  // Departures from the law (semantics §2), which the tool is to find. Where one of these fails, a release no longer
  // departs.

  it.concurrent('departs: a subtask of two partitions follows the greatest time of either', async () => {
    // Both partitions hold a pane [0, 10) of one row and then so many later rows that one of them is read in whole
    // before the other. The source's watermark is 95 in the end, and was below 0 until both had been read.
    const rows = (k: string) => [[k, 1] as const, ...Array.from({ length: 10_000 }, () => [k, 100] as const)];
    const testCase = caseOf(
      click.window(tumble(10)).perWindow(['k'], { n: count() }),
      clicks(5, rows('a'), rows('b')),
      {
        parallelism: 1,
      },
    );
    const answered = await rowsOf(testCase, captureOf(await opened.run(testCase, never)));
    // By the law, both.
    expect([[[0, 10, 'a', 1]], [[0, 10, 'b', 1]]]).toContainEqual(answered);
  });

  it.concurrent('departs: a subtask without a partition holds the watermark for good', async () => {
    const data = partitioned(clickStream, 5, [
      [0, ['a', 1, 0, 0]],
      [1, ['a', 100, 0, 1]],
    ]);
    const testCase = caseOf(click.window(tumble(10)).perWindow(['k'], { n: count() }), data);
    expect(await opened.run(testCase, never)).toMatchObject({ step: 'settle', code: 'nothing-seen' });
  });

  it.concurrent('ends a run that is aborted', async () => {
    const abort = new AbortController();
    const running = opened.run(caseOf(click.select('v'), clicks(5, [['a', 1]], [['a', 2]])), abort.signal);
    setTimeout(() => abort.abort(), 3_000);
    expect(await running).toEqual({
      kind: 'failed',
      step: 'run',
      code: 'aborted',
      message: 'the run was aborted',
    });
  });

  it.concurrent('reports a crash', async () => {
    await using crashing = await clink.open({
      directory: join(directory.path, 'crash'),
      topics,
      signal: never,
    });
    const running = crashing.run(caseOf(click.select('v'), clicks(5, [['a', 1]], [['a', 2]])), never);
    setTimeout(() => process.kill((crashing as ClinkKafkaSession).pids[0]!, 'SIGKILL'), 3_000);
    expect(await running).toMatchObject({ kind: 'failed', step: 'run', code: 'engine-crashed' });
  });

  it.concurrent('gives up on an output that is not quiet within the limit', async () => {
    await using hasty = await openClinkOverKafka({
      directory: join(directory.path, 'hasty'),
      python: installation().python,
      variant: { kind: 'release' },
      topics,
      signal: never,
      settleLimitMs: 500,
    });
    const testCase = caseOf(click.select('v'), clicks(5, [['a', 1]], [['a', 2]]));
    expect(await hasty.run(testCase, never)).toMatchObject({ step: 'settle', code: 'settle-timeout' });
    expect(hasty.pids).toEqual([]);
  });

  it.concurrent('has no option for a property that Clink’s connector does not take', async () => {
    const secured: RunTopics = Object.assign(Object.create(topics), {
      clientProperties: { 'sasl.login.class': 'x' },
    });
    await using other = await clink.open({
      directory: join(directory.path, 'other'),
      topics: secured,
      signal: never,
    });
    const testCase = caseOf(click.select('v'), clicks(5, [['a', 1]], [['a', 2]]));
    expect(await other.run(testCase, never)).toEqual({
      kind: 'unsupported',
      reason: 'Clink’s Kafka connector has no option for sasl.login.class',
    });
  });

  it.concurrent.each(['drain', 'kill'] as const)('has no stop %s', async (stop) => {
    const testCase = caseOf(click.select('v'), clicks(5, [['a', 1]], [['a', 2]]), { stop });
    expect(await opened.run(testCase, never)).toMatchObject({ kind: 'unsupported' });
  });

  it('has left nothing running once its cases are through', () => {
    expect(opened.pids.filter(isRunning)).toEqual([]);
  });
});

const nullable = true;
const order: StreamSchema = {
  name: 'order',
  columns: [
    { name: 'at', type: 'TIMESTAMP(3)', nullable: false },
    { name: 'user', type: 'BIGINT', nullable },
    { name: 'select', type: 'STRING', nullable },
    { name: 'x', type: 'DOUBLE', nullable },
    { name: 'i', type: 'INT', nullable },
    { name: 'b', type: 'BOOLEAN', nullable },
    { name: 'd', type: 'DECIMAL(10,2)', nullable },
    { name: 'seq', type: 'BIGINT', nullable: false },
  ],
  eventTime: 'at',
  unique: [['seq']],
};
const orderRows: readonly Row[] = [
  [-1, 9_007_199_254_740_993n, 'a😀é\u{10ffff}', 0.1, -2_147_483_648, true, '-0.05', 0],
  [0, -9_223_372_036_854_775_808n, '', 3, 2_147_483_647, false, '99999999.99', 1],
  [5, 9_223_372_036_854_775_807n, 'q"\\/\n\t\u007f', 5e-324, 0, null, '0.00', 2],
  [6, null, null, null, null, null, null, 3],
  [7, 0, "it's <b>&amp;\ufffd\u2028", 1.7976931348623157e308, 1, true, '1.50', 4],
];
const orders = partitioned(
  order,
  5,
  orderRows.slice(0, 3).map((row, index) => [index, row]),
  orderRows.slice(3).map((row, index) => [3 + index, row]),
);

/** The values of records as JSON, in the order of their offsets; null for a tombstone. */
async function valuesOf(capture: Capture): Promise<readonly unknown[]> {
  const records = (await bytesOf(capture)).toString().split('\n').filter(Boolean);
  return records.map((record) => {
    const { value } = JSON.parse(record) as { value: string | null };
    return value === null ? null : parseExactJson(Buffer.from(value, 'base64').toString());
  });
}

/** The rows of an append topic, or the last row of each key of an upsert one, in the order of their text. */
async function rowsOf({ query }: Case, capture: Capture): Promise<readonly Row[]> {
  const rows = (await valuesOf(capture)).map((value) => rowFromObject(query.columns, value));
  const { class: judged, keys } = query.definition.declaration;
  if (judged === 'append') return sorted(rows);
  const positions = keys.map((key) => query.columns.findIndex(({ name }) => name === key));
  const last = new Map(rows.map((row) => [textOf(positions.map((position) => row[position]!)), row]));
  return sorted([...last.values()]);
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
}
