import type { Case, ScheduleStep } from '../../model/case.ts';
import type { Row } from '../../model/value.ts';
import type { CloseReason } from './change.ts';
import type { Faults } from './faults.ts';
import type { Blueprint, Graph } from './graph.ts';
import { Sink } from './operators/sink.ts';
import type { Source, SourceSnapshot } from './source.ts';

/** A row to be read, with its place in the order of all. */
interface Arrival {
  readonly arrival: number;
  readonly stream: string;
  readonly partition: number;
  readonly row: Row;
}

/** All that a restart continues from. */
interface Checkpoint {
  /** Number of rows read. */
  readonly position: number;
  readonly sources: ReadonlyMap<string, SourceSnapshot>;
  readonly tasks: readonly unknown[];
  /** Lines that the sink had written. */
  readonly lines: number;
}

/**
 * A query that runs over a dataset. Rows are read one by one in the order of their arrival, each going through the
 * whole job before the next: nothing is under way between two rows, which is where checkpoints and restarts happen.
 */
export class Job {
  readonly #case: Case;
  readonly #faults: Faults;
  readonly #blueprint: Blueprint;
  readonly #sink: Sink;
  readonly #arrivals: readonly Arrival[];
  /** The row before which a cancelled job stops. */
  readonly #endPosition: number;
  readonly #enoughLines: number;
  readonly #steps: readonly ScheduleStep[];
  readonly #cancelled: boolean;
  #graph: Graph;
  #position = 0;
  #step = 0;
  #checkpoint: Checkpoint | undefined;
  #ended = false;

  constructor(testCase: Case, blueprint: Blueprint, faults: Faults) {
    const { schedule } = testCase;
    this.#case = testCase;
    this.#faults = faults;
    this.#blueprint = blueprint;
    this.#sink = new Sink(blueprint.sink, faults);
    this.#graph = this.#build();
    this.#arrivals = arrivalsOf(testCase, this.#graph);
    const { stop, steps = [], cancelAfterRows, cancelAfterOutput } = schedule;
    this.#steps = steps;
    this.#cancelled = stop === 'cancel';
    const { length } = this.#arrivals;
    this.#endPosition = this.#cancelled ? Math.min(cancelAfterRows ?? length, length) : length;
    const byOutput = this.#cancelled && cancelAfterRows === undefined;
    this.#enoughLines = byOutput ? (cancelAfterOutput ?? 1) : Number.POSITIVE_INFINITY;
    for (const source of this.#graph.sources.values()) source.start();
  }

  /** Reads up to so many rows. True once the job has ended. @throws RunFailure */
  advance(rows: number): boolean {
    for (let count = 0; count < rows && !this.#ended; count++) this.#next();
    return this.#ended;
  }

  /** What the sink has written. */
  output(): string {
    return this.#sink.text;
  }

  #next(): void {
    const step = this.#steps[this.#step];
    const next = this.#arrivals[this.#position];
    if (this.#cancelled && (this.#position >= this.#endPosition || this.#sink.length >= this.#enoughLines)) {
      this.#end();
    } else if (step !== undefined && (next === undefined || next.arrival > step.after)) {
      this.#step += 1;
      if (step.do === 'checkpoint') this.#checkpoint = this.#snapshot();
      else this.#restart();
    } else if (next === undefined) {
      this.#end();
    } else {
      this.#position += 1;
      this.#graph.sources.get(next.stream)!.read(next.partition, next.row);
    }
  }

  #end(): void {
    this.#ended = true;
    const drained = this.#case.schedule.stop === 'drain';
    const reason: CloseReason = drained ? 'finished' : 'cancelled';
    if (drained) this.#eachSource((source) => source.finish());
    this.#eachSource((source) => source.close(reason));
  }

  #snapshot(): Checkpoint {
    return {
      position: this.#position,
      sources: new Map([...this.#graph.sources].map(([name, source]) => [name, source.snapshot()])),
      tasks: this.#graph.stateful.map((task) => task.snapshot()),
      lines: this.#sink.length,
    };
  }

  #restart(): void {
    this.#graph = this.#build();
    const checkpoint = this.#checkpoint;
    if (checkpoint === undefined) {
      this.#position = 0;
      this.#sink.cutBack(0);
      this.#eachSource((source) => source.start());
      return;
    }
    for (const [name, snapshot] of checkpoint.sources) this.#graph.sources.get(name)!.restore(snapshot);
    for (const [index, task] of this.#graph.stateful.entries()) task.restore(checkpoint.tasks[index]);
    this.#sink.cutBack(checkpoint.lines);
    this.#position = checkpoint.position;
    if (this.#faults.has('source-skips-row-at-restore')) this.#position += 1;
    if (this.#faults.has('source-repeats-row-at-restore')) this.#position = Math.max(0, this.#position - 1);
  }

  #eachSource(visit: (source: Source) => void): void {
    for (const source of this.#graph.sources.values()) visit(source);
  }

  #build(): Graph {
    const { dataset, schedule } = this.#case;
    return this.#blueprint.build(dataset, schedule.parallelism, this.#sink);
  }
}

/** The rows of the streams that are read, in the order of their arrival. */
function arrivalsOf({ dataset }: Case, { sources }: Graph): readonly Arrival[] {
  const arrivals: Arrival[] = [];
  for (const { schema, partitions } of dataset.streams) {
    if (!sources.has(schema.name)) continue;
    const stream = schema.name;
    for (let partition = 0; partition < partitions.length; partition++) {
      for (const { arrival, row } of partitions[partition]!)
        arrivals.push({ arrival, stream, partition, row });
    }
  }
  return arrivals.sort((a, b) => a.arrival - b.arrival);
}
