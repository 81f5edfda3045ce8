import { arithmetic } from './arithmetic.ts';
import { cast } from './cast.ts';
import { comparison } from './comparison.ts';
import { conditional } from './conditional.ts';
import type { Implementation } from './implementation.ts';
import { logic } from './logic.ts';
import { string } from './string.ts';
import { time } from './time.ts';

/** Every scalar function of the plan language, computed from the semantics alone. */
export const implementations: ReadonlyMap<string, Implementation> = new Map(
  [arithmetic, cast, comparison, conditional, logic, string, time].flatMap((family) =>
    Object.entries(family),
  ),
);
