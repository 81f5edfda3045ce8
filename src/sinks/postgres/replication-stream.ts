import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Lsn } from '../../model/history/index.ts';
import { atMost, once } from '../../streams/bounded.ts';
import { aborted, within } from './bounds.ts';
import { PostgresError, refusal } from './error.ts';
import { formatLsn } from './lsn.ts';
import { checkName } from './names.ts';
import { decodeServerMessage, encodeStatus } from './replication-messages.ts';
import { connect, settingTextForm, socketOf } from './session.ts';

const START_MS = 30_000;
const SLOT_WAIT_MS = 15_000;
const POLL_MS = 50;
const CLOSE_MS = 2_000;
const STATUS_MS = 10_000;
/** The server is made to wait while more than this was received and not taken. */
const QUEUE_BYTES = 1 << 20;

/**
 * `1`: a transaction when it commits. `2`: large ones while they are open. `4`: the same, telling where an abort is,
 * from PostgreSQL 16.
 */
export const PROTOCOLS = [1, 2, 4] as const;
export type ProtocolVersion = (typeof PROTOCOLS)[number];

export interface ReplicationOptions {
  readonly url: string;
  readonly slot: string;
  readonly publications: readonly string[];
  readonly protocol: ProtocolVersion;
  /** Where to begin; before what the slot's reader acknowledged nothing is sent again. Default: there. */
  readonly from?: Lsn;
  /** How long the slot's reader before us may take to be gone; default 15 s. */
  readonly slotWaitMs?: number;
  /** Settings of the server's process, such as `logical_decoding_work_mem`. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Messages of pgoutput as they come in. Reading slower than they do makes the server wait. */
export interface ReplicationStream extends AsyncDisposable {
  readonly processId: number;
  /**
   * What has arrived since, at least one message; it may be kept. Waits for as long as nothing is written.
   *
   * @throws PostgresError `disconnected`, `refused`, `malformed` or `aborted`, from then on always.
   */
  next(): Promise<readonly Buffer[]>;
  /**
   * Tells the server that everything before `lsn` is durable here, exactly that, now and from now on; until the first
   * time nothing is told. Acknowledging a `commit_lsn` has that transaction sent again, acknowledging its end has not.
   */
  ack(lsn: Lsn): void;
  /** Ends it so that what was acknowledged arrives. Twice does no harm. */
  close(): Promise<void>;
  /** Cuts the connection as a crash would. */
  cut(): void;
}

/**
 * Starts to stream from a slot, waiting a little for a reader before us to be gone.
 *
 * @throws PostgresError `unreachable`, `no-replication-right`, `bad-name`, `no-slot`, `slot-in-use`, `unsupported`, …
 */
export async function openReplication(options: ReplicationOptions): Promise<ReplicationStream> {
  checkName(options.slot, 'slot');
  for (const name of options.publications) checkName(name, 'publication');
  const deadline = performance.now() + (options.slotWaitMs ?? SLOT_WAIT_MS);
  for (;;) {
    const client = await connect(options, true);
    try {
      return await start(client, options);
    } catch (error) {
      socketOf(client).destroy();
      if (options.signal.aborted) throw aborted();
      const failure = refusal(error, 'start the replication');
      if (failure.sqlState === '55006' && performance.now() <= deadline) await sleep(POLL_MS);
      else throw named(failure);
    }
  }
}

function named(failure: PostgresError): PostgresError {
  if (failure.sqlState === '55006') {
    return new PostgresError('slot-in-use', 'somebody else reads from the slot', failure.sqlState);
  }
  if (failure.sqlState === '42704') {
    return new PostgresError('no-slot', 'the slot is not on the server', failure.sqlState);
  }
  return failure;
}

async function start(client: pg.Client, options: ReplicationOptions): Promise<ReplicationStream> {
  const { signal } = options;
  const statusMs = await prepare(client, options);
  const stream = new Stream(client, statusMs, signal);
  await within(stream.begin(startCommand(options)), {
    limitMs: START_MS,
    signal,
    atLimit: () => new PostgresError('timeout', 'the server took too long to start the replication'),
  });
  return stream;
}

/** Settings of the connection; how often the server has to hear of us, in milliseconds. */
async function prepare(
  client: pg.Client,
  { protocol, settings, signal }: ReplicationOptions,
): Promise<number> {
  const asking = async () => {
    await client.query(settingTextForm(settings));
    const { rows } = await client.query(
      `SELECT current_setting('server_version_num') AS version,
         (SELECT setting FROM pg_settings WHERE name = 'wal_sender_timeout') AS patience`,
    );
    return rows[0] as { readonly version: string; readonly patience: string };
  };
  const { version, patience } = await within(asking(), {
    limitMs: START_MS,
    signal,
    atLimit: () => new PostgresError('timeout', 'the server took too long to tell its settings'),
  });
  const least = { 1: 14, 2: 14, 4: 16 }[protocol];
  if (Number(version) < least * 10_000) {
    throw new PostgresError(
      'unsupported',
      `protocol ${protocol} as it is used here takes PostgreSQL ${least}`,
    );
  }
  const patienceMs = Number(patience);
  return patienceMs > 0 ? Math.min(STATUS_MS, Math.max(50, patienceMs / 3)) : STATUS_MS;
}

const STREAMING = { 1: '', 2: `, streaming 'on'`, 4: `, streaming 'parallel'` } as const;

function startCommand({ slot, publications, protocol, from = 0n }: ReplicationOptions): string {
  const names = publications.map((name) => `"${name}"`).join(',');
  const options = `proto_version '${protocol}', publication_names '${names}', messages 'true', binary 'false'`;
  return `START_REPLICATION SLOT ${slot} LOGICAL ${formatLsn(from)} (${options}${STREAMING[protocol]})`;
}

/** Of a pg client, what it keeps for itself. */
interface Wire {
  once(event: 'replicationStart', listener: () => void): void;
  query(text: string): void;
  end(): void;
  sendCopyFromChunk(chunk: Buffer): void;
}

class Stream implements ReplicationStream {
  readonly processId: number;
  readonly close: () => Promise<void>;
  readonly #client: pg.Client;
  readonly #wire: Wire;
  readonly #signal: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = () => {
    this.#fail(aborted());
    this.cut();
  };
  #queue: Buffer[] = [];
  #queued = 0;
  #wake: (() => void) | undefined;
  #failure: PostgresError | undefined;
  #acknowledged: Lsn = 0n;
  #closing = false;

