import type { Case } from '../src/model/case.ts';
import type { Capture } from '../src/model/outcome.ts';
import type { CorruptPosition, Verdict } from '../src/model/verdict.ts';
import { labelsOf } from './coverage.ts';
import type { Property } from './property.ts';
import { withoutOutput } from './relations/relation.ts';

/** By names alone, read with a plain JSON parser: it shares nothing with the decoder of the judge (semantics §6). */
export const columnsAreThoseDeclared: Property = {
  name: 'columns-are-those-declared',
  statement: 'every row that an engine writes has the declared columns and no other',
  coverage: ['rows', 'null'],
  minCases: 30,
  cover: labelsOf,
  applies: (testCase, traits) => traits.every(({ stops }) => stops.includes(testCase.schedule.stop)),
  async check(testCase, sessions, signal) {
    let rows = 0;
    for (const session of sessions) {
      const outcome = await session.run(testCase, signal);
      if (outcome.kind !== 'output') return withoutOutput(outcome);
      const found = await misnamed(testCase, outcome.capture);
      if (typeof found !== 'number') return found;
      rows += found;
    }
    if (rows > 0) return { kind: 'agree', rows };
    return { kind: 'inconclusive', reason: 'both-empty', message: 'no output held a row' };
  },
};

/** The number of rows; or the lines whose row has other columns. */
async function misnamed({ query }: Case, capture: Capture): Promise<number | Verdict> {
  const declared = query.columns.map(({ name }) => name);
  const wrong: CorruptPosition[] = [];
  let lines = 0;
  for (const text of await linesOf(capture)) {
    lines += 1;
    const problem = problemOf(rowOf(capture.format, text), declared);
    if (problem !== undefined) wrong.push({ line: lines, byte: 0, ...problem });
  }
  if (wrong.length === 0) return lines;
  return {
    kind: 'diverge',
    counts: { lost: 0, premature: 0, altered: 0, extra: 0, corrupt: wrong.length },
    samples: wrong.slice(0, 20).map((position) => ({ kind: 'corrupt', count: 1, position })),
  };
}

type Problem = Pick<CorruptPosition, 'problem' | 'column'>;

function problemOf(row: object | null | undefined, declared: readonly string[]): Problem | undefined {
  // A tombstone has no columns.
  if (row === null) return undefined;
  if (row === undefined) return { problem: 'the line holds no row' };
  const missing = declared.find((name) => !Object.hasOwn(row, name));
  if (missing !== undefined) return { problem: 'a declared column is missing', column: missing };
  return Object.keys(row).length > declared.length
    ? { problem: 'the row has a column that was not declared' }
    : undefined;
}

function rowOf(format: Capture['format'], text: string): object | null | undefined {
  try {
    const line: unknown = JSON.parse(text);
    if (format === 'rows') return asObject(line);
    if (format !== 'records') return asObject(asObject(line)?.row);
    const value = asObject(line)?.value;
    if (value === null) return null;
    return typeof value === 'string'
      ? asObject(JSON.parse(Buffer.from(value, 'base64').toString()))
      : undefined;
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

async function linesOf({ bytes }: Capture): Promise<readonly string[]> {
  const chunks: Uint8Array[] = [];
  if (bytes.whole !== undefined) chunks.push(bytes.whole);
  else for await (const chunk of bytes.open()) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text.split('\n').filter((line) => line !== '');
}
