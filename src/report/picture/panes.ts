import { OracleRefusal } from '../../../oracles/refusal.ts';
import { truth } from '../../../oracles/truth.ts';
import { keyOf } from '../../judge/row-bag.ts';
import type { Case } from '../../model/case.ts';
import { checkPlan } from '../../model/plan/index.ts';
import { WINDOW_END, WINDOW_START } from '../../model/plan/relation.ts';
import { operatorsOf } from '../../model/plan/rewrite.ts';
import type { Column } from '../../model/schema.ts';
import { columnIndex } from '../../model/schema.ts';
import type { Traits } from '../../model/traits.ts';
import type { Value } from '../../model/value.ts';
import { paneColumns, startOf } from './pane-columns.ts';
import { rowKeys } from './row-keys.ts';
import type { RowPair } from './row-pairs.ts';

/** A pane or session over event time `[start, end)`, epoch ms. */
export interface Pane {
  readonly start: number;
  readonly end: number;
  /** What tells it from others with its bounds. */
  readonly key: readonly { readonly column: Column; readonly value: Value }[];
  /** What became of its row; `true` where the output does not tell panes apart, and the oracle alone says what there is. */
  readonly state: RowPair['kind'] | 'true';
}

/** What is said of a pane in each state. */
export const paneWords: Readonly<Record<Pane['state'], string>> = {
  same: 'shown',
  true: '',
  lost: 'lost',
  altered: 'altered',
  premature: 'too early',
  extra: 'not true',
};

/** Whether nothing is wrong with a pane. */
export function isRight({ state }: Pane): boolean {
  return state === 'same' || state === 'true';
}

/**
 * The panes of a case: those whose rows are shown, where the output has their bounds; else those that the oracle finds
 * in its last window. None where there is no window, or late rows leave open which there are.
 */
export function panesOf(
  testCase: Case,
  pairs: readonly RowPair[],
  columns: readonly Column[],
  traits: Traits,
): readonly Pane[] {
  const { query } = testCase;
  const bounds = paneColumns(query.plan);
  const end = bounds?.end === undefined ? -1 : columnIndex(columns, bounds.end);
  if (bounds === undefined || end < 0) return truePanes(testCase, traits);
  const start = bounds.start === undefined ? -1 : columnIndex(columns, bounds.start);
  const keys = rowKeys(query)
    .filter((name) => name !== bounds.start && name !== bounds.end)
    .map((name) => columnIndex(columns, name))
    .filter((index) => index >= 0);
  const panes = pairs.flatMap(({ kind, expected, actual }): Pane[] => {
    const row = (expected ?? actual)!;
    const endsAt = row[end];
    if (typeof endsAt !== 'number') return [];
    const startsAt = start < 0 ? startOf(bounds.window, endsAt) : row[start];
    if (typeof startsAt !== 'number') return [];
    const key = keys.map((index) => ({ column: columns[index]!, value: row[index] ?? null }));
    return [{ start: startsAt, end: endsAt, key, state: kind }];
  });
  return panes.length > 0 ? panes : truePanes(testCase, traits);
}

function truePanes({ query, dataset }: Case, traits: Traits): readonly Pane[] {
  const node = operatorsOf(query.plan).findLast(({ op }) => op === 'window');
  if (node?.op !== 'window') return [];
  const schemas = dataset.streams.map(({ schema }) => schema);
  const checked = checkPlan(node, schemas);
  const { columns } = checked.output;
  const keys = node.window.kind === 'session' ? node.window.keys : [];
  const shown = [WINDOW_START, WINDOW_END, ...keys].map((name) => columnIndex(columns, name));
  try {
    const panes = new Map<string, Pane>();
    for (const row of truth(checked, dataset, 'drained', traits).rows) {
      const values = shown.map((index) => row[index]!);
      const [start, end, ...own] = values;
      const key = own.map((value, index) => ({ column: columns[shown[index + 2]!]!, value }));
      panes.set(keyOf(values), { start: start as number, end: end as number, key, state: 'true' });
    }
    return [...panes.values()].sort((a, b) => a.end - b.end || a.start - b.start);
  } catch (error) {
    if (error instanceof OracleRefusal) return [];
    throw error;
  }
}
