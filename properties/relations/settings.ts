import type { Case } from '../../src/model/case.ts';
import type { Dataset } from '../../src/model/dataset.ts';
import { inArrivalOrder } from '../../src/model/dataset.ts';
import type { CheckedQuery } from '../../src/model/query.ts';
import { columnIndex, type StreamSchema } from '../../src/model/schema.ts';
import type { Traits } from '../../src/model/traits.ts';

/** The case run to its settled or drained end without any step; undefined where it is cut short or cannot be run so. */
export function uninterrupted({ query, dataset, schedule }: Case, traits: Traits): Case | undefined {
  const { parallelism, stop } = schedule;
  if (stop !== 'drain' && stop !== 'settle-cancel') return undefined;
  return traits.stops.includes(stop) ? { query, dataset, schedule: { parallelism, stop } } : undefined;
}

/** The case read to the end of its input, where every window fires whatever the watermark was. */
export function drained({ query, dataset, schedule }: Case, traits: Traits): Case | undefined {
  if (!traits.stops.includes('drain')) return undefined;
  return { query, dataset, schedule: { parallelism: schedule.parallelism, stop: 'drain' } };
}

/**
 * Whether no row can come late, in whatever order partitions are read (semantics §4): disorder in arrival order stays
 * below `L + c − f`.
 */
export function isOnTime(dataset: Dataset, traits: Traits): boolean {
  if (onTime?.of === dataset && onTime.traits === traits) return onTime.holds;
  const holds = everyRowOnTime(dataset, traits);
  onTime = { of: dataset, traits, holds };
  return holds;
}

/** Several relations ask it of one dataset, one after the other. */
let onTime: { readonly of: Dataset; readonly traits: Traits; readonly holds: boolean } | undefined;

function everyRowOnTime({ streams, lagMs }: Dataset, { watermarkDelayMs, fireEarlyMs }: Traits): boolean {
  const bound = lagMs + watermarkDelayMs - fireEarlyMs.window;
  return streams.every((stream) => {
    const time = columnIndex(stream.schema.columns, stream.schema.eventTime);
    let greatest = Number.NEGATIVE_INFINITY;
    return inArrivalOrder(stream).every(({ row }) => {
      const at = row[time] as number;
      greatest = Math.max(greatest, at);
      return greatest - at < bound;
    });
  });
}

/**
 * What is made of a query over the streams of a dataset: made once for each query that `make` is given, and again where
 * it is met over other streams.
 */
export function onceForQuery<T>(
  make: (query: CheckedQuery, dataset: Dataset) => T,
): (query: CheckedQuery, dataset: Dataset) => T {
  const known = new WeakMap<CheckedQuery, { readonly schemas: readonly StreamSchema[]; readonly made: T }>();
  return (query, dataset) => {
    const before = known.get(query);
    if (before !== undefined && hasSchemas(dataset, before.schemas)) return before.made;
    const made = make(query, dataset);
    known.set(query, { schemas: dataset.streams.map(({ schema }) => schema), made });
    return made;
  };
}

function hasSchemas({ streams }: Dataset, schemas: readonly StreamSchema[]): boolean {
  return streams.length === schemas.length && streams.every(({ schema }, index) => schema === schemas[index]);
}
