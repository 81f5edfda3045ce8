import { columnsRead, type Expression } from '../model/expression.ts';
import { type EventTime, WINDOW_END, WINDOW_START } from '../model/plan/relation.ts';
import type { WindowKind } from '../model/plan/window.ts';
import { isInteger, type Type } from '../model/type.ts';
import type { Build, DialectForms } from './dialect.ts';
import { cast, type ExpressionRenderer, type FunctionForm, invocation } from './expression.ts';
import { atom, column, type Fragment, infix, Level, within } from './fragment.ts';
import { postgresIdentifier, postgresText } from './postgres.ts';
import { dialectOf } from './render.ts';
import { type Item, itemOf, type Select } from './select.ts';

/** DuckDB. Event time is a BIGINT of epoch milliseconds; windows are plain arithmetic over it. */
export const duckdb = dialectOf('duckdb', forms());

function forms(): DialectForms {
  return {
    identifier: postgresIdentifier,
    typeName,
    literal(value, type) {
      if (typeof value === 'boolean') return atom(value ? 'TRUE' : 'FALSE');
      switch (type) {
        case 'STRING':
          return atom(postgresText(value as string));
        case 'DOUBLE':
          return doubleLiteral(value as number);
        case 'BOOLEAN':
        case 'INT':
        case 'BIGINT':
        case 'TIMESTAMP(3)':
          return atom(String(value));
        default:
          return atom(`CAST('${value}' AS ${type})`);
      }
    },
    functions: {
      add: exactArithmetic('+', Level.add),
      subtract: exactArithmetic('-', Level.add),
      multiply: exactArithmetic('*', Level.multiply),
      divide: (args, render) => {
        // `/` divides integers as DOUBLE; `//` truncates toward zero.
        const symbol = isInteger(render.typeOf(args[0]!).type) ? '//' : '/';
        return exactArithmetic(symbol, Level.multiply)(args, render);
      },
      modulo: exactArithmetic('%', Level.multiply),
      to_bigint: cast('BIGINT'),
      to_double: cast('DOUBLE'),
      to_string: cast('VARCHAR'),
      char_length: invocation('length'),
      concat: (args, render) => infix(render.value(args[0]!), '||', render.value(args[1]!), Level.add),
      split_index: splitIndex,
      hour: ([time], render) => atom(`hour(epoch_ms(${render.value(time!).text}))`),
    },
    aggregate({ fn, distinct }, arg, filter) {
      const call = `${fn}(${distinct ? 'DISTINCT ' : ''}${arg?.text ?? '*'})`;
      const filtered = filter === undefined ? call : `${call} FILTER (WHERE ${filter})`;
      // The sum of BIGINT is a HUGEINT.
      return fn === 'sum' && arg!.type === 'BIGINT' ? `CAST(${filtered} AS BIGINT)` : filtered;
    },
    havingOfGlobal: 'count(*) > 0',
    window: windowed,
    joinOn: 'any',
  };
}

function typeName(type: Type): string {
  switch (type) {
    case 'STRING':
      return 'VARCHAR';
    case 'TIMESTAMP(3)':
      return 'BIGINT';
    case 'INT':
      return 'INTEGER';
    default:
      return type;
  }
}

/** With an exponent, since digits with a point alone are a DECIMAL. */
function doubleLiteral(value: number): Fragment {
  if (!Number.isFinite(value)) return atom(`CAST('${value}' AS DOUBLE)`);
  const digits = Object.is(value, -0) ? '-0' : String(value);
  return atom(digits.includes('e') ? digits : `${digits}e0`);
}

/** Small literals are INTEGER: where no column makes it BIGINT, the arithmetic would overflow at 32 bits. */
function exactArithmetic(symbol: string, level: number): FunctionForm {
  return (args, render) => {
    const [left, right] = args.map((arg) => render.value(arg));
    const constant = args.every((arg) => columnsRead(arg).length === 0);
    const bigint = render.typeOf(args[0]!).type === 'BIGINT';
    return infix(constant && bigint ? atom(`CAST(${left!.text} AS BIGINT)`) : left!, symbol, right!, level);
  };
}

