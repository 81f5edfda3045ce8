import type { Case } from '../model/case.ts';
import type { Event } from '../model/dataset.ts';
import type { Row } from '../model/value.ts';
import type { Asking } from './asking.ts';
import { changed } from './candidate.ts';

/** All events of a case by arrival, whatever their stream and partition. */
export function eventsOf({ dataset }: Case): readonly Event[] {
  return dataset.streams.flatMap(({ partitions }) => partitions.flat()).sort((a, b) => a.arrival - b.arrival);
}

/** The case with these of its events only. A run that is cancelled is cancelled before the same event. */
export function keeping(testCase: Case, kept: ReadonlySet<Event>): Case | undefined {
  const { schedule, dataset } = testCase;
  const streams = dataset.streams.map(({ schema, partitions }) => ({
    schema,
    partitions: partitions.map((events) => events.filter((event) => kept.has(event))),
  }));
  const { cancelAfterRows } = schedule;
  if (cancelAfterRows === undefined) return changed(testCase, { streams });
  const before = eventsOf(testCase).slice(0, cancelAfterRows);
  const left = before.filter((event) => kept.has(event)).length;
  return changed(testCase, { streams, schedule: { ...schedule, cancelAfterRows: Math.max(1, left) } });
}

/** The case with the rows of some events replaced, in their places. */
export function withRows(testCase: Case, rows: ReadonlyMap<Event, Row>): Case | undefined {
  return changed(testCase, {
    streams: testCase.dataset.streams.map(({ schema, partitions }) => ({
      schema,
      partitions: partitions.map((events) =>
        events.map((event) => {
          const row = rows.get(event);
          return row === undefined ? event : { arrival: event.arrival, row };
        }),
      ),
    })),
  });
}

/** Leaves out events in ever shorter runs of neighbours, the last first, down to two. */
export async function leaveOutRuns(asking: Asking): Promise<void> {
  const count = eventsOf(asking.best).length;
  for (let size = Math.ceil(count / 2); size >= 2; size = size === 2 ? 0 : Math.ceil(size / 2)) {
    await sweep(asking, size);
    if (asking.stopped !== undefined) return;
  }
}

/** Leaves out single events, the last first. */
export async function leaveOutSingles(asking: Asking): Promise<void> {
  await sweep(asking, 1);
}

/** One pass over all runs of a size; goes on behind each that was left out. */
async function sweep(asking: Asking, size: number): Promise<void> {
  let end = eventsOf(asking.best).length;
  while (end > 0) {
    const events = eventsOf(asking.best);
    const ends: number[] = [];
    for (let at = end; at > 0; at -= size) ends.push(at);
    const { best } = asking;
    const kept = await asking.keepFirst(
      (function* () {
        for (const at of ends) {
          const left = events.toSpliced(Math.max(0, at - size), Math.min(size, at));
          yield left.length === 0 ? undefined : keeping(best, new Set(left));
        }
      })(),
    );
    if (kept === undefined) return;
    end = ends[kept]! - size;
  }
}
