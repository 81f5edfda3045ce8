import type { Message, Producer } from 'kafkajs';
import type { StreamData } from '../../model/dataset.ts';
import { rowToJson } from '../../model/row-json.ts';
import { bounded, refuseAborted } from './bounded.ts';
import { type Client, type ClientOptions, openClient, RETRY, reasonOf } from './client.ts';
import type { Limits } from './limits.ts';
import { KafkaError } from './run-topics.ts';

/** Partitions that are filled at the same time, each by a producer of its own. */
const CONCURRENCY = 4;
const BATCH_ROWS = 5_000;
/** Below the 1 MiB that a broker takes by default. */
const BATCH_BYTES = 900_000;
/** At most what a record adds to its value. */
const RECORD_BYTES = 24;
const LEAVE_MS = 2_000;

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
  const bounds = { idleMs: limits.idleMs, signal: AbortSignal.any([signal, failure.signal]) };
  const senders = Array.from(
    { length: Math.min(CONCURRENCY, waiting.length) },
    () => new Sender(client, bounds),
  );
  const work = async (sender: Sender) => {
    await sender.connect();
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await producePartition(sender, next);
    }
  };
  try {
    await bounded(Promise.all(senders.map(work)), {
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
    const leaving = Promise.all(senders.map((sender) => sender.leave()));
    await bounded(leaving, { limitMs: LEAVE_MS, atLimit: () => new Error() }).catch(() => {});
    client.close();
  }
}

interface SenderBounds {
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

/** A producer that is asked for one thing at a time, within bounds. */
class Sender {
  readonly #producer: Producer;
  readonly #bounds: SenderBounds;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ kafka }: Client, bounds: SenderBounds) {
    // Idempotent, and so one batch in flight: a batch that is sent again is neither doubled nor overtaken.
    this.#producer = kafka.producer({
      idempotent: true,
      retry: RETRY,
      allowAutoTopicCreation: false,
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition!,
    });
    this.#bounds = bounds;
  }

  connect(): Promise<void> {
    return this.#ask(() => this.#producer.connect());
  }

  async send(topic: string, messages: Message[]): Promise<void> {
    await this.#ask(() => this.#producer.send({ topic, messages, acks: -1 }));
  }

  /** Lets what is in flight arrive: cut off, the library would try it again for seconds. */
  async leave(): Promise<void> {
    await this.#last.catch(() => {});
    await this.#producer.disconnect().catch(() => {});
  }

  #ask<T>(work: () => Promise<T>): Promise<T> {
    const { idleMs, signal } = this.#bounds;
    refuseAborted(signal);
    const answer = work();
    this.#last = answer;
    const atLimit = () => new KafkaError('produce-failed', `the broker took no rows for ${idleMs / 1_000} s`);
    return bounded(answer, { limitMs: idleMs, signal, atLimit });
  }
}

interface PartitionJob extends StreamTopic {
  readonly partition: number;
}

async function producePartition(sender: Sender, { stream, topic, partition }: PartitionJob): Promise<void> {
  const { columns } = stream.schema;
  const events = stream.partitions[partition]!;
  for (let next = 0; next < events.length; ) {
    const messages: Message[] = [];
    for (let bytes = 0; next < events.length && messages.length < BATCH_ROWS; next++) {
      const value = Buffer.from(rowToJson(columns, events[next]!.row));
      bytes += value.length + RECORD_BYTES;
      if (bytes > BATCH_BYTES && messages.length > 0) break;
      messages.push({ partition, key: null, value });
    }
    await sender.send(topic, grouped(messages, partition));
  }
}

/**
 * The library groups a batch's messages by partition through `reduce`, in a time that grows with their square: a third
 * of its work. All are of one partition, so the answer is known.
 */
function grouped(messages: Message[], partition: number): Message[] {
  return Object.defineProperty(messages, 'reduce', { value: () => ({ [partition]: messages }) });
}
