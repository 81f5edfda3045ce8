import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { generateNexmark } from '../generators/nexmark/index.ts';
import type { Dataset } from '../src/model/dataset.ts';
import { rowToJson } from '../src/model/row-json.ts';
import { openRunTopics, startBroker } from '../src/streams/kafka/index.ts';

const EVENTS = 500_000;
const PARTITIONS = 4;
const ROUNDS = 2;
/** What the library does best with, and what its users often take. */
const PEER_BATCHES = [1_000, 5_000] as const;

/** For the broker to make topics before it is measured. */
const TOPICS_MS = 3_000;

const TARGET_RATIO = 2;

/** Seconds to get the events into topics, the best of the rounds. */
export interface ProduceMeasurement {
  readonly tidemarkSeconds: number;
  /** kafkajs alone, with values encoded beforehand, by rows in a batch. */
  readonly kafkajsSeconds: Readonly<Record<number, number>>;
}

/**
 * Measures `RunTopics.produce`, from rows to counted records, against kafkajs alone given the same values as bytes,
 * one chain of batches a partition, both with acks of all and on the same broker of our own, in turn.
 *
 * Prints a table. @throws KafkaError when the broker is not installed.
 */
export async function benchProduce(): Promise<ProduceMeasurement> {
  const directory = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  const { signal } = new AbortController();
  try {
    await using broker = await startBroker({ directory, signal });
    const dataset = generateNexmark({ seed: 'bench', events: EVENTS, partitions: PARTITIONS });
    const values = encoded(dataset);
    let tidemarkSeconds = Number.POSITIVE_INFINITY;
    const kafkajsSeconds: Record<number, number> = {};
    for (let round = 0; round < ROUNDS; round++) {
      tidemarkSeconds = Math.min(tidemarkSeconds, await produceOurs(broker.brokers, `${round}`, dataset));
      for (const batch of PEER_BATCHES) {
        const theirs = await produceAlone(broker.brokers, `bench-${round}-${batch}`, values, batch);
        kafkajsSeconds[batch] = Math.min(kafkajsSeconds[batch] ?? Number.POSITIVE_INFINITY, theirs);
      }
    }
    const measurement = { tidemarkSeconds, kafkajsSeconds };
    print(measurement);
    return measurement;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

type Values = readonly { readonly name: string; readonly partitions: readonly (readonly Buffer[])[] }[];

function encoded({ streams }: Dataset): Values {
  return streams.map(({ schema, partitions }) => ({
    name: schema.name,
    partitions: partitions.map((events) =>
      events.map(({ row }) => Buffer.from(rowToJson(schema.columns, row))),
    ),
  }));
}

async function produceOurs(brokers: string, run: string, dataset: Dataset): Promise<number> {
  await using topics = await openRunTopics({ brokers, run: `bench-${run}` });
  return await timed(() => topics.produce(dataset, new AbortController().signal));
}

/** Only sending is timed: topics are there and everybody is connected. */
async function produceAlone(brokers: string, prefix: string, values: Values, batch: number): Promise<number> {
  const kafka = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  const producer = kafka.producer({
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition!,
  });
  await admin.connect();
  await producer.connect();
  const topics = values.map(({ name, partitions }) => ({
    topic: `${prefix}-${name}`,
    numPartitions: partitions.length,
  }));
  await admin.createTopics({ topics, waitForLeaders: false });
  await sleep(TOPICS_MS);
  const seconds = await timed(() =>
    Promise.all(
      Array.from({ length: PARTITIONS }, async (_, partition) => {
        for (const { name, partitions } of values) {
          const bytes = partitions[partition]!;
          for (let from = 0; from < bytes.length; from += batch) {
            const messages = bytes
              .slice(from, from + batch)
              .map((value) => ({ partition, key: null, value }));
            await producer.send({ topic: `${prefix}-${name}`, messages, acks: -1 });
          }
        }
      }),
    ),
  );
  await admin.deleteTopics({ topics: topics.map(({ topic }) => topic) });
  await producer.disconnect();
  await admin.disconnect();
  return seconds;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

function print({ tidemarkSeconds, kafkajsSeconds }: ProduceMeasurement): void {
  console.log(`produce, ${EVENTS} events, ${PARTITIONS} partitions, best of ${ROUNDS} rounds`);
  console.table(
    PEER_BATCHES.map((batch) => ({
      'kafkajs alone, rows a batch': batch,
      'kafkajs s': kafkajsSeconds[batch]!.toFixed(2),
      'tidemark s': tidemarkSeconds.toFixed(2),
      ratio: `${(tidemarkSeconds / kafkajsSeconds[batch]!).toFixed(2)} (target ${TARGET_RATIO})`,
      'tidemark events/s': Math.round(EVENTS / tidemarkSeconds),
    })),
  );
}
