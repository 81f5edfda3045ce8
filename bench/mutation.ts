import { caseArbitrary, caseOf, type Profile, profiles } from '../generators/arbitraries/index.ts';
import { properties } from '../properties/index.ts';
import { outputRows } from '../properties/output-rows.ts';
import type { Property } from '../properties/property.ts';
import { fitted } from '../src/campaign/fuzz/setting.ts';
import type { Session } from '../src/engines/engine.ts';
import { type Fault, type FaultName, faults } from '../src/engines/specimen/faults.ts';
import { openSpecimen } from '../src/engines/specimen/session.ts';
import { keyOf } from '../src/judge/row-bag.ts';
import type { Case } from '../src/model/case.ts';
import type { Outcome, Output } from '../src/model/outcome.ts';
import { queries } from '../src/queries/index.ts';

/** Cases of the default mix in which a fault's outputs are compared with the healthy ones. */
const CASES = Number(process.env.TIDEMARK_MUTATION_CASES ?? 1_000);
const SEEDS = Number(process.env.TIDEMARK_MUTATION_SEEDS ?? 20);

/** Cases of each profile by which a fault's own is chosen. */
const TRIED = Number(process.env.TIDEMARK_MUTATION_TRIED ?? 60);

/** Cases after which a search of one seed is given up. */
const MOST_IN_PROFILE = 2_000;
const MOST_IN_MIX = 10_000;

/** Cases of a fault's profile that each property alone is given. */
const CASES_ALONE = 200;

const { signal } = new AbortController();
const declared = [...queries.values()];
const healthy = openSpecimen();
const arbitraries = new Map(
  [['mix', profiles] as const, ...profiles.map((profile) => [profile.name, profile] as const)].map(
    ([name, profile]: readonly [string, Profile | readonly Profile[]]) => [
      name,
      caseArbitrary({ profile, declared }),
    ],
  ),
);

/** What became of a case on a faulty specimen, against the healthy one. */
type Seen = 'same' | 'reported' | 'missed' | 'not-judged';

interface Mutant {
  readonly fault: Fault;
  readonly session: Session;
}

const mutants: readonly Mutant[] = faults.map((fault) => ({
  fault,
  session: openSpecimen({ faults: [fault.name as FaultName] }),
}));

/**
 * Proves the tester: every named fault of the specimen is searched for as a user would, and what finds it is told.
 * `npm run mutation`; exits with 1 where a fault is not found, or too little of what it does is reported.
 */
export async function mutation(): Promise<boolean> {
  console.log(`${mutants.length} faults, ${CASES} cases of the default mix each, ${SEEDS} seeds`);
  const inMix = await differences();
  const best = await bestProfiles();
  const alone = await propertiesAlone(best);
  const needed = await casesNeeded(best);
  const rows = mutants.map(({ fault: { name, kind } }) => {
    const counts = inMix.get(name)!;
    const differing = counts.reported + counts.missed;
    const finders = alone.get(name)!;
    return {
      fault: name,
      kind,
      profile: best.get(name)?.name ?? 'none',
      'in profile': needed.get(name)?.profile ?? 'not found',
      'in mix': needed.get(name)?.mix ?? 'not found',
      differ: differing + counts['not-judged'],
      judged: differing,
      reported: counts.reported,
      'not judged': counts['not-judged'],
      properties: finders.length,
    };
  });
  console.table(rows);
  printProperties(alone);
  return conclude(rows);
}

type Counts = Record<Seen, number>;

/** How often each fault shows in the default mix, and how often that is reported. */
async function differences(): Promise<ReadonlyMap<string, Counts>> {
  const counts = new Map(
    mutants.map(({ fault }) => [fault.name, { same: 0, reported: 0, missed: 0, 'not-judged': 0 } as Counts]),
  );
  for (let index = 0; index < CASES; index++) {
    const testCase = caseAt('mix', 1, index);
    const well = await healthy.run(testCase, signal);
    for (const mutant of mutants) {
      const seen = await compare(testCase, well, mutant);
      counts.get(mutant.fault.name)![seen] += 1;
      if (seen === 'missed') misses.push(`${mutant.fault.name}: case ${index} of seed 1`);
    }
  }
  return counts;
}

