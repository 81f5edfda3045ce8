import type { Case } from '../../model/case.ts';
import type { Failed, Outcome } from '../../model/outcome.ts';
import { streamsOf } from '../../model/plan/index.ts';
import type { CheckedQuery } from '../../model/query.ts';
import type { Session } from '../engine.ts';
import { memoryBytes } from '../memory-bytes.ts';
import { type FaultName, type Faults, healthy } from './faults.ts';
import { Blueprint } from './graph.ts';
import { Job } from './job.ts';
import { RunFailure } from './run-failure.ts';
import { specimenTraits } from './traits.ts';

/** What answers to `specimen 1`. */
export const SPECIMEN_VERSION = '1';

/** Rows that are read before an abort is looked for. */
const ROWS_AT_ONCE = 16_384;

/** How to open a specimen. `faults` are switched on, none where absent. */
export interface SpecimenOptions {
  readonly faults?: readonly FaultName[] | undefined;
}

/** A specimen, with nothing to start and nothing to close: it keeps no file and runs in this process. */
export function openSpecimen({ faults = [] }: SpecimenOptions = {}): Session {
  return new SpecimenSession(faults.length === 0 ? healthy : new Set(faults));
}

interface KnownQuery {
  /** Names of streams. */
  readonly reads: readonly string[];
  readonly blueprint: Blueprint;
}

class SpecimenSession implements Session {
  readonly name: string;
  readonly version = SPECIMEN_VERSION;
  readonly traits = specimenTraits;
  readonly #faults: Faults;
  /** A search runs many cases of one query. */
  readonly #known = new WeakMap<CheckedQuery, KnownQuery>();

  constructor(faults: Faults) {
    this.#faults = faults;
    this.name = `specimen ${SPECIMEN_VERSION}${faults.size === 0 ? '' : ` with ${[...faults].join(', ')}`}`;
  }

  async run(testCase: Case, signal: AbortSignal): Promise<Outcome> {
    const { query, dataset, schedule } = testCase;
    if (!this.traits.stops.includes(schedule.stop)) {
      return { kind: 'unsupported', reason: `the specimen has no stop ${schedule.stop}` };
    }
    const { reads, blueprint } = this.#known.get(query) ?? this.#learn(query);
    const missing = reads.find((stream) => !dataset.streams.some(({ schema }) => schema.name === stream));
    if (missing !== undefined) {
      return failed('submit', 'unknown-stream', `the dataset has no stream ${missing}`);
    }
    if (signal.aborted) return aborted();
    const started = performance.now();
    try {
      const job = new Job(testCase, blueprint, this.#faults);
      while (!job.advance(ROWS_AT_ONCE)) {
        await turn();
        if (signal.aborted) return aborted();
      }
      return {
        kind: 'output',
        capture: {
          format: query.output.updating ? 'retract' : 'rows',
          bytes: memoryBytes(job.output()),
        },
        evidence: {
          engine: 'specimen',
          version: this.version,
          sql: '-- the specimen ran the plan of the definition',
          seconds: (performance.now() - started) / 1000,
        },
      };
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      return failed('run', error.code, error.message);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Nothing was opened.
  }

  #learn(query: CheckedQuery): KnownQuery {
    const known = { reads: streamsOf(query.plan), blueprint: new Blueprint(query, this.#faults) };
    this.#known.set(query, known);
    return known;
  }
}

/** Lets others run, among them whoever aborts. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function failed(step: Failed['step'], code: string, message: string): Failed {
  return { kind: 'failed', step, code, message };
}

function aborted(): Failed {
  return failed('run', 'aborted', 'the run was aborted');
}
