import type { Property } from '../../../properties/property.ts';
import type { Repro } from '../../campaign/fuzz/repro.ts';
import type { Shown } from '../../campaign/repro/shown.ts';
import { shorten } from '../../campaign/summary.ts';
import type { Case } from '../../model/case.ts';
import type { Column } from '../../model/schema.ts';
import type { Traits } from '../../model/traits.ts';
import type { Verdict } from '../../model/verdict.ts';
import { dialects } from '../../sql/index.ts';
import { duration, listed } from '../format.ts';
import { cellText } from './cell.ts';
import { withEarlyRows } from './early-rows.ts';
import { type TimeTeller, timeTeller } from './event-times.ts';
import { paneNoun } from './pane-columns.ts';
import { type Pane, panesOf } from './panes.ts';
import { rowKeys } from './row-keys.ts';
import { type RowPair, rowPairs } from './row-pairs.ts';
import { sentence } from './sentence.ts';
import { type Happening, happenings } from './time-line.ts';

/** How much longer than its rows and panes alone an axis may be. */
const MOST_STRETCH = 4;

/** What a picture is made of: a repro as its file tells it, or as it has just been run again. */
export interface Pictured {
  readonly repro: Pick<
    Repro,
    'engine' | 'property' | 'signature' | 'testCase' | 'confirmed' | 'data' | 'firstDivergence'
  >;
  readonly property: Pick<Property, 'statement'>;
  readonly verdict: Verdict | undefined;
  readonly shown: Shown | undefined;
  /** Of the engine, for its watermark and panes. */
  readonly traits: Traits;
  /** The command that runs the repro again. */
  readonly replay: string;
}

/** A repro as a person reads it, whatever it is drawn with: nothing in it is cut, and nothing knows how wide it is. */
export interface Picture {
  /** The one sentence that says what differs. */
  readonly sentence: string;
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  readonly times: TimeTeller;
  /** Bounds of the time axis, epoch ms; undefined where nothing has a time. */
  readonly axis: { readonly from: number; readonly to: number } | undefined;
  readonly happenings: readonly Happening[];
  /** How the input ends, and the watermark then. */
  readonly end: { readonly text: string; readonly watermark: number };
  readonly panes: readonly (Pane & { readonly label: string })[];
  readonly columns: readonly PictureColumn[];
  readonly told: Shown['told'] | 'none';
  readonly rows: readonly PictureRow[];
  readonly sql: readonly { readonly dialect: string; readonly text: string; readonly isSql: boolean }[];
  readonly replay: string;
}

export interface PictureColumn extends Column {
  readonly isKey: boolean;
}

export interface PictureRow {
  readonly kind: RowPair['kind'];
  readonly expected: readonly string[] | undefined;
  readonly actual: readonly string[] | undefined;
  /** Positions of the columns that differ. */
  readonly differs: readonly number[];
}

export function pictureOf({
  repro,
  property: { statement },
  verdict: given,
  shown,
  traits,
  replay,
}: Pictured): Picture {
  const { testCase } = repro;
  const { query } = testCase;
  const verdict = given && withEarlyRows(testCase, given, traits);
  const columns = shown?.columns ?? query.columns;
  const pairs = shown === undefined ? [] : rowPairs(shown, verdict);
  const happened = happenings(testCase, traits);
  const panes = panesOf(testCase, pairs, columns, traits);
  const placed = [
    ...happened.flatMap((each) => (each.kind === 'row' ? [each.at] : [])),
    ...panes.flatMap(({ start, end }) => [start, end]),
  ];
  const times = timeTeller([...placed, ...timesIn(pairs, columns)]);
  const keys = rowKeys(query);
  const word = paneNoun(query.plan);
  return {
    sentence: sentence({ repro, statement, verdict, columns, expected: shown?.expected ?? [], times }),
    facts: factsOf({ repro, statement, verdict, traits, times }),
    times,
    axis: axisOf(placed, happened),
    happenings: happened,
    end: endOf(testCase, happened),
    panes: panes.map((pane) => ({ ...pane, label: labelOf(pane, word, times) })),
    columns: columns.map((column) => ({ ...column, isKey: keys.includes(column.name) })),
    told: shown?.told ?? 'none',
    rows: pairs.map((pair) => rowOf(pair, columns, times)),
    sql: [...dialects.values()].map((dialect) => {
      const rendered = dialect.select(query);
      const isSql = rendered.kind === 'sql';
      return { dialect: dialect.name, isSql, text: isSql ? rendered.sql : `no form: ${rendered.reason}` };
    }),
    replay,
  };
}

interface FactSource extends Pick<Pictured, 'repro' | 'verdict' | 'traits'> {
  readonly statement: string;
  readonly times: TimeTeller;
}

