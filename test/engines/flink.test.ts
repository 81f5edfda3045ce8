import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateNexmark } from '../../generators/nexmark/index.ts';
import { type Cluster, startCluster } from '../../src/engines/flink/cluster.ts';
import { flink } from '../../src/engines/flink/engine.ts';
import { installation } from '../../src/engines/flink/install.ts';
import { findJava } from '../../src/engines/flink/java.ts';
import { type FlinkEvidence, FlinkSession } from '../../src/engines/flink/session.ts';
import { DEFAULT_FLINK, FLINK_VERSIONS, type FlinkVersion } from '../../src/engines/flink/versions.ts';
import {
  asc,
  bigint,
  call,
  count,
  cumulate,
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
import type { Outcome, Output } from '../../src/model/outcome.ts';
import { checkQuery } from '../../src/model/query.ts';
import { parseExactJson, rowFromObject } from '../../src/model/row-json.ts';
import type { Row } from '../../src/model/value.ts';
import { queries } from '../../src/queries/index.ts';
import { type Broker, openRunTopics, type RunTopics, startBroker } from '../../src/streams/kafka/index.ts';
import {
  bytesOf,
  type Click,
  captureOf,
  clickStream,
  never,
  queryOf,
  saleStream,
  sorted,
  temporaryDirectory,
} from './cases.ts';

const required = (process.env.TIDEMARK_REQUIRE_ENGINES ?? '').split(',');

/** Each version that can be tested; the default one is tested whole, and the others in what may differ. */
const tested = await Promise.all(
  FLINK_VERSIONS.map(async (version) => {
    const name = version === DEFAULT_FLINK ? 'flink' : `flink@${version.name}`;
    const runs = required.includes(name) || (await flink.status(version.name)).kind === 'ready';
    const skipped = ` (skipped: not installed, run \`tidemark engines install ${name}\`)`;
    return { version, runs, title: `${name}${runs ? '' : skipped}` };
  }),
);
const { runs, title } = tested.find(({ version }) => version === DEFAULT_FLINK)!;

const START_LIMIT_MS = 300_000;
const directory = temporaryDirectory();
afterAll(directory.remove);

const click = from('click');
const counted = { n: count() };
const everything = click.select('k', 'at', 'v', 'seq');

/** Clicks in partitions, with a lag; rows are numbered by arrival, partition after partition. */
function clicks(lagMs: number, ...partitions: (readonly Click[])[]): Dataset {
  let arrival = 0;
  const rows = partitions.map((part) =>
    part.map(([k, at, v = null]) => ({ arrival, row: [k, at, v, arrival++] satisfies Row })),
  );
  return {
    lagMs,
    provenance: 'captured',
    streams: [
      { schema: clickStream, partitions: rows },
      { schema: saleStream, partitions: [[]] },
    ],
  };
}

const first: readonly Click[] = [
  ['a', 1],
  ['b', 4],
  ['a', 12],
  ['a', 24],
];
const second: readonly Click[] = [
  ['a', 3],
  [null, 9],
  ['b', 15],
  ['b', 29],
];

/** With lag 5 the watermark ends at 24 - 5 = 19, with lag 6 at 18. */
const small = (lagMs: number) => clicks(lagMs, first, second);

for (const { version, runs: here, title: name } of tested) {
  describe.skipIf(!here)(`a session of ${name}`, { timeout: 180_000 }, () => sessionTests(version));
}

function sessionTests(version: FlinkVersion): void {
  let broker: Broker;
  let topics: RunTopics;
  let cluster: Cluster;
  let opened: FlinkSession;

  beforeAll(async () => {
    broker = await startBroker({ directory: directory.path, signal: never });
    topics = await openRunTopics({ brokers: broker.brokers, run: `flink-test-${process.pid}` });
    cluster = await start(join(directory.path, 'session'), {}, version);
    opened = new FlinkSession(
      {
        flink: version,
        directory: directory.path,
        topics,
        start: async () => {
          cluster = await start(join(directory.path, 'session'), {}, version);
          return cluster;
        },
      },
      cluster,
    );
  }, START_LIMIT_MS);

  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
    await topics?.[Symbol.asyncDispose]();
    await broker?.stop();
  }, 60_000);

  const run = (
    plan: PlanBuilder,
    dataset: Dataset,
    schedule: Partial<Schedule> = {},
    signal = never,
  ): Promise<Outcome> => opened.run(caseOf(plan, dataset, schedule), signal);

  const answer = async (plan: PlanBuilder, dataset: Dataset, schedule: Partial<Schedule> = {}) => {
    const testCase = caseOf(plan, dataset, schedule);
    return rowsOf(testCase, await opened.run(testCase, never));
  };

  const running = async () => {
    const { jobs: all } = (await cluster.jobs.get('/jobs/overview', never)) as {
      jobs: { name: string; state: string }[];
    };
    return all.filter(({ state }) => state === 'RUNNING').map(({ name }) => name);
  };

  describe('that is to deliver exactly once', () => {
    const delivery = 'exactly-once';

    it.each([
      ['appended', everything],
      ['final', click.aggregate(['k'], counted)],
    ])('gives the same %s rows, committed once it has settled', async (_, plan) => {
      const testCase = caseOf(
        plan,
        clicks(5, first, [
          ['b', 3],
          ['c', 9],
        ]),
        { delivery },
      );
      const outcome = await opened.run(testCase, never);
      const rows = await rowsOf(testCase, outcome);
      expect(rows).toEqual(await answer(plan, testCase.dataset));
      expect(rows.length).toBeGreaterThan(0);
      // Markers of transactions lie between the records and the end.
      const { endOffset } = (outcome as Output).evidence as FlinkEvidence;
      expect(Number(endOffset)).toBeGreaterThan(rows.length);
    });

    it('has shown nothing where its sink writes no transaction', async () => {
      const plainly: RunTopics = {
        brokers: topics.brokers,
        clientProperties: topics.clientProperties,
        produce: (...args) => topics.produce(...args),
        createSink: (label) => topics.createSink(label),
        endOffset: (topic) => topics.endOffset(topic),
        committedEnd: (topic) => topics.committedEnd(topic),
        drain: async (topic, end, ...rest) => ({
          ...(await topics.drain(topic, end, ...rest)),
          records: Number(end),
        }),
        [Symbol.asyncDispose]: () => topics[Symbol.asyncDispose](),
      };
      const session = new FlinkSession(
        { flink: version, directory: directory.path, topics: plainly, start: async () => cluster },
        cluster,
      );
      expect(await session.run(caseOf(everything, small(5), { delivery }), never)).toMatchObject({
        kind: 'failed',
        step: 'drain',
        code: 'not-transactional',
      });
    });

    it('cannot be cut short', async () => {
      expect(await run(everything, small(5), { delivery, stop: 'cancel' })).toMatchObject({
        kind: 'unsupported',
      });
    });
  });

  it('gives rows as they are: nulls, int64 as digits, any text, times before the epoch', async () => {
    const dataset = clicks(
      5,
      [
        ['ü😀\n"\\', -1, 2n ** 53n + 1n],
        [null, -62_135_596_800_000, -(2n ** 63n)],
      ],
      [['', 253_402_300_799_999, 2n ** 63n - 1n]],
    );
    expect(await answer(everything, dataset)).toEqual(
      sorted([
        ['ü😀\n"\\', -1, 2n ** 53n + 1n, 0],
        [null, -62_135_596_800_000, -(2n ** 63n), 1],
        ['', 253_402_300_799_999, 2n ** 63n - 1n, 2],
      ]),
    );
  });

  it('fires a pane that ends at W + 1', async () => {
    expect(await answer(click.window(tumble(10)).perWindow(['k'], counted), small(5))).toEqual(
      sorted([
        [0, 10, 'a', 2],
        [0, 10, 'b', 1],
        [0, 10, null, 1],
        [10, 20, 'a', 1],
        [10, 20, 'b', 1],
      ]),
    );
  });

  it('does not fire a pane that ends at W + 2', async () => {
    expect(await answer(click.window(tumble(10)).perWindow(['k'], counted), small(6))).toEqual(
      sorted([
        [0, 10, 'a', 2],
        [0, 10, 'b', 1],
        [0, 10, null, 1],
      ]),
    );
  });

  it('fires all panes when it is drained', async () => {
    const plan = click.window(tumble(10)).perWindow([], { ...counted, total: sum('seq') });
    // Rows 0, 1, 4, 5, then 2, 6, then 3, 7.
    expect(await answer(plan, small(6), { stop: 'drain' })).toEqual([
      [0, 10, 4, 10],
      [10, 20, 2, 8],
      [20, 30, 2, 10],
    ]);
  });

  it('has hop windows', async () => {
    expect(await answer(click.window(hop(10, 5)).perWindow(['k'], counted), small(5))).toEqual(
      sorted([
        [-5, 5, 'a', 2],
        [-5, 5, 'b', 1],
        [0, 10, 'a', 2],
        [0, 10, 'b', 1],
        [0, 10, null, 1],
        [5, 15, 'a', 1],
        [5, 15, null, 1],
        [10, 20, 'a', 1],
        [10, 20, 'b', 1],
      ]),
    );
  });

  it('has cumulating windows', async () => {
    expect(await answer(click.window(cumulate(5, 10)).perWindow(['k'], counted), small(5))).toEqual(
      sorted([
        [0, 5, 'a', 2],
        [0, 5, 'b', 1],
        [0, 10, 'a', 2],
        [0, 10, 'b', 1],
        [0, 10, null, 1],
        [10, 15, 'a', 1],
        [10, 20, 'a', 1],
        [10, 20, 'b', 1],
      ]),
    );
  });

  it('has sessions, in which rows exactly the gap apart are together', async () => {
    const dataset = clicks(5, first, [['a', 5], ...second.slice(1)]);
    expect(await answer(click.window(session(4, ['k'])).perWindow(['k'], counted), dataset)).toEqual(
      // Rows 1 and 5 of a touch; 24 of a and 29 of b have not fired.
      sorted([
        [1, 9, 'a', 2],
        [12, 16, 'a', 1],
        [4, 8, 'b', 1],
        [15, 19, 'b', 1],
        [9, 13, null, 1],
      ]),
    );
  });

  // Departs from semantics §3: a filter after the window does not split a session.
  it('splits a session at a row that a filter takes out of it', async () => {
    const plan = click
      .window(session(5, ['k']))
      .filter(call('ne', 'v', bigint(2)))
      .perWindow(['k'], counted);
    const dataset = clicks(5, [
      ['a', 0, 1],
      ['a', 4, 2],
      ['a', 8, 3],
    ]);
    expect(await answer(plan, dataset, { stop: 'drain', parallelism: 1 })).toEqual([
      [0, 5, 'a', 1],
      [8, 13, 'a', 1],
    ]);
  });

  it('has a top-N of windows', async () => {
    const plan = click
      .window(tumble(10))
      .perWindow(['k'], counted)
      .top(1, ['window_start', 'window_end'], desc('n'), asc('k', 'last'));
    expect(await answer(plan, small(5))).toEqual([
      [0, 10, 'a', 2],
      [10, 20, 'a', 1],
    ]);
  });

  it('withdraws rows of a top-N by tombstones', async () => {
    const plan = click.filter(call('not', call('is_null', 'k'))).top(2, ['k'], desc('seq'));
    const testCase = caseOf(plan, small(5));
    const keyed: Case = {
      ...testCase,
      query: checkQuery(
        {
          ...testCase.query.definition,
          declaration: { ...testCase.query.definition.declaration, keys: ['seq'] },
        },
        [clickStream, saleStream],
      ),
    };
    const outcome = await opened.run(keyed, never);
    expect((await bytesOf(captureOf(outcome))).toString()).toContain('"value":null');
    const rows = await rowsOf(keyed, outcome);
    expect(rows.map(([k, , , seq]) => [k, seq])).toEqual([
      ['a', 3],
      ['a', 4],
      ['b', 6],
      ['b', 7],
    ]);
  });

  it.each([
    ['a subtask without a partition', small(5), 3],
    ['an empty partition', clicks(5, first, []), 1],
  ] as const)('has no watermark with %s, and settles', async (_, dataset, parallelism) => {
    const outcome = await run(click.window(tumble(10)).perWindow([], counted), dataset, { parallelism });
    expect(outcome).toMatchObject({ kind: 'output', evidence: { endOffset: '0' } });
    expect(evidenceOf(outcome).notes).toHaveLength(1);
  });

  it('stops midway, and says how far it was', async () => {
    const dataset = generateNexmark({ seed: 'flink', events: 20_000, partitions: 2 });
    const query = checkQuery(
      queries.get('q0')!,
      dataset.streams.map(({ schema }) => schema),
    );
    const schedule = { parallelism: 2, stop: 'cancel', cancelAfterRows: 100 } as const;
    const outcome = await opened.run({ query, dataset, schedule }, never);
    const { sourceRows, endOffset, notes } = evidenceOf(outcome);
    const lines = (await bytesOf(captureOf(outcome))).toString().split('\n').length - 1;
    expect(lines).toBe(Number(endOffset));
    if (version.endsCountedAt === 'vertex') expect(lines).toBeLessThanOrEqual(sourceRows);
    expect(sourceRows).toBeGreaterThanOrEqual(100);
    const about = version.endsCountedAt === 'vertex' ? '' : 'at least ';
    expect(notes).toEqual([
      `its sources had read ${about}${sourceRows} rows, and the output ended at offset ${endOffset}`,
    ]);
  });

  it('reports SQL that the engine refuses, in its own words', async () => {
    const dataset = small(5);
    const withoutSales = { ...dataset, streams: dataset.streams.slice(0, 1) };
    const testCase = caseOf(from('sale').select('item'), dataset);
    expect(await opened.run({ ...testCase, dataset: withoutSales }, never)).toEqual({
      kind: 'failed',
      step: 'submit',
      code: 'engine-refused',
      message: expect.stringMatching(/Object 'sale' not found/),
    });
  });

  it('reports a job that fails, without the record it fails at', async () => {
    const dataset = small(5);
    const topic = (await topics.produce(dataset, never)).get('click')!;
    await sendRaw(broker.brokers, topic, '{"k":"secret","at":oops}');
    const outcome = await run(everything, dataset);
    expect(outcome).toMatchObject({ kind: 'failed', step: 'run', code: 'job-failed' });
    expect(JSON.stringify(outcome)).not.toMatch(/secret|oops/);
    expect(await answer(everything, small(5))).toHaveLength(8);
  });

  it('fails at a NULL in an upsert key', async () => {
    expect(await run(click.aggregate(['k'], counted), small(5))).toEqual({
      kind: 'failed',
      step: 'run',
      code: 'job-failed',
      message: expect.stringMatching(
        /^the job failed with JobException, caused by (EnforcerException|TableException)$/,
      ),
    });
  });

  // What follows is the same code for every version.
  if (version !== DEFAULT_FLINK) return;

  it('tells how long it took', async () => {
    const evidence = evidenceOf(await run(everything, small(5)));
    expect(evidence).toMatchObject({ engine: 'flink', version: '2.2.1', sourceRows: 8, endOffset: '8' });
    expect(evidence.seconds).toBeGreaterThan(0);
    expect(evidence.sql).toContain('FROM click');
  });

  it('has no stop that kills, and no more subtasks than slots', async () => {
    expect(await run(everything, small(5), { stop: 'kill' })).toMatchObject({ kind: 'unsupported' });
    expect(await run(everything, small(5), { parallelism: 17 })).toEqual({
      kind: 'unsupported',
      reason: 'the cluster has 16 slots: parallelism 16 at most',
    });
  });

  it('settles within its limit', async () => {
    const hasty = new FlinkSession(
      {
        flink: DEFAULT_FLINK,
        directory: directory.path,
        topics,
        start: async () => cluster,
        settleLimitMs: 1,
      },
      cluster,
    );
    expect(await hasty.run(caseOf(everything, small(5)), never)).toEqual({
      kind: 'failed',
      step: 'settle',
      code: 'settle-timeout',
      message: 'the job had not settled after 0.001 s',
    });
    expect(await running()).toEqual([]);
  });

  it.each([100, 1_500])('leaves no job of a run that is aborted after %d ms', async (afterMs) => {
    const abort = new AbortController();
    const ending = run(everything, small(5), {}, abort.signal);
    setTimeout(() => abort.abort(), afterMs);
    expect(await ending).toMatchObject({ kind: 'failed', code: 'aborted', message: 'the run was aborted' });
    expect(await running()).toEqual([]);
    expect(await answer(everything, small(5))).toHaveLength(8);
  });

  /** Copies all bids of 50,000 events, and is disturbed as soon as there is output. */
  const disturbed = async (
    disturb: (output: string) => Promise<void> | void,
    disturbedSession = opened,
    its = topics,
  ): Promise<Outcome> => {
    const dataset = generateNexmark({ seed: 'crash', events: 50_000, partitions: 2 });
    const query = checkQuery(
      queries.get('q0')!,
      dataset.streams.map(({ schema }) => schema),
    );
    await its.produce(dataset, never);
    const ending = disturbedSession.run(
      { query, dataset, schedule: { parallelism: 2, stop: 'drain' } },
      never,
    );
    // A job has the name of the topic that it writes.
    const output = await vi.waitUntil(async () => (await running())[0], { timeout: 60_000 });
    await vi.waitUntil(async () => (await its.endOffset(output)) > 0n, { timeout: 60_000 });
    await disturb(output);
    return ending;
  };

  it.each([
    ['jobmanager', 0],
    ['taskmanager', 1],
  ])('reports that the %s died, and starts another cluster for the next case', async (name, position) => {
    const before = opened.pids;
    expect(
      await disturbed(() => {
        process.kill(before[position]!, 'SIGKILL');
      }),
    ).toEqual({
      kind: 'failed',
      step: 'run',
      code: 'engine-crashed',
      message: `the ${name} of flink ended with exit code 137 while it ran the case`,
    });
    expect(await answer(everything, small(5))).toHaveLength(8);
    expect(before.some(isRunning)).toBe(false);
    expect(opened.pids).toHaveLength(3);
  });

  it('reports that the topic of the output is gone, and goes on with the next case', async () => {
    await using own = await openRunTopics({ brokers: broker.brokers, run: `flink-gone-${process.pid}` });
    const session = new FlinkSession(
      { flink: version, directory: directory.path, topics: own, start: async () => cluster },
      cluster,
    );
    const outcome = await disturbed((output) => deleteTopic(broker.brokers, output), session, own);
    expect(outcome).toMatchObject({ kind: 'failed', step: 'run', code: 'topic-failed' });
    expect(await running()).toEqual([]);
    expect(await answer(everything, small(5))).toHaveLength(8);
  });

  it('ends what it was doing when it is disposed, and leaves no process and no file behind', async () => {
    const own = join(directory.path, 'last');
    mkdirSync(own);
    const last = (await flink.open({
      directory: own,
      variant: '2.2',
      topics,
      signal: never,
    })) as FlinkSession;
    const { pids } = last;
    expect(pids.filter(isRunning)).toHaveLength(3);
    const running = last.run(caseOf(everything, small(5)), never);
    await sleep(2_000);
    await last[Symbol.asyncDispose]();
    expect(await running).toMatchObject({ kind: 'failed', code: 'aborted' });
    expect(pids.filter(isRunning)).toEqual([]);
    expect(readdirSync(own)).toEqual([]);
  });
}

