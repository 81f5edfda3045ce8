import type { Row } from '../../model/value.ts';

/** Whether two rows hold the same values; NULL is the same as NULL, and NaN as NaN. */
export function sameRow(a: Row, b: Row): boolean {
  for (let index = 0; index < a.length; index++) {
    if (a[index] !== b[index] && !(Number.isNaN(a[index]) && Number.isNaN(b[index]))) return false;
  }
  return true;
}
