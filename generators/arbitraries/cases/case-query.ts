import { type CheckedQuery, checkQuery } from '../../../src/model/query.ts';
import type { StreamSchema } from '../../../src/model/schema.ts';
import { type QueryShape, queryShape } from '../queries/query-shape.ts';
import type { QuerySource } from '../queries/query-source.ts';
import { type CaseTimes, caseTimes } from './case-times.ts';

/** A query that was found sound, and what matters of it to its data. */
export interface CaseQuery {
  readonly query: CheckedQuery;
  readonly shape: QueryShape;
  /** The streams it reads. */
  readonly streams: readonly StreamSchema[];
  readonly times: CaseTimes;
}

/** Queries kept for each source. Enough to meet many again; all are forgotten when there are more. */
const KEPT = 2_000;

/** What is kept of a source, as long as it is: every arbitrary asks for the same queries. */
const known = new WeakMap<QuerySource, WeakMap<readonly StreamSchema[], CheckedQueries>>();

/** The queries of a source over these streams. */
export function checkedQueries(source: QuerySource, streams: readonly StreamSchema[]): CheckedQueries {
  let ofSource = known.get(source);
  if (ofSource === undefined) {
    ofSource = new WeakMap();
    known.set(source, ofSource);
  }
  let queries = ofSource.get(streams);
  if (queries === undefined) {
    queries = new CheckedQueries(source, streams);
    ofSource.set(streams, queries);
  }
  return queries;
}

/** The queries of a source by number, each checked once while it is kept. */
export class CheckedQueries {
  readonly source: QuerySource;
  readonly #streams: readonly StreamSchema[];
  readonly #kept = new Map<number, CaseQuery>();

  constructor(source: QuerySource, streams: readonly StreamSchema[]) {
    this.source = source;
    this.#streams = streams;
  }

  /** The query of a number, or of its remainder. @throws PlanError for a source that is wrong. */
  at(number: number): CaseQuery {
    const variant = number % this.source.variants;
    const kept = this.#kept.get(variant);
    if (kept !== undefined) return kept;
    const query = checkQuery(this.source.at(variant), this.#streams);
    const shape = queryShape(query);
    const streams = this.#streams.filter(({ name }) => shape.streams.includes(name));
    const made = { query, shape, streams, times: caseTimes(shape.windows) };
    if (this.#kept.size >= KEPT) this.#kept.clear();
    this.#kept.set(variant, made);
    return made;
  }
}
