import type { Case } from '../src/model/case.ts';
import { inArrivalOrder } from '../src/model/dataset.ts';
import { columnIndex } from '../src/model/schema.ts';

/** Shapes of data that a search for wrong answers must have met (semantics §7). */
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

const WINDOW_EDGE_MS = 2_000;
const GAP_MS = 10_000;

/** The labels of {@link coverage} that a case's data reaches, looking at every stream its query could read. */
export function labelsOf(testCase: Case): readonly string[] {
  const labels = new Set<string>();
  for (const stream of testCase.dataset.streams) {
    const time = columnIndex(stream.schema.columns, stream.schema.eventTime);
    const times = inArrivalOrder(stream).map(({ row }) => row[time] as number);
    if (times.length > 0) labels.add('rows');
    if (stream.partitions.filter((partition) => partition.length > 0).length > 1)
      labels.add('several-partitions');
    if (times.some((at, index) => index > 0 && at < times[index - 1]!)) labels.add('out-of-order');
    if (times.some((at) => at < 0)) labels.add('before-the-epoch');
    if (times.some((at) => at % WINDOW_EDGE_MS === 0)) labels.add('on-a-window-edge');
    const seen = new Set(times);
    if (seen.size < times.length) labels.add('tie');
    if (times.some((at) => seen.has(at + GAP_MS))) labels.add('exactly-a-gap-apart');
    for (const value of stream.partitions.flatMap((partition) => partition.flatMap(({ row }) => row))) {
      if (value === null) labels.add('null');
      else if (typeof value === 'bigint') labels.add('beyond-2^53');
      else if (typeof value === 'string' && /[\u{10000}-\u{10ffff}]/u.test(value))
        labels.add('surrogate-pair');
    }
  }
  return [...labels];
}
