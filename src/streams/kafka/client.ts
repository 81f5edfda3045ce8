import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type ISocketFactory, Kafka, type KafkaConfig as KafkaJsConfig, logLevel } from 'kafkajs';
import type { KafkaConfig } from './config.ts';

const CONNECT_MS = 3_000;
const REQUEST_MS = 20_000;
const KEEP_ALIVE_MS = 60_000;

/** Enough for a leader to change; a broker that is gone is given up within seconds. */
export const RETRY = { initialRetryTime: 200, maxRetryTime: 2_000, retries: 5 } as const;

/** Said of every idempotent producer that does not try for ever, and of every broker's first consumer group. */
const NOISE = /^Limiting retries for the idempotent producer|^Response GroupCoordinator/;

export interface ClientOptions {
  /** `host:port,…` */
  readonly brokers: string;
  readonly config?: KafkaConfig | undefined;
  /** Takes the client's warnings. They name topics and brokers, never a record. */
  readonly log?: ((line: string) => void) | undefined;
}

/** A client of the library whose connections can be ended whatever state the library is in. */
export interface Client {
  readonly kafka: Kafka;
  /** Ends every connection, and those that are tried later. */
  close(): void;
}

/** Which end of a topic the admin tells: that of its records, or of those that are committed. */
export type Ends = 'all' | 'committed';

/** Makes a client; nothing is connected yet. */
export function openClient({ brokers, config, log }: ClientOptions, ends: Ends = 'all'): Client {
  const sockets = new Set<Socket>();
  let closed = false;
  const socketFactory: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    const socket = ssl
      ? connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}), ...ssl }, onConnect)
      : connect({ host, port }, onConnect);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (closed) socket.destroy(new Error('closed'));
    return socket;
  };
  const options: KafkaJsConfig = {
    clientId: 'tidemark',
    brokers: brokers.split(',').map((broker) => broker.trim()),
    connectionTimeout: CONNECT_MS,
    authenticationTimeout: CONNECT_MS,
    requestTimeout: REQUEST_MS,
    retry: RETRY,
    socketFactory,
    logLevel: log === undefined ? logLevel.NOTHING : logLevel.WARN,
    logCreator: () => (entry) => {
      if (closed || NOISE.test(entry.log.message)) return;
      log?.(`kafka ${entry.namespace}: ${entry.log.message}`);
    },
    ...(config?.ssl === undefined ? {} : { ssl: config.ssl }),
    ...(config?.sasl === undefined ? {} : { sasl: config.sasl }),
  };
  const kafka = new Kafka(options);
  if (ends === 'all') askForUncommittedEnds(kafka);
  return {
    kafka,
    close() {
      closed = true;
      for (const socket of sockets) socket.destroy(new Error('closed'));
    },
  };
}

const READ_UNCOMMITTED = 0;

/**
 * Makes the library's admin tell where a topic ends. It would tell where the first open transaction begins, and a run
 * that takes this for the end misses what an engine is about to commit, unnoticed. There is no option for it.
 */
function askForUncommittedEnds(kafka: Kafka): void {
  const hidden = kafka as unknown as Record<
    symbol,
    ((options: { isolationLevel?: number }) => unknown) | undefined
  >;
  const name = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  );
  const create = name === undefined ? undefined : hidden[name];
  if (name === undefined || create === undefined) throw new Error('kafkajs is another one than 2.2.4');
  hidden[name] = (options) => create({ isolationLevel: READ_UNCOMMITTED, ...options });
}

/**
 * Why the library failed, in words that cannot hold a record: the protocol's name of the error, the system's code,
 * else the class of the error. Its own messages are left out.
 */
export function codeOf(error: unknown): string {
  let reason = 'unknown';
  for (let depth = 0; error instanceof Error && depth < 8; depth++) {
    const { type, code, originalError } = error as {
      type?: unknown;
      code?: unknown;
      originalError?: unknown;
    };
    if (typeof type === 'string' && type !== 'UNKNOWN') return type;
    if (typeof code === 'string') return code;
    reason = error.name;
    error = error.cause ?? originalError;
  }
  return reason;
}

/**
 * The same for a message about a broker that was there before: the system's codes, and what the library names after them,
 * are those of a connection.
 */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return /^E[A-Z]+$|^KafkaJSConnection/.test(code) ? `the broker does not answer: ${code}` : code;
}
