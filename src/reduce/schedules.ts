import type { Case, Schedule } from '../model/case.ts';
import type { StreamData } from '../model/dataset.ts';
import { inArrivalOrder } from '../model/dataset.ts';
import type { StopMode } from '../model/traits.ts';
import { changed } from './candidate.ts';
import { eventsOf } from './events.ts';

const STOPS: readonly StopMode[] = ['drain', 'settle-cancel', 'cancel', 'kill'];

/** Cases that are run in a simpler way: fewer steps, one subtask, to the end; the greatest step first. */
export function* simplerSchedules(testCase: Case): Generator<Case | undefined> {
  for (const schedule of simpler(testCase.schedule)) yield changed(testCase, { schedule });
}

function* simpler(schedule: Schedule): Generator<Schedule> {
  const { parallelism, stop, steps = [], cancelAfterRows, cancelAfterOutput, delivery } = schedule;
  const { steps: _, ...withoutSteps } = schedule;
  if (steps.length > 0) {
    if (parallelism > 1) yield { ...withoutSteps, parallelism: 1 };
    yield withoutSteps;
    if (steps.length > 1) {
      for (const step of steps) yield { ...schedule, steps: steps.filter((other) => other !== step) };
    }
  }
  for (let fewer = 1; fewer < parallelism; fewer++) yield { ...schedule, parallelism: fewer };
  for (const other of STOPS.slice(0, STOPS.indexOf(stop))) yield stoppedBy(schedule, other);
  if (stop === 'cancel') {
    if (cancelAfterOutput !== undefined) yield stoppedBy(schedule, stop);
    for (let fewer = 1; fewer < Math.min(4, cancelAfterRows ?? 1); fewer++) {
      yield { ...schedule, cancelAfterRows: fewer };
    }
  }
  if (delivery !== undefined) {
    const { delivery: __, ...rest } = schedule;
    yield rest;
  }
}

/** The same run ended in another way. */
export function stoppedBy(schedule: Schedule, stop: StopMode): Schedule {
  const { cancelAfterRows: _, cancelAfterOutput: __, ...rest } = schedule;
  return { ...rest, stop };
}

/** Cases whose steps come at other places: all of them before every event, then behind the same one, the first first. */
export function* earlierSteps(testCase: Case): Generator<Case | undefined> {
  const { schedule } = testCase;
  const { steps = [] } = schedule;
  if (steps.length === 0) return;
  const arrivals = eventsOf(testCase).map(({ arrival }) => arrival);
  const first = arrivals[0] ?? 0;
  if (steps.every((step) => step.after < first)) return;
  const at = (after: number) => ({ ...schedule, steps: steps.map((step) => ({ ...step, after })) });
  // None has a number below 0, so that the events make room.
  yield changed(testCase, { streams: laterBy(testCase, first === 0 ? 1 : 0), schedule: at(0) });
  for (const after of arrivals) {
    if (steps.every((step) => step.after <= after)) break;
    yield changed(testCase, { schedule: at(after) });
  }
}

function laterBy({ dataset }: Case, by: number): readonly StreamData[] {
  return dataset.streams.map(({ schema, partitions }) => ({
    schema,
    partitions: partitions.map((events) =>
      events.map(({ arrival, row }) => ({ arrival: arrival + by, row })),
    ),
  }));
}

/** Cases in fewer partitions: in one, then with two of them made one. Empty ones go first. */
export function* fewerPartitions(testCase: Case): Generator<Case | undefined> {
  const { streams } = testCase.dataset;
  if (streams.every(({ partitions }) => partitions.length === 1)) return;
  const inOne = (stream: StreamData) => ({ ...stream, partitions: [inArrivalOrder(stream)] });
  yield changed(testCase, { streams: streams.map(inOne) });
  yield changed(testCase, {
    streams: streams.map((stream) => {
      const used = stream.partitions.filter((events) => events.length > 0);
      return { ...stream, partitions: used.length === 0 ? [[]] : used };
    }),
  });
  for (const [index, stream] of streams.entries()) {
    const { partitions } = stream;
    if (partitions.length === 1) continue;
    const put = (less: StreamData['partitions']) =>
      changed(testCase, { streams: streams.with(index, { ...stream, partitions: less }) });
    if (streams.length > 1) yield put([inArrivalOrder(stream)]);
    for (let gone = partitions.length - 1; gone > 0; gone--) {
      for (let into = 0; into < gone; into++) {
        const merged = inArrivalOrder({ ...stream, partitions: [partitions[into]!, partitions[gone]!] });
        yield put(partitions.with(into, merged).toSpliced(gone, 1));
      }
    }
  }
}

/** Events of a stream whose places in partitions are looked at one by one, and all that there are of those. */
const MOST_PLACED = 3;
const MOST_PLACES = 64;

/** Few events in other partitions of as many: as many as will do in the first. */
export function* otherPlaces(testCase: Case): Generator<Case | undefined> {
  const { streams } = testCase.dataset;
  for (const [index, stream] of streams.entries()) {
    const count = stream.partitions.length;
    const events = inArrivalOrder(stream);
    if (count < 2 || events.length > MOST_PLACED || count ** events.length > MOST_PLACES) continue;
    const own = events.map((event) => stream.partitions.findIndex((partition) => partition.includes(event)));
    const placeOf = (code: number) =>
      events.map((_, at) => Math.floor(code / count ** (events.length - 1 - at)) % count);
    for (let code = 0; code < count ** events.length; code++) {
      const places = placeOf(code);
      if (places.every((place, at) => place === own[at])) break;
      const partitions = stream.partitions.map((_, place) => events.filter((__, at) => places[at] === place));
      yield changed(testCase, { streams: streams.with(index, { ...stream, partitions }) });
    }
  }
}

/** Partitions in the order in which their first events arrive, those without any last. */
export function* orderedPartitions(testCase: Case): Generator<Case | undefined> {
  const { streams } = testCase.dataset;
  const first = (events: StreamData['partitions'][number]) => events[0]?.arrival ?? Number.POSITIVE_INFINITY;
  yield changed(testCase, {
    streams: streams.map((stream) => ({
      ...stream,
      partitions: stream.partitions.toSorted((a, b) => (first(a) === first(b) ? 0 : first(a) - first(b))),
    })),
  });
}
