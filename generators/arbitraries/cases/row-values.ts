import type { StreamSchema } from '../../../src/model/schema.ts';
import { INT_MAX, INT_MIN, type Value } from '../../../src/model/value.ts';
import type { CaseQuery } from './case-query.ts';
import type { Digits } from './digits.ts';
import type { DataShape, IntegerKind, KeySpread, TextKind } from './profile.ts';
import {
  doubles,
  extremeKeys,
  integers,
  keyNumbers,
  oddTexts,
  plainTexts,
  plainValues,
} from './value-lists.ts';

/** How the value of a column is made, but for its event time and the number that makes a row unique. */
export type ColumnRule =
  | { readonly kind: 'time' | 'number' | 'text-number' }
  /** One of the values; `many`: instead one for every row, over and over. */
  | {
      readonly kind: 'value';
      readonly values: readonly Value[];
      readonly many: boolean;
      readonly text: boolean;
    }
  /** A time after the row's own, by milliseconds or null. */
  | { readonly kind: 'after'; readonly delaysMs: readonly (number | null)[] };

/** Different keys where there are many. */
const MANY_KEYS = 600;

/** What kinds of values one dataset holds. */
export interface ValueChoices {
  readonly keys: KeySpread;
  readonly integers: IntegerKind;
  readonly texts: TextKind;
  readonly nulls: DataShape['nulls'];
}

/** The rules of a stream's columns, in order, for one query. */
export function columnRules(
  schema: StreamSchema,
  { query, shape }: CaseQuery,
  choices: ValueChoices,
): readonly ColumnRule[] {
  const { premises } = query.definition;
  const never = new Set(
    premises.flatMap(({ kind, stream, columns }) =>
      kind === 'not-null' && stream === schema.name ? columns : [],
    ),
  );
  const numbered = numberedColumns(schema);
  return schema.columns.map(({ name, type, nullable }): ColumnRule => {
    if (name === schema.eventTime) return { kind: 'time' };
    if (numbered.includes(name)) return { kind: type === 'STRING' ? 'text-number' : 'number' };
    const isKey = shape.keys.has(name);
    // A null in eight, or in two.
    const withNulls = <T>(values: readonly T[]): readonly (T | null)[] => {
      if (!nullable || never.has(name)) return values;
      const wanted = choices.nulls === 'many' ? values.length : Math.max(1, Math.floor(values.length / 7));
      return [...values, ...Array.from({ length: wanted }, () => null)];
    };
    const value = (values: readonly Value[]): ColumnRule => {
      const spread = isKey ? spreadOver(values, choices.keys) : values;
      const many = isKey && choices.keys === 'many' && (type === 'STRING' || type === 'BIGINT');
      return { kind: 'value', values: withNulls(spread), many, text: type === 'STRING' };
    };
    const plain = plainValues[`${schema.name}.${name}`];
    switch (type) {
      case 'TIMESTAMP(3)':
        return { kind: 'after', delaysMs: withNulls([0, 1, 2_000, 10_000, 25_000]) };
      case 'BOOLEAN':
        return value([true, false]);
      case 'DOUBLE':
        return value(doubles);
      case 'STRING': {
        const odd = oddTexts[choices.texts];
        const texts = plain ?? plainTexts;
        return value(odd.length === 0 ? texts : [...texts.slice(0, 3), ...odd]);
      }
      case 'INT':
        return value(
          isKey
            ? keyNumbers
            : integers[choices.integers].filter((whole) => whole >= INT_MIN && whole <= INT_MAX),
        );
      case 'BIGINT': {
        const isPlain = choices.integers === 'plain';
        const everyday = isKey || plain === undefined ? plain : isPlain ? plain : undefined;
        if (isKey && choices.integers !== 'extreme') return value(everyday ?? keyNumbers);
        const wanted = isKey ? extremeKeys : (everyday ?? integers[choices.integers]);
        return value(wanted.filter((whole) => fits(whole as number | bigint, shape.bits)));
      }
      default:
        // No query computes with a DECIMAL yet: only NULL is of every such type.
        return value([null]);
    }
  });
}

function fits(value: number | bigint, bits: number): boolean {
  return bits >= 63 || (value <= 2 ** bits && value >= -(2 ** bits));
}

function spreadOver(values: readonly Value[], keys: KeySpread): readonly Value[] {
  if (keys === 'single') return values.slice(0, 1);
  return keys === 'hot' ? [...Array.from({ length: 12 }, () => values[0]!), ...values.slice(1)] : values;
}

/** For each unique set of a stream the column that is numbered: one that is not its event time. */
export function numberedColumns(schema: StreamSchema): readonly string[] {
  return schema.unique.flatMap((set) => {
    const column = schema.columns.find(
      ({ name, type }) =>
        set.includes(name) &&
        name !== schema.eventTime &&
        (type === 'BIGINT' || type === 'INT' || type === 'STRING'),
    );
    return column === undefined ? [] : [column.name];
  });
}

/** Where and when a row stands. */
export interface RowPlace {
  readonly at: number;
  /** Makes it unique among the rows of its stream. */
  readonly number: number;
  /** Position among all rows, from 0. */
  readonly index: number;
}

/** The value of a column of one row. */
export function valueBy(rule: ColumnRule, { at, number, index }: RowPlace, digits: Digits): Value {
  switch (rule.kind) {
    case 'time':
      return at;
    case 'number':
      return number;
    case 'text-number':
      return `n${number}`;
    case 'after': {
      const delayMs = digits.of(rule.delaysMs);
      return delayMs === null ? null : at + delayMs;
    }
    case 'value': {
      const value = digits.of(rule.values);
      if (!rule.many || value === null) return value;
      const key = index % MANY_KEYS;
      return rule.text ? `k${key}` : key;
    }
  }
}
