import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';

/**
 * A kept plan has dropped conditions that the table's statistics made superfluous when it was planned. This is why
 * the session plans every query anew; once this test fails, it need not.
 */
test('a prepared statement answers wrongly once the rows of its table are others', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    await connection.run('CREATE TABLE t (v BIGINT); INSERT INTO t VALUES (10), (12)');
    const select = 'SELECT v FROM t WHERE v >= 10 AND v <= 12';
    const prepared = await connection.prepare(select);
    await prepared.run();
    await connection.run('DELETE FROM t; INSERT INTO t VALUES (NULL), (99)');
    // Neither NULL nor 99 lies between 10 and 12.
    expect((await connection.runAndReadAll(select)).getRows()).toEqual([]);
    expect((await prepared.runAndReadAll()).getRows()).toEqual([[null], [99n]]);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
});
