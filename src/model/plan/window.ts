import { z } from 'zod';
import { PlanError } from '../errors.ts';
import { nameSchema } from '../schema.ts';
import type { Plan } from './index.ts';
import { type Relation, WINDOW_COLUMNS } from './relation.ts';

/**
 * Puts each row into the windows its event time lies in, and adds `window_start` and `window_end` (semantics
 * §3). Windows are half open, also before the epoch; a row that lies in several is repeated for each.
 *
 * - `tumble`: `[k·size + offset, (k+1)·size + offset)`
 * - `hop`: `[k·slide + offset, k·slide + offset + size)`, also where the slide does not divide the size
 * - `cumulate`: within `[k·size + offset, …)`, ends at every `step`; the step divides the size
 * - `session`: per value of `keys`, rows at most `gap` apart; ends `gap` after its last row
 */
export interface Window {
  readonly op: 'window';
  readonly input: Plan;
  readonly window: WindowKind;
}

export type WindowKind =
  | { readonly kind: 'tumble'; readonly sizeMs: number; readonly offsetMs: number }
  | { readonly kind: 'hop'; readonly sizeMs: number; readonly slideMs: number; readonly offsetMs: number }
  | { readonly kind: 'cumulate'; readonly stepMs: number; readonly sizeMs: number; readonly offsetMs: number }
  | { readonly kind: 'session'; readonly gapMs: number; readonly keys: readonly string[] };

const positive = z.int().min(1);
const offset = z.int().default(0);

export const windowSchema = (plan: z.ZodType<Plan>) =>
  z.strictObject({
    op: z.literal('window'),
    input: plan,
    window: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('tumble'), sizeMs: positive, offsetMs: offset }),
      z.strictObject({ kind: z.literal('hop'), sizeMs: positive, slideMs: positive, offsetMs: offset }),
      z.strictObject({ kind: z.literal('cumulate'), stepMs: positive, sizeMs: positive, offsetMs: offset }),
      z.strictObject({ kind: z.literal('session'), gapMs: positive, keys: z.array(nameSchema) }),
    ]),
  });

export function checkWindow(node: Window, input: Relation, path: string): Relation {
  if (input.eventTime === undefined || input.updating) {
    throw new PlanError('no-event-time', path, 'a window needs an append input that kept its event time');
  }
  if (input.window !== undefined)
    throw new PlanError('partial-window', path, 'the input is in a window already');
  for (const { name } of WINDOW_COLUMNS) {
    if (input.columns.some((column) => column.name === name)) {
      throw new PlanError('duplicate-column', path, `the input has a column ${name}; rename it first`);
    }
  }
  const { window } = node;
  if (window.kind === 'cumulate' && window.sizeMs % window.stepMs !== 0) {
    throw new PlanError('bad-parameter', `${path}.window.stepMs`, 'the step must divide the size');
  }
  if (window.kind === 'session') {
    for (const [index, key] of window.keys.entries()) {
      if (!input.columns.some(({ name }) => name === key)) {
        throw new PlanError('unknown-column', `${path}.window.keys[${index}]`, `no column ${key} here`);
      }
    }
  }
  const single = window.kind === 'tumble' || window.kind === 'session';
  return {
    columns: [...input.columns, ...WINDOW_COLUMNS],
    unique: single
      ? input.unique
      : input.unique.map((set) => [...set, ...WINDOW_COLUMNS.map(({ name }) => name)]),
    eventTime: input.eventTime,
    window: window.kind === 'session' ? 'session' : 'aligned',
    updating: false,
  };
}
