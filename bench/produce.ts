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

/** What it took to get the events into topics: wall time, and this process's CPU time, which load disturbs less. */
interface Cost {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** The best of the rounds. */
export interface ProduceMeasurement {
  readonly tidemark: Cost;
  /** kafkajs alone, with values encoded beforehand, by rows in a batch. */
  readonly kafkajs: Readonly<Record<number, Cost>>;
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
    const ours: Cost[] = [];
    const theirs: Record<number, Cost[]> = {};
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await produceOurs(broker.brokers, `${round}`, dataset));
      for (const batch of PEER_BATCHES) {
        const cost = await produceAlone(broker.brokers, `bench-${round}-${batch}`, values, batch);
        theirs[batch] = [...(theirs[batch] ?? []), cost];
      }
    }
    const kafkajs = Object.fromEntries(PEER_BATCHES.map((batch) => [batch, best(theirs[batch]!)]));
    const measurement = { tidemark: best(ours), kafkajs };
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

async function produceOurs(brokers: string, run: string, dataset: Dataset): Promise<Cost> {
  await using topics = await openRunTopics({ brokers, run: `bench-${run}` });
  return await timed(() => topics.produce(dataset, new AbortController().signal));
}

/** Only sending is timed: topics are there and everybody is connected. */
async function produceAlone(brokers: string, prefix: string, values: Values, batch: number): Promise<Cost> {
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
  const cost = await timed(() =>
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
  return cost;
}

async function timed(work: () => Promise<unknown>): Promise<Cost> {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - start) / 1e3, cpuSeconds: (user + system) / 1e6 };
}

function best(costs: readonly Cost[]): Cost {
  return {
    seconds: Math.min(...costs.map(({ seconds }) => seconds)),
    cpuSeconds: Math.min(...costs.map(({ cpuSeconds }) => cpuSeconds)),
  };
}

function print({ tidemark, kafkajs }: ProduceMeasurement): void {
  const perSecond = Math.round(EVENTS / tidemark.seconds);
  console.log(
    `produce, ${EVENTS} events, ${PARTITIONS} partitions, best of ${ROUNDS} rounds: ${perSecond} events/s`,
  );
  console.table(
    PEER_BATCHES.map((batch) => {
      const { seconds, cpuSeconds } = kafkajs[batch]!;
      return {
        'kafkajs alone, rows a batch': batch,
        'kafkajs s': seconds.toFixed(2),
        'tidemark s': tidemark.seconds.toFixed(2),
        ratio: `${(tidemark.seconds / seconds).toFixed(2)} (target ${TARGET_RATIO})`,
        'kafkajs CPU s': cpuSeconds.toFixed(2),
        'tidemark CPU s': tidemark.cpuSeconds.toFixed(2),
        'ratio of CPU': (tidemark.cpuSeconds / cpuSeconds).toFixed(2),
      };
    }),
  );
}
