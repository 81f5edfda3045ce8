import type { Producer } from 'kafkajs';
import type { StreamData } from '../../model/dataset.ts';
import { rowToJson } from '../../model/row-json.ts';
import { bounded, refuseAborted } from './bounded.ts';
import { type ClientOptions, openClient, RETRY, reasonOf } from './client.ts';
import type { Limits } from './limits.ts';
import { KafkaError } from './run-topics.ts';

/** Partitions that are filled at the same time, each by a producer of its own. */
const CONCURRENCY = 4;
/** The library groups a batch's records in a time that grows with their square: 5 000 take three times as long. */
const BATCH_ROWS = 1_000;
/** Below the 1 MiB that a broker takes by default. */
const BATCH_BYTES = 900_000;
/** At most what a record adds to its value. */
const RECORD_BYTES = 24;

export interface StreamTopic {
  readonly stream: StreamData;
  readonly topic: string;
}

export interface TransferOptions {
  readonly client: ClientOptions;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/** Fills each topic with its stream's rows, each partition's in order. @throws KafkaError */
export async function produceStreams(
  topics: readonly StreamTopic[],
  { client: options, limits, signal }: TransferOptions,
): Promise<void> {
  const waiting = topics.flatMap(({ stream, topic }) =>
    stream.partitions.flatMap((events, partition) =>
      events.length === 0 ? [] : [{ stream, topic, partition }],
    ),
  );
  const client = openClient(options);
  const failure = new AbortController();
  const ending = AbortSignal.any([signal, failure.signal]);
  const worker = async () => {
    // Idempotent, and so one batch in flight: a batch that is sent again is neither doubled nor overtaken.
    const producer = client.kafka.producer({
      idempotent: true,
      retry: RETRY,
      allowAutoTopicCreation: false,
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition!,
    });
    await within(producer.connect(), limits, ending);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await producePartition(producer, next, limits, ending);
    }
    await producer.disconnect().catch(() => {});
  };
  const work = Promise.all(Array.from({ length: Math.min(CONCURRENCY, waiting.length) }, worker));
  try {
    await bounded(work, {
      limitMs: limits.totalMs,
      signal,
      atLimit: () => new KafkaError('timeout', `producing took longer than ${limits.totalMs / 1_000} s`),
    });
  } catch (error) {
    if (error instanceof KafkaError) throw error;
    throw new KafkaError(
      'produce-failed',
      `the broker did not take the rows (${reasonOf(error)}): is it still running?`,
    );
  } finally {
    failure.abort();
    client.close();
  }
}

interface PartitionJob extends StreamTopic {
  readonly partition: number;
}

async function producePartition(
  producer: Producer,
  { stream, topic, partition }: PartitionJob,
  limits: Limits,
  signal: AbortSignal,
): Promise<void> {
  const { columns } = stream.schema;
  const events = stream.partitions[partition]!;
  for (let next = 0; next < events.length; ) {
    const messages: { partition: number; key: null; value: Buffer }[] = [];
    for (let bytes = 0; next < events.length && messages.length < BATCH_ROWS; next++) {
      const value = Buffer.from(rowToJson(columns, events[next]!.row));
      bytes += value.length + RECORD_BYTES;
      if (bytes > BATCH_BYTES && messages.length > 0) break;
      messages.push({ partition, key: null, value });
    }
    refuseAborted(signal);
    await within(producer.send({ topic, messages, acks: -1 }), limits, signal);
  }
}

function within<T>(work: Promise<T>, { idleMs }: Limits, signal: AbortSignal): Promise<T> {
  const atLimit = () => new KafkaError('produce-failed', `the broker took no rows for ${idleMs / 1_000} s`);
  return bounded(work, { limitMs: idleMs, signal, atLimit });
}