/** Lists count from 1, and a negative index counts from their end. */
function splitIndex([text, separator, index]: readonly Expression[], render: ExpressionRenderer): Fragment {
  const parts = `string_split(${render.value(text!).text}, ${render.value(separator!).text})`;
  if ('lit' in index! && index.lit !== null) {
    const position = BigInt(index.lit as number | string) + 1n;
    return atom(position < 1n ? 'CAST(NULL AS VARCHAR)' : `${parts}[${position}]`);
  }
  const position = render.value(index!);
  return atom(
    `CASE WHEN ${within(position, Level.add)} >= 0 THEN ${parts}[${within(position, Level.add)} + 1] END`,
  );
}

function windowed(input: Select, window: WindowKind, time: EventTime, build: Build): Select {
  const at =
    time.shiftMs === 0 ? postgresIdentifier(time.column) : `(${postgresIdentifier(time.column)} - 1)`;
  switch (window.kind) {
    case 'tumble':
      return build.extend(input, [
        item(WINDOW_START, alignedTo(at, window.sizeMs, window.offsetMs)),
        item(WINDOW_END, `${WINDOW_START} + ${window.sizeMs}`),
      ]);
    case 'hop': {
      const last = alignedTo(at, window.slideMs, window.offsetMs);
      // From the last window that a row lies in back to the first; none where the slide leaves gaps.
      const starts = `generate_series(${last}, ${at} - ${window.sizeMs} + 1, -${window.slideMs})`;
      return build.extend(input, [
        item(WINDOW_START, `unnest(${starts})`),
        item(WINDOW_END, `${WINDOW_START} + ${window.sizeMs}`),
      ]);
    }
    case 'cumulate': {
      const { sizeMs, stepMs, offsetMs } = window;
      const first = `${alignedTo(at, stepMs, offsetMs)} + ${stepMs}`;
      return build.extend(input, [
        item(WINDOW_START, alignedTo(at, sizeMs, offsetMs)),
        item(WINDOW_END, `unnest(generate_series(${first}, ${WINDOW_START} + ${sizeMs}, ${stepMs}))`),
      ]);
    }
    case 'session': {
      const keys = window.keys.map(postgresIdentifier);
      const partition = (...by: string[]) => (by.length === 0 ? '' : `PARTITION BY ${by.join(', ')} `);
      // Rows of one time are peers of the running sum, so that their order does not matter.
      const inOrder = `OVER (${partition(...keys)}ORDER BY ${at})`;
      const within = `OVER (${partition(...keys, '_session').trimEnd()})`;
      const opens = build.extend(input, [
        item('_opens', `CASE WHEN ${at} - lag(${at}) ${inOrder} <= ${window.gapMs} THEN 0 ELSE 1 END`),
      ]);
      const numbered = build.extend(opens, [item('_session', `sum(_opens) ${inOrder}`)]);
      const bounded = build.extend(numbered, [
        item(WINDOW_START, `min(${at}) ${within}`),
        item(WINDOW_END, `max(${at}) ${within} + ${window.gapMs}`),
      ]);
      const names = [...input.items.map(({ name }) => name), WINDOW_START, WINDOW_END];
      return { ...bounded, items: names.map((name) => itemOf(bounded, name)) };
    }
  }
}

/** The greatest multiple of `step`, plus `offset`, that is not after `at`; rounded down also before the epoch. */
function alignedTo(at: string, step: number, offset: number): string {
  const shift = ((offset % step) + step) % step;
  const shifted = shift === 0 ? at : `(${at} - ${shift})`;
  return `${at} - (${shifted} % ${step} + ${step}) % ${step}`;
}

function item(name: string, text: string): Item {
  return { name, value: column(text) };
}
