import fc from 'fast-check';
import type { History, Step } from '../../src/model/history/index.ts';
import { caseRandom } from '../arbitraries/cases/case-random.ts';
import { DRAW_MAX, part, pick } from './draw.ts';
import { layoutOf } from './layout.ts';
import type { HistoryProfile } from './profile.ts';
import { type StepCode, StepMaker } from './step-maker.ts';
import { World } from './world.ts';

const draw = fc.nat({ max: DRAW_MAX });
const stepCode: fc.Arbitrary<StepCode> = fc.record(
  { connection: draw, kind: draw, target: draw, values: draw },
  { noNullPrototype: true },
);

/**
 * Histories of a profile, or of several by their weights. Each runs on a real PostgreSQL without an error and without
 * waiting, ends all its transactions, and tells every write apart by a token.
 *
 * Shrinks to fewer steps, then each to the first connection, kind, row and values. All draws are independent numbers and
 * every combination of them is a valid history, so that shrinks are valid too.
 */
export function historyArbitrary(profile: HistoryProfile | readonly HistoryProfile[]): fc.Arbitrary<History> {
  const profiles = 'name' in profile ? [profile] : profile;
  return fc.oneof(
    { withCrossShrink: true },
    ...profiles.map((each) => ({ weight: each.weight, arbitrary: historiesOf(each) })),
  );
}

function historiesOf(profile: HistoryProfile): fc.Arbitrary<History> {
  const codes = fc.array(stepCode, { maxLength: profile.maxSteps, size: 'max' });
  return fc.tuple(draw, codes).map(([layout, codes]) => historyFrom(profile, layout, codes));
}

function historyFrom(profile: HistoryProfile, choices: number, codes: readonly StepCode[]): History {
  const layout = layoutOf(profile, choices);
  const connections = pick(profile.connections, part(choices, 20));
  const world = new World(layout);
  const maker = new StepMaker(profile, world);
  const steps = codes.flatMap((code) => maker.run(connections, code));
  const ends = world.openConnections().map((connection): Step => ({ do: 'commit', connection }));
  return { version: 1, ...layout, steps: [...steps, ...ends] };
}

/**
 * The history of an index from 0 on: a function of the arbitrary, the seed and the index alone, both whole numbers of at
 * most 2^53. However indexes are shared out, each gives the same history.
 */
export function historyOf(histories: fc.Arbitrary<History>, seed: number, index: number): History {
  return histories.generate(caseRandom(seed, index), undefined).value;
}
