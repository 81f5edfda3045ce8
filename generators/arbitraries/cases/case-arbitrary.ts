import fc from 'fast-check';
import type { Case } from '../../../src/model/case.ts';
import type { QueryDefinition } from '../../../src/model/query.ts';
import type { StreamSchema } from '../../../src/model/schema.ts';
import { nexmarkStreams } from '../../nexmark/streams.ts';
import { fuzzStreams, type QuerySource, queryFamilies, variantsOfQuery } from '../queries/index.ts';
import { caseDataset, type RowCode } from './case-dataset.ts';
import { type CheckedQueries, checkedQueries } from './case-query.ts';
import { caseRandom } from './case-random.ts';
import { caseSchedule } from './case-schedule.ts';
import type { Profile } from './profile.ts';

/** What cases are made of. */
export interface CaseOptions {
  /** One profile, or several to be mixed by their weights. */
  readonly profile: Profile | readonly Profile[];
  /** Queries that are run as they are and with other parameters, beside the query families. */
  readonly declared?: readonly QueryDefinition[] | undefined;
  /** The streams that the declared queries read, by default those of nexmark. */
  readonly streams?: readonly StreamSchema[] | undefined;
  /** Whether the query families are drawn from as well, default true. */
  readonly families?: boolean | undefined;
}

const draw = fc.nat({ max: 2 ** 31 - 1 });
const rowCode: fc.Arbitrary<RowCode> = fc.tuple(draw, draw, draw, draw);
const cuts = fc.tuple(draw, draw, draw, draw);

/**
 * Cases of a profile: a query, a dataset made for it, and a schedule. Build it once and draw often: it keeps the
 * queries it has checked.
 *
 * Shrinks to fewer rows, then each row to no step, no lateness and its columns' first values, then to the first choices
 * of the profile, and the first query with its own parameters. All draws are independent numbers and every combination
 * of them is a valid case, so that shrinks are valid too.
 *
 * @throws PlanError for a declared query that is unsound; Error for a profile that finds no query of its kind.
 */
export function caseArbitrary({
  profile,
  declared = [],
  streams = nexmarkStreams,
  families = true,
}: CaseOptions): fc.Arbitrary<Case> {
  const sources = [...declared.map(variantsOfQuery), ...(families ? queryFamilies : [])];
  const queries = sources.map((source) => checkedQueries(source, streamsFor(source, streams)));
  const profiles = 'name' in profile ? [profile] : profile;
  return fc.oneof(
    { withCrossShrink: true },
    ...profiles.map((each) => ({ weight: each.weight, arbitrary: casesOf(each, queries) })),
  );
}

function streamsFor(source: QuerySource, streams: readonly StreamSchema[]): readonly StreamSchema[] {
  return queryFamilies.includes(source) ? fuzzStreams : streams;
}

function casesOf(profile: Profile, all: readonly CheckedQueries[]): fc.Arbitrary<Case> {
  const wanted = all.filter((queries) => isWanted(profile, queries));
  if (wanted.length === 0) throw new Error(`the profile ${profile.name} finds no query of its kind`);
  const rows = fc.array(rowCode, { maxLength: profile.data.maxRows, size: 'max' });
  return fc
    .tuple(rows, fc.tuple(draw, draw, draw, draw, draw), cuts)
    .map(([rows, [source, variant, choices, start, schedule], cuts]): Case => {
      const query = wanted[source % wanted.length]!.at(variant);
      const dataset = caseDataset({ choices, start, rows }, query, profile);
      return {
        query: query.query,
        dataset,
        schedule: caseSchedule({ choices: schedule, cuts }, dataset, profile.schedule),
      };
    });
}

/** How many variants of a query are looked at to tell whether a profile is about it. */
const LOOKED_AT = 32;

function isWanted(profile: Profile, queries: CheckedQueries): boolean {
  if (profile.queries === undefined) return true;
  const { variants } = queries.source;
  const looked = Math.min(variants, LOOKED_AT);
  for (let index = 0; index < looked; index++) {
    if (profile.queries(queries.at(Math.floor((index * variants) / looked)).shape)) return true;
  }
  return false;
}

/**
 * The case of an index from 0 on: a function of the arbitrary, the seed and the index alone, both whole numbers of at
 * most 2^53. However indexes are shared out, each gives the same case.
 */
export function caseOf(cases: fc.Arbitrary<Case>, seed: number, index: number): Case {
  return caseValueOf(cases, seed, index).value;
}

/** The same with what fast-check needs to shrink it: `cases.shrink(value.value, value.context)`. */
export function caseValueOf(cases: fc.Arbitrary<Case>, seed: number, index: number): fc.Value<Case> {
  // Without a bias towards small numbers: the first choice of a list is as likely as any other.
  return cases.generate(caseRandom(seed, index), undefined);
}
