import type fc from 'fast-check';
import { caseArbitrary, caseValueOf, type Profile, profiles } from '../generators/arbitraries/index.ts';
import { properties } from '../properties/index.ts';
import type { Property } from '../properties/property.ts';
import { behindRows } from '../src/campaign/fuzz/behind-rows.ts';
import { fitted } from '../src/campaign/fuzz/setting.ts';
import { showsTheSame } from '../src/campaign/fuzz/signature.ts';
import type { Session } from '../src/engines/engine.ts';
import { type FaultName, faults } from '../src/engines/specimen/faults.ts';
import { openSpecimen } from '../src/engines/specimen/session.ts';
import type { Case } from '../src/model/case.ts';
import { rowsOf } from '../src/model/dataset.ts';
import type { Outcome } from '../src/model/outcome.ts';
import { streamsOf } from '../src/model/plan/index.ts';
import { operatorsOf } from '../src/model/plan/rewrite.ts';
import type { Diverge } from '../src/model/verdict.ts';
import { queries } from '../src/queries/index.ts';
import { caseKey, reduceCase } from '../src/reduce/index.ts';

/** Failing cases of each fault. */
const SEEDS = Number(process.env.TIDEMARK_REDUCE_SEEDS ?? 5);

/** Only faults whose names hold this, where it is said. */
const ONLY = process.env.TIDEMARK_REDUCE_FAULTS ?? '';

/** Cases of the default mix that are looked through for them, then of each profile by itself. */
const CASES = Number(process.env.TIDEMARK_REDUCE_CASES ?? 2_500);
const CASES_OF_PROFILE = 400;

/**
 * Faults that hardly a case shows: the profile that draws those that may, and what these have. So many are drawn of it
 * where no case failed before; the others are not run.
 */
const RARE: Readonly<Partial<Record<FaultName, { profile: string; mayShow: (testCase: Case) => boolean }>>> =
  {
    // A visible row has to leave the top after the restore, without one that comes for it.
    'top-n-cut-lost-at-restore': {
      profile: 'restarts',
      mayShow: ({ query, schedule }) =>
        (schedule.steps ?? []).some((step) => step.do === 'restart') &&
        operatorsOf(query.plan).some((node) => node.op === 'rank' && query.relationOf(node.input).updating),
    },
  };
const CASES_OF_RARE = 100_000;

/** Rows beyond which a case is passed over: a fault that repeats rows may repeat them without end. */
const MOST_ROWS = 600;

/** Runs after which fast-check's own shrinking is given up. */
const MOST_SHRINKS = 1_000;

const { signal } = new AbortController();
const declared = [...queries.values()];
const healthy = openSpecimen();

/** A case that fails, with what fast-check needs to shrink it. */
interface Failing {
  readonly arbitrary: fc.Arbitrary<Case>;
  readonly drawn: fc.Value<Case>;
  readonly testCase: Case;
  readonly property: Property;
  readonly verdict: Diverge;
}

interface Mutant {
  readonly fault: FaultName;
  readonly session: Session;
  readonly failing: Failing[];
}

/** What became of the failing cases of one fault, be it by our reduction or by fast-check's. */
interface Reductions {
  readonly forms: readonly string[];
  readonly runs: readonly number[];
  readonly rows: readonly number[];
}

/**
 * Reduces failing cases of every fault of the specimen: the share that ends in the most common case, what it takes, and
 * how large it is, beside fast-check's shrinking of the same failures.
 */
export async function benchReduce(): Promise<void> {
  const mutants = faults
    .filter(({ name }) => name.includes(ONLY))
    .map(({ name }): Mutant => ({ fault: name, session: openSpecimen({ faults: [name] }), failing: [] }));
  await find(mutants);
  const rows = [];
  const all: Reductions[] = [];
  for (const mutant of mutants) {
    if (mutant.failing.length === 0) {
      console.log(`${mutant.fault}: no case of those looked through fails`);
      continue;
    }
    const ours = await reductions(mutant, reducedByUs);
    const theirs = await reductions(mutant, shrunkByFastCheck);
    all.push(ours);
    rows.push({
      fault: mutant.fault,
      cases: mutant.failing.length,
      'same %': Math.round(100 * shareOf(ours)),
      runs: quantile(ours.runs, 0.5),
      'runs p95': quantile(ours.runs, 0.95),
      rows: quantile(ours.rows, 0.5),
      'most rows': Math.max(...ours.rows),
      'fast-check: distinct': new Set(theirs.forms).size,
      'its runs': quantile(theirs.runs, 0.5),
      'its rows': quantile(theirs.rows, 0.5),
    });
  }
  console.table(rows);
  const runs = all.flatMap((each) => each.runs);
  const below = rows.filter((row) => row['same %'] < 80).map(({ fault }) => fault);
  console.log(
    `${rows.length} faults, up to ${SEEDS} cases each: ${quantile(runs, 0.5)} runs in the median, ` +
      `${quantile(runs, 0.95)} in 95 of 100, ${quantile(
        all.flatMap((each) => each.rows),
        0.5,
      )} rows in the median\nless than 80 % in one case: ${below.join(', ') || 'none'}`,
  );
}

