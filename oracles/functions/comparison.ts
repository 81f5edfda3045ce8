import { compareValues } from '../order.ts';
import { binary, type Implementation } from './implementation.ts';

function comparing(holds: (order: number) => boolean): Implementation {
  return binary((a, b) => holds(compareValues(a, b)));
}

/** Semantics §1: NULL against anything is NULL. */
export const comparison: Readonly<Record<string, Implementation>> = {
  eq: comparing((order) => order === 0),
  ne: comparing((order) => order !== 0),
  lt: comparing((order) => order < 0),
  le: comparing((order) => order <= 0),
  gt: comparing((order) => order > 0),
  ge: comparing((order) => order >= 0),
};