const misses: string[] = [];

async function compare(testCase: Case, well: Outcome, { session }: Mutant): Promise<Seen> {
  const ill = await session.run(testCase, signal);
  if (await isSame(testCase, well, ill)) return 'same';
  const property = heldTo(testCase);
  if (property === undefined) return 'not-judged';
  const verdict = await property.check(testCase, [session], signal);
  if (verdict.kind === 'diverge' || verdict.kind === 'not-gated') return 'reported';
  return verdict.kind === 'inconclusive' && verdict.reason === 'undecided' ? 'not-judged' : 'missed';
}

/** The property by which a case is held to the oracle. */
function heldTo(testCase: Case): Property | undefined {
  return properties.slice(0, 2).find((property) => property.applies!(testCase, [healthy.traits]));
}

/** Whether two outputs are the same answer: whatever order append rows are in, whatever led to a final state. */
async function isSame({ query }: Case, a: Outcome, b: Outcome): Promise<boolean> {
  if (a.kind !== 'output' || b.kind !== 'output') return a.kind === b.kind;
  if ((await textOf(a)) === (await textOf(b))) return true;
  const [first, second] = await Promise.all([outputRows(query, a), outputRows(query, b)]);
  if ('kind' in first || 'kind' in second) return 'kind' in first && 'kind' in second;
  if (first.length !== second.length) return false;
  const keys = (rows: typeof first) => rows.map(keyOf).sort();
  const others = keys(second);
  return keys(first).every((key, index) => key === others[index]);
}

async function textOf({ capture }: Output): Promise<string> {
  let text = '';
  for await (const chunk of capture.bytes.open()) text += Buffer.from(chunk).toString('latin1');
  return text;
}

function caseAt(from: string, seed: number, index: number): Case {
  return fitted(caseOf(arbitraries.get(from)!, seed, index), healthy.traits);
}

/** The profile in which each fault is reported most often. */
async function bestProfiles(): Promise<ReadonlyMap<string, Profile>> {
  const best = new Map<string, { profile: Profile; reported: number }>();
  for (const profile of profiles) {
    const reported = new Map<string, number>();
    for (let index = 0; index < TRIED; index++) {
      const testCase = caseAt(profile.name, 0, index);
      const well = await healthy.run(testCase, signal);
      for (const mutant of mutants) {
        const { name } = mutant.fault;
        if ((await compare(testCase, well, mutant)) === 'reported')
          reported.set(name, (reported.get(name) ?? 0) + 1);
      }
    }
    for (const [name, count] of reported) {
      if (count > (best.get(name)?.reported ?? 0)) best.set(name, { profile, reported: count });
    }
  }
  return new Map([...best].map(([name, { profile }]) => [name, profile]));
}

/** Which properties find each fault with no other beside them. */
async function propertiesAlone(
  best: ReadonlyMap<string, Profile>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const { fault, session } of mutants) {
    const finders: string[] = [];
    const from = best.get(fault.name)?.name ?? 'mix';
    for (const property of properties) {
      for (let index = 0; index < CASES_ALONE; index++) {
        const testCase = caseAt(from, 0, index);
        const all = property.name === 'sessions-agree' ? [healthy, session] : [session];
        if (
          !(
            property.applies?.(
              testCase,
              all.map(({ traits }) => traits),
            ) ?? true
          )
        )
          continue;
        const { kind } = await property.check(testCase, all, signal);
        if (kind !== 'diverge' && kind !== 'not-gated') continue;
        finders.push(property.name);
        break;
      }
    }
    found.set(fault.name, finders);
  }
  return found;
}

interface Needed {
  readonly profile: number | string;
  readonly mix: number | string;
}

