import { keyText, type PgRecord, rowKey, type TableImage, TOKEN_COLUMN } from '../../model/history/index.ts';
import type { TokenLine } from './lineage.ts';
import type { SinkProblem } from './sink-verdict.ts';

/** What is wrong with the rows a sink holds, and how many were compared. */
export interface RowsJudged {
  readonly rows: number;
  /** Rows that differ in a column that cannot be judged. */
  readonly doubtful: number;
  readonly problems: readonly SinkProblem[];
}

/**
 * Compares rows by key (semantics §10): every table of the expected state, as the stream last showed it. A column that
 * the sink does not have holds null; columns that only the sink has are its own affair.
 *
 * `repeated`: the transactions that took effect again. What they carried to another key without showing it is lost to any
 * sink that applies them twice, and is not judged.
 */
export function judgeRows(
  expected: ReadonlyMap<string, TableImage>,
  actual: ReadonlyMap<string, readonly PgRecord[]>,
  lines: ReadonlyMap<string, TokenLine>,
  repeated: ReadonlySet<number>,
): RowsJudged {
  const problems: SinkProblem[] = [];
  let rows = 0;
  let doubtful = 0;
  for (const [name, image] of expected) {
    rows += image.rows.size;
    const judged = judgeTable(name, image, actual.get(name) ?? [], lines, repeated);
    doubtful += judged.doubtful;
    problems.push(...judged.problems);
  }
  return { rows, doubtful, problems };
}

function judgeTable(
  name: string,
  { table, rows }: TableImage,
  actual: readonly PgRecord[],
  lines: ReadonlyMap<string, TokenLine>,
  repeated: ReadonlySet<number>,
): Omit<RowsJudged, 'rows'> {
  const key = rowKey(table);
  const left = new Map(rows);
  let extra = 0;
  let doubtful = 0;
  const altered = { rows: 0, columns: new Set<string>() };
  const toast = { rows: 0, columns: new Set<string>() };
  for (const row of actual) {
    const text = keyText(row, key);
    const wanted = left.get(text);
    left.delete(text);
    if (wanted === undefined) {
      extra++;
      continue;
    }
    const line = lines.get(wanted[TOKEN_COLUMN] ?? '');
    const isDoubtful = (column: string) =>
      [...(line?.carried.get(column) ?? [])].some((transaction) => repeated.has(transaction));
    const differing = table.columns
      .map((column) => column.name)
      .filter((column) => (wanted[column] ?? null) !== (row[column] ?? null));
    const columns = differing.filter((column) => !isDoubtful(column));
    if (columns.length < differing.length) doubtful++;
    if (columns.length === 0) continue;
    const unchanged = line?.unchanged ?? [];
    const isToast = columns.some((column) => unchanged.includes(column));
    const kind = isToast ? toast : altered;
    kind.rows++;
    for (const column of columns) if (!isToast || unchanged.includes(column)) kind.columns.add(column);
  }
  const problems: SinkProblem[] = [
    {
      kind: 'toast',
      count: toast.rows,
      table: name,
      columns: [...toast.columns],
      message: 'columns that the last write left unchanged are not what they were',
    },
    { kind: 'row-lost', count: left.size, table: name, message: 'rows are missing' },
    { kind: 'row-extra', count: extra, table: name, message: 'rows are there that must not be' },
    {
      kind: 'row-altered',
      count: altered.rows,
      table: name,
      columns: [...altered.columns],
      message: 'rows hold other values',
    },
  ];
  return { doubtful, problems: problems.filter(({ count }) => count > 0) };
}