  constructor(client: pg.Client, statusMs: number, signal: AbortSignal) {
    const hidden = client as unknown as { connection: Wire; processID: number };
    this.#client = client;
    this.#wire = hidden.connection;
    this.processId = hidden.processID;
    this.#signal = signal;
    this.close = once(() => this.#end());
    // Also while we read nothing, and so see no request for it.
    this.#timer = setInterval(() => this.#report(), statusMs);
    this.#timer.unref();
    signal.addEventListener('abort', this.#onAbort);
    socketOf(client).once('close', () => this.#fail(disconnected()));
  }

  /** Sends the command that turns the connection into a stream. */
  begin(command: string): Promise<void> {
    return new Promise((started, refused) => {
      const ignore = () => {};
      this.#wire.once('replicationStart', started);
      // The driver hands what comes in to whatever it takes for the query that runs.
      const query = {
        submit: (connection: Wire) => connection.query(command),
        handleCopyData: ({ chunk }: { readonly chunk: Buffer }) => this.#receive(chunk),
        handleError: (error: unknown) => {
          const failure = refusal(error, 'stream');
          this.#fail(failure);
          refused(failure);
        },
        handleReadyForQuery: () => this.#fail(disconnected()),
        handleRowDescription: ignore,
        handleDataRow: ignore,
        handleCommandComplete: ignore,
        handleEmptyQuery: ignore,
        handlePortalSuspended: ignore,
        handleCopyInResponse: ignore,
      };
      this.#client.query(query as unknown as pg.Submittable);
    });
  }

  async next(): Promise<readonly Buffer[]> {
    while (this.#queue.length === 0) {
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((wake) => {
        this.#wake = wake;
      });
    }
    const taken = this.#queue;
    this.#queue = [];
    this.#queued = 0;
    socketOf(this.#client).resume();
    return taken;
  }

  ack(lsn: Lsn): void {
    this.#acknowledged = lsn;
    this.#report();
  }

  cut(): void {
    this.#silence();
    socketOf(this.#client).destroy();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #receive(chunk: Buffer): void {
    if (this.#failure !== undefined || this.#closing) return;
    try {
      const message = decodeServerMessage(chunk);
      if (message.kind === 'keepalive') {
        if (message.replyNow) this.#report();
        return;
      }
      // The driver uses its buffer again.
      this.#queue.push(Buffer.from(message.payload));
      this.#queued += message.payload.length;
      if (this.#queued > QUEUE_BYTES) socketOf(this.#client).pause();
      this.#awaken();
    } catch (error) {
      this.#fail(refusal(error, 'read what the server sent'));
      this.cut();
    }
  }

  #report(): void {
    if (this.#failure === undefined && !this.#closing)
      this.#wire.sendCopyFromChunk(encodeStatus(this.#acknowledged));
  }

  async #end(): Promise<void> {
    this.#closing = true;
    this.#silence();
    // A server that waits for us to read does not read itself.
    socketOf(this.#client).resume();
    const socket = socketOf(this.#client);
    if (!socket.destroyed) {
      const closed = new Promise<void>((done) => socket.once('close', () => done()));
      // The client's own end would cut a connection on which something runs, and what we acknowledged with it.
      this.#wire.end();
      await atMost(CLOSE_MS, closed);
    }
    socket.destroy();
  }

  #silence(): void {
    clearInterval(this.#timer);
    this.#signal.removeEventListener('abort', this.#onAbort);
  }

  #fail(failure: PostgresError): void {
    this.#failure ??= failure;
    this.#silence();
    this.#awaken();
  }

  #awaken(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

function disconnected(): PostgresError {
  return new PostgresError('disconnected', 'the server ended the replication');
}
