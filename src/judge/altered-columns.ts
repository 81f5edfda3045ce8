import type { Row } from '../model/value.ts';
import type { Layout } from './canonical-row.ts';
import { within } from './tolerance.ts';

/** Names of the columns, in schema order, in which two rows differ by more than their tolerance. */
export function alteredColumns(layout: Layout, expected: Row, actual: Row, relative: number): string[] {
  const tolerated = new Set(layout.order.slice(layout.exactColumns));
  return layout.columns
    .filter((_, index) => {
      const [a, b] = [expected[index]!, actual[index]!];
      return tolerated.has(index)
        ? !within(a as number | null, b as number | null, relative)
        : !Object.is(a, b);
    })
    .map((column) => column.name);
}