describe.skipIf(!runs)(`starting ${title}`, { timeout: 180_000 }, () => {
  it('gives up a gateway that does not start, with the last words of its log', async () => {
    const own = join(directory.path, 'no-gateway');
    const starting = start(own, { settings: { 'sql-gateway.endpoint.type': 'nonsense' } });
    await expect(starting).rejects.toMatchObject({
      name: 'EngineError',
      code: 'start-failed',
      message: expect.stringMatching(/^the gateway of flink ended while it started\n.*\n/s),
    });
    expect(readdirSync(own)).toEqual([]);
  });

  it('reads Kafka alone', async () => {
    const open = flink.open({ directory: directory.path, signal: never });
    await expect(open).rejects.toThrow('flink reads Kafka topics only');
  });

  it('gives up at its limit', async () => {
    const own = join(directory.path, 'late');
    await expect(start(own, { startLimitMs: 1 })).rejects.toThrow(/was not ready within 0\.001 s/);
    expect(readdirSync(own)).toEqual([]);
  });

  it('ends its processes when whoever started them is killed', async () => {
    const home = join(directory.path, 'killed');
    mkdirSync(home);
    const jvm = pathToFileURL(fileURLToPath(new URL('../../src/engines/flink/jvm.ts', import.meta.url)));
    const program = join(directory.path, 'starts.mts');
    writeFileSync(
      program,
      `import { Jvm } from ${JSON.stringify(jvm.href)};
       const jvm = await Jvm.start({ name: 'x', home: ${JSON.stringify(home)}, java: 'sleep', args: ['600'], env: {}, signal: new AbortController().signal });
       console.log(jvm.pid);
       setInterval(() => {}, 1000);`,
    );
    const child = execa('node', ['--import', 'tsx', program], { buffer: false, reject: false });
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (said.includes('\n')) break;
    }
    const pid = Number(said);
    expect(isRunning(pid)).toBe(true);
    child.kill('SIGKILL');
    await child;
    await vi.waitUntil(() => !isRunning(pid), { timeout: 10_000 });
  });
});