/** Median of the cases until the first is reported, over the seeds. */
async function casesNeeded(best: ReadonlyMap<string, Profile>): Promise<ReadonlyMap<string, Needed>> {
  const inMix = new Map<string, number[]>(mutants.map(({ fault }) => [fault.name, []]));
  const inProfile = new Map<string, number[]>(mutants.map(({ fault }) => [fault.name, []]));
  for (let seed = 100; seed < 100 + SEEDS; seed++) {
    await searchAll('mix', mutants, seed, MOST_IN_MIX, inMix);
    for (const profile of profiles) {
      const own = mutants.filter(({ fault }) => best.get(fault.name) === profile);
      await searchAll(profile.name, own, seed, MOST_IN_PROFILE, inProfile);
    }
  }
  return new Map(
    mutants.map(({ fault: { name } }) => [
      name,
      { profile: median(inProfile.get(name)!, MOST_IN_PROFILE), mix: median(inMix.get(name)!, MOST_IN_MIX) },
    ]),
  );
}

async function searchAll(
  from: string,
  all: readonly Mutant[],
  seed: number,
  most: number,
  into: ReadonlyMap<string, number[]>,
): Promise<void> {
  let left = all;
  for (let index = 0; index < most && left.length > 0; index++) {
    const testCase = caseAt(from, seed, index);
    const well = await healthy.run(testCase, signal);
    const still: Mutant[] = [];
    for (const mutant of left) {
      if ((await compare(testCase, well, mutant)) === 'reported')
        into.get(mutant.fault.name)!.push(index + 1);
      else still.push(mutant);
    }
    left = still;
  }
  for (const { fault } of left) into.get(fault.name)!.push(Number.POSITIVE_INFINITY);
}

function median(counts: readonly number[], most: number): number | string {
  const middle = counts.toSorted((a, b) => a - b)[Math.floor((counts.length - 1) / 2)];
  if (middle === undefined) return 'not found';
  return Number.isFinite(middle) ? middle : `> ${most}`;
}

function printProperties(alone: ReadonlyMap<string, readonly string[]>): void {
  console.log(`\nfaults that each property alone finds, in ${CASES_ALONE} cases of the fault's profile:`);
  for (const { name } of properties) {
    const found = [...alone].filter(([, finders]) => finders.includes(name)).map(([fault]) => fault);
    console.log(`${name}: ${found.length}\n  ${found.join(', ')}`);
  }
}

interface Row {
  readonly fault: string;
  readonly profile: string;
  readonly 'in profile': number | string;
  readonly 'in mix': number | string;
  readonly differ: number;
  readonly judged: number;
  readonly reported: number;
}

function conclude(rows: readonly Row[]): boolean {
  const lost = rows.filter(
    (row) => typeof row['in profile'] !== 'number' && typeof row['in mix'] !== 'number',
  );
  const weak = rows.filter(({ judged, reported }) => reported < 0.95 * judged);
  const numbers = (column: 'in profile' | 'in mix') =>
    rows.map((row) => (typeof row[column] === 'number' ? row[column] : Number.POSITIVE_INFINITY));
  const middle = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
  console.log(`\nnot found: ${lost.map(({ fault }) => fault).join(', ') || 'none'}`);
  console.log(
    `median fault: ${middle(numbers('in profile'))} cases of its profile, ${middle(numbers('in mix'))} of the mix`,
  );
  console.log(
    `differ in under 2 % of cases: ${rows.filter(({ differ }) => differ < 0.02 * CASES).length} faults`,
  );
  console.log(
    `reported in less than 95 % of what is judged: ${weak.map(({ fault }) => fault).join(', ') || 'none'}`,
  );
  console.log(`missed: ${misses.length}\n  ${misses.join('\n  ')}`);
  for (const profile of profiles) {
    const own = rows.filter((row) => row.profile === profile.name).length;
    console.log(`profile ${profile.name}: best for ${own} faults`);
  }
  return lost.length === 0 && weak.length === 0;
}

process.exitCode = (await mutation()) ? 0 : 1;
