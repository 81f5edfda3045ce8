import { execa } from 'execa';
import { PostgresError } from './error.ts';

/** Whom the server's processes and files belong to. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const ASK_MS = 5_000;
const UNPRIVILEGED = 'nobody';

/**
 * Whom a server has to run as when we are root, which PostgreSQL refuses; `undefined` when it is whoever we are.
 *
 * @throws PostgresError `start-failed` when the system has no user without privileges.
 */
export async function ownerOfServer(): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all([numberOf('-u'), numberOf('-g')]);
  if (uid === undefined || gid === undefined || uid === 0) {
    throw new PostgresError(
      'start-failed',
      `PostgreSQL does not run as root, and this system has no user \`${UNPRIVILEGED}\` to run it as`,
    );
  }
  return { uid, gid };
}

async function numberOf(which: '-u' | '-g'): Promise<number | undefined> {
  const { stdout, failed } = await execa('id', [which, UNPRIVILEGED], { reject: false, timeout: ASK_MS });
  return failed || !/^\d+$/.test(stdout) ? undefined : Number(stdout);
}
