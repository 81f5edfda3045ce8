import { Buffer } from 'node:buffer';
import { DuckDBInstance } from '@duckdb/node-api';
import type { EditedOutput } from './edits.ts';

/**
 * Reads every file as lines of text, takes them apart with DuckDB's JSON functions, reduces them in SQL, and
 * compares the reductions of original and edited file. Shares nothing with the judge.
 */
const ILLEGAL = `
WITH line AS (
  SELECT id, class, format, tolerant, side, unnest(texts) AS text, generate_subscripts(texts, 1) AS no
  FROM (SELECT *, string_split(content, chr(10)) AS texts FROM file)
),
envelope AS (
  SELECT *, CASE WHEN json_valid(text) THEN text END AS json
  FROM line
  QUALIFY NOT (text = '' AND no = max(no) OVER (PARTITION BY id, side))
),
body AS (
  SELECT *,
    CASE format
      WHEN 'rows' THEN true
      WHEN 'changelog' THEN list_sort(json_keys(json)) = ['op', 'row'] AND op IN ('+I', '+U', '-U', '-D')
      ELSE list_sort(json_keys(json)) = ['key', 'offset', 'partition', 'value']
    END AS framed,
    CASE format
      WHEN 'rows' THEN json
      WHEN 'changelog' THEN json_extract(json, '$.row')::VARCHAR
      ELSE decode(from_base64(json_extract_string(json, '$.value')))
    END AS row
  FROM (SELECT *, json_extract_string(json, '$.op') AS op FROM envelope)
),
field AS (
  SELECT *, CASE WHEN json_valid(row) THEN row END AS object FROM body
),
change AS (
  SELECT id, class, format, tolerant, side, no,
    json IS NOT NULL AND framed AND CASE
      WHEN format = 'records' AND json_type(json, '$.value') = 'NULL' THEN class = 'materialised'
      ELSE coalesce(
        list_sort(json_keys(object)) = ['d', 'k', 's', 't']
        AND json_type(object, '$.k') IN ('BIGINT', 'UBIGINT', 'NULL')
        AND json_type(object, '$.d') IN ('BIGINT', 'UBIGINT', 'DOUBLE', 'NULL')
        AND json_type(object, '$.s') IN ('VARCHAR', 'NULL')
        AND json_type(object, '$.t') IN ('BIGINT', 'UBIGINT', 'NULL')
        AND (json_type(object, '$.k') = 'NULL') = (k IS NULL)
        AND (json_type(object, '$.t') = 'NULL') = (t IS NULL), false)
    END AS wellformed,
    CASE format
      WHEN 'rows' THEN true
      WHEN 'changelog' THEN op IN ('+I', '+U')
      ELSE json_type(json, '$.value') <> 'NULL'
    END AS writes,
    CASE WHEN format = 'records' THEN json_extract_string(json, '$.key') ELSE k::VARCHAR END AS identity,
    k, d, s, t
  FROM (
    SELECT *,
      TRY_CAST(json_extract_string(object, '$.k') AS BIGINT) AS k,
      TRY_CAST(json_extract_string(object, '$.d') AS DOUBLE) AS d,
      json_extract_string(object, '$.s') AS s,
      TRY_CAST(json_extract_string(object, '$.t') AS BIGINT) AS t
    FROM field
  )
),
reduced AS (
  SELECT * FROM change WHERE class = 'append'
  UNION ALL
  SELECT * FROM (
    SELECT * FROM change WHERE class = 'materialised'
    QUALIFY no = max(no) OVER (PARTITION BY id, side, identity)
  ) WHERE writes
),
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY id, side, k, s, t ORDER BY d NULLS FIRST) AS nth FROM reduced
),
original AS (SELECT * FROM ranked WHERE side = 'original'),
edited AS (SELECT * FROM ranked WHERE side = 'edited'),
compared AS (
  SELECT coalesce(a.id, b.id) AS id,
    a.id IS NOT NULL AND b.id IS NOT NULL AND (
      a.d IS NOT DISTINCT FROM b.d
      OR coalesce(a.tolerant AND abs(a.d - b.d) <= 1e-6 * greatest(abs(a.d), abs(b.d)), false)
    ) AS same
  FROM original a FULL JOIN edited b
    ON a.id = b.id AND a.k IS NOT DISTINCT FROM b.k AND a.s IS NOT DISTINCT FROM b.s
    AND a.t IS NOT DISTINCT FROM b.t AND a.nth = b.nth
)
SELECT DISTINCT id FROM (
  SELECT id FROM change WHERE wellformed IS DISTINCT FROM true
  UNION ALL
  SELECT id FROM compared WHERE NOT same
)`;

/** Indexes of the outputs whose edit made them malformed or changed what they reduce to. Must be valid UTF-8. */
export async function illegalEdits(outputs: ReadonlyMap<number, EditedOutput>): Promise<Set<number>> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  try {
    await connection.run(
      'CREATE TABLE file (id INTEGER, class VARCHAR, format VARCHAR, tolerant BOOLEAN, side VARCHAR, content VARCHAR)',
    );
    const appender = await connection.createAppender('file');
    for (const [id, output] of outputs) {
      for (const side of ['original', 'edited'] as const) {
        appender.appendInteger(id);
        appender.appendVarchar(output.class);
        appender.appendVarchar(output.format);
        appender.appendBoolean(output.tolerant);
        appender.appendVarchar(side);
        appender.appendVarchar(side === 'original' ? output.original : Buffer.from(output.edited).toString());
        appender.endRow();
      }
    }
    appender.closeSync();
    const result = await connection.runAndReadAll(ILLEGAL);
    return new Set(result.getRows().map(([id]) => Number(id)));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
