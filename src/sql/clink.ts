import type { Aggregate } from '../model/plan/aggregate.ts';
import { inputsOf, type Plan } from '../model/plan/index.ts';
import { type EventTime, WINDOW_END, WINDOW_START } from '../model/plan/relation.ts';
import type { WindowKind } from '../model/plan/window.ts';
import type { CheckedQuery } from '../model/query.ts';
import type { Column } from '../model/schema.ts';
import type { Type } from '../model/type.ts';
import { INT_MAX } from '../model/value.ts';
import type { Build, DialectForms } from './dialect.ts';
import { cast, invocation } from './expression.ts';
import { atom, column, type Fragment, Level } from './fragment.ts';
import { TIME } from './group-window.ts';
import { postgresIdentifier, postgresText } from './postgres.ts';
import { dialectOf } from './render.ts';
import { itemOf, type Select } from './select.ts';
import { UnsupportedForm } from './unsupported.ts';

/** Clink 0.12. Event time is a BIGINT of epoch milliseconds; windows are calls in GROUP BY. */
export const clink = dialectOf('clink', forms());

function forms(): DialectForms {
  return {
    identifier: postgresIdentifier,
    typeName: clinkType,
    literal(value, type) {
      if (typeof value === 'boolean') return atom(value ? 'TRUE' : 'FALSE');
      switch (type) {
        case 'STRING':
          return atom(postgresText(value as string));
        case 'INT':
        case 'BIGINT':
        case 'TIMESTAMP(3)':
          // A greater literal is a DECIMAL.
          return Math.abs(Number(value)) <= INT_MAX ? atom(String(value)) : typed(value, 'BIGINT');
        default:
          return typed(Object.is(value, -0) ? '-0.0' : value, clinkType(type));
      }
    },
    functions: {
      modulo: invocation('MOD'),
      to_bigint: cast('BIGINT'),
      to_double: cast('DOUBLE PRECISION'),
      to_string: cast('VARCHAR'),
      char_length: invocation('CHAR_LENGTH'),
      concat: invocation('CONCAT'),
      split_index: invocation('SPLIT_INDEX'),
      hour: ([time], render) => atom(`EXTRACT(HOUR FROM ${render.value(time!).text})`),
    },
    nullTestOfColumns: true,
    booleans: {
      asValue: (condition, nullable) =>
        atom(
          nullable
            ? `CASE WHEN ${condition.text} THEN TRUE WHEN NOT (${condition.text}) THEN FALSE END`
            : `CASE WHEN ${condition.text} THEN TRUE ELSE FALSE END`,
        ),
      asCondition: (value) => ({ text: `${value.text} = TRUE`, level: Level.compare }),
    },
    aggregate({ fn, distinct }, arg, filter) {
      if (filter !== undefined) throw new UnsupportedForm('FILTER of an aggregate');
      if (distinct && fn !== 'count') throw new UnsupportedForm(`DISTINCT in ${fn.toUpperCase()}`);
      return `${fn.toUpperCase()}(${distinct ? 'DISTINCT ' : ''}${arg?.text ?? '*'})`;
    },
    checkGroup({ keys, aggregates }: Aggregate, windowed) {
      if (aggregates.length === 0) throw new UnsupportedForm('GROUP BY without an aggregate');
      if (keys.length === 0 && !windowed)
        throw new UnsupportedForm('an aggregate without keys over all rows');
    },
    window: windowed,
    joinOn: 'one-pair',
    finish,
  };
}

/**
 * Whether some operator keeps rows or groups for as long as the job runs. Over input that does not end, Clink refuses
 * such a query unless `ALLOW UNBOUNDED STATE` follows it.
 */
export function keepsStateForever({ plan, relationOf }: CheckedQuery): boolean {
  const keeps = (node: Plan): boolean => {
    if (node.op === 'join' || node.op === 'rank') return true;
    if (node.op === 'aggregate' && relationOf(node.input).window === undefined) return true;
    return inputsOf(node).some(keeps);
  };
  return keeps(plan);
}

/** The name of a type in Clink's DDL and casts. */
export function clinkType(type: Type): string {
  switch (type) {
    case 'STRING':
      return 'VARCHAR';
    case 'TIMESTAMP(3)':
      return 'BIGINT';
    case 'INT':
      return 'INTEGER';
    case 'DOUBLE':
      return 'DOUBLE PRECISION';
    default:
      return type;
  }
}

/** From text, since a numeric literal is a DECIMAL and takes no exponent. */
function typed(value: unknown, type: string): Fragment {
  return atom(`CAST('${value}' AS ${type})`);
}

/** A bare number is milliseconds; of an INTERVAL the fraction of a second would be cut off. */
function duration(ms: number): string {
  return ms % 1000 === 0 ? `INTERVAL '${ms / 1000}' SECOND` : String(ms);
}

function windowed(input: Select, window: WindowKind, time: EventTime, build: Build): Select {
  const call = (name: string, ...parameters: number[]) => {
    const rest = parameters.map(duration).join(', ');
    return (at: string) => `${name}(${at}, ${rest})`;
  };
  const rows = timed(input, time, build);
  const select = (of: (at: string) => string, sessionKeys?: readonly string[]): Select => ({
    ...rows,
    items: [
      ...input.items.map(({ name }) => itemOf(rows, name)),
      ...[WINDOW_START, WINDOW_END].map((name) => ({ name, value: column(name) })),
    ],
    groupWindow: {
      time: itemOf(rows, time.shiftMs === 0 ? time.column : TIME).value,
      call: of,
      ...(sessionKeys === undefined ? {} : { sessionKeys }),
    },
  });
  switch (window.kind) {
    case 'tumble':
      noOffset(window.offsetMs, window.sizeMs);
      return select(call('TUMBLE', window.sizeMs));
    case 'hop':
      if (window.slideMs > window.sizeMs)
        throw new UnsupportedForm('a hop whose slide is greater than its size');
      noOffset(window.offsetMs, window.slideMs);
      return select(call('HOP', window.sizeMs, window.slideMs));
    case 'cumulate':
      noOffset(window.offsetMs, window.sizeMs);
      return select(call('CUMULATE', window.stepMs, window.sizeMs));
    case 'session':
      return select(
        call('SESSION', window.gapMs),
        window.keys.map((key) => itemOf(rows, key).value.text),
      );
  }
}

function noOffset(offsetMs: number, periodMs: number): void {
  if (offsetMs % periodMs !== 0) throw new UnsupportedForm('a window with an offset');
}

/** The input with all columns plain and event time in one of them: a window takes no expression. */
function timed(input: Select, time: EventTime, build: Build): Select {
  const plain =
    input.groupBy === undefined && input.items.every(({ value }) => value.column)
      ? input
      : build.derived(input);
  if (time.shiftMs === 0) return plain;
  const at = { text: `${itemOf(plain, time.column).value.text} - 1`, level: Level.add };
  return build.derived({ ...plain, items: [...plain.items, { name: TIME, value: at }] });
}

/** An INT column is written as BIGINT, in which Clink computes: an INTEGER sink takes no result of arithmetic. */
function finish(select: Select, columns: readonly Column[], build: Build): Select {
  if (!columns.some(({ type }) => type === 'INT')) return select;
  const plain = build.derived(select);
  return {
    ...plain,
    items: columns.map(({ name, type }) => {
      const { value } = itemOf(plain, name);
      return { name, value: type === 'INT' ? atom(`CAST(${value.text} AS BIGINT)`) : value };
    }),
  };
}
