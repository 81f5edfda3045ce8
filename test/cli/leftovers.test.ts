import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { summarySchema } from '../../src/campaign/summary.ts';
import { engines } from '../../src/engines/index.ts';
import { type Broker, kafkaBroker, startBroker } from '../../src/streams/kafka/index.ts';
import { bareKafka } from '../streams/kafka/support.ts';
import { neededBy } from '../support/needed-engines.ts';
import { type Started, startTidemark } from '../support/tidemark.ts';

const { title, missing } = await neededBy('a run over Kafka leaves nothing', [
  engines.get('clink')!,
  engines.get('flink')!,
  kafkaBroker,
]);

/** Three JVMs and two engines on a busy machine. */
const RUN_LIMIT_MS = 240_000;
const TEST_LIMIT_MS = RUN_LIMIT_MS + 60_000;

let directory: string;
let temporary: string;
let number = 0;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
});
beforeEach(() => {
  temporary = join(directory, `tmp-${++number}`);
  mkdirSync(temporary);
});
afterAll(() => rmSync(directory, { recursive: true }));

function start(...args: string[]): Started {
  const command = ['run', '--transport', 'kafka', '--json', '--out', join(directory, `run-${number}`)];
  return startTidemark([...command, ...args], { TMPDIR: temporary }, RUN_LIMIT_MS);
}

/** Processes that were started by the run of this test: they have inherited its directory for temporary files. */
function descendants(): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`TMPDIR=${temporary}`);
    } catch {
      // Not ours to read, or gone by now.
      return false;
    }
  });
}

function until(condition: () => boolean | Promise<boolean>): Promise<boolean> {
  return vi.waitUntil(condition, { timeout: RUN_LIMIT_MS, interval: 50 });
}

/** Processes have ended and files are gone. Children of a process that ended take a moment to notice. */
async function expectNothingLeft(): Promise<void> {
  await until(() => descendants().length === 0);
  expect(readdirSync(temporary)).toEqual([]);
}

describe.skipIf(missing.length > 0)(title, () => {
  test('when it is interrupted while an engine runs', { timeout: TEST_LIMIT_MS }, async () => {
    const run = start('--engines', 'clink,flink@2.2', '--queries', 'q0,q12', '--events', '2000');
    await until(() => run.said().includes('0/2 q0'));
    await until(() => descendants().length > 4);
    await sleep(2_000);

    run.process.kill('SIGINT');

    const { exitCode } = await run.ended;
    expect(exitCode).toBe(130);
    await expectNothingLeft();
    const summary = JSON.parse(readFileSync(join(directory, `run-${number}`, 'summary.json'), 'utf8'));
    expect(summarySchema.parse(summary)).toMatchObject({ complete: false, verdict: 'inconclusive' });
  });

  describe('on a broker of the user’s', () => {
    let broker: Broker;
    const admin = () => bareKafka(broker.brokers).admin();
    const topics = async () => {
      const client = admin();
      await client.connect();
      const names = await client.listTopics();
      await client.disconnect();
      return names.filter((name) => !name.startsWith('__'));
    };
    beforeEach(async () => {
      broker = await startBroker({
        directory: join(directory, `broker-${number}`),
        signal: new AbortController().signal,
      });
      const client = admin();
      await client.connect();
      await client.createTopics({ topics: [{ topic: 'theirs' }], waitForLeaders: true });
      await client.disconnect();
      return () => broker.stop();
    });
    /** A broker takes a moment to forget a topic that was deleted. */
    const expectOnlyTheirs = () =>
      expect.poll(topics, { timeout: 10_000, interval: 200 }).toEqual(['theirs']);
    const onClink = (events: string) =>
      start('--brokers', broker.brokers, '--engines', 'clink', '--queries', 'q0', '--events', events);

    test('when it is through', { timeout: TEST_LIMIT_MS }, async () => {
      const run = onClink('2000');
      await until(async () => (await topics()).some((name) => name.startsWith('tidemark-')));
      expect(await run.ended).toMatchObject({ exitCode: 0 });
      await expectOnlyTheirs();
      await expectNothingLeft();
    });

    test('when it is interrupted', { timeout: TEST_LIMIT_MS }, async () => {
      const run = onClink('2000');
      await until(async () => (await topics()).some((name) => name.includes('-out-')));
      run.process.kill('SIGINT');
      expect(await run.ended).toMatchObject({ exitCode: 130 });
      await expectOnlyTheirs();
      await expectNothingLeft();
    });

    const rowsIn = async (sign: string) => {
      const client = admin();
      await client.connect();
      try {
        const [topic] = (await client.listTopics()).filter((name) => name.includes(sign));
        const ends = topic === undefined ? [] : await client.fetchTopicOffsets(topic);
        return ends.reduce((sum, { high }) => sum + Number(high), 0);
      } catch {
        // A topic that was just made has no leader yet.
        return 0;
      } finally {
        await client.disconnect();
      }
    };

    /** The group that reads an output is there as long as it is drained, which is not long. */
    const isDrained = async (client: ReturnType<typeof admin>) => {
      // A broker that sets up its first group refuses to list any.
      const { groups } = await client.listGroups().catch(() => ({ groups: [] }));
      return groups.some(({ groupId }) => groupId.includes('-drain-'));
    };

    test.each([
      ['while rows are produced', async () => (await rowsIn('-in-bid')) > 0, '400000', 'produce'],
      ['while the engine runs', async () => (await rowsIn('-out-')) > 0, '2000', 'settle'],
      ['while the output is drained', isDrained, '400000', 'drain'],
    ] as const)(
      'when the broker dies %s, which is not gated',
      {
        timeout: TEST_LIMIT_MS,
      },
      async (_, isThere, events, step) => {
        const client = admin();
        await client.connect();
        const run = onClink(events);
        await until(() => isThere(client));
        process.kill(broker.pid, 'SIGKILL');
        await client.disconnect();
        const { exitCode, stdout, stderr } = await run.ended;
        expect(exitCode, stderr).toBe(3);
        const [query] = summarySchema.parse(JSON.parse(stdout)).queries;
        expect(query!.verdict.kind).toBe('not-gated');
        expect(query!.verdict.reason).toMatch(
          // A fetch is tried again until nothing has come for too long.
          new RegExp(
            `^${step}: .*(the broker does not answer|gave nothing for 30 s .* is the broker running)`,
          ),
        );
        // What could not be taken away is said by name.
        expect(stderr).toMatch(/delete by hand: tidemark-/);
        await expectNothingLeft();
      },
    );
  });
});
