import type { Case } from '../src/model/case.ts';
import { inArrivalOrder, type StreamData } from '../src/model/dataset.ts';
import { columnIndex } from '../src/model/schema.ts';
import type { Row } from '../src/model/value.ts';
import { type QueryLabels, queryLabels } from './query-labels.ts';
import {
  type Arrived,
  orderLabels,
  restartsInPane,
  scheduleLabels,
  sessionLabels,
  windowLabels,
} from './time-labels.ts';
import { valueLabels } from './value-labels.ts';

/** Shapes of data that any search for wrong answers must have met (semantics §7), whatever its profiles. */
export const coverage = [
  'rows',
  'out-of-order',
  'tie',
  'before-the-epoch',
  'null',
  'beyond-2^53',
  'surrogate-pair',
  'on-a-window-edge',
  'exactly-a-gap-apart',
  'several-partitions',
] as const;

/**
 * The labels that a case reaches, of its data in the streams that its query reads, its query, and its schedule. Those of
 * windows, gaps and keys are about the query's own.
 */
export function labelsOf(testCase: Case): readonly string[] {
  const { query, dataset } = testCase;
  const shape = queryLabels(query);
  const labels = new Set(shape.labels);
  const add = (label: string) => {
    labels.add(label);
  };
  scheduleLabels(testCase, add);
  const arrived: Arrived[][] = [];
  for (const stream of dataset.streams) {
    const time = columnIndex(stream.schema.columns, stream.schema.eventTime);
    const events = inArrivalOrder(stream);
    if (events.length === 0) continue;
    const rows = events.map(({ row }) => row);
    const places = events.map(({ arrival, row }) => ({ arrival, at: row[time] as number }));
    arrived.push(places);
    timeLabels(testCase, stream, rows, places, shape, add);
    partitionLabels(stream, add);
    repeatLabels(stream, rows, time, add);
    valueLabels(stream, rows, shape, add);
  }
  if (arrived.length > 0) add('rows');
  orderLabels(inOneOrder(arrived), dataset.lagMs, add);
  return [...labels];
}

function inOneOrder(streams: readonly Arrived[][]): readonly Arrived[] {
  if (streams.length === 1) return streams[0]!;
  return streams.flat().sort((a, b) => a.arrival - b.arrival);
}

function timeLabels(
  { dataset, schedule }: Case,
  { schema }: StreamData,
  rows: readonly Row[],
  places: readonly Arrived[],
  shape: QueryLabels,
  add: (label: string) => void,
): void {
  if (places.some(({ at }) => at < 0)) add('before-the-epoch');
  for (const { stream, window } of shape.windows) {
    if (stream !== schema.name) continue;
    if (window.kind === 'session') {
      const keys = window.keys.map((key) => columnIndex(schema.columns, key));
      const groups = new Map<string, Arrived[]>();
      for (const [index, place] of places.entries()) {
        const key = JSON.stringify(keys.map((column) => String(rows[index]![column])));
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [place]);
        else group.push(place);
      }
      for (const group of groups.values()) sessionLabels(group, window.gapMs, add);
    } else windowLabels(places, window, dataset.lagMs, add);
    if (schedule.stop !== 'drain') add('open-pane-at-stop');
    const restarts = schedule.steps?.filter((step) => step.do === 'restart') ?? [];
    if (restarts.some(({ after }) => restartsInPane(places, window, after))) add('restart-open-pane');
  }
}

function partitionLabels({ partitions }: StreamData, add: (label: string) => void): void {
  const sizes = partitions.map(({ length }) => length);
  const rows = sizes.reduce((sum, size) => sum + size, 0);
  if (Math.abs(rows - 256) <= 1) add('around-256');
  if (Math.abs(rows - 2_048) <= 1) add('around-2048');
  if (partitions.length < 2) return;
  if (sizes.filter((size) => size > 0).length > 1) add('several-partitions');
  if (sizes.includes(0)) add('empty-partition');
  else if (rows >= 8 && Math.max(...sizes) * 4 >= rows * 3) add('skewed-partitions');
  const all = partitions.flatMap((events) => events.map(({ arrival }) => arrival)).sort((a, b) => a - b);
  const half = all[all.length >> 1]!;
  if (rows >= 4 && partitions.some(([first]) => first !== undefined && first.arrival >= half))
    add('late-start');
}

/** Rows of one time, and among them those equal in all columns but the numbers that make them unique. */
function repeatLabels(
  { schema }: StreamData,
  rows: readonly Row[],
  time: number,
  add: (label: string) => void,
): void {
  const byTime = new Map<unknown, Row>();
  const numbers = new Set(schema.unique.flat());
  const compared = [...schema.columns.keys()].filter((index) => !numbers.has(schema.columns[index]!.name));
  for (const row of rows) {
    const other = byTime.get(row[time]);
    if (other !== undefined) {
      add('tie');
      if (compared.every((index) => row[index] === other[index])) add('duplicate');
    }
    byTime.set(row[time], row);
  }
}
