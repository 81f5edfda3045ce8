import type { Dataset, Event } from '../../../src/model/dataset.ts';
import type { StreamSchema } from '../../../src/model/schema.ts';
import type { Value } from '../../../src/model/value.ts';
import type { CaseQuery } from './case-query.ts';
import { clockAfter, latenessOf, within } from './case-times.ts';
import { Digits } from './digits.ts';
import type { DataShape, Profile, Spread } from './profile.ts';
import { type ColumnRule, columnRules, numberedColumns, type ValueChoices, valueBy } from './row-values.ts';

/** The draws of one row, each less than 2^31: when it comes, where it belongs, and two for its values. */
export type RowCode = readonly [when: number, where: number, some: number, others: number];

/** The draws of a dataset: its choices, and its rows before they are repeated. */
export interface DatasetCode {
  readonly choices: number;
  readonly start: number;
  readonly rows: readonly RowCode[];
}

/** What the choices of a dataset stand for. */
interface Choices extends ValueChoices {
  readonly lagMs: number;
  readonly partitions: number;
  readonly spread: Spread;
  readonly copies: number;
  /** The unique numbers run with the rows, or against them in twos or fours: bits that are turned. */
  readonly numbering: number;
  readonly rows: number;
}

/**
 * The dataset that draws stand for, made for a query: only the streams it reads have a place in it, its windows and
 * gaps are what times are drawn about, its premises hold, and its sums do not overflow.
 *
 * Every draw gives a valid dataset, so that it stays valid while the draws shrink.
 */
export function caseDataset(code: DatasetCode, query: CaseQuery, profile: Profile): Dataset {
  const { data } = profile;
  const choices = choicesOf(code, data);
  const { lagMs } = choices;
  const disorderMs = data.beyondLag ? Number.POSITIVE_INFINITY : Math.max(0, lagMs - 2);
  const startDigits = new Digits(code.start);
  const builders = query.streams.map(
    (schema) => new StreamBuilder(schema, columnRules(schema, query, choices), choices),
  );
  let clockMs = within(startDigits.of(data.startMs), startDigits);
  for (let index = 0; index < choices.rows; ) {
    const [when, where, some, others] = code.rows[Math.floor(index / choices.copies) % code.rows.length]!;
    const whenDigits = new Digits(when);
    clockMs = clockAfter(clockMs, whenDigits.of(data.steps), query.times, whenDigits);
    const whereDigits = new Digits(where);
    const lateness = whereDigits.of(data.latenesses);
    const builder = whereDigits.of(builders);
    const place = whereDigits.below(12);
    const at = clockMs - latenessOf(lateness, clockMs, query.times, { lagMs, disorderMs }, whereDigits);
    for (let copy = 0; copy < choices.copies && index < choices.rows; copy++, index++) {
      builder.add(partitionOf(place, index, choices), { arrival: index, at, some, others });
    }
  }
  return {
    lagMs,
    provenance: { seed: 'fast-check', profile: profile.name, parameters: { lagMs } },
    streams: builders.map(({ schema, partitions }) => ({
      schema,
      partitions: keepingUnique(schema, partitions, query),
    })),
  };
}

function choicesOf({ choices, rows }: DatasetCode, data: DataShape): Choices {
  const digits = new Digits(choices);
  const copies = digits.of(data.copies);
  const drawn = rows.length * copies;
  const exactly = digits.of(data.exactly);
  return {
    copies,
    lagMs: digits.of(data.lagMs),
    partitions: digits.of(data.partitions),
    spread: digits.of(data.spread),
    keys: digits.of(data.keys),
    integers: digits.of(data.integers),
    texts: digits.of(data.texts),
    nulls: data.nulls,
    numbering: digits.of([0, 1, 3]),
    rows: exactly === 'drawn' || drawn === 0 ? drawn : exactly,
  };
}

function partitionOf(place: number, index: number, { partitions, spread, rows }: Choices): number {
  switch (spread) {
    case 'even':
      return place % partitions;
    case 'skewed':
      return place < 10 ? 0 : place % partitions;
    case 'one-empty':
      return place % Math.max(1, partitions - 1);
    case 'late-start':
      return place % (2 * index < rows ? Math.max(1, partitions - 1) : partitions);
  }
}

/** Where and when a row stands, and the draws of its values. */
interface DraftRow {
  readonly arrival: number;
  readonly at: number;
  readonly some: number;
  readonly others: number;
}

/** Gathers the rows of one stream, in arrival order. */
class StreamBuilder {
  readonly schema: StreamSchema;
  readonly partitions: Event[][];
  readonly #rules: readonly ColumnRule[];
  readonly #numbering: number;
  #rows = 0;

  constructor(schema: StreamSchema, rules: readonly ColumnRule[], { partitions, numbering }: Choices) {
    this.schema = schema;
    this.partitions = Array.from({ length: partitions }, () => []);
    this.#rules = rules;
    this.#numbering = numbering;
  }

  add(partition: number, { arrival, at, some, others }: DraftRow): void {
    // Equal draws give equal rows but for this number.
    const place = { at, number: this.#rows++ ^ this.#numbering, index: arrival };
    const even = new Digits(some);
    const odd = new Digits(others);
    const row: Value[] = new Array(this.#rules.length);
    for (let column = 0; column < row.length; column++) {
      row[column] = valueBy(this.#rules[column]!, place, column % 2 === 0 ? even : odd);
    }
    this.partitions[partition]!.push({ arrival, row });
  }
}

/** Leaves out rows that repeat what a premise, or a unique set without a number, allows once. */
function keepingUnique(schema: StreamSchema, partitions: Event[][], { query }: CaseQuery): Event[][] {
  const numbered = numberedColumns(schema);
  const sets = [
    ...schema.unique.filter((set) => !set.some((name) => numbered.includes(name))),
    ...query.definition.premises.flatMap(({ kind, stream, columns }) =>
      kind === 'unique' && stream === schema.name ? [columns] : [],
    ),
  ].map((names) => names.map((name) => schema.columns.findIndex((column) => column.name === name)));
  if (sets.length === 0) return partitions;
  const seen = sets.map(() => new Set<string>());
  return partitions.map((events) =>
    events.filter(({ row }) => {
      const keys = sets.map((columns) =>
        columns.map((column) => `${typeof row[column]} ${row[column]}`).join('\n'),
      );
      if (keys.some((key, index) => seen[index]!.has(key))) return false;
      for (const [index, key] of keys.entries()) seen[index]!.add(key);
      return true;
    }),
  );
}
