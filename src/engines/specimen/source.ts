import type { StreamData } from '../../model/dataset.ts';
import type { Row, Value } from '../../model/value.ts';
import { type CloseReason, INSERT, type Receiver } from './change.ts';
import type { Faults } from './faults.ts';
import { throughDouble, type Whole } from './values/integers.ts';

/** Rows after which, under the fault, a batch is full. */
const BATCH_ROWS = 32;

/** What a checkpoint holds of a source, besides its position. */
export interface SourceSnapshot {
  readonly partitions: readonly number[];
  readonly rows: readonly number[];
}

/**
 * Reads a stream: partition p by subtask p % parallelism. After every row a partition's watermark is the greatest time
 * so far less the lag, and a subtask's is the least over its partitions (semantics §2). A subtask that owns no
 * partition has nothing to wait for.
 */
export class Source {
  readonly #stream: StreamData;
  readonly #lagMs: number;
  readonly #parallelism: number;
  /** For each scan of the stream, the input behind each subtask. */
  readonly #scans: readonly (readonly Receiver[])[];
  readonly #timePosition: number;
  readonly #faults: Faults;
  readonly #losesFullBatch: boolean;
  readonly #leavesOutEmpty: boolean;
  readonly #takesGreatest: boolean;
  readonly #misread: ((row: Row) => Row) | undefined;
  #partitions: number[];
  #subtasks: number[];
  /** Rows that each subtask has read. */
  #rows: number[];

  constructor(
    stream: StreamData,
    lagMs: number,
    scans: readonly (readonly Receiver[])[],
    parallelism: number,
    faults: Faults,
  ) {
    this.#stream = stream;
    this.#lagMs = lagMs + (faults.has('watermark-one-ms-behind') ? 1 : 0);
    this.#parallelism = parallelism;
    this.#scans = scans;
    const { columns, eventTime } = stream.schema;
    this.#timePosition = columns.findIndex(({ name }) => name === eventTime);
    this.#faults = faults;
    this.#losesFullBatch = faults.has('batch-loses-last-row');
    this.#leavesOutEmpty = faults.has('empty-partition-is-idle');
    this.#takesGreatest = faults.has('watermark-of-greatest-partition');
    this.#misread = misreading(stream, faults);
    this.#partitions = stream.partitions.map(() => Number.NEGATIVE_INFINITY);
    this.#subtasks = new Array(parallelism).fill(Number.NEGATIVE_INFINITY);
    this.#rows = new Array(parallelism).fill(0);
  }

  /** Before the first row. */
  start(): void {
    if (this.#faults.has('idle-subtask-holds')) return;
    for (let subtask = this.#partitions.length; subtask < this.#parallelism; subtask++) {
      this.#send(subtask, Number.POSITIVE_INFINITY);
    }
  }

  /** The next row of a partition. */
  read(partition: number, row: Row): void {
    const subtask = partition % this.#parallelism;
    this.#rows[subtask]! += 1;
    const lost = this.#losesFullBatch && this.#rows[subtask]! % BATCH_ROWS === 0;
    if (!lost) {
      const given = this.#misread === undefined ? row : this.#misread(row);
      for (const scan of this.#scans) scan[subtask]!.change(INSERT, given);
    }
    const watermark = (row[this.#timePosition] as number) - this.#lagMs;
    if (watermark <= this.#partitions[partition]!) return;
    this.#partitions[partition] = watermark;
    this.#advance(subtask);
  }

  /** No partition has another row. */
  finish(): void {
    const waits = this.#faults.has('empty-partition-holds-the-end');
    this.#partitions = this.#partitions.map((_, partition) =>
      waits && this.#stream.partitions[partition]!.length === 0
        ? Number.NEGATIVE_INFINITY
        : Number.POSITIVE_INFINITY,
    );
    for (let subtask = 0; subtask < this.#parallelism; subtask++) this.#advance(subtask);
  }

  close(reason: CloseReason): void {
    for (const scan of this.#scans) for (const out of scan) out.close(reason);
  }

  snapshot(): SourceSnapshot {
    return { partitions: [...this.#partitions], rows: [...this.#rows] };
  }

  /** The tasks behind have restored what they knew of the subtasks' watermarks themselves. */
  restore({ partitions, rows }: SourceSnapshot): void {
    this.#partitions = [...partitions];
    this.#rows = [...rows];
    this.#subtasks = this.#subtasks.map((_, subtask) => this.#watermarkOf(subtask));
  }

  #advance(subtask: number): void {
    const watermark = this.#watermarkOf(subtask);
    if (watermark > this.#subtasks[subtask]!) this.#send(subtask, watermark);
  }

  #send(subtask: number, watermark: number): void {
    this.#subtasks[subtask] = watermark;
    for (const scan of this.#scans) scan[subtask]!.watermark(watermark);
  }

  #watermarkOf(subtask: number): number {
    let least = Number.POSITIVE_INFINITY;
    let greatest = Number.NEGATIVE_INFINITY;
    for (let partition = subtask; partition < this.#partitions.length; partition += this.#parallelism) {
      const watermark = this.#partitions[partition]!;
      greatest = Math.max(greatest, watermark);
      if (this.#leavesOutEmpty && watermark === Number.NEGATIVE_INFINITY) continue;
      least = Math.min(least, watermark);
    }
    if (this.#takesGreatest && greatest !== Number.NEGATIVE_INFINITY) return greatest;
    return least;
  }
}

/** How rows are misread under the faults of reading; undefined where they are not. */
function misreading({ schema }: StreamData, faults: Faults): ((row: Row) => Row) | undefined {
  const emptyIsNull = faults.has('empty-string-is-null');
  const rounds = faults.has('bigint-read-as-double');
  if (!emptyIsNull && !rounds) return undefined;
  return (row) =>
    row.map((value, position): Value => {
      const { type, nullable } = schema.columns[position]!;
      if (emptyIsNull && value === '' && nullable) return null;
      return rounds && type === 'BIGINT' && value !== null ? throughDouble(value as Whole) : value;
    });
}
