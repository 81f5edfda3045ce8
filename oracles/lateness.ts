import type { Traits } from '../src/model/traits.ts';
import { OracleRefusal } from './refusal.ts';

/**
 * Whether a row counts in a window that fires at `firesAt`, given the watermark of the row's own partition just
 * before it (semantics §4).
 *
 * A row before whose arrival its partition had not fired the window *must* be counted, whatever the other
 * partitions did: the least over partitions cannot have passed. Any other row is late: with one partition whose
 * watermark advances after every row it *must not*; else it *may*, and the truth is refused.
 */
export class Lateness {
  /** Number of (row, window) pairs so far whose row came late. */
  late = 0;
  readonly #decided: boolean;
  readonly #drops: boolean;

  constructor(traits: Traits, partitions: number) {
    this.#drops = traits.mode === 'streaming';
    this.#decided = partitions === 1 && traits.watermarkEmission === 'every-row';
  }

  /** @throws OracleRefusal when the row *may* be counted. */
  counts(watermarkBefore: number, firesAt: number): boolean {
    if (!this.#drops || watermarkBefore < firesAt) return true;
    this.#noteLate();
    return false;
  }

  /**
   * True for a row so early that every session within its reach is still open (§4).
   *
   * @throws OracleRefusal when it is late and what becomes of it is not decided.
   */
  exactInSessions(watermarkBefore: number, at: number, fireEarlyMs: number): boolean {
    if (!this.#drops || watermarkBefore < at - fireEarlyMs) return true;
    this.#noteLate();
    return false;
  }

  #noteLate(): void {
    if (!this.#decided) throw new OracleRefusal('undecided-lateness');
    this.late++;
  }
}