async function find(mutants: readonly Mutant[]): Promise<void> {
  await findIn(mutants, profiles, CASES);
  for (const profile of profiles) await findIn(mutants, profile, CASES_OF_PROFILE);
  for (const mutant of mutants) {
    const rare = RARE[mutant.fault];
    if (rare === undefined || mutant.failing.length > 0) continue;
    const profile = profiles.find(({ name }) => name === rare.profile)!;
    await findIn([mutant], profile, CASES_OF_RARE, rare.mayShow);
  }
}

async function findIn(
  mutants: readonly Mutant[],
  profile: Profile | readonly Profile[],
  cases: number,
  mayShow: (testCase: Case) => boolean = () => true,
): Promise<void> {
  const arbitrary = caseArbitrary({ profile, declared });
  for (let index = 0; index < cases; index++) {
    const left = mutants.filter(({ failing }) => failing.length < SEEDS);
    if (left.length === 0) return;
    const drawn = caseValueOf(arbitrary, 1, index);
    if (!mayShow(drawn.value)) continue;
    const testCase = fitted(drawn.value, healthy.traits);
    const property = heldTo(testCase);
    if (property === undefined || sizeOf(testCase) > MOST_ROWS) continue;
    const well = await textOf(await healthy.run(testCase, signal));
    for (const { session, failing } of left) {
      if ((await textOf(await session.run(testCase, signal))) === well) continue;
      const verdict = await property.check(testCase, [session], signal);
      if (verdict.kind === 'diverge') failing.push({ arbitrary, drawn, testCase, property, verdict });
    }
  }
}

/** The property by which a case is held to the oracle. */
function heldTo(testCase: Case): Property | undefined {
  return properties.slice(0, 2).find((property) => property.applies!(testCase, [healthy.traits]));
}

async function textOf(outcome: Outcome): Promise<string> {
  if (outcome.kind !== 'output') return outcome.kind;
  let text = '';
  for await (const chunk of outcome.capture.bytes.open()) text += Buffer.from(chunk).toString('latin1');
  return text;
}

type Reduce = (failing: Failing, session: Session) => Promise<{ testCase: Case; runs: number }>;

async function reductions({ session, failing }: Mutant, reduce: Reduce): Promise<Reductions> {
  const forms: string[] = [];
  const runs: number[] = [];
  const rows: number[] = [];
  for (const each of failing) {
    const reduced = await reduce(each, session);
    forms.push(caseKey(reduced.testCase));
    runs.push(reduced.runs);
    rows.push(sizeOf(reduced.testCase));
  }
  return { forms, runs, rows };
}

const reducedByUs: Reduce = async (failing, session) => {
  const { testCase, property, verdict } = failing;
  return reduceCase(testCase, {
    focus: behindRows(testCase, verdict),
    stillFails: async (candidate) => {
      if (property.applies?.(candidate, [session.traits]) === false) return { kind: 'not-a-case' };
      return { kind: (await fails(failing, candidate, session)) ? 'same' : 'none' };
    },
  });
};

/** Takes the first shrink that fails, and goes on from there. */
const shrunkByFastCheck: Reduce = async (failing, session) => {
  let least = failing.drawn;
  let testCase = failing.testCase;
  let runs = 0;
  for (let smaller: fc.Value<Case> | undefined = least; smaller !== undefined; ) {
    smaller = undefined;
    for (const shrunk of failing.arbitrary.shrink(least.value, least.context)) {
      if (runs >= MOST_SHRINKS) return { testCase, runs };
      runs += 1;
      const candidate = fitted(shrunk.value, session.traits);
      if (!(await fails(failing, candidate, session))) continue;
      smaller = least = shrunk;
      testCase = candidate;
      break;
    }
  }
  return { testCase, runs };
};

async function fails({ property, verdict }: Failing, candidate: Case, session: Session): Promise<boolean> {
  if (property.applies?.(candidate, [session.traits]) === false) return false;
  const again = await property.check(candidate, [session], signal);
  return again.kind === 'diverge' && showsTheSame(verdict, again);
}

function sizeOf({ query, dataset }: Case): number {
  return rowsOf(dataset, streamsOf(query.plan));
}

/** The share of the most common form. */
function shareOf({ forms }: Reductions): number {
  const counts = [...new Set(forms)].map((form) => forms.filter((other) => other === form).length);
  return Math.max(...counts) / forms.length;
}

/** By the nearest rank: the least value that so great a share of them is not above. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}
