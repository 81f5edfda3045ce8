import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import {
  openSession,
  type PostgresOptions,
  type PostgresServer,
  type Session,
  startPostgres,
} from '../../../src/sinks/postgres/index.ts';

export const { signal } = new AbortController();
// Many connections hear it at a time.
setMaxListeners(0, signal);

/** A server of ours for the tests of a file. */
export function useServer(options: Omit<PostgresOptions, 'signal'> = {}): () => PostgresServer {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres({ ...options, signal });
  });
  afterAll(() => server?.stop());
  return () => {
    if (server === undefined) throw new Error('the server has not started');
    return server;
  };
}

/** A database of the server that is a test's alone, and a session in it. */
export async function useDatabase({ url }: PostgresServer): Promise<{ url: string; session: Session }> {
  const name = `d${randomBytes(6).toString('hex')}`;
  await using session = await openSession({ url, signal });
  await session.query(`CREATE DATABASE ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, session: await openSession({ url: own.href, signal }) };
}

/** Waits until a condition holds. */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  limitMs = 10_000,
): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    if (await holds()) return true;
    await sleep(20);
  }
  return false;
}

/** Whether a process is there. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
