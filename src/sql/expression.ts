import {
  type Expression,
  type ExpressionType,
  literalValue,
  type TypedColumn,
  typeOf,
} from '../model/expression.ts';
import type { Type } from '../model/type.ts';
import type { Value } from '../model/value.ts';
import { atom, type Fragment, indent, infix, Level, within } from './fragment.ts';
import { UnsupportedForm } from './unsupported.ts';

/** How a dialect writes a function of the plan language. */
export type FunctionForm = (args: readonly Expression[], render: ExpressionRenderer) => Fragment;

/** What a dialect says of expressions. */
export interface ExpressionForms {
  /** A literal that is not null. */
  literal(value: Exclude<Value, null>, type: Type): Fragment;
  /** The name of a type, as in a CAST. */
  typeName(type: Type): string;
  /** Every function that {@link standardFunctions} does not write as the dialect does. */
  readonly functions: Readonly<Record<string, FunctionForm>>;
  /** For a dialect that tests only columns for NULL. */
  readonly nullTestOfColumns?: true;
  /**
   * For a dialect in which a condition is no value: a condition where a BOOLEAN value is wanted, and a BOOLEAN
   * value where a condition is wanted.
   */
  readonly booleans?: {
    asValue(condition: Fragment, nullable: boolean): Fragment;
    asCondition(value: Fragment): Fragment;
  };
}

/** Writes expressions over the columns of one relation. */
export interface ExpressionRenderer {
  value(expression: Expression): Fragment;
  /** The expression where SQL wants a search condition: in WHERE, ON and CASE WHEN, under AND, OR and NOT. */
  condition(expression: Expression): Fragment;
  /** `IS NULL`, or `IS NOT NULL`. */
  nullTest(expression: Expression, negated: boolean): Fragment;
  typeOf(expression: Expression): ExpressionType;
}

/** A renderer over `columns`, each of which stands in the SQL as `resolve` says. */
export function expressionRenderer(
  forms: ExpressionForms,
  columns: readonly TypedColumn[],
  resolve: (column: string) => Fragment,
): ExpressionRenderer {
  const { booleans } = forms;
  const plain = (expression: Expression): Fragment => {
    if ('col' in expression) return resolve(expression.col);
    if ('lit' in expression) {
      const value = literalValue(expression);
      return value === null
        ? atom(`CAST(NULL AS ${forms.typeName(expression.type)})`)
        : forms.literal(value, expression.type);
    }
    const form = forms.functions[expression.fn] ?? standardFunctions[expression.fn];
    if (form === undefined) throw new Error(`the dialect has no form for the function ${expression.fn}`);
    return form(expression.args, renderer);
  };
  const renderer: ExpressionRenderer = {
    typeOf: (expression) => typeOf(expression, columns, 'sql'),
    value(expression) {
      const text = plain(expression);
      return booleans !== undefined && isCondition(expression)
        ? booleans.asValue(text, renderer.typeOf(expression).nullable)
        : text;
    },
    condition(expression) {
      const text = plain(expression);
      return booleans !== undefined && !isCondition(expression) ? booleans.asCondition(text) : text;
    },
    nullTest(expression, negated) {
      const value = renderer.value(expression);
      if (forms.nullTestOfColumns && !value.column) {
        throw new UnsupportedForm('IS NULL of an expression that is no column');
      }
      const test = negated ? 'IS NOT NULL' : 'IS NULL';
      return { text: `${within(value, Level.compare + 1)} ${test}`, level: Level.compare };
    },
  };
  return renderer;
}

/** Functions that SQL writes as search conditions. */
const CONDITIONS = new Set(['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'and', 'or', 'not', 'is_null']);

function isCondition(expression: Expression): boolean {
  return 'fn' in expression && CONDITIONS.has(expression.fn);
}

/** `a operator b` over two values. */
export function operator(symbol: string, level: number): FunctionForm {
  return (args, render) => infix(render.value(args[0]!), symbol, render.value(args[1]!), level);
}

/** `name(arg, …)`. */
export function invocation(name: string): FunctionForm {
  return (args, render) => atom(`${name}(${args.map((arg) => render.value(arg).text).join(', ')})`);
}

/** `CAST(arg AS name)`. */
export function cast(name: string): FunctionForm {
  return ([arg], render) => atom(`CAST(${render.value(arg!).text} AS ${name})`);
}

/** A comparison does not chain: an operand that is a comparison itself stands in parentheses. */
function comparison(symbol: string): FunctionForm {
  return (args, render) => {
    const [left, right] = args.map((arg) => within(render.value(arg), Level.compare + 1));
    return { text: `${left} ${symbol} ${right}`, level: Level.compare };
  };
}

function connective(symbol: string, level: number): FunctionForm {
  return (args, render) => ({
    text: args.map((arg) => within(render.condition(arg), level)).join(` ${symbol} `),
    level,
  });
}

/** The functions that every dialect so far writes alike. */
const standardFunctions: Readonly<Record<string, FunctionForm>> = {
  add: operator('+', Level.add),
  subtract: operator('-', Level.add),
  multiply: operator('*', Level.multiply),
  divide: operator('/', Level.multiply),
  eq: comparison('='),
  ne: comparison('<>'),
  lt: comparison('<'),
  le: comparison('<='),
  gt: comparison('>'),
  ge: comparison('>='),
  and: connective('AND', Level.and),
  or: connective('OR', Level.or),
  not: ([arg], render) =>
    'fn' in arg! && arg.fn === 'is_null'
      ? render.nullTest(arg.args[0]!, true)
      : { text: `NOT (${render.condition(arg!).text})`, level: Level.not },
  is_null: ([arg], render) => render.nullTest(arg!, false),
  case: (args, render) => {
    const arms: string[] = [];
    for (let index = 0; index + 1 < args.length; index += 2) {
      arms.push(`WHEN ${render.condition(args[index]!).text} THEN ${render.value(args[index + 1]!).text}`);
    }
    arms.push(`ELSE ${render.value(args.at(-1)!).text}`);
    return atom(arms.length > 2 ? `CASE\n${indent(arms.join('\n'))}\nEND` : `CASE ${arms.join(' ')} END`);
  },
  coalesce: invocation('COALESCE'),
  lower: invocation('LOWER'),
  upper: invocation('UPPER'),
  replace: invocation('REPLACE'),
  position: ([needle, text], render) =>
    atom(`POSITION(${render.value(needle!).text} IN ${render.value(text!).text})`),
};
