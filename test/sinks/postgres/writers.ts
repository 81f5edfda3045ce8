import seedrandom from 'seedrandom';
import { openSession, type Session } from '../../../src/sinks/postgres/index.ts';
import { signal } from './support.ts';

const WRITERS = 3;
/** Beyond this a text is stored out of line. */
const LONG = 3_000;

/** Makes a table of rows of which every other has a long text, half of the ids being free. */
export async function createWrittenTable(session: Session, rows: number): Promise<void> {
  await session.query('DROP TABLE IF EXISTS t');
  await session.query('CREATE TABLE t (id int PRIMARY KEY, token text NOT NULL, long text)');
  await session.query('ALTER TABLE t ALTER COLUMN long SET STORAGE EXTERNAL');
  await session.query(
    `INSERT INTO t SELECT n, 'first ' || n, CASE n % 2 WHEN 0 THEN repeat('x', ${LONG}) || n END
       FROM generate_series(1, ${rows}) AS g (n)`,
  );
}

/**
 * Writers at work, each on ids of its own so that none waits: they insert, update, move and delete, in transactions of
 * one to three statements, some of which are rolled back. Nothing holds them back or lines them up.
 */
export async function runWriters(
  url: string,
  seed: string,
  rows: number,
  transactions: number,
): Promise<void> {
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      const random = seedrandom(`${seed}/${writer}`);
      const pick = (count: number) => Math.floor(random() * count);
      const id = () => pick(rows) * WRITERS + writer + 1;
      await using session = await openSession({ url, signal });
      for (let number = 0; number < transactions; number++) {
        const token = `'${writer}/${number}'`;
        const statements = Array.from({ length: 1 + pick(3) }, () => {
          const kinds = [
            () => `INSERT INTO t VALUES (${id()}, ${token}, repeat('y', ${LONG})) ON CONFLICT DO NOTHING`,
            () => `UPDATE t SET token = ${token} WHERE id = ${id()}`,
            () => `UPDATE t SET token = ${token}, long = repeat('z', ${LONG}) WHERE id = ${id()}`,
            () => {
              const to = id();
              return `UPDATE t SET token = ${token}, id = ${to} WHERE id = ${id()}
                AND NOT EXISTS (SELECT FROM t WHERE id = ${to})`;
            },
            () => `DELETE FROM t WHERE id = ${id()}`,
          ];
          return kinds[pick(kinds.length)]!();
        });
        await session.query(`BEGIN; ${statements.join('; ')}; ${pick(8) === 0 ? 'ROLLBACK' : 'COMMIT'}`);
      }
    }),
  );
}
