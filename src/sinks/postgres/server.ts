import { randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { once } from '../../streams/bounded.ts';
import { freePorts } from '../../streams/free-ports.ts';
import { startWatched, tailOf } from '../../streams/watched-program.ts';
import { type Binaries, type BinariesChoice, findBinaries } from './binaries.ts';
import { aborted, refuseAborted } from './bounds.ts';
import { PostgresError } from './error.ts';
import { type Owner, ownerOfServer } from './owner.ts';
import { openSession } from './session.ts';

const INITDB_MS = 120_000;
const START_MS = 60_000;
const STOP_MS = 3_000;
const POLL_MS = 30;
/** A port found free can be taken before the server has it. */
const ATTEMPTS = 3;
const USER = 'tidemark';

/** A PostgreSQL that can be replicated from. */
export interface PostgresServer extends AsyncDisposable {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE`: a secret where it is a user's. */
  readonly url: string;
  /** `18.4` */
  readonly version: string;
  /** Of a server of ours: the process id of its postmaster. */
  readonly pid: number | undefined;
  /** Ends what we started and removes its files; a server of somebody else's goes on. Twice does no harm. */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** A server of the user's: nothing is started. */
  readonly url?: string;
  /** Which PostgreSQL is started without a URL; default `embedded`. */
  readonly binaries?: BinariesChoice;
  /** Its files go into a new directory below this one; default the system's temporary directory. */
  readonly directory?: string;
  /** More settings, as `postgresql.conf` names them. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * A throw-away PostgreSQL of our own on a free port of 127.0.0.1, as whoever we are, or as `nobody` when we are root;
 * or the user's, by its URL.
 *
 * Ours ends with {@link PostgresServer.stop}, and also when this process does, however that is: a shell that holds the
 * other end of a pipe sees it close, ends the server and removes the files.
 *
 * @throws PostgresError `not-installed`, `start-failed`, `unreachable` or `aborted`.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  refuseAborted(options.signal);
  if (options.url !== undefined) return serverOfUser(options.url, options.signal);
  const owner = await ownerOfServer();
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(options, owner);
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === ATTEMPTS) throw error;
    }
  }
}

class PortTaken extends PostgresError {}

async function serverOfUser(url: string, signal: AbortSignal): Promise<PostgresServer> {
  const version = await versionOf(url, signal);
  const stop = async () => {};
  return { url, version, pid: undefined, stop, [Symbol.asyncDispose]: stop };
}

async function versionOf(url: string, signal: AbortSignal): Promise<string> {
  await using session = await openSession({ url, signal });
  const [row] = await session.query('SHOW server_version', undefined, 'tell its version');
  // A distribution adds its own after a blank.
  return row?.server_version?.split(' ')[0] ?? '';
}

async function start(
  { binaries = 'embedded', directory = tmpdir(), settings = {}, signal }: PostgresOptions,
  owner: Owner | undefined,
): Promise<PostgresServer> {
  await mkdir(directory, { recursive: true });
  const home = await mkdtemp(join(resolve(directory), 'tidemark-postgres-'));
  const remove = () => rm(home, { recursive: true, force: true, maxRetries: 3 });
  try {
    if (owner !== undefined) await chown(home, owner.uid, owner.gid);
    const found = await findBinaries(binaries, home, owner);
    const password = randomBytes(16).toString('hex');
    await initialise(found, home, password, owner, signal);
    return await launch({ found, home, password, settings, owner, signal, remove });
  } catch (error) {
    await remove();
    throw error;
  }
}

async function initialise(
  { initdb, environment }: Binaries,
  home: string,
  password: string,
  owner: Owner | undefined,
  signal: AbortSignal,
): Promise<void> {
  const passwordFile = join(home, 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (owner !== undefined) await chown(passwordFile, owner.uid, owner.gid);
  const done = await execa(
    initdb,
    [
      `--pgdata=${join(home, 'data')}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ],
    {
      reject: false,
      all: true,
      timeout: INITDB_MS,
      cancelSignal: signal,
      cwd: home,
      env: environment,
      ...owner,
    },
  );
  if (done.isCanceled) throw aborted();
  if (done.failed) {
    throw new PostgresError(
      'start-failed',
      `the server's files could not be made\n${tailOf(done.all ?? '')}`,
    );
  }
  await rm(passwordFile);
}

/** For a server that lives for minutes and holds nothing that anybody would miss. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  wal_level: 'logical',
  max_connections: '64',
  max_wal_senders: '32',
  max_replication_slots: '32',
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  jit: 'off',
  shared_buffers: '64MB',
  timezone: 'UTC',
  // An error's text quotes rows: none is written down.
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

interface Launch {
  readonly found: Binaries;
  readonly home: string;
  readonly password: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly owner: Owner | undefined;
  readonly signal: AbortSignal;
  readonly remove: () => Promise<void>;
}

async function launch(options: Launch): Promise<PostgresServer> {
  const { found, home, password, owner, signal, remove } = options;
  const [port] = await freePorts(1);
  const settings = Object.entries({ ...SETTINGS, ...options.settings, port: `${port}` });
  const program = await startWatched({
    role: 'server',
    program: found.postgres,
    arguments: ['-D', join(home, 'data'), ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    environment: found.environment,
    cwd: home,
    home,
    logFile: join(home, 'log'),
    owner,
    stopMs: STOP_MS,
    signal,
    failure: (message) => new PostgresError('start-failed', message),
    aborted,
  });
  const stop = once(async () => {
    // At once: a walsender would wait for a client of ours that acknowledges what is left.
    await program.stop('SIGINT', 'SIGQUIT');
    await remove();
  });
  try {
    const url = `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`;
    const deadline = performance.now() + START_MS;
    for (;;) {
      refuseAborted(signal);
      if (program.ended()) {
        const said = await program.tail();
        const Failure = /could not bind|Address already in use/.test(said) ? PortTaken : PostgresError;
        throw new Failure('start-failed', `the server ended while it started\n${said}`);
      }
      if (await answers(url, signal)) break;
      if (performance.now() > deadline) {
        throw new PostgresError(
          'start-failed',
          `the server did not answer within ${START_MS / 1_000} s\n${await program.tail()}`,
        );
      }
      await sleep(POLL_MS);
    }
    return { url, version: found.version, pid: program.pid, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    await using _ = await openSession({ url, signal });
    return true;
  } catch {
    return false;
  }
}
