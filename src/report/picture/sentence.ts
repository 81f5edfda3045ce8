import type { Repro } from '../../campaign/fuzz/repro.ts';
import { keyOf } from '../../judge/row-bag.ts';
import type { Column } from '../../model/schema.ts';
import type { Row } from '../../model/value.ts';
import {
  type Difference,
  type DifferenceKind,
  type Diverge,
  differingRows,
  type Verdict,
} from '../../model/verdict.ts';
import { counted } from '../format.ts';
import { shortened } from '../text-width.ts';
import { cellText } from './cell.ts';
import type { TimeTeller } from './event-times.ts';
import { paneColumns, paneWord } from './pane-columns.ts';
import { rowKeys } from './row-keys.ts';

/** Which difference says most of what is wrong. */
const TELLING: readonly DifferenceKind[] = ['altered', 'lost', 'premature', 'extra', 'corrupt'];

/** How an operator is called in a sentence, where its name says less. */
const OPERATORS: Readonly<Record<string, string>> = { project: 'projection', rank: 'top-N' };

/** Columns of one value in a sentence. */
const LONGEST_VALUE = 32;

/** So many key columns and altered columns are named. */
const MOST_NAMED = 3;

export interface Told {
  readonly repro: Pick<Repro, 'engine' | 'property' | 'signature' | 'testCase'>;
  readonly statement: string;
  readonly verdict: Verdict | undefined;
  readonly columns: readonly Column[];
  /** Rows that have to be there, as far as they are told. */
  readonly expected: readonly Row[];
  readonly times: TimeTeller;
}

/** What differs, in one sentence: who does what, with which row, in which operator. */
export function sentence(told: Told): string {
  const { repro, verdict, statement } = told;
  const name = repro.engine.name;
  switch (verdict?.kind) {
    case 'diverge': {
      const { samples, counts } = verdict;
      const first = TELLING.map((kind) => samples.find((sample) => sample.kind === kind)).find(Boolean);
      const exchange = exchanged(verdict, told);
      const others = differingRows(counts) - 1;
      const more = `, and ${counted(others, 'more row')} ${others === 1 ? 'is' : 'are'} wrong`;
      const claim = repro.property === 'agrees-with-truth' ? '' : `, against the claim that ${statement}`;
      const what = exchange ?? (first === undefined ? 'gives wrong rows' : deed(first, told));
      const rest = exchange === undefined && others > 0 ? more : '';
      return `${placeOf(repro)}${name} ${what}${rest}${claim}.`;
    }
    case 'agree':
      return `${name} gives what it has to give: nothing differs.`;
    case undefined:
      return `${name} was not run.`;
    default:
      return `What ${name} gives could not be judged.`;
  }
}

/** `In a session window, `: the first operator whose own result is wrong, as the signature names it. */
function placeOf({ signature }: Pick<Repro, 'signature'>): string {
  const name = /, ([a-z]+(?: window)?): [a-z +]*$/.exec(signature)?.[1];
  if (name === undefined) return '';
  const operator = OPERATORS[name] ?? name;
  return `In ${/^[aeiou]/.test(operator) ? 'an' : 'a'} ${operator}, `;
}

/** One row in the place of another, where that is all that is wrong. */
function exchanged({ counts, samples }: Diverge, told: Told): string | undefined {
  const all = differingRows(counts);
  const lost = samples.find(({ kind }) => kind === 'lost');
  const extra = samples.find(({ kind }) => kind === 'extra');
  if (all !== 2 || lost?.kind !== 'lost' || extra?.kind !== 'extra') return undefined;
  return `gives ${subject(extra.actual, told, 'the')} instead of ${subject(lost.expected, told, 'the')}`;
}

function deed(difference: Difference, told: Told): string {
  switch (difference.kind) {
    case 'lost':
      return `loses ${subject(difference.expected, told, 'the')}`;
    case 'premature':
      return `shows ${subject(difference.actual, told, 'the')} before the watermark is there`;
    case 'extra':
      return told.expected.some((row) => keyOf(row) === keyOf(difference.actual))
        ? `shows ${subject(difference.actual, told, 'the')} more often than it is true`
        : `shows ${subject(difference.actual, told, 'a')} that is not true`;
    case 'altered':
      return `gives ${changes(difference, told)} for ${subject(difference.expected, told, 'the')}`;
    case 'corrupt':
      return `writes a line that is no row of the output: ${difference.position.problem}`;
  }
}

function changes(
  { expected, actual, columns: names }: Extract<Difference, { kind: 'altered' }>,
  { columns, times }: Told,
): string {
  const each = names.slice(0, MOST_NAMED).map((name) => {
    const index = columns.findIndex((column) => column.name === name);
    const column = columns[index];
    if (column === undefined) return name;
    const text = (row: Row) => shortened(cellText(row[index] ?? null, column, times), LONGEST_VALUE);
    return `${name} = ${text(actual)} instead of ${text(expected)}`;
  });
  const rest = names.length - MOST_NAMED;
  return rest > 0 ? `${each.join(', ')} and ${counted(rest, 'other column')}` : each.join(' and ');
}

/** `the pane of key 3 that ends at 10.000 s`, `the row of seq 4`. */
function subject(row: Row, { repro, columns, times }: Told, article: 'the' | 'a'): string {
  const { query } = repro.testCase;
  const pane = paneColumns(query.plan);
  const end = columns.findIndex(({ name }) => name === pane?.end);
  const keys = rowKeys(query)
    .filter((name) => name !== pane?.start && name !== pane?.end)
    .map((name) => columns.findIndex((column) => column.name === name))
    .filter((index) => index >= 0);
  const cell = (index: number) =>
    shortened(cellText(row[index] ?? null, columns[index]!, times), LONGEST_VALUE);
  const named = keys.slice(0, MOST_NAMED).map((index) => `${columns[index]!.name} ${cell(index)}`);
  const of = named.length === 0 ? '' : ` of ${named.join(', ')}${keys.length > MOST_NAMED ? ', …' : ''}`;
  if (pane === undefined || end < 0) return `${article} row${of}`;
  return `${article} ${paneWord(pane.window)}${of} that ends at ${cell(end)}`;
}
