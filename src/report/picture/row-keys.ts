import type { CheckedQuery } from '../../model/query.ts';

/** The columns that tell a row of a query's output from others: no more than it takes, where that is known. */
export function rowKeys({ output, definition }: CheckedQuery): readonly string[] {
  const { keys } = definition.declaration;
  const fewest = output.unique
    .filter((set) => set.length > 0 && set.every((name) => keys.includes(name)))
    .sort((a, b) => a.length - b.length)[0];
  return fewest ?? keys;
}
