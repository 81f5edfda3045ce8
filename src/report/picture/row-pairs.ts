import { compareRows } from '../../../oracles/order.ts';
import type { Shown } from '../../campaign/repro/shown.ts';
import { RowBag } from '../../judge/row-bag.ts';
import type { Row } from '../../model/value.ts';
import type { DifferenceKind, Verdict } from '../../model/verdict.ts';

/** A row that had to be there beside the one that came; one of the two is missing where there is none. */
export interface RowPair {
  readonly kind: 'same' | Exclude<DifferenceKind, 'corrupt'>;
  readonly expected: Row | undefined;
  readonly actual: Row | undefined;
  /** Names of the columns in which an altered row differs. */
  readonly differs: readonly string[];
}

/** Puts each expected row beside what came in its place, in the order of the rows. */
export function rowPairs({ expected, actual }: Shown, verdict: Verdict | undefined): readonly RowPair[] {
  const samples = verdict?.kind === 'diverge' ? verdict.samples : [];
  const left = [...expected];
  const right = [...actual];
  const pairs: RowPair[] = [];
  for (const sample of samples) {
    if (sample.kind !== 'altered') continue;
    for (let time = 0; time < sample.count; time++) {
      const pair = [takeFrom(left, sample.expected), takeFrom(right, sample.actual)] as const;
      if (pair[0] !== undefined && pair[1] !== undefined)
        pairs.push({ kind: 'altered', expected: pair[0], actual: pair[1], differs: sample.columns });
    }
  }
  const early = new RowBag();
  for (const sample of samples) {
    if (sample.kind === 'premature') for (let time = 0; time < sample.count; time++) early.add(sample.actual);
  }
  // What a verdict calls wrong is so, though another row that is right may be equal to it.
  const came = new RowBag(right);
  for (const row of left) {
    const isThere = came.take(row);
    pairs.push({
      kind: isThere ? 'same' : 'lost',
      expected: row,
      actual: isThere ? row : undefined,
      differs: [],
    });
  }
  for (const row of right) {
    if (!came.take(row)) continue;
    pairs.push({
      kind: early.take(row) ? 'premature' : 'extra',
      expected: undefined,
      actual: row,
      differs: [],
    });
  }
  return pairs.sort((a, b) => compareRows((a.expected ?? a.actual)!, (b.expected ?? b.actual)!));
}

function takeFrom(rows: Row[], wanted: Row): Row | undefined {
  const bag = new RowBag([wanted]);
  const place = rows.findIndex((row) => bag.take(row));
  return place < 0 ? undefined : rows.splice(place, 1)[0];
}
