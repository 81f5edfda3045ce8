import type { Dataset } from '../model/dataset.ts';
import type { Premise, QueryDefinition } from '../model/query.ts';
import { columnIndex } from '../model/schema.ts';

/** The first premise of a query that the data breaks, told without any value, or undefined. */
export function brokenPremise(query: QueryDefinition, dataset: Dataset): string | undefined {
  for (const premise of query.premises) {
    if (!holds(premise, dataset)) {
      const columns = premise.columns.join(', ');
      const claim = premise.kind === 'unique' ? `(${columns}) is unique` : `${columns} is never null`;
      return `the data breaks the premise that ${claim} in ${premise.stream}: ${premise.reason}`;
    }
  }
  return undefined;
}

function holds({ kind, stream: name, columns }: Premise, dataset: Dataset): boolean {
  const stream = dataset.streams.find(({ schema }) => schema.name === name);
  if (stream === undefined) return false;
  const indexes = columns.map((column) => columnIndex(stream.schema.columns, column));
  if (indexes.includes(-1)) return false;
  const seen = new Set<string>();
  for (const { row } of stream.partitions.flat()) {
    const values = indexes.map((index) => row[index]);
    if (kind === 'not-null') {
      if (values.includes(null)) return false;
      continue;
    }
    const key = JSON.stringify(values.map((value) => [typeof value, String(value)]));
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}
