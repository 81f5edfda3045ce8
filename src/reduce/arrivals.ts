import type { Case } from '../model/case.ts';
import type { Event, StreamData } from '../model/dataset.ts';
import { columnIndex } from '../model/schema.ts';
import type { Row } from '../model/value.ts';
import { changed } from './candidate.ts';
import { eventsOf } from './events.ts';

/**
 * Arrivals numbered from 0 without gaps. Steps of the schedule stay behind the event that they were behind; one before
 * all events keeps the number 0 for itself.
 */
export function* numberedArrivals(testCase: Case): Generator<Case | undefined> {
  const { schedule } = testCase;
  const steps = schedule.steps ?? [];
  const arrivals = eventsOf(testCase).map(({ arrival }) => arrival);
  const first = steps.some(({ after }) => after < (arrivals[0] ?? 0)) ? 1 : 0;
  const numbers = new Map(arrivals.map((arrival, index) => [arrival, index + first]));
  const numberOf = (after: number) => {
    const before = arrivals.filter((arrival) => arrival <= after).length;
    return before === 0 ? 0 : before - 1 + first;
  };
  const renumbered = (stream: StreamData): StreamData => ({
    ...stream,
    partitions: stream.partitions.map((events) =>
      events.map(({ arrival, row }) => ({ arrival: numbers.get(arrival)!, row })),
    ),
  });
  yield changed(testCase, {
    streams: testCase.dataset.streams.map(renumbered),
    ...(steps.length === 0
      ? {}
      : {
          schedule: { ...schedule, steps: steps.map((step) => ({ ...step, after: numberOf(step.after) })) },
        }),
  });
}

/** Events in the order of their times and, at one time, of their values; then with two neighbours put so. */
export function* sortedArrivals(testCase: Case): Generator<Case | undefined> {
  const places = placesOf(testCase);
  const sorted = places.toSorted(compare);
  yield arriving(testCase, places, sorted);
  if (places.length > MOST_SWAPPED) return;
  for (let index = 0; index + 1 < places.length; index++) {
    const [a, b] = [places[index]!, places[index + 1]!];
    if (compare(a, b) > 0) yield arriving(testCase, places, places.with(index, b).with(index + 1, a));
  }
}

/** Two neighbours after the other, whichever they are. */
export function* swappedNeighbours(testCase: Case): Generator<Case | undefined> {
  const places = placesOf(testCase);
  for (let index = 0; index + 1 < places.length; index++) {
    const [a, b] = [places[index]!, places[index + 1]!];
    if (compare(a, b) !== 0) yield arriving(testCase, places, places.with(index, b).with(index + 1, a));
  }
}

/** Events beyond which neighbours are not looked at. */
const MOST_SWAPPED = 6;

interface Place {
  readonly stream: number;
  readonly partition: number;
  readonly event: Event;
  readonly at: number;
}

function placesOf({ dataset }: Case): readonly Place[] {
  return dataset.streams
    .flatMap(({ schema, partitions }, stream) => {
      const time = columnIndex(schema.columns, schema.eventTime);
      return partitions.flatMap((events, partition) =>
        events.map((event) => ({ stream, partition, event, at: event.row[time] as number })),
      );
    })
    .sort((a, b) => a.event.arrival - b.event.arrival);
}

function compare(a: Place, b: Place): number {
  return a.at - b.at || a.stream - b.stream || compareRows(a.event.row, b.event.row);
}

function compareRows(a: Row, b: Row): number {
  for (const [index, value] of a.entries()) {
    const other = b[index]!;
    if (value === other) continue;
    if (value === null || other === null) return value === null ? 1 : -1;
    return value < other ? -1 : 1;
  }
  return 0;
}

/** The events with the arrivals of before given out in another order. */
function arriving(testCase: Case, places: readonly Place[], order: readonly Place[]): Case | undefined {
  const arrivals = new Map(order.map(({ event }, index) => [event, places[index]!.event.arrival]));
  return changed(testCase, {
    streams: testCase.dataset.streams.map((stream) => ({
      ...stream,
      partitions: stream.partitions.map((events) =>
        events
          .map((event) => ({ arrival: arrivals.get(event)!, row: event.row }))
          .sort((a, b) => a.arrival - b.arrival),
      ),
    })),
  });
}
