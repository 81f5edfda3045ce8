import { MOST_CANDIDATES, type OpenPanes, type TruthCandidates } from '../oracles/candidates/index.ts';
import { keyOf } from '../src/judge/row-bag.ts';
import { allWithin } from '../src/judge/tolerance.ts';
import type { Declaration } from '../src/model/declaration.ts';
import type { Column } from '../src/model/schema.ts';
import type { Row } from '../src/model/value.ts';

/** What an output must be where late rows may be counted, once the choice that explains it is made (semantics §4). */
export interface ExplainedByLateness {
  /** The rows it must be: the certain ones and, of each open panes, the candidate that it shows, if it shows one. */
  readonly rows: readonly Row[];
  /** Open panes that are left out of the judgement: no candidate was found, yet not all were looked through. */
  readonly undecided: number;
}

/**
 * Finds for each of the open panes the candidate that equals what the output shows of them. Where none does, the rows
 * are those of the first candidate: the output differs, and the judge says how.
 */
export function explainByLateness(
  { certain, open, openOf }: TruthCandidates,
  actual: readonly Row[],
  columns: readonly Column[],
  { tolerance }: Declaration,
): ExplainedByLateness {
  const shown: Row[][] = open.map(() => []);
  for (const row of actual) {
    const place = openOf(row);
    if (place !== undefined) shown[place]!.push(row);
  }
  const isTolerated = columns.map(({ name }) => tolerance?.columns.includes(name) ?? false);
  const rows = [...certain];
  let undecided = 0;
  for (const [place, panes] of open.entries()) {
    const explained = candidateOf(panes, sameAs(shown[place]!, isTolerated, tolerance?.relative ?? 0));
    if (explained === undefined) undecided++;
    rows.push(...(explained ?? shown[place]!));
  }
  return { rows, undecided };
}

/** The candidate that is shown, else the first; undefined where not all were looked through. */
function candidateOf(
  panes: OpenPanes,
  isShown: (candidate: readonly Row[]) => boolean,
): readonly Row[] | undefined {
  let first: readonly Row[] | undefined;
  let count = 0;
  for (const candidate of panes.candidates()) {
    if (++count > MOST_CANDIDATES) return undefined;
    if (isShown(candidate)) return candidate;
    first ??= candidate;
  }
  return panes.complete ? first : undefined;
}

/**
 * Tells whether rows are these, but for what is tolerated. Rows stand by their exact values, which no two rows of a
 * candidate share: a key is never tolerated.
 */
function sameAs(
  actual: readonly Row[],
  isTolerated: readonly boolean[],
  relative: number,
): (candidate: readonly Row[]) => boolean {
  const sorted = (rows: readonly Row[]) =>
    rows
      .map((row) => ({
        exact: keyOf(row.filter((_, index) => !isTolerated[index])),
        tolerated: row.filter((_, index) => isTolerated[index]) as (number | null)[],
      }))
      .sort((a, b) => (a.exact < b.exact ? -1 : a.exact > b.exact ? 1 : 0));
  const wanted = sorted(actual);
  return (candidate) =>
    candidate.length === wanted.length &&
    sorted(candidate).every(({ exact, tolerated }, index) => {
      const other = wanted[index]!;
      return exact === other.exact && allWithin(tolerated, other.tolerated, relative);
    });
}
