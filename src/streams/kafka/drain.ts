import { type FileHandle, open, rm } from 'node:fs/promises';
import type { Consumer, EachBatchPayload } from 'kafkajs';
import { fileBytes } from '../file-bytes.ts';
import { orInputError } from '../files.ts';
import { aborted, bounded, refuseAborted } from './bounded.ts';
import { codeOf, openClient, RETRY, reasonOf } from './client.ts';
import type { TransferOptions } from './produce.ts';
import { type Drained, KafkaError } from './run-topics.ts';

/** Of a fetch. The library makes objects of all of it at once: more of them would be copied by collections before they go. */
const FETCH_BYTES = 1 << 19;
/** A fetch waits this long for more: it is also how long leaving can take. */
const FETCH_WAIT_MS = 100;
const LEAVE_MS = 2_000;

/** What a broker says of consumer groups until it has set up its first, which can take seconds. */
const COORDINATOR_STARTS = new Set([
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
]);

export interface DrainJob {
  readonly topic: string;
  /** Reading stops before this offset. */
  readonly endOffset: bigint;
  readonly file: string;
  /** The consumer group, which only this drain has. */
  readonly group: string;
}

/** Reads the committed records of a topic's one partition, up to an end. @throws KafkaError, InputError for the file. */
export async function drainTopic(job: DrainJob, options: TransferOptions): Promise<Drained> {
  const { endOffset, file } = job;
  refuseAborted(options.signal);
  const handle = await orInputError(file, 'cannot write', () => open(file, 'w'));
  let records = 0;
  let done = false;
  try {
    if (endOffset > 0n) records = await readInto(handle, job, options);
    done = true;
  } finally {
    await handle.close();
    if (!done) await rm(file, { force: true });
  }
  return {
    format: 'records',
    records,
    bytes: fileBytes(file),
    release: () => rm(file, { force: true }),
  };
}

/** Returns the number of records. */
async function readInto(handle: FileHandle, job: DrainJob, options: TransferOptions): Promise<number> {
  const { topic, endOffset, group } = job;
  const { limits, signal } = options;
  const client = openClient(options.client);
  const consumer = client.kafka.consumer({
    groupId: group,
    maxWaitTimeInMs: FETCH_WAIT_MS,
    maxBytesPerPartition: FETCH_BYTES,
    allowAutoTopicCreation: false,
    // Started again, the library reads from the beginning again: what was written is skipped.
    retry: { ...RETRY, restartOnFailure: async (error) => COORDINATOR_STARTS.has(codeOf(error)) },
  });
  let idle: NodeJS.Timeout | undefined;
  let finished = false;
  let position = 0n;
  let records = 0;
  try {
    const reached = new Promise<void>((resolve, reject) => {
      const progress = () => {
        clearTimeout(idle);
        idle = setTimeout(() => reject(stuck(topic, position, endOffset, limits.idleMs)), limits.idleMs);
      };
      progress();
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        if (!payload.restart) reject(payload.error);
      });
      // The library's only word on records that it hides: markers, and what was aborted.
      consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload }) => {
        const next = BigInt(payload.lastOffset) + 1n;
        if (next <= position) return;
        position = next;
        progress();
        if (position >= endOffset) resolve();
      });
      const eachBatch = async ({ batch }: EachBatchPayload) => {
        if (finished) return;
        const { lines, count } = linesOf(batch.messages, batch.partition, { from: position, to: endOffset });
        records += count;
        if (count > 0) await handle.writeFile(lines);
      };
      start(consumer, topic, eachBatch).catch(reject);
    });
    await bounded(reached, {
      limitMs: limits.totalMs,
      signal,
      atLimit: () =>
        new KafkaError('timeout', `draining ${topic} took longer than ${limits.totalMs / 1_000} s`),
    });
  } catch (error) {
    if (error instanceof KafkaError) throw error;
    if (signal.aborted) throw aborted();
    throw new KafkaError('drain-failed', `could not read ${topic} to its end (${reasonOf(error)})`);
  } finally {
    finished = true;
    clearTimeout(idle);
    await bounded(consumer.disconnect(), { limitMs: LEAVE_MS, atLimit: () => new Error() }).catch(() => {});
    client.close();
  }
  return records;
}

async function start(
  consumer: Consumer,
  topic: string,
  eachBatch: (payload: EachBatchPayload) => Promise<void>,
): Promise<void> {
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({ autoCommit: false, eachBatch });
}

interface Message {
  readonly offset: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
}

/** `records` lines of the messages between two offsets. Key and value are bytes to us, UTF-8 or not. */
function linesOf(
  messages: readonly Message[],
  partition: number,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): { readonly lines: string; readonly count: number } {
  let lines = '';
  let count = 0;
  for (const { offset, key, value } of messages) {
    if (BigInt(offset) < from) continue;
    if (BigInt(offset) >= to) break;
    lines += `{"partition":${partition},"offset":${offset},"key":${base64(key)},"value":${base64(value)}}\n`;
    count += 1;
  }
  return { lines, count };
}

function base64(bytes: Buffer | null): string {
  return bytes === null ? 'null' : `"${bytes.toString('base64')}"`;
}

function stuck(topic: string, position: bigint, endOffset: bigint, idleMs: number): KafkaError {
  return new KafkaError(
    'drain-failed',
    `${topic} gave nothing for ${idleMs / 1_000} s at offset ${position} of ${endOffset}: is the broker running, or is a transaction of the engine still open?`,
  );
}
