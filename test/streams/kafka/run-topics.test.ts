import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Admin, Kafka, Message, Producer } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowToJson } from '../../../src/model/row-json.ts';
import { type Broker, openRunTopics, type RunTopics, startBroker } from '../../../src/streams/kafka/index.ts';
import {
  bareKafka,
  eventually,
  isRunning,
  kafkaRuns,
  kafkaTitle,
  listens,
  notes,
  recordsOf,
  temporaryDirectory,
} from './support.ts';

const { signal } = new AbortController();

describe.skipIf(!kafkaRuns)(`topics of a run on ${kafkaTitle}`, () => {
  const directory = temporaryDirectory();
  let broker: Broker;
  let topics: RunTopics;
  let kafka: Kafka;
  let admin: Admin;
  let producer: Producer;
  let files = 0;

  beforeAll(async () => {
    broker = await startBroker({ directory: directory.path, signal });
    topics = await openRunTopics({ brokers: broker.brokers, run: 'test-1' });
    kafka = bareKafka(broker.brokers);
    admin = kafka.admin();
    producer = kafka.producer();
    await admin.connect();
    await producer.connect();
  });

  afterAll(async () => {
    await producer?.disconnect();
    await admin?.disconnect();
    await topics?.[Symbol.asyncDispose]();
    if (broker !== undefined) {
      await Promise.all([broker.stop(), broker.stop()]);
      // Stopped, a broker leaves nothing: no process, no port, no file but the drained ones.
      expect(isRunning(broker.pid)).toBe(false);
      expect(await listens(broker.brokers)).toBe(false);
      expect(readdirSync(directory.path).filter((name) => !name.startsWith('drained-'))).toEqual([]);
    }
    directory.remove();
  });

  const newFile = () => join(directory.path, `drained-${++files}`);

  async function drained(topic: string, endOffset: bigint) {
    const file = newFile();
    await topics.drain(topic, endOffset, file, signal);
    return recordsOf(file);
  }

  async function transaction(id: string) {
    const transactional = kafka.producer({ transactionalId: id, maxInFlightRequests: 1, idempotent: true });
    await transactional.connect();
    const open = await transactional.transaction();
    const end = async (how: 'commit' | 'abort') => {
      await open[how]();
      await transactional.disconnect();
    };
    const send = (topic: string, ...values: string[]) =>
      open.send({ topic, messages: values.map((value) => ({ value })) });
    return { send, end };
  }

  test('hold every row once, in its partition and in order', async () => {
    const texts = (start: number, rows: number) =>
      Array.from({ length: rows }, (_, index) => `${start + index}`);
    const dataset = notes([texts(0, 2_345), [], texts(10_000, 3), texts(20_000, 1_001), texts(30_000, 7)]);
    const [stream] = dataset.streams;

    const produced = await topics.produce(dataset, signal);

    const topic = produced.get('notes')!;
    expect(topic).toMatch(/^tidemark-test-1-\d+-in-notes$/);
    for (const [partition, events] of stream!.partitions.entries()) {
      const rows = events.map(({ row }) => rowToJson(stream!.schema.columns, row));
      expect(await valuesOf(topic, partition)).toEqual(rows);
    }
    expect(await topics.produce(dataset, signal)).toBe(produced);
  });

  /** What a partition holds, read by the library itself. */
  async function valuesOf(topic: string, partition: number): Promise<(string | undefined)[]> {
    const end = (await admin.fetchTopicOffsets(topic)).find((each) => each.partition === partition)!.high;
    if (end === '0') return [];
    const values: (string | undefined)[] = [];
    const consumer = kafka.consumer({ groupId: `look-${topic}-${partition}`, maxWaitTimeInMs: 100 });
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await new Promise<void>((resolve) => {
      const eachMessage = async (payload: { partition: number; message: Message & { offset: string } }) => {
        if (payload.partition !== partition) return;
        values.push(payload.message.value?.toString());
        if (Number(payload.message.offset) === Number(end) - 1) resolve();
      };
      consumer.run({ autoCommit: false, eachMessage });
    });
    await consumer.disconnect();
    return values;
  }

  test('keep integers beyond 2^53 and text of any script', async () => {
    const text = 'quote " back \\ line \n ünïcode 漢字 🌊';
    const produced = await topics.produce(notes([[text]]), signal);
    const [record] = await drained(produced.get('notes')!, 1n);
    expect(record!.value).toContain('"id":9007199254740993,');
    expect(JSON.parse(record!.value!).text).toBe(text);
  });

  test('are one empty partition until an engine writes, and drain to an empty file', async () => {
    const sink = await topics.createSink('engine@1.0/q5 out');
    expect(sink).toMatch(/^tidemark-test-1-\d+-out-engine-1-0-q5-out$/);
    expect(await topics.endOffset(sink)).toBe(0n);
    expect(await drained(sink, 0n)).toEqual([]);
    await expect(topics.drain(sink, 1n, newFile(), signal)).rejects.toMatchObject({ code: 'drain-failed' });
  });

  test('are made while another has vanished, is asked for and never was, many at once', async () => {
    const vanished = await topics.createSink('vanished');
    await topics.endOffset(vanished);
    await admin.deleteTopics({ topics: [vanished] });
    const asked = [vanished, 'tidemark-test-1-0-never-was'].flatMap((topic) => [
      topics.endOffset(topic),
      topics.committedEnd(topic),
    ]);
    const made = Array.from({ length: 12 }, (_, index) => topics.createSink(`beside-${index}`));

    expect(new Set(await Promise.all(made)).size).toBe(12);
    for (const each of await Promise.allSettled(asked)) {
      expect(each).toMatchObject({
        reason: { code: 'topic-failed', message: expect.stringContaining('UNKNOWN_TOPIC') },
      });
    }
    const after = await topics.createSink('after');
    expect(await topics.endOffset(after)).toBe(0n);
  });

  test('drain keys, tombstones and bytes that are no text as they are', async () => {
    const sink = await topics.createSink('bytes');
    await producer.send({
      topic: sink,
      messages: [
        { key: 'a', value: 'one' },
        { key: 'a', value: null },
        { key: null, value: '' },
        { key: Buffer.from([0xff]), value: Buffer.from([0x22, 0xff, 0xfe, 0x0a]) },
      ],
    });
    const file = newFile();
    const capture = await topics.drain(sink, await topics.endOffset(sink), file, signal);
    const lines = [
      '{"partition":0,"offset":0,"key":"YQ==","value":"b25l"}',
      '{"partition":0,"offset":1,"key":"YQ==","value":null}',
      '{"partition":0,"offset":2,"key":null,"value":""}',
      '{"partition":0,"offset":3,"key":"/w==","value":"Iv/+Cg=="}',
    ];
    expect(readFileSync(file, 'utf8')).toBe(`${lines.join('\n')}\n`);
    expect(capture.format).toBe('records');
    const bytes: Uint8Array[] = [];
    for await (const chunk of capture.bytes.open()) bytes.push(chunk.slice());
    expect(Buffer.concat(bytes)).toEqual(readFileSync(file));
  });

  test('drain to an end taken before, while more records arrive', async () => {
    const sink = await topics.createSink('growing');
    const send = (...values: string[]) =>
      producer.send({ topic: sink, messages: values.map((value) => ({ value })) });
    await send('1', '2');
    const endOffset = await topics.endOffset(sink);
    // In one batch with what is asked for, and after it.
    await send('3', '4');
    const more = Promise.all([send('5'), send('6')]);
    expect((await drained(sink, endOffset)).map(({ value }) => value)).toEqual(['1', '2']);
    expect((await drained(sink, 3n)).map(({ value }) => value)).toEqual(['1', '2', '3']);
    await more;
  });

  test('drain what was committed, past markers at the end', async () => {
    const sink = await topics.createSink('transactions');
    // A transaction's marker is written a moment after its producer is told that it ended.
    const endsAt = (offset: bigint) => eventually(async () => (await topics.endOffset(sink)) === offset);
    const [a, b] = [await transaction('a'), await transaction('b')];
    await a.send(sink, 'aborted 0');
    await b.send(sink, 'committed 1');
    await a.send(sink, 'aborted 2');
    await b.end('commit');
    await endsAt(4n);
    await a.end('abort');
    await endsAt(5n);
    await producer.send({ topic: sink, messages: [{ value: 'plain 5' }] });
    const c = await transaction('a');
    await c.send(sink, 'aborted 6', 'aborted 7');
    await c.end('abort');
    await endsAt(9n);
    const d = await transaction('b');
    await d.send(sink, 'committed 9');
    await d.end('commit');
    await endsAt(11n);

    for (const [endOffset, values] of [
      [1n, []],
      [2n, ['committed 1']],
      [5n, ['committed 1']],
      [6n, ['committed 1', 'plain 5']],
      [9n, ['committed 1', 'plain 5']],
      [11n, ['committed 1', 'plain 5', 'committed 9']],
    ] as const) {
      expect((await drained(sink, endOffset)).map(({ value }) => value)).toEqual(values);
    }
  });

  test('tell where what is committed ends', async () => {
    const sink = await topics.createSink('committed');
    const open = await transaction('open');
    expect(await topics.committedEnd(sink)).toBe(0n);
    await producer.send({ topic: sink, messages: [{ value: 'plain 0' }] });
    await open.send(sink, 'open 1');
    expect(await topics.endOffset(sink)).toBe(2n);
    expect(await topics.committedEnd(sink)).toBe(1n);
    await open.end('commit');
    await eventually(async () => (await topics.committedEnd(sink)) === 3n);
    expect(await topics.endOffset(sink)).toBe(3n);
  });

  test('end after what is not committed yet, and wait for it', async () => {
    const sink = await topics.createSink('late');
    const open = await transaction('late');
    await open.send(sink, 'committed while we wait');
    const end = await topics.endOffset(sink);
    expect(end).toBe(1n);
    const draining = drained(sink, end);
    setTimeout(() => open.end('commit'), 500);
    expect((await draining).map(({ value }) => value)).toEqual(['committed while we wait']);
  });

  test('hold nothing else than aborted records and drain to an empty file', async () => {
    const sink = await topics.createSink('aborted');
    const only = await transaction('only');
    await only.send(sink, 'aborted');
    await only.end('abort');
    expect(await drained(sink, await topics.endOffset(sink))).toEqual([]);
  });

  test('are given up where a transaction stays open, or when asked', async () => {
    const sink = await topics.createSink('open');
    const open = await transaction('open');
    await open.send(sink, 'never committed');
    const end = await topics.endOffset(sink);
    const hasty = await openRunTopics({ brokers: broker.brokers, run: 'hasty', limits: { idleMs: 1_500 } });
    await expect(hasty.drain(sink, end, newFile(), signal)).rejects.toMatchObject({
      code: 'drain-failed',
      message: expect.stringContaining('is a transaction of the engine still open?'),
    });
    await hasty[Symbol.asyncDispose]();

    const controller = new AbortController();
    const draining = topics.drain(sink, end, newFile(), controller.signal);
    setTimeout(() => controller.abort(), 500);
    await expect(draining).rejects.toMatchObject({ code: 'aborted' });
    await expect(topics.produce(notes([['x']]), controller.signal)).rejects.toMatchObject({
      code: 'aborted',
    });
    await open.end('abort');
  });

  test('are deleted at the end, and no others', async () => {
    const names = ['theirs', 'tidemark-other-1-in-notes', 'tidemark-brief-9-in-notes'];
    await admin.createTopics({
      topics: names.map((topic) => ({ topic })),
      waitForLeaders: false,
    });
    const before = (await admin.listTopics()).toSorted();
    expect(before).toEqual(expect.arrayContaining(names));
    const brief = await openRunTopics({ brokers: broker.brokers, run: 'brief' });
    await brief.produce(notes([['1'], ['2']]), signal);
    const sink = await brief.createSink('notes');
    const open = await transaction('brief');
    await open.send(sink, 'never committed');
    const draining = brief.drain(sink, await brief.endOffset(sink), newFile(), signal);
    const controller = new AbortController();
    // Ended in the middle, it leaves topics like any other.
    const large = notes([Array.from({ length: 20_000 }, () => 'x'.repeat(100))]);
    const producing = brief.produce(large, controller.signal);
    setTimeout(() => controller.abort(), 300);
    await expect(producing).rejects.toMatchObject({ code: 'aborted' });
    expect((await admin.listTopics()).length).toBeGreaterThan(before.length);

    await Promise.all([
      expect(draining).rejects.toMatchObject({ code: 'aborted' }),
      brief[Symbol.asyncDispose](),
    ]);

    expect((await admin.listTopics()).toSorted()).toEqual(before);
    const groups = (await admin.listGroups()).groups.map(({ groupId }) => groupId);
    expect(groups.filter((group) => group.startsWith('tidemark-'))).toEqual([]);
    await brief[Symbol.asyncDispose]();
    await open.end('abort').catch(() => {});
  });

  test('are not taken from another run of the same id', async () => {
    const twin = await openRunTopics({ brokers: broker.brokers, run: 'test-1' });
    await expect(twin.produce(notes([['mine']]), signal)).rejects.toMatchObject({ code: 'topic-failed' });
    await twin[Symbol.asyncDispose]();
    expect(await admin.listTopics()).toContain('tidemark-test-1-1-in-notes');
  });
});
