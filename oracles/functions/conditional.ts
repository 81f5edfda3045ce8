import type { Implementation } from './implementation.ts';

const caseWhen: Implementation = (args) => (row) => {
  for (let index = 0; index + 1 < args.length; index += 2) {
    if (args[index]!(row) === true) return args[index + 1]!(row);
  }
  return args.at(-1)!(row);
};

const coalesce: Implementation = (args) => (row) => {
  for (const arg of args) {
    const value = arg(row);
    if (value !== null) return value;
  }
  return null;
};

export const conditional: Readonly<Record<string, Implementation>> = { case: caseWhen, coalesce };
