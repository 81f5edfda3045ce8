import { OracleRefusal } from '../../oracles/refusal.ts';
import { type Truth, truth } from '../../oracles/truth.ts';
import { truthFor, untilOf } from '../../properties/agrees-with-truth.ts';
import { RowBag } from '../judge/row-bag.ts';
import type { Case } from '../model/case.ts';
import { hasWindow } from '../model/plan/index.ts';
import type { Traits } from '../model/traits.ts';
import type { Row } from '../model/value.ts';
import type { StepClock } from './step-clock.ts';

/** Rows that only one of two engines may show; each is held to its own truth. */
export interface TruthGap {
  readonly onlyFirst: readonly Row[];
  readonly onlySecond: readonly Row[];
}

/**
 * The truth of one case under the traits of each engine, computed once where it is the same: a drained truth depends
 * on traits only through what is late and through how sessions touch (semantics §5).
 */
export class Truths {
  readonly #testCase: Case;
  readonly #clock: StepClock;
  readonly #engines: readonly Traits[];
  readonly #known = new Map<Traits, Truth | OracleRefusal>();
  readonly #drainedBy = new Map<Traits, Truth>();

  /** `engines`: the traits of all engines that take part. */
  constructor(testCase: Case, clock: StepClock, engines: readonly Traits[]) {
    this.#testCase = testCase;
    this.#clock = clock;
    this.#engines = engines;
  }

  /** What an engine of these traits is held to, or why it is held to nothing. */
  for(traits: Traits): Truth | OracleRefusal {
    let known = this.#known.get(traits);
    if (known === undefined) {
      known =
        this.#sameAsAnother(traits) ?? this.#clock.timeSync('truth', () => truthFor(this.#testCase, traits));
      this.#known.set(traits, known);
    }
    return known;
  }

  /** All that an engine of these traits would have given in the end. @throws OracleRefusal */
  drained(traits: Traits): Truth {
    if (this.#drained) {
      const own = this.for(traits);
      if (own instanceof OracleRefusal) throw own;
      return own;
    }
    let known = this.#drainedBy.get(traits);
    if (known === undefined) {
      const { query, dataset } = this.#testCase;
      known = this.#drainedByAnother(traits);
      known ??= this.#clock.timeSync('truth', () => truth(query, dataset, 'drained', traits));
      this.#drainedBy.set(traits, known);
    }
    return known;
  }

  /** True rows that a settled run must not show yet; only append rows have a fire point that tells. */
  beyond(traits: Traits): readonly Row[] {
    const { query } = this.#testCase;
    const settled = this.for(traits);
    if (query.output.updating || !hasWindow(query.plan) || this.#drained || settled instanceof OracleRefusal)
      return [];
    const drained = this.drained(traits);
    const due = settled.watermark + traits.fireEarlyMs.window;
    return drained.rows.filter((_, index) => drained.firePoints[index]! > due);
  }

  /**
   * Where two engines' truths differ by their traits (semantics §7, Pairs); undefined where there is no telling: a
   * truth was refused, or both differ on one key of a final state.
   */
  gap(a: Traits, b: Traits): TruthGap | undefined {
    const [first, second] = [this.for(a), this.for(b)];
    if (first instanceof OracleRefusal || second instanceof OracleRefusal) return undefined;
    const sameRows = this.#onTime(first) && this.#onTime(second) && a.sessionTouching === b.sessionTouching;
    if (first === second || sameRows) return { onlyFirst: [], onlySecond: [] };
    const gap = { onlyFirst: without(first.rows, second.rows), onlySecond: without(second.rows, first.rows) };
    const { updating } = this.#testCase.query.output;
    const keys = this.#keyPositions();
    const keyOf = (row: Row) => keys.map((index) => row[index]!);
    const shared = new RowBag(gap.onlyFirst.map(keyOf));
    return updating && gap.onlySecond.some((row) => shared.take(keyOf(row))) ? undefined : gap;
  }

  /** Rows of the truth, once one was computed. */
  get rows(): number | undefined {
    for (const known of this.#known.values()) if (!(known instanceof OracleRefusal)) return known.rows.length;
    return undefined;
  }

  #keyPositions(): readonly number[] {
    const { columns, definition } = this.#testCase.query;
    return definition.declaration.keys.map((key) => columns.findIndex(({ name }) => name === key));
  }

  /** A batch engine drops nothing: where a streaming engine finds nothing late either, its truth serves both. */
  #sameAsAnother(traits: Traits): Truth | undefined {
    if (traits.mode !== 'batch' || !this.#drained) return undefined;
    for (const other of this.#engines) {
      if (other.mode === 'batch' || other.sessionTouching !== traits.sessionTouching) continue;
      const known = this.for(other);
      if (this.#onTime(known)) return known;
    }
    return undefined;
  }

  /** Where an engine that fires no later than this one finds no row late, this one finds none either. */
  #drainedByAnother(traits: Traits): Truth | undefined {
    const ahead = ({ fireEarlyMs, watermarkDelayMs }: Traits) => fireEarlyMs.window - watermarkDelayMs;
    const found = [...this.#drainedBy].find(
      ([other, { late }]) =>
        late === 0 &&
        other.mode === traits.mode &&
        other.watermarkScope === traits.watermarkScope &&
        other.watermarkEmission === traits.watermarkEmission &&
        other.sessionTouching === traits.sessionTouching &&
        ahead(other) >= ahead(traits),
    );
    return found?.[1];
  }

  #onTime(known: Truth | OracleRefusal): known is Truth {
    return this.#drained && !(known instanceof OracleRefusal) && known.late === 0;
  }

  get #drained(): boolean {
    return untilOf(this.#testCase.schedule.stop) === 'drained';
  }
}

function without(rows: readonly Row[], others: readonly Row[]): Row[] {
  const bag = new RowBag(others);
  return rows.filter((row) => !bag.take(row));
}
