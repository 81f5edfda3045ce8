import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { openRunTopics, startBroker } from '../../../src/streams/kafka/index.ts';
import {
  bareKafka,
  eventually,
  isRunning,
  kafkaRuns,
  kafkaTitle,
  listens,
  notes,
  temporaryDirectory,
} from './support.ts';

const { signal } = new AbortController();
const directory = temporaryDirectory();
afterAll(directory.remove);

test('nobody at the address is said within seconds, and what to do', async () => {
  const started = performance.now();
  await expect(openRunTopics({ brokers: '127.0.0.1:1', run: 'absent' })).rejects.toMatchObject({
    code: 'broker-unreachable',
    message: expect.stringContaining('127.0.0.1:1 (ECONNREFUSED)'),
  });
  expect(performance.now() - started).toBeLessThan(15_000);
});

test('addresses and run ids that cannot be are refused', async () => {
  await expect(openRunTopics({ brokers: 'localhost', run: 'a' })).rejects.toThrow('host:port');
  await expect(openRunTopics({ brokers: 'localhost:1', run: 'a b' })).rejects.toThrow('run id');
});

test('without Java it says what to install', async () => {
  vi.stubEnv('JAVA_HOME', '/nowhere');
  await expect(startBroker({ directory: directory.path, signal })).rejects.toMatchObject({
    code: 'missing-java',
    message: expect.stringContaining('install Java 17'),
  });
  vi.unstubAllEnvs();
});

test('without an installation it says how to get one', async () => {
  vi.stubEnv('TIDEMARK_CACHE', join(directory.path, 'no-cache'));
  await expect(startBroker({ directory: directory.path, signal })).rejects.toMatchObject({
    code: 'not-installed',
    message: expect.stringContaining('tidemark engines install kafka'),
  });
  vi.unstubAllEnvs();
});

describe.skipIf(!kafkaRuns)(kafkaTitle, () => {
  test('killed under a producer and a drain, both give up, and nothing is left', {
    timeout: 120_000,
  }, async () => {
    const own = join(directory.path, 'killed');
    const broker = await startBroker({ directory: own, signal });
    const topics = await openRunTopics({ brokers: broker.brokers, run: 'killed' });
    const kafka = bareKafka(broker.brokers);
    const [admin, open] = [kafka.admin(), kafka.producer({ transactionalId: 'open', idempotent: true })];
    await admin.connect();
    await open.connect();
    // An open transaction keeps the drain waiting.
    const sink = await topics.createSink('q');
    await (await open.transaction()).send({ topic: sink, messages: [{ value: 'x' }] });
    const draining = topics.drain(sink, await topics.endOffset(sink), join(own, 'drained'), signal);
    const rows = notes([Array.from({ length: 200_000 }, () => 'x'.repeat(300))]);
    const producing = topics.produce(rows, signal);
    const failures = Promise.allSettled([draining, producing]);
    await eventually(async () => {
      const ends = await admin.fetchTopicOffsets('tidemark-killed-2-in-notes').catch(() => []);
      return ends.some(({ high }) => Number(high) > 0);
    });

    process.kill(broker.pid, 'SIGKILL');

    const started = performance.now();
    const [drained, produced] = await failures;
    expect(drained).toMatchObject({ status: 'rejected', reason: { code: 'drain-failed' } });
    expect(produced).toMatchObject({ status: 'rejected', reason: { code: 'produce-failed' } });
    expect(performance.now() - started).toBeLessThan(35_000);
    await Promise.allSettled([open.disconnect(), admin.disconnect()]);
    await topics[Symbol.asyncDispose]();
    await broker.stop();
    expect(isRunning(broker.pid)).toBe(false);
    expect(await listens(broker.brokers)).toBe(false);
    expect(readdirSync(own)).toEqual([]);
  });

  test('ends with us when we are killed', { timeout: 120_000 }, async () => {
    const own = join(directory.path, 'orphan');
    const script = fileURLToPath(new URL('./start-and-wait.ts', import.meta.url));
    const child = execa(process.execPath, ['--import', 'tsx', script, own], { reject: false, buffer: false });
    const said = await new Promise<string>((resolve) =>
      child.stdout.once('data', (chunk) => resolve(String(chunk))),
    );
    const { pid, brokers } = JSON.parse(said) as { pid: number; brokers: string };
    expect(isRunning(pid)).toBe(true);
    child.kill('SIGKILL');
    await child;
    await eventually(() => !isRunning(pid) && readdirSync(own).length === 0);
    expect(await listens(brokers)).toBe(false);
  });

  test('ends when asked while it starts', async () => {
    const own = join(directory.path, 'aborted');
    const controller = new AbortController();
    const starting = startBroker({ directory: own, signal: controller.signal });
    setTimeout(() => controller.abort(), 1_000);
    await expect(starting).rejects.toMatchObject({ code: 'aborted' });
    expect(readdirSync(own)).toEqual([]);
  });
});
