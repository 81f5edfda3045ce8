import { bigint, call, double, text } from '../../../src/model/build.ts';
import type { Expression } from '../../../src/model/expression.ts';

const positive = call('gt', 'amount', bigint(0));
const north = call('eq', 'zone', text('north'));

/** Conditions over the columns that `reading` and `signal` share, true, false and NULL (semantics §1). */
export const sharedConditions: readonly Expression[] = [
  positive,
  call('le', 'amount', bigint(2)),
  call('is_null', 'amount'),
  call('not', north),
  call('and', positive, north),
  call('or', positive, north),
  call('not', call('and', positive, call('not', north))),
  call('or', call('is_null', 'zone'), call('lt', 'zone', 'note')),
  call('eq', call('modulo', 'amount', bigint(3)), bigint(1)),
  call('ne', call('modulo', 'amount', bigint(-3)), bigint(-1)),
  call('ge', 'note', text('\ue010')),
  call('ne', 'note', text('')),
];

/** The same, and ones over what only `reading` has. */
export const conditions: readonly Expression[] = [
  ...sharedConditions,
  { col: 'active' },
  call('not', { col: 'active' }),
  call('and', { col: 'active' }, positive, north),
  call('or', call('not', { col: 'active' }), call('is_null', 'level')),
  call('lt', 'level', double(0.5)),
  call('gt', 'grade', { lit: 1, type: 'INT' }),
  call('case', { col: 'active' }, positive, call('is_null', 'zone'), north, call('eq', 'device', bigint(1))),
];
