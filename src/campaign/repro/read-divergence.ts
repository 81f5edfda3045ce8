import type { z } from 'zod';
import { InputError } from '../../model/errors.ts';
import { rowFromObject } from '../../model/row-json.ts';
import type { Column } from '../../model/schema.ts';
import type { Row } from '../../model/value.ts';
import type { Difference, Diverge } from '../../model/verdict.ts';
import type { divergenceSchema } from '../difference-json.ts';

type DivergenceJson = z.infer<typeof divergenceSchema>;

/** The verdict that a divergence's JSON tells of. @throws InputError naming the field of a row that is none. */
export function readDivergence(columns: readonly Column[], { counts, samples }: DivergenceJson): Diverge {
  return {
    kind: 'diverge',
    counts,
    samples: samples.map((sample, index) => differenceOf(columns, sample, `divergence.samples.${index}`)),
  };
}

/** Rows of JSON objects, by their columns: what had to be there, or was. @throws InputError naming the field */
export function readRows(
  columns: readonly Column[],
  objects: readonly unknown[],
  path: string,
): readonly Row[] {
  return objects.map((object, index) => readRow(columns, object, `${path}.${index}`));
}

function differenceOf(
  columns: readonly Column[],
  { kind, count, expected, actual, columns: altered = [], position }: DivergenceJson['samples'][number],
  path: string,
): Difference {
  const row = (side: 'expected' | 'actual', object: unknown) => readRow(columns, object, `${path}.${side}`);
  switch (kind) {
    case 'lost':
      return { kind, count, expected: row('expected', expected) };
    case 'altered':
      return {
        kind,
        count,
        expected: row('expected', expected),
        actual: row('actual', actual),
        columns: altered,
      };
    case 'premature':
    case 'extra':
      return { kind, count, actual: row('actual', actual) };
    case 'corrupt':
      if (position === undefined) throw new InputError('missing', { field: `${path}.position` });
      return { kind, count: 1, position };
  }
}

/** An engine may show NULL where the query has none. */
function readRow(columns: readonly Column[], object: unknown, path: string): Row {
  try {
    return rowFromObject(
      columns.map((column) => ({ ...column, nullable: true })),
      object,
    );
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problem, {
      field: error.field === undefined ? path : `${path}.${error.field}`,
    });
  }
}
