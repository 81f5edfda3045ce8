import { mkdtempSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command } from '../../src/engines/command/engine.ts';
import type { Session } from '../../src/engines/engine.ts';
import { from } from '../../src/model/build.ts';
import type { Case } from '../../src/model/case.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { neutralTraits, type StopMode } from '../../src/model/traits.ts';
import {
  type Broker,
  kafkaBroker,
  openRunTopics,
  type RunTopics,
  startBroker,
} from '../../src/streams/kafka/index.ts';
import { bytesOf, captureOf, clickStream, never, queryOf, temporaryDirectory } from './cases.ts';

const required = (process.env.TIDEMARK_REQUIRE_ENGINES ?? '').split(',').includes('kafka');
const runs = required || (await kafkaBroker.status()).kind === 'ready';
const title = runs
  ? 'a command over Kafka'
  : 'a command over Kafka (skipped: not installed, run `tidemark engines install kafka`)';

const HELLO = {
  ok: true,
  protocol: 1,
  name: 'copier',
  version: '1',
  traits: { ...neutralTraits, stops: ['settle-cancel', 'cancel', 'drain'], transports: ['kafka'] },
};

/** An engine that copies a topic: all of it, then one record more when it is stopped. */
const COPIER = `
const { Kafka, logLevel } = require(${JSON.stringify(createRequire(import.meta.url).resolve('kafkajs'))});
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
let stop;
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const m = JSON.parse(line);
  if (m.m === 'hello') return say({ id: m.id, ...${JSON.stringify(HELLO)} });
  if (m.m === 'stop') return stop();
  const stopped = new Promise((resolve) => { stop = resolve; });
  const { brokers, sink } = m.kafka;
  const [{ topic, partitions }] = m.dataset.streams;
  const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
  const [admin, producer, consumer] = [kafka.admin(), kafka.producer(), kafka.consumer({ groupId: sink })];
  await Promise.all([admin.connect(), producer.connect(), consumer.connect()]);
  const ends = (await admin.fetchTopicOffsets(topic)).map(({ high }) => Number(high));
  if (ends.length !== partitions) throw new Error('partitions');
  let left = ends.reduce((sum, end) => sum + end, 0);
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await new Promise((resolve) => consumer.run({ eachMessage: async ({ message: { value } }) => {
    await producer.send({ topic: sink, messages: [{ value }] });
    if (--left === 0) resolve();
  } }));
  if (m.schedule.stop !== 'drain') {
    if (m.schedule.stop === 'settle-cancel') say({ id: m.id, settled: true });
    await stopped;
    await producer.send({ topic: sink, messages: [{ value: 'late' }] });
  }
  await Promise.all([admin.disconnect(), producer.disconnect(), consumer.disconnect()]);
  say({ id: m.id, ok: true, format: 'records' });
});`;

describe.skipIf(!runs)(title, () => {
  const directory = temporaryDirectory();
  let broker: Broker;
  let topics: RunTopics;

  beforeAll(async () => {
    broker = await startBroker({ directory: directory.path, signal: never });
    topics = await openRunTopics({ brokers: broker.brokers, run: 'command-test' });
  });
  afterAll(async () => {
    await topics?.[Symbol.asyncDispose]();
    await broker?.stop();
    directory.remove();
  });

  async function opened(code: string): Promise<Session> {
    const home = mkdtempSync(join(directory.path, 'engine-'));
    writeFileSync(join(home, 'engine.cjs'), code);
    const variant = join(home, 'engine.json');
    writeFileSync(variant, JSON.stringify({ version: 1, command: [process.execPath, 'engine.cjs'] }));
    return command.open({ directory: join(home, 'session'), variant, topics, signal: never });
  }

  const caseOf = (stop: StopMode): Case => ({
    query: queryOf(from('click').select('k'), [clickStream]),
    dataset: {
      lagMs: 5,
      provenance: 'captured',
      streams: [
        {
          schema: clickStream,
          partitions: [[{ arrival: 0, row: ['a', 1, 1, 0] }], [{ arrival: 1, row: ['b', 2, 2, 1] }]],
        },
      ],
    },
    schedule: { parallelism: 2, stop },
  });

  async function values(outcome: Outcome): Promise<readonly string[]> {
    const capture = captureOf(outcome);
    expect(capture.format).toBe('records');
    const records = (await bytesOf(capture)).toString().split('\n').filter(Boolean);
    return records.map((record) => Buffer.from(JSON.parse(record).value, 'base64').toString());
  }

  const copied = ['{"k":"a","at":1,"v":1,"seq":0}', '{"k":"b","at":2,"v":2,"seq":1}'];

  it.concurrent('is stopped once it says that it has settled, and what follows is not read', async () => {
    await using copier = await opened(COPIER);
    expect([...(await values(await copier.run(caseOf('settle-cancel'), never)))].sort()).toEqual(copied);
  });

  it.concurrent('is stopped midway, and all that it wrote by then is read', async () => {
    await using copier = await opened(COPIER);
    expect([...(await values(await copier.run(caseOf('cancel'), never)))].sort()).toEqual(
      ['late', ...copied].sort(),
    );
  });

  it.concurrent('is not stopped where it drains', async () => {
    await using copier = await opened(COPIER);
    expect([...(await values(await copier.run(caseOf('drain'), never)))].sort()).toEqual(copied);
  });

  it.concurrent.each([
    ['done before it was stopped', `{ id: m.id, ok: true, format: 'records' }`],
    ['no JSON object in UTF-8', `7`],
  ])('that answers out of turn fails the case: %s', async (problem, message) => {
    await using hasty = await opened(
      COPIER.replace(`if (m.m === 'stop')`, `if (m.m === 'run') return say(${message}); if (m.m === 'stop')`),
    );
    expect(await hasty.run(caseOf('settle-cancel'), never)).toMatchObject({
      step: 'decode',
      code: 'bad-answer',
      message: expect.stringContaining(problem),
    });
  });

  it.concurrent('whose output is not in the sink fails the case', async () => {
    await using astray = await opened(
      COPIER.replace(`format: 'records' });`, `format: 'rows', file: '/x' });`),
    );
    expect(await astray.run(caseOf('drain'), never)).toMatchObject({
      code: 'bad-answer',
      message: expect.stringContaining('the output is not in the sink'),
    });
  });

  it.concurrent('that crashes while it settles fails the case', async () => {
    await using crashing = await opened(
      COPIER.replace(`say({ id: m.id, settled: true });`, `process.exit(1);`),
    );
    expect(await crashing.run(caseOf('settle-cancel'), never)).toMatchObject({ code: 'engine-crashed' });
  });
});