async function start(
  own: string,
  options: Partial<Parameters<typeof startCluster>[0]> = {},
  version: FlinkVersion = DEFAULT_FLINK,
): Promise<Cluster> {
  mkdirSync(own, { recursive: true });
  const { lib } = installation(version);
  return startCluster({ directory: own, java: await findJava(), lib, signal: never, ...options });
}

function caseOf(plan: PlanBuilder, dataset: Dataset, schedule: Partial<Schedule> = {}): Case {
  return {
    query: queryOf(plan),
    dataset,
    schedule: { parallelism: 2, stop: 'settle-cancel', ...schedule },
  };
}

function evidenceOf(outcome: Outcome): FlinkEvidence {
  if (outcome.kind !== 'output') throw new Error(`no output: ${JSON.stringify(outcome)}`);
  return outcome.evidence as FlinkEvidence;
}

/** The rows of a topic; of one with keys the latest of each. */
async function rowsOf({ query }: Case, outcome: Outcome): Promise<readonly Row[]> {
  const lines = (await bytesOf(captureOf(outcome))).toString().split('\n').filter(Boolean);
  const rows = new Map<string, Row>();
  for (const [index, line] of lines.entries()) {
    const { key, value } = JSON.parse(line) as { key: string | null; value: string | null };
    const id = key ?? String(index);
    if (value === null) rows.delete(id);
    else rows.set(id, rowFromObject(query.columns, parseExactJson(Buffer.from(value, 'base64').toString())));
  }
  return sorted([...rows.values()]);
}

async function sendRaw(brokers: string, topic: string, value: string): Promise<void> {
  const kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING });
  const producer = kafka.producer();
  await producer.connect();
  await producer.send({ topic, messages: [{ partition: 0, value }] });
  await producer.disconnect();
}

async function deleteTopic(brokers: string, topic: string): Promise<void> {
  const admin = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [topic] });
  await admin.disconnect();
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