function factsOf({ repro, statement, verdict, traits, times }: FactSource): Picture['facts'] {
  const { engine, signature, testCase, confirmed, data, firstDivergence } = repro;
  const { query, dataset, schedule } = testCase;
  const build = engine.sha256 === undefined ? '' : `, build ${engine.sha256.slice(0, 12)}`;
  const steps = (schedule.steps ?? []).map((step) => `${step.do} after ${step.after}`);
  const watermark = `greatest event time − ${duration(dataset.lagMs + traits.watermarkDelayMs)}`;
  const scope = traits.watermarkScope === 'partition' ? ', the least over the partitions' : '';
  const reason = verdict === undefined ? undefined : shorten(verdict).reason;
  return [
    { name: 'engine', text: `${engine.name} (version ${engine.version}${build})` },
    { name: 'claimed', text: statement },
    { name: 'found', text: `${verdict?.kind ?? 'not run'}${reason === undefined ? '' : `: ${reason}`}` },
    { name: 'confirmed', text: `failed in ${confirmed.k} of ${confirmed.n} runs when it was written` },
    { name: 'signature', text: signature },
    { name: 'query', text: query.definition.title },
    {
      name: 'schedule',
      text: [`parallelism ${schedule.parallelism}`, ...steps, `stop ${schedule.stop}`].join(', '),
    },
    { name: 'watermark', text: `${watermark}${scope}` },
    ...(times.shared === undefined ? [] : [{ name: 'day', text: times.shared }]),
    ...(data === 'relabelled' ? [{ name: 'data', text: 'somebody’s own, under new values' }] : []),
    ...(firstDivergence === undefined ? [] : [{ name: 'first', text: firstText(firstDivergence) }]),
  ];
}

/** What was found of where and when the failure first shows, and how sure that is. */
function firstText({ rows, of, shortest, versions }: NonNullable<Repro['firstDivergence']>): string {
  const prefix = shortest
    ? `the first ${rows} of ${of} rows show it, and no fewer`
    : `the first ${rows} of ${of} rows show it, and one less does not; not every shorter beginning was tried`;
  const failing = versions.filter(({ fails }) => fails);
  const others = versions.filter(({ fails }) => !fails).map(({ version }) => version);
  const first = failing[0];
  if (first === undefined) return prefix;
  const not = others.length === 0 ? '' : `, not by ${listed(others)}`;
  return `${prefix}; of the installed versions shown by ${listed(failing.map(({ version }) => version))}${not}`;
}

function endOf({ schedule: { stop } }: Case, happened: readonly Happening[]): Picture['end'] {
  const last = happened.findLast((each) => each.kind === 'row');
  const watermark = last?.kind === 'row' ? last.watermark : Number.NEGATIVE_INFINITY;
  switch (stop) {
    case 'drain':
      return { text: 'end of the input', watermark: Number.POSITIVE_INFINITY };
    case 'settle-cancel':
      return { text: 'all is read, the job cancelled', watermark };
    case 'cancel':
      return { text: 'the job is cancelled meanwhile', watermark };
    case 'kill':
      return { text: 'the job is killed', watermark };
  }
}

function labelOf({ key }: Pane, word: string, times: TimeTeller): string {
  const values = key.map(({ column, value }) => `${column.name} ${cellText(value, column, times)}`);
  return values.length === 0 ? word : values.join(', ');
}

/** Watermarks belong on the axis, unless they lie so far behind that the rest would be squeezed into a corner. */
function axisOf(placed: readonly number[], happened: readonly Happening[]): Picture['axis'] {
  if (placed.length === 0) return undefined;
  const [from, to] = [least(placed), greatest(placed)];
  const watermarks = happened.flatMap((each) =>
    each.kind === 'row' && Number.isFinite(each.watermark) ? [each.watermark] : [],
  );
  const start = least([from, ...watermarks]);
  return { from: to - start <= MOST_STRETCH * (to - from) ? start : from, to };
}

function rowOf({ kind, expected, actual, differs }: RowPair, columns: readonly Column[], times: TimeTeller) {
  const cells = (row: RowPair['expected']) =>
    row && columns.map((column, index) => cellText(row[index] ?? null, column, times));
  return {
    kind,
    expected: cells(expected),
    actual: cells(actual),
    differs: differs.map((name) => columns.findIndex((column) => column.name === name)),
  };
}

function timesIn(pairs: readonly RowPair[], columns: readonly Column[]): number[] {
  return columns.flatMap(({ type }, index) =>
    type !== 'TIMESTAMP(3)'
      ? []
      : pairs.flatMap(({ expected, actual }) =>
          [expected?.[index], actual?.[index]].filter((value) => typeof value === 'number'),
        ),
  );
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((least, number) => Math.min(least, number));
}

function greatest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number));
}
