import type { Aggregate, AggregateCall } from '../model/plan/aggregate.ts';
import type { EventTime } from '../model/plan/relation.ts';
import type { WindowKind } from '../model/plan/window.ts';
import type { CheckedQuery } from '../model/query.ts';
import type { Column } from '../model/schema.ts';
import type { Type } from '../model/type.ts';
import type { ExpressionForms } from './expression.ts';
import type { Item, Select } from './select.ts';
import type { Rendered } from './unsupported.ts';

/** One SQL dialect. Tables are the query's streams by name, with the columns of their schemas. */
export interface Dialect {
  readonly name: string;
  /** The query as one SELECT, without a semicolon; or the operator that the dialect has no form for. */
  select(query: CheckedQuery): Rendered;
}

/**
 * All in which dialects differ; the walk over the plan is shared. A form throws {@link UnsupportedForm} where
 * the dialect has none.
 */
export interface DialectForms extends ExpressionForms {
  identifier(name: string): string;
  /** One aggregate; `arg` is a column, absent for `COUNT(*)`; `filter` the condition of a FILTER. */
  aggregate(call: AggregateCall, arg: TypedArgument | undefined, filter: string | undefined): string;
  /** Refuses an aggregate that the dialect cannot group. */
  checkGroup?(aggregate: Aggregate, windowed: boolean): void;
  /** HAVING of a global aggregate, so that no rows in give no row out (semantics §3). */
  readonly havingOfGlobal?: string;
  /** The input with `window_start` and `window_end` added, or with a group window. */
  window(input: Select, window: WindowKind, time: EventTime, build: Build): Select;
  /** Whether ON takes any condition, or one pair of equal columns and WHERE the rest. */
  readonly joinOn: 'any' | 'one-pair';
  /** Adapts the outermost SELECT to the columns that the query declares. */
  finish?(select: Select, columns: readonly Column[], build: Build): Select;
}

/** A column as an aggregate's argument. */
export interface TypedArgument {
  readonly text: string;
  readonly type: Type;
}

/** Tools for building SELECTs with fresh aliases. */
export interface Build {
  /** The SELECT as a subquery of a new one that takes all its items. */
  derived(select: Select): Select;
  /** `SELECT *, extra AS name, …` over the input, as a subquery; an extra may use the ones before it. */
  extend(select: Select, extras: readonly Item[]): Select;
}
