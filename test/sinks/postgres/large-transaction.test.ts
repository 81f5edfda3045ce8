import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { openLease, openSession } from '../../../src/sinks/postgres/index.ts';
import { signal, useServer } from './support.ts';

/** `TIDEMARK_LARGE_ROWS=1000000` for the full size. */
const ROWS = Number(process.env.TIDEMARK_LARGE_ROWS ?? 300_000);
const MEBIBYTES = 256;
const server = useServer();

// Kept in memory, so many rows would take that much more than once over.
test.each([1, 4])(
  `${ROWS} rows in one transaction are captured in ${MEBIBYTES} MiB, protocol %i`,
  async (protocol) => {
    const { url } = server();
    await using session = await openSession({ url, signal, statementMs: 200_000 });
    await session.query('DROP TABLE IF EXISTS t');
    await session.query('CREATE TABLE t (id int PRIMARY KEY, v text, token text)');
    await using lease = await openLease({ url, signal });
    const publication = await lease.createPublication('all');
    const { name: slot } = await lease.createSlot();
    await session.query(
      `INSERT INTO t SELECT n, md5(n::text), 'token ' || n FROM generate_series(1, ${ROWS}) AS g (n)`,
    );
    const program = join(import.meta.dirname, 'capture-large.ts');
    const { stdout } = await execa(process.execPath, [
      '--import',
      'tsx',
      program,
      url,
      slot,
      publication,
      `${protocol}`,
    ]);
    const { mebibytes, ...read } = JSON.parse(stdout);
    expect(read).toEqual({ kind: 'spilled', count: ROWS, sum: (ROWS * (ROWS + 1)) / 2 });
    expect(mebibytes).toBeLessThan(MEBIBYTES);
    console.info(`protocol ${protocol}: ${Math.round(mebibytes)} MiB`);
  },
  280_000,
);
