import type { Expression } from '../model/expression.ts';
import type { EventTime } from '../model/plan/relation.ts';
import { WINDOW_END, WINDOW_START } from '../model/plan/relation.ts';
import type { WindowKind } from '../model/plan/window.ts';
import type { Type } from '../model/type.ts';
import { INT_MAX } from '../model/value.ts';
import type { Dialect, DialectForms } from './dialect.ts';
import { cast, type ExpressionRenderer, type FunctionForm, invocation } from './expression.ts';
import { flinkIdentifier } from './flink-identifiers.ts';
import { EPOCH_MS, isNarrow, ROWTIME, WINDOW_TIME, withFlinkTime } from './flink-time.ts';
import { atom, type Fragment, indent, infix, Level, within } from './fragment.ts';
import { dialectOf } from './render.ts';
import { itemOf, print, type Select, selectAll } from './select.ts';
import { type Rendered, UnsupportedForm } from './unsupported.ts';

const rewritten = dialectOf('flink', forms());

/**
 * Flink SQL 2.2, which 1.20 takes as well. A TIMESTAMP(3) is a BIGINT of epoch milliseconds; a table has the time attribute `_rowtime`
 * besides its stream's columns; windows are table functions.
 */
export const flink: Dialect = {
  name: 'flink',
  select(query): Rendered {
    try {
      return rewritten.select(withFlinkTime(query));
    } catch (error) {
      if (error instanceof UnsupportedForm) return { kind: 'unsupported', reason: error.message };
      throw error;
    }
  },
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function forms(): DialectForms {
  return {
    identifier: flinkIdentifier,
    typeName: flinkType,
    literal,
    functions: {
      divide: exactArithmetic('/', Level.multiply),
      add: exactArithmetic('+', Level.add),
      subtract: exactArithmetic('-', Level.add),
      multiply: exactArithmetic('*', Level.multiply),
      modulo: invocation('MOD'),
      to_bigint: cast('BIGINT'),
      to_double: cast('DOUBLE'),
      to_string: cast('STRING'),
      // Lengths and positions are INT.
      char_length: (args, render) => atom(`CAST(CHAR_LENGTH(${render.value(args[0]!).text}) AS BIGINT)`),
      position: ([needle, text], render) =>
        atom(`CAST(POSITION(${render.value(needle!).text} IN ${render.value(text!).text}) AS BIGINT)`),
      concat: invocation('CONCAT'),
      replace,
      split_index: splitIndex,
      // HOUR counts wrongly before the epoch.
      hour: ([time], render) => {
        const at = render.value(time!).text;
        return infix(
          atom(`MOD(MOD(${at}, ${DAY_MS}) + ${DAY_MS}, ${DAY_MS})`),
          '/',
          atom(String(HOUR_MS)),
          Level.multiply,
        );
      },
      [EPOCH_MS]: ([bound], render) => {
        const at = render.value(bound!).text;
        // Both parts truncate toward zero, so that their sum is exact before the epoch too.
        return {
          text: `EXTRACT(EPOCH FROM ${at}) * 1000 + EXTRACT(MILLISECOND FROM ${at})`,
          level: Level.add,
        };
      },
    },
    aggregate({ fn, distinct }, arg, filter) {
      const call = `${fn.toUpperCase()}(${distinct ? 'DISTINCT ' : ''}${arg?.text ?? '*'})`;
      return filter === undefined ? call : `${call} FILTER (WHERE ${filter})`;
    },
    window: windowed,
    joinOn: 'any',
  };
}

/** The name of a type in Flink's DDL and casts. */
export function flinkType(type: Type): string {
  return type === 'TIMESTAMP(3)' ? 'BIGINT' : type;
}

function literal(value: boolean | number | bigint | string, type: Type): Fragment {
  if (typeof value === 'boolean') return atom(value ? 'TRUE' : 'FALSE');
  switch (type) {
    case 'STRING':
      return atom(flinkText(value as string));
    case 'DOUBLE':
      return doubleLiteral(value as number);
    case 'INT':
    case 'BIGINT':
    case 'TIMESTAMP(3)':
      // The grammar has no literal for the least BIGINT.
      return value === -(2n ** 63n) ? atom(`CAST('${value}' AS BIGINT)`) : atom(String(value));
    default:
      return atom(`CAST('${value}' AS ${type})`);
  }
}

/** With an exponent, since digits with a point alone are a DECIMAL. */
function doubleLiteral(value: number): Fragment {
  if (!Number.isFinite(value) || Object.is(value, -0)) {
    return atom(`CAST('${Object.is(value, -0) ? '-0.0' : value}' AS DOUBLE)`);
  }
  const digits = String(value);
  return atom(digits.includes('e') ? digits.replace('e+', 'e').replace('e', 'E') : `${digits}E0`);
}

const CONTROL = /\p{Cc}/u;

/**
 * A string literal. One with control characters escapes them, so that laying the SQL out in lines cannot reach
 * into it.
 *
 * @throws UnsupportedForm for U+0000, which no text of this grammar can hold.
 */
export function flinkText(text: string): string {
  if (text.includes('\0')) throw new UnsupportedForm('a string literal that holds U+0000');
  const doubled = text.replaceAll("'", "''");
  if (!CONTROL.test(text)) return `'${doubled}'`;
  const escaped = doubled
    .replaceAll('\\', '\\\\')
    .replaceAll(/\p{Cc}/gu, (control) => `\\${control.codePointAt(0)!.toString(16).padStart(4, '0')}`);
  return `U&'${escaped}'`;
}

/** Small literals are INT, and arithmetic among them would overflow at 32 bits. */
function exactArithmetic(symbol: string, level: number): FunctionForm {
  return (args, render) => {
    const [left, right] = args.map((arg) => render.value(arg));
    const narrow = render.typeOf(args[0]!).type === 'BIGINT' && args.every(isNarrow);
    return infix(narrow ? atom(`CAST(${left!.text} AS BIGINT)`) : left!, symbol, right!, level);
  };
}

/** REPLACE puts the new text between all characters where the needle is empty. */
function replace([text, needle, by]: readonly Expression[], render: ExpressionRenderer): Fragment {
  const [whole, part, other] = [text!, needle!, by!].map((arg) => render.value(arg));
  const call = `REPLACE(${whole!.text}, ${part!.text}, ${other!.text})`;
  if ('lit' in needle! && needle.lit !== '') return atom(call);
  return atom(`CASE WHEN ${within(part!, Level.compare + 1)} = '' THEN ${whole!.text} ELSE ${call} END`);
}

/** SPLIT_INDEX takes an INT, and finds no part in an empty text. */
function splitIndex([text, separator, index]: readonly Expression[], render: ExpressionRenderer): Fragment {
  const whole = render.value(text!);
  const call = (at: string) => `SPLIT_INDEX(${whole.text}, ${render.value(separator!).text}, ${at})`;
  const position = render.value(index!);
  if ('lit' in index! && index.lit !== null) {
    const at = BigInt(index.lit as number | string);
    if (at < 0n || at > INT_MAX) return atom('CAST(NULL AS STRING)');
    if (at > 0n) return atom(call(position.text));
  }
  const bounded = within(position, Level.compare + 1);
  const first = `WHEN ${within(whole, Level.compare + 1)} = '' AND ${bounded} = 0 THEN ''`;
  const part = `WHEN ${bounded} BETWEEN 0 AND ${INT_MAX} THEN ${call(`CAST(${position.text} AS INT)`)}`;
  return atom(`CASE\n${indent(`${first}\n${part}`)}\nEND`);
}

const SECOND_MS = 1_000;
const LEAST_TOO_LONG_MS = 1_000 * DAY_MS;

/**
 * An INTERVAL: of seconds up to 99, else of days to seconds. Flink keeps three digits of days.
 *
 * @throws UnsupportedForm for 1,000 days and more.
 */
export function flinkInterval(ms: number): string {
  if (ms >= LEAST_TOO_LONG_MS) throw new UnsupportedForm('a duration of 1,000 days or more');
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const fraction = ms % SECOND_MS === 0 ? '' : `.${String(ms % SECOND_MS).padStart(3, '0')}`;
  const seconds = Math.floor(ms / SECOND_MS);
  if (seconds < 100) return `INTERVAL '${seconds}${fraction}' SECOND`;
  const clock = [two((seconds / 3600) % 24), two((seconds / 60) % 60), two(seconds % 60)].join(':');
  return `INTERVAL '${Math.floor(ms / DAY_MS)} ${clock}${fraction}' DAY(3) TO SECOND(3)`;
}

function windowed(input: Select, window: WindowKind, time: EventTime): Select {
  const names = input.items.map(({ name }) => name);
  const at = `DESCRIPTOR(${flinkIdentifier(time.column)})`;
  const call = (name: string, partition: string, ...durations: number[]) =>
    `${name}(${rowsOf(input)}${partition}, ${[at, ...durations.map(flinkInterval)].join(', ')})`;
  const select = (text: string) =>
    selectAll(
      [...names.filter((name) => name !== time.column), WINDOW_START, WINDOW_END, WINDOW_TIME],
      `TABLE(${text})`,
      flinkIdentifier,
    );
  switch (window.kind) {
    case 'tumble':
      return select(call('TUMBLE', '', window.sizeMs, ...offset(window.offsetMs, window.sizeMs)));
    case 'hop':
      if (window.sizeMs % window.slideMs !== 0) {
        throw new UnsupportedForm('a hop whose slide does not divide its size');
      }
      return select(
        call('HOP', '', window.slideMs, window.sizeMs, ...offset(window.offsetMs, window.slideMs)),
      );
    case 'cumulate':
      return select(
        call('CUMULATE', '', window.stepMs, window.sizeMs, ...offset(window.offsetMs, window.sizeMs)),
      );
    case 'session': {
      const keys = window.keys.map((key) => itemOf(input, key).name).map(flinkIdentifier);
      const partition = keys.length === 0 ? '' : ` PARTITION BY (${keys.join(', ')})`;
      return select(call('SESSION', partition, window.gapMs));
    }
  }
}

/** A window starts at a multiple of its period, so that only the rest of an offset counts. */
function offset(offsetMs: number, periodMs: number): readonly number[] {
  const rest = ((offsetMs % periodMs) + periodMs) % periodMs;
  return rest === 0 ? [] : [rest];
}

/** The input as an argument of a table function: a table by its name, else a subquery. */
function rowsOf(input: Select): string {
  const plain =
    input.where.length === 0 &&
    input.groupBy === undefined &&
    input.star?.includes(ROWTIME) === true &&
    !input.from.includes('\n');
  return plain ? `TABLE ${input.from}` : `(\n${indent(print(input, flinkIdentifier))}\n)`;
}
