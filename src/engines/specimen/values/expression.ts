import { type Expression, literalValue, type TypedColumn, typeOf } from '../../../model/expression.ts';
import { isInteger, type Type } from '../../../model/type.ts';
import type { Row, Value } from '../../../model/value.ts';
import type { Faults } from '../faults.ts';
import { bigintArithmetic, intArithmetic, type Whole } from './integers.ts';
import { type Order, orderOf } from './order.ts';
import { type PlainFunction, stringFunctions } from './strings.ts';

/** The value of an expression for a row. */
export type Evaluate = (row: Row) => Value;

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

/**
 * Makes a closure of an expression over the columns of a relation.
 *
 * The closure throws RunFailure where the law refuses: division by zero, integer overflow. CASE, COALESCE, AND and OR
 * look at their arguments from the left and at no more than they need.
 */
export function compile(expression: Expression, columns: readonly TypedColumn[], faults: Faults): Evaluate {
  if ('col' in expression) {
    const position = columns.findIndex(({ name }) => name === expression.col);
    return (row) => row[position]!;
  }
  if ('lit' in expression) {
    const value = literalValue(expression);
    return () => value;
  }
  const args = expression.args.map((arg) => compile(arg, columns, faults));
  const special = specialForm(expression.fn, args, faults);
  if (special !== undefined) return special;
  const type = () => typeOf(expression.args[0]!, columns, 'plan').type;
  return nullPropagating(plainFunction(expression.fn, type, faults), args);
}

/** A condition: whether the expression is true, neither false nor NULL. */
export function compileCondition(
  expression: Expression,
  columns: readonly TypedColumn[],
  faults: Faults,
): (row: Row) => boolean {
  const evaluate = compile(expression, columns, faults);
  return (row) => evaluate(row) === true;
}

/** NULL in, NULL out. Functions take up to three values. */
function nullPropagating(plain: PlainFunction, args: readonly Evaluate[]): Evaluate {
  const [first, second, third] = args;
  if (second === undefined) {
    return (row) => {
      const a = first!(row);
      return a === null ? null : plain(a, null, null);
    };
  }
  if (third === undefined) {
    return (row) => {
      const a = first!(row);
      const b = second(row);
      return a === null || b === null ? null : plain(a, b, null);
    };
  }
  return (row) => {
    const a = first!(row);
    const b = second(row);
    const c = third(row);
    return a === null || b === null || c === null ? null : plain(a, b, c);
  };
}

/** Functions that look at NULL themselves, or not at every argument. */
function specialForm(fn: string, args: readonly Evaluate[], faults: Faults): Evaluate | undefined {
  const [first] = args;
  switch (fn) {
    case 'and':
      return (row) => {
        let result: Value = true;
        for (const arg of args) {
          const value = arg(row);
          if (value === false) return false;
          if (value === null) result = null;
        }
        return result;
      };
    case 'or': {
      const nullWins = faults.has('or-with-null-is-null');
      return (row) => {
        let result: Value = false;
        for (const arg of args) {
          const value = arg(row);
          if (value === true && !nullWins) return true;
          if (value === null) result = null;
          else if (value === true && result === false) result = true;
        }
        return result;
      };
    }
    case 'not': {
      const ofNull = faults.has('not-null-is-true') ? true : null;
      return (row) => {
        const value = first!(row);
        return value === null ? ofNull : !value;
      };
    }
    case 'is_null':
      return (row) => first!(row) === null;
    case 'coalesce':
      return (row) => {
        for (const arg of args) {
          const value = arg(row);
          if (value !== null) return value;
        }
        return null;
      };
    case 'case': {
      const otherwise = faults.has('else-lost') ? () => null : args.at(-1)!;
      return (row) => {
        for (let index = 0; index + 1 < args.length; index += 2) {
          if (args[index]!(row) === true) return args[index + 1]!(row);
        }
        return otherwise(row);
      };
    }
    default:
      return undefined;
  }
}

/** A function of values that are not null, by the type of its first argument where that matters. */
function plainFunction(fn: string, type: () => Type, faults: Faults): PlainFunction {
  switch (fn) {
    case 'eq':
      return (a, b) => a === b;
    case 'ne':
      return (a, b) => a !== b;
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return comparison(fn, orderOf(type(), faults));
    case 'to_bigint':
      return (value) => value;
    case 'to_double':
      return (value) => Number(value);
    case 'to_string':
      return (value) => String(value);
    case 'hour': {
      const truncates = faults.has('hour-truncates');
      return (atMs) => {
        const hours = (atMs as number) / HOUR_MS;
        const hour = (truncates ? Math.trunc(hours) : Math.floor(hours)) % DAY_HOURS;
        return (truncates || hour >= 0 ? hour : hour + DAY_HOURS) + 0;
      };
    }
  }
  return stringFunctions(faults)[fn] ?? arithmetic(fn, type(), faults);
}

function comparison(fn: 'lt' | 'le' | 'gt' | 'ge', order: Order): PlainFunction {
  switch (fn) {
    case 'lt':
      return (a, b) => order(a, b) < 0;
    case 'le':
      return (a, b) => order(a, b) <= 0;
    case 'gt':
      return (a, b) => order(a, b) > 0;
    case 'ge':
      return (a, b) => order(a, b) >= 0;
  }
}

function arithmetic(fn: string, type: Type, faults: Faults): PlainFunction {
  if (!isInteger(type)) {
    switch (fn) {
      case 'add':
        return (a, b) => (a as number) + (b as number);
      case 'subtract':
        return (a, b) => (a as number) - (b as number);
      case 'multiply':
        return (a, b) => (a as number) * (b as number);
      case 'divide':
        return (a, b) => (a as number) / (b as number);
    }
  }
  const integers = type === 'INT' ? intArithmetic : bigintArithmetic;
  switch (fn) {
    case 'add':
    case 'subtract':
    case 'multiply':
      return (a, b) => integers[fn](a as Whole, b as Whole);
    case 'divide': {
      const floors = faults.has('division-floors');
      return (a, b) => {
        const [dividend, divisor] = [a as Whole, b as Whole];
        const quotient = integers.divide(dividend, divisor);
        if (!floors || dividend < 0 === divisor < 0) return quotient;
        return integers.modulo(dividend, divisor) === 0 ? quotient : integers.subtract(quotient, 1);
      };
    }
    case 'modulo': {
      const neverNegative = faults.has('modulo-never-negative');
      return (a, b) => {
        const divisor = b as Whole;
        const remainder = integers.modulo(a as Whole, divisor);
        if (!neverNegative || remainder >= 0) return remainder;
        return divisor < 0 ? integers.subtract(remainder, divisor) : integers.add(remainder, divisor);
      };
    }
  }
  throw new Error(`the specimen has no function ${fn}`);
}
