import type { Declaration } from '../model/declaration.ts';
import type { Column } from '../model/schema.ts';
import type { Row } from '../model/value.ts';
import type { Verdict } from '../model/verdict.ts';
import { layoutOf } from './canonical-row.ts';
import { Differences, type DifferenceVisitor } from './differences.ts';
import { compareStates } from './materialised.ts';
import { compareMultisets } from './multiset.ts';
import { murmur3, type WordHash } from './murmur3.ts';
import { isSameText } from './same-text.ts';
import type { Side } from './side.ts';

export type { DifferenceVisitor } from './differences.ts';
export type { Side } from './side.ts';

const DEFAULT_HELD_BYTES = 160 * 2 ** 20;

export interface JudgeOptions {
  /** The output's columns. */
  readonly columns: readonly Column[];
  readonly declaration: Declaration;
  /** The truth, or the output of another engine. */
  readonly expected: Side;
  /** The output that is judged. */
  readonly actual: Side;
  /**
   * Rows that are true only beyond the watermark: an extra row that equals one of them is premature. For the
   * append class; the final state of a materialised output has no such rows.
   */
  readonly beyond?: readonly Row[];
  /** Most samples of each kind of difference, default 20. */
  readonly maxSamples?: number;
  /**
   * Memory for rows of append outputs that differ, default 160 MiB. Less memory takes more passes over both
   * sides and leads to the same verdict.
   */
  readonly heldBytes?: number;
  /**
   * Called with every difference that is found, in no order. Rows of one key that do not fit `heldBytes` are told only
   * as far as they are sampled: the counts told of a kind are never more than the verdict's, and equal to them exactly
   * when all were told.
   */
  readonly onDifference?: DifferenceVisitor | undefined;
  /** The hash that parts and sums rows, default {@link murmur3}. Tests weaken it. */
  readonly hash?: WordHash;
}

/**
 * Judges one output under its declaration (semantics §6, §7).
 *
 * Resolves to `agree`, `diverge`, or `inconclusive` where both sides are empty. Corrupt lines of either side make
 * it diverge; the other lines are compared all the same.
 *
 * @throws Error when the declaration does not fit the columns, or a materialised truth holds a key twice.
 */
export async function judge(options: JudgeOptions): Promise<Verdict> {
  const { columns, declaration, expected, actual } = options;
  const { beyond = [], maxSamples = 20, heldBytes = DEFAULT_HELD_BYTES, hash = murmur3 } = options;
  if (declaration.class === 'append' && 'rows' in expected && 'capture' in actual && !actual.plus?.length) {
    const { rows } = expected;
    if (await isSameText(columns, rows, actual.capture)) return { kind: 'agree', rows: rows.length };
    // Neither has a row.
    if (rows.length === 0 && actual.capture.bytes.whole?.length === 0)
      return new Differences(0).verdict(0, 0);
  }
  const { keys, tolerance } = declaration;
  const layout = layoutOf(columns, keys, tolerance?.columns);
  const relative = tolerance?.relative ?? 0;
  const differences = new Differences(maxSamples, options.onDifference);
  const sides = { expected, actual, layout, relative, hash };
  const { expectedRows, actualRows } =
    declaration.class === 'append'
      ? await compareMultisets({ ...sides, beyond, heldBytes, maxSamples }, differences)
      : await compareStates(sides, differences);
  return differences.verdict(expectedRows, actualRows);
}
