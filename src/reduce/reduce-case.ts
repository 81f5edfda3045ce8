import type { Case } from '../model/case.ts';
import type { Event } from '../model/dataset.ts';
import { numberedArrivals, sortedArrivals, swappedNeighbours } from './arrivals.ts';
import { Asking } from './asking.ts';
import { caseKey } from './case-key.ts';
import { eventsOf, keeping, leaveOutRuns, leaveOutSingles } from './events.ts';
import { plainNames } from './names.ts';
import { risingOrders, simplerCases, simplerOperators, smallerPlans } from './plan-moves.ts';
import type { Reduced, ReduceOptions } from './reduced.ts';
import {
  earlierSteps,
  fewerPartitions,
  orderedPartitions,
  otherPlaces,
  simplerSchedules,
  stoppedBy,
} from './schedules.ts';
import { bigintColumns, fewerColumns, mergedColumns, plainerSchemas } from './schemas.ts';
import { arrivalBeforeSplit, splitJoins } from './split-joins.ts';
import { plainTimes } from './times.ts';
import { plainValues } from './values.ts';

/** Rounds in which each kind of step is taken once. Two or three settle nearly all cases. */
const MOST_ROUNDS = 8;

/** Events beyond which single ones are only looked at in the end: each would cost a run in every round. */
const MANY_EVENTS = 8;

/** Events beyond which one is not left out while others change places. */
const MOST_SWAPPED = 4;

/**
 * Reduces a failing case to a small one that fails the same, and gives it a plain form that does not depend on where it
 * came from: cases that fail by the same mistake mostly end in the same case.
 *
 * In each round events are left out, then parts of the plan, partitions, subtasks and steps of the schedule; then what
 * is left is made plain: windows and times, values, names. Rounds are repeated until nothing changes, so that in the
 * end no single part can be left out. Every candidate is a valid case. The input is taken to fail.
 */
export async function reduceCase(testCase: Case, options: ReduceOptions): Promise<Reduced> {
  const asking = new Asking(testCase, options);
  await reduce(asking, options);
  return {
    testCase: asking.best,
    runs: asking.runs,
    engineSeconds: asking.engineSeconds,
    steps: asking.steps,
    stopped: asking.stopped ?? 'minimal',
    otherFailures: asking.otherFailures,
  };
}

async function reduce(asking: Asking, { focus = [] }: ReduceOptions): Promise<void> {
  asking.begin('plan');
  const isSplit = (await asking.keepFirst(splitJoins(asking.best))) !== undefined;
  // First over all events: what is left of them must not make a smaller plan impossible.
  await simplifyPlan(asking);
  asking.begin('focus');
  const { best } = asking;
  await asking.keepFirst(focus.map((events) => keepingArrivals(best, events, isSplit)));
  asking.begin('events');
  await leaveOutRuns(asking);
  for (let round = 0; round < MOST_ROUNDS && asking.stopped === undefined; round++) {
    const before = caseKey(asking.best);
    await oneRound(asking);
    asking.begin('events');
    if (caseKey(asking.best) === before) await leaveOutSingles(asking);
    if (caseKey(asking.best) !== before) continue;
    asking.begin('one less');
    if ((await asking.keepFirst(oneLess(asking.best))) === undefined) return;
  }
}

/** The events by their arrivals: they are others once their columns are renamed. */
function keepingArrivals(testCase: Case, focus: ReadonlySet<Event>, isSplit: boolean): Case | undefined {
  const arrivals = new Set([...focus].map(({ arrival }) => arrival));
  const arrivalOf = ({ arrival }: Event) => (isSplit ? arrivalBeforeSplit(arrival) : arrival);
  return keeping(testCase, new Set(eventsOf(testCase).filter((event) => arrivals.has(arrivalOf(event)))));
}

type Pass = (testCase: Case) => Iterable<Case | undefined>;

async function once(asking: Asking, name: string, pass: Pass): Promise<void> {
  asking.begin(name);
  await asking.keepFirst(pass(asking.best));
}

/** Until none of its candidates fails. */
async function repeat(asking: Asking, name: string, pass: Pass): Promise<void> {
  asking.begin(name);
  await asking.keepAll(pass);
}

async function simplifyPlan(asking: Asking): Promise<void> {
  await repeat(asking, 'schedule', simplerSchedules);
  await once(asking, 'names', plainNames);
  await repeat(asking, 'plan', smallerPlans);
  await repeat(asking, 'plan', simplerOperators);
  await repeat(asking, 'plan', risingOrders);
}

async function oneRound(asking: Asking): Promise<void> {
  await simplifyPlan(asking);
  await repeat(asking, 'columns', fewerColumns);
  asking.begin('events');
  if (eventsOf(asking.best).length <= MANY_EVENTS) await leaveOutSingles(asking);
  await repeat(asking, 'partitions', fewerPartitions);
  await repeat(asking, 'expressions', simplerCases);
  await repeat(asking, 'columns', mergedColumns);
  await repeat(asking, 'columns', plainerSchemas);
  await repeat(asking, 'columns', bigintColumns);
  asking.begin('times');
  await plainTimes(asking);
  asking.begin('values');
  await plainValues(asking);
  await repeat(asking, 'arrivals', sortedArrivals);
  await once(asking, 'arrivals', orderedPartitions);
  await once(asking, 'partitions', otherPlaces);
  await once(asking, 'arrivals', earlierSteps);
  await once(asking, 'arrivals', numberedArrivals);
  await once(asking, 'names', plainNames);
}

/**
 * One event less, and what is left in a run that ends otherwise, or in another order: what has to come late in one may be
 * missing in another, and what takes two rows in one order may take one in another.
 */
function* oneLess(testCase: Case): Generator<Case | undefined> {
  const { schedule } = testCase;
  const events = eventsOf(testCase);
  if (events.length < 2 || events.length > MANY_EVENTS) return;
  const fewer = events.map((event) => keeping(testCase, new Set(events.filter((each) => each !== event))));
  if (schedule.stop === 'drain' || schedule.stop === 'settle-cancel') {
    const other = stoppedBy(schedule, schedule.stop === 'drain' ? 'settle-cancel' : 'drain');
    for (const less of fewer) yield less && { ...less, schedule: other };
  }
  if (events.length > MOST_SWAPPED) return;
  for (const less of fewer) if (less !== undefined) yield* swappedNeighbours(less);
}
