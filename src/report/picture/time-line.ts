import { partitionWatermark } from '../../../oracles/watermark.ts';
import type { Case, ScheduleStep } from '../../model/case.ts';
import { streamsOf } from '../../model/plan/index.ts';
import { columnIndex, type StreamSchema } from '../../model/schema.ts';
import type { Traits } from '../../model/traits.ts';
import type { Row } from '../../model/value.ts';

/** One row as it arrives: where, at which event time, and what the watermark is once it was read (semantics §2). */
export interface ArrivedRow {
  readonly kind: 'row';
  readonly arrival: number;
  readonly schema: StreamSchema;
  readonly partition: number;
  readonly row: Row;
  /** Event time, epoch ms. */
  readonly at: number;
  /** Whether it is at or behind the watermark of its partition when it comes. */
  readonly isLate: boolean;
  /** The least over all streams that the plan reads; −∞ until each partition had a row. */
  readonly watermark: number;
}

export type Happening = ArrivedRow | { readonly kind: 'step'; readonly step: ScheduleStep };

/** What happens to a job, in its order: rows that arrive, and what the schedule does between them. */
export function happenings({ query, dataset, schedule }: Case, traits: Traits): readonly Happening[] {
  const reads = streamsOf(query.plan);
  const streams = dataset.streams.filter(({ schema }) => reads.includes(schema.name));
  const watermarks = new Watermarks(
    streams.map(({ partitions }) => (traits.watermarkScope === 'partition' ? partitions.length : 1)),
    (greatest) => partitionWatermark(greatest, dataset.lagMs, traits),
  );
  const events = streams
    .flatMap(({ schema, partitions }, stream) =>
      partitions.flatMap((rows, partition) => rows.map((event) => ({ stream, schema, partition, ...event }))),
    )
    .sort((a, b) => a.arrival - b.arrival);
  const steps = [...(schedule.steps ?? [])];
  const all: Happening[] = [];
  const takeSteps = (before: number) => {
    while (steps.length > 0 && steps[0]!.after < before) all.push({ kind: 'step', step: steps.shift()! });
  };
  for (const { stream, schema, partition, arrival, row } of events) {
    takeSteps(arrival);
    const at = row[columnIndex(schema.columns, schema.eventTime)] as number;
    const own = traits.watermarkScope === 'partition' ? partition : 0;
    const isLate = at <= watermarks.of(stream, own);
    watermarks.advance(stream, own, at);
    all.push({ kind: 'row', arrival, schema, partition, row, at, isLate, watermark: watermarks.least });
  }
  takeSteps(Number.POSITIVE_INFINITY);
  return all;
}

/** The greatest event times so far of each stream's partitions, and the watermarks that follow. */
class Watermarks {
  readonly #greatest: readonly number[][];
  readonly #watermarkOf: (greatest: number) => number;

  constructor(partitions: readonly number[], watermarkOf: (greatest: number) => number) {
    this.#greatest = partitions.map((count) => new Array<number>(count).fill(Number.NEGATIVE_INFINITY));
    this.#watermarkOf = watermarkOf;
  }

  of(stream: number, partition: number): number {
    return this.#watermarkOf(this.#greatest[stream]![partition]!);
  }

  advance(stream: number, partition: number, at: number): void {
    const greatest = this.#greatest[stream]!;
    greatest[partition] = Math.max(greatest[partition]!, at);
  }

  get least(): number {
    return this.#watermarkOf(Math.min(...this.#greatest.flat()));
  }
}
