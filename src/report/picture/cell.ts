import type { Column } from '../../model/schema.ts';
import type { Value } from '../../model/value.ts';
import { visible } from '../visible.ts';
import type { TimeTeller } from './event-times.ts';

/** A value as a picture shows it: texts in quotes, times told alike, every digit of a number. */
export function cellText(value: Value, { type }: Pick<Column, 'type'>, times: TimeTeller): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return type === 'STRING' ? visible(JSON.stringify(value)) : value;
  if (type === 'TIMESTAMP(3)' && typeof value === 'number') return times.tell(value);
  return Object.is(value, -0) ? '-0.0' : String(value);
}
