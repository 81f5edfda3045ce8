import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  compareTraits,
  measureTraits,
  type Readings,
  type TraitResult,
} from '../../src/campaign/probe/index.ts';
import { clink } from '../../src/engines/clink/engine.ts';
import { duckdb } from '../../src/engines/duckdb/engine.ts';
import type { Session } from '../../src/engines/engine.ts';
import type { Outcome } from '../../src/model/outcome.ts';
import { neutralTraits, type Traits } from '../../src/model/traits.ts';
import { clinkRuns, clinkTitle, never, temporaryDirectory } from '../engines/cases.ts';
import { alterations } from './altered-traits.ts';

/** The session, saying other things of itself. */
const declaring = (session: Session, traits: Traits): Session => ({
  name: session.name,
  version: session.version,
  traits,
  run: (testCase, signal) => session.run(testCase, signal),
  [Symbol.asyncDispose]: async () => {},
});

async function probe(session: Session): Promise<readonly TraitResult[]> {
  return compareTraits(await measureTraits(session, never), session.traits);
}

const ofVerdict = (results: readonly TraitResult[], wanted: TraitResult['verdict']) =>
  results.filter(({ verdict }) => verdict === wanted);
const namesOf = (results: readonly TraitResult[]) => results.map(({ trait }) => trait);

const AHEAD = 'fireEarlyMs.window − watermarkDelayMs';
const ofWatermarks = [AHEAD, 'watermarkScope', 'watermarkEmission', 'subtaskWithoutPartition'];

const files = [
  { engine: duckdb, title: 'duckdb', runs: true, meaningless: ofWatermarks },
  { engine: clink, title: clinkTitle, runs: clinkRuns, meaningless: ['subtaskWithoutPartition'] },
];

describe.each(files)('the traits of $title over files', ({ engine, runs, meaningless }) => {
  describe.skipIf(!runs)('measured by tiny streams', () => {
    const directory = temporaryDirectory();
    let session: Session;
    let readings: Readings;
    beforeAll(async () => {
      session = await engine.open({ directory: directory.path, signal: never });
      readings = await measureTraits(session, never);
    });
    afterAll(async () => {
      await session?.[Symbol.asyncDispose]();
      directory.remove();
    });

    it('are as declared', () => {
      const results = compareTraits(readings, session.traits);
      expect(ofVerdict(results, 'differs')).toEqual([]);
      expect(ofVerdict(results, 'unmeasured')).toEqual([]);
      expect(namesOf(ofVerdict(results, 'without-meaning'))).toEqual(meaningless);
    });

    const altered = alterations(engine.traits!.files!).filter(({ trait }) => !meaningless.includes(trait));
    it.each(altered)('names $trait where it is declared otherwise ($what)', ({ trait, traits }) => {
      const differing = ofVerdict(compareTraits(readings, traits), 'differs');
      expect(namesOf(differing)).toEqual([trait]);
      expect(differing[0]!.declared).not.toBe(differing[0]!.measured);
    });

    it('are the same whatever the session says of itself', async () => {
      const silent = { ...neutralTraits, stops: [], transports: [] };
      expect(await measureTraits(declaring(session, silent), never)).toEqual(readings);
    });
  });
});

describe('what cannot be measured', () => {
  const answering = (outcome: Outcome): Session => ({
    name: 'other 1',
    version: '1',
    traits: duckdb.traits!.files!,
    run: async () => outcome,
    [Symbol.asyncDispose]: async () => {},
  });

  it('is told with the step that failed', async () => {
    const failed = { kind: 'failed', step: 'run', code: 'engine-error', message: 'it fell over' } as const;
    const results = await probe(answering(failed));
    expect(ofVerdict(results, 'unmeasured')).toHaveLength(results.length);
    for (const { how } of results) expect(how).toContain('(run, engine-error): it fell over');
  });

  it('is told with the reason why the engine does not run it', async () => {
    const results = await probe(answering({ kind: 'unsupported', reason: 'the operator scan' }));
    expect(results.find(({ trait }) => trait === 'stops')).toMatchObject({
      measured: '',
      verdict: 'differs',
    });
    expect(ofVerdict(results, 'unmeasured')).toHaveLength(results.length - 1);
  });

  it('is told with the line that is no row', async () => {
    const line = new TextEncoder().encode('{"window_start":0\n');
    const bytes = {
      open: async function* () {
        yield line;
      },
    };
    const evidence = { engine: 'other', version: '1', sql: '', seconds: 0 };
    const results = await probe(answering({ kind: 'output', capture: { format: 'rows', bytes }, evidence }));
    expect(results[0]).toMatchObject({
      verdict: 'unmeasured',
      how: expect.stringMatching(/line 1 of the output is no row/),
    });
  });

  it('ends where it is aborted', async () => {
    const abort = new AbortController();
    abort.abort();
    const failed = { kind: 'failed', step: 'run', code: 'aborted', message: 'the run was aborted' } as const;
    await expect(measureTraits(answering(failed), abort.signal)).rejects.toThrow(/abort/);
  });
});
