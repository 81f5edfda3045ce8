import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readCorpus } from '../../src/campaign/corpus/read-corpus.ts';
import { type ReplayEngine, type Replayed, replay } from '../../src/campaign/corpus/replay.ts';
import { clink } from '../../src/engines/clink/engine.ts';
import { duckdb } from '../../src/engines/duckdb/engine.ts';
import type { Engine, Session } from '../../src/engines/engine.ts';
import type { Failed, Outcome } from '../../src/model/outcome.ts';
import { neutralTraits, type Transport } from '../../src/model/traits.ts';
import { kafkaBroker, openRunTopics, startBroker } from '../../src/streams/kafka/index.ts';
import { never, temporaryDirectory } from '../engines/cases.ts';
import { captured } from '../judge/captures.ts';
import { finding } from './findings.ts';

const { findings } = await readCorpus(fileURLToPath(new URL('../../corpus/', import.meta.url)));
const required = (process.env.TIDEMARK_REQUIRE_ENGINES ?? '').split(',');
const isHere = async ({ name, status }: Pick<Engine, 'name'> & { status(): Promise<{ kind: string }> }) =>
  required.includes(name) || (await status()).kind === 'ready';
const clinkRuns = await isHere(clink);
const kafkaRuns = clinkRuns && (await isHere(kafkaBroker));

/** Says in the list of tests why one is skipped. */
const skippedFor = (runs: boolean) =>
  runs ? '' : ' (skipped: not installed, run `tidemark engines install`)';

/** What becomes of the findings of our corpus over one transport. */
async function replayed(transport: Transport, engine: ReplayEngine): Promise<Replayed[]> {
  const over = findings.filter(({ signature }) => (signature.transport ?? 'files') === transport);
  expect(over.length).toBeGreaterThan(0);
  const all: Replayed[] = [];
  for await (const one of replay(over, [engine], never)) all.push(one);
  expect(all.map((one) => one.finding)).toEqual(over.map(({ name }) => name));
  return all;
}

describe('the corpus that comes with tidemark still fails', () => {
  it.skipIf(!clinkRuns)(`over files${skippedFor(clinkRuns)}`, async () => {
    const directory = temporaryDirectory();
    try {
      const open = () => clink.open({ directory: directory.path, signal: never });
      const all = await replayed('files', { engine: 'clink', name: 'clink', open });
      expect(all.filter(({ kind }) => kind !== 'still-fails')).toEqual([]);
    } finally {
      directory.remove();
    }
  });

  it.skipIf(!kafkaRuns)(`over Kafka${skippedFor(kafkaRuns)}`, { timeout: 180_000 }, async () => {
    const directory = temporaryDirectory();
    const broker = await startBroker({ directory: directory.path, signal: never });
    try {
      await using topics = await openRunTopics({ brokers: broker.brokers, run: 'corpus-test' });
      const open = () => clink.open({ directory: join(directory.path, 'clink'), topics, signal: never });
      const all = await replayed('kafka', { engine: 'clink', name: 'clink', open });
      expect(all.filter(({ kind }) => kind !== 'still-fails')).toEqual([]);
    } finally {
      await broker.stop();
      directory.remove();
    }
  });
});

describe('a replay', () => {
  const ours = { ...finding({ engine: 'duckdb' }), name: 'ours' };

  it('says that a finding no longer fails, whatever the version', async () => {
    const directory = temporaryDirectory();
    const open = () => duckdb.open({ directory: directory.path, signal: never });
    const all: Replayed[] = [];
    for await (const one of replay([ours], [{ engine: 'duckdb', name: 'duckdb', open }], never))
      all.push(one);
    directory.remove();
    expect(all).toEqual([
      { finding: 'ours', engine: 'duckdb', version: expect.any(String), kind: 'no-longer-fails' },
    ]);
  });

  it('says that a finding differs where other rows do', async () => {
    expect(await replayOn('{"seq":0,"v":100}\n')).toMatchObject({ kind: 'differs', reason: '1 lost' });
    expect(await replayOn('{"seq":1,"v":1}\n')).toMatchObject({ kind: 'still-fails', reason: '1 lost' });
    expect(await replayOn('{"seq":1,"v":1}\n{')).toMatchObject({
      kind: 'differs',
      reason: '1 lost, 1 corrupt',
    });
  });

  describe('of a finding that shows now and then', () => {
    const seldom = { ...ours, confirmed: { k: 1, n: 2 } };
    const [right, wrong] = ['{"seq":0,"v":100}\n{"seq":1,"v":1}\n', '{"seq":1,"v":1}\n'];

    it('runs the case until it fails', async () => {
      expect(await replayOn([right, right, wrong, right], seldom)).toMatchObject({
        kind: 'still-fails',
        runs: 3,
      });
    });

    it('gives it up once it would have failed in 999 of 1,000 replays', async () => {
      // ½ to the tenth is the first below a thousandth.
      expect(await replayOn([right], seldom)).toMatchObject({
        kind: 'no-longer-fails',
        reason: 'in 10 runs',
        runs: 10,
      });
    });

    it('runs a case once that failed each time', async () => {
      expect(await replayOn([right, wrong])).toMatchObject({ kind: 'no-longer-fails', runs: 1 });
    });
  });

  it('says that nothing was judged', async () => {
    const failed = { kind: 'failed', step: 'run', code: 'engine-crashed', message: 'it crashed' } as const;
    expect(await replayOn(failed)).toMatchObject({
      kind: 'not-gated',
      reason: 'run: it crashed (engine-crashed)',
    });
  });

  it('says where an engine is absent, and asks no other engine', async () => {
    const all: Replayed[] = [];
    const engines: ReplayEngine[] = [
      { engine: 'duckdb', name: 'duckdb@1', open: async () => 'not installed' },
      {
        engine: 'clink',
        name: 'clink',
        open: () => {
          throw new Error('asked');
        },
      },
    ];
    for await (const one of replay([ours], engines, never)) all.push(one);
    expect(all).toEqual([{ finding: 'ours', engine: 'duckdb@1', kind: 'skipped', reason: 'not installed' }]);
  });

  /** The finding on an engine that answers so, run by run and the last for ever: with lines, or not at all. */
  async function replayOn(
    answers: string | Failed | readonly string[],
    finding = ours,
  ): Promise<(Replayed & { readonly runs: number }) | undefined> {
    const each = Array.isArray(answers) ? answers : [answers];
    let runs = 0;
    const answerOf = (run: number): Outcome => {
      const answer = each[Math.min(run, each.length - 1)]!;
      return typeof answer === 'string'
        ? { kind: 'output', ...captured(answer), evidence: { engine: '', version: '', sql: '', seconds: 0 } }
        : answer;
    };
    const session: Session = {
      name: 'ours 1.0.0',
      version: '1.0.0',
      traits: neutralTraits,
      run: async () => answerOf(runs++),
      async [Symbol.asyncDispose]() {},
    };
    const engine = { engine: 'duckdb', name: 'duckdb', open: async () => session };
    for await (const one of replay([finding], [engine], never)) return { ...one, runs };
    return undefined;
  }
});
