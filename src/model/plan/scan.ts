import { z } from 'zod';
import { PlanError } from '../errors.ts';
import { nameSchema, type StreamSchema } from '../schema.ts';
import { isInteger } from '../type.ts';
import type { Relation } from './relation.ts';

/** All rows of a stream. */
export interface Scan {
  readonly op: 'scan';
  readonly stream: string;
}

export const scanSchema = z.strictObject({ op: z.literal('scan'), stream: nameSchema });

export function checkScan(node: Scan, streams: readonly StreamSchema[], path: string): Relation {
  const schema = streams.find(({ name }) => name === node.stream);
  if (schema === undefined) throw new PlanError('unknown-stream', path, `no stream ${node.stream}`);
  return {
    columns: schema.columns.map((column) => ({ ...column, integral: isInteger(column.type) })),
    unique: schema.unique,
    eventTime: { column: schema.eventTime, shiftMs: 0 },
    updating: false,
  };
}
