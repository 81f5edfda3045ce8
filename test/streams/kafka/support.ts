import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import type { Dataset } from '../../../src/model/dataset.ts';
import type { Row } from '../../../src/model/value.ts';
import { kafkaBroker } from '../../../src/streams/kafka/index.ts';

const required = (process.env.TIDEMARK_REQUIRE_ENGINES ?? '').split(',').includes('kafka');

/** Whether tests with a broker run: it is installed, or `TIDEMARK_REQUIRE_ENGINES` says that it has to be. */
export const kafkaRuns = required || (await kafkaBroker.status()).kind === 'ready';

/** Says in the list of tests why they are skipped. */
export const kafkaTitle = kafkaRuns
  ? 'a broker of ours'
  : 'a broker of ours (skipped: not installed, run `tidemark engines install kafka`)';

/** A directory and its removal. */
export function temporaryDirectory(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The library itself, to look at a broker from outside. */
export function bareKafka(brokers: string): Kafka {
  return new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING });
}

/** A dataset of one stream `notes`, given the text of each row by partition; ids count up from beyond 2^53. */
export function notes(partitions: readonly (readonly string[])[]): Dataset {
  let arrival = 0;
  return {
    lagMs: 0,
    provenance: 'captured',
    streams: [
      {
        schema: {
          name: 'notes',
          columns: [
            { name: 'id', type: 'BIGINT', nullable: false },
            { name: 'at', type: 'TIMESTAMP(3)', nullable: false },
            { name: 'text', type: 'STRING', nullable: true },
          ],
          eventTime: 'at',
          unique: [],
        },
        partitions: partitions.map((texts) =>
          texts.map((text) => {
            const row: Row = [9_007_199_254_740_993n + BigInt(arrival), -arrival, text];
            return { arrival: arrival++, row };
          }),
        ),
      },
    ],
  };
}

/** One line of a drained file. */
export interface DrainedRecord {
  readonly partition: number;
  readonly offset: number;
  readonly key: string | null;
  readonly value: string | null;
}

/** A drained file, its keys and values as text. */
export function recordsOf(file: string): DrainedRecord[] {
  const text = (base64: string | null) => (base64 === null ? null : Buffer.from(base64, 'base64').toString());
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const { partition, offset, key, value } = JSON.parse(line) as DrainedRecord;
      return { partition, offset, key: text(key), value: text(value) };
    });
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A process that ended and that nobody asked about is there in name only.
  return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

/** Whether anybody takes connections at `host:port`. */
export function listens(brokers: string): Promise<boolean> {
  const [host, port] = brokers.split(':');
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** @throws Error when it does not become true within 20 s. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await condition()) return;
    await sleep(100);
  }
  throw new Error('it did not become true');
}
