import type { CorruptPosition, Difference, DifferenceKind, Verdict } from '../model/verdict.ts';

const KINDS: readonly DifferenceKind[] = ['lost', 'premature', 'altered', 'extra', 'corrupt'];

interface Sample {
  readonly ordinal: number;
  readonly difference: Difference;
}

/** Takes one difference, which may stand for several equal rows. */
export type DifferenceVisitor = (difference: Difference) => void;

/** Counts all differences and keeps the first few of each kind, in whatever order they are found. */
export class Differences {
  private readonly maxSamples: number;
  private readonly onDifference: DifferenceVisitor | undefined;
  private readonly counts: Record<DifferenceKind, number> = {
    lost: 0,
    premature: 0,
    altered: 0,
    extra: 0,
    corrupt: 0,
  };
  private readonly samples = new Map<DifferenceKind, Sample[]>(KINDS.map((kind) => [kind, []]));

  /** `onDifference` is called with each difference that is offered as a sample, be it kept or not. */
  constructor(maxSamples: number, onDifference?: DifferenceVisitor) {
    this.maxSamples = maxSamples;
    this.onDifference = onDifference;
  }

  /** Counts `rows` rows that differ in one way. */
  count(kind: DifferenceKind, rows: number): void {
    this.counts[kind] += rows;
  }

  /**
   * Offers a sample. `ordinal` orders those of a kind; `make` is called only if it is among the first few, or somebody
   * is told of them all.
   */
  sample(kind: DifferenceKind, ordinal: number, make: () => Difference): void {
    if (this.onDifference !== undefined) {
      const difference = make();
      this.onDifference(difference);
      make = () => difference;
    }
    const samples = this.samples.get(kind)!;
    if (samples.length >= this.maxSamples) {
      const last = samples.at(-1);
      if (last === undefined || last.ordinal <= ordinal) return;
      samples.pop();
    }
    const at = samples.findLastIndex((sample) => sample.ordinal <= ordinal) + 1;
    samples.splice(at, 0, { ordinal, difference: make() });
  }

  corrupt(position: CorruptPosition): void {
    this.count('corrupt', 1);
    this.sample('corrupt', position.line, () => ({ kind: 'corrupt', count: 1, position }));
  }

  /** The judgement once all has been read; each side's number of rows (or live keys) without corrupt lines. */
  verdict(expectedRows: number, actualRows: number): Verdict {
    if (KINDS.some((kind) => this.counts[kind] > 0)) {
      const samples = KINDS.flatMap((kind) => this.samples.get(kind)!.map((sample) => sample.difference));
      return { kind: 'diverge', counts: { ...this.counts }, samples };
    }
    if (expectedRows === 0 && actualRows === 0) {
      return { kind: 'inconclusive', reason: 'both-empty', message: 'neither side has a row' };
    }
    return { kind: 'agree', rows: expectedRows };
  }
}
