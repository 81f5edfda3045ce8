import { setImmediate as turn } from 'node:timers/promises';
import type { Property } from '../../../properties/property.ts';
import { sessionsAgree } from '../../../properties/sessions-agree.ts';
import type { Session } from '../../engines/engine.ts';
import type { Case } from '../../model/case.ts';
import { rowsOf } from '../../model/dataset.ts';
import { streamsOf } from '../../model/plan/index.ts';
import type { Diverge } from '../../model/verdict.ts';
import { type Budget, caseKey, reduceCase } from '../../reduce/index.ts';
import type { Finding } from '../corpus/finding.ts';
import { StillFails } from '../repro/still-fails.ts';
import { behindRows } from './behind-rows.ts';
import { CasesByIndex, type SearchSpace } from './case-of-index.ts';
import { isKnown, type Searched } from './known-failure.ts';
import { type FailureSignature, signatureOf, signatureText } from './signature.ts';
import { PropertyTally } from './tallies.ts';

export interface SearchOptions extends SearchSpace {
  readonly engines: readonly Searched[];
  /** Indexes from `index` on in steps of `of`. */
  readonly shard: { readonly index: number; readonly of: number };
  /** Cases of all shards together; without end where absent. */
  readonly cases?: number | undefined;
  /** Asked before each case. */
  readonly goesOn: () => boolean;
  readonly findings: readonly Finding[];
  /** How often a failing case is run in all, to say k of n; default 3. */
  readonly confirmations?: number | undefined;
  /** What the reduction of one failing case may spend; default 300 runs and a minute of the engine's time. */
  readonly reduction?: Budget | undefined;
  /** Takes each distinct failure when it is found. */
  readonly onFailure: (failure: FoundFailure) => Promise<void>;
  readonly onCase?: ((index: number, failures: number) => void) | undefined;
  readonly signal: AbortSignal;
}

/** A failure that is like none before it, with its case reduced to what it takes. */
export interface FoundFailure {
  readonly index: number;
  /** Of the case as it is kept. */
  readonly signature: FailureSignature;
  /** Of cases as they were drawn, by the first of each: several where they came to the same case. */
  readonly drawnAs: readonly FailureSignature[];
  readonly property: Property;
  readonly engine: Searched;
  readonly testCase: Case;
  readonly verdict: Diverge;
  readonly confirmed: { readonly k: number; readonly n: number };
  readonly rows: { readonly drawn: number; readonly kept: number };
}

export interface Searching {
  /** How many cases were run. */
  readonly cases: number;
  readonly tallies: readonly PropertyTally[];
  readonly failures: readonly (FoundFailure & { readonly cases: number })[];
}

const CONFIRMATIONS = 3;
const REDUCTION: Budget = { runs: 300, engineSeconds: 60 };

/** Cases are computed without a pause: now and then whoever wants to interrupt gets a turn. */
const CASES_BETWEEN_TURNS = 32;

/** Runs the cases of a shard one after another, and keeps each failure that is like none before it. */
export async function search(options: SearchOptions): Promise<Searching> {
  const { shard, engines, signal } = options;
  const drawn = new CasesByIndex(options);
  const found = new Failures(options);
  let cases = 0;
  for (let index = shard.index; index < (options.cases ?? Number.POSITIVE_INFINITY); index += shard.of) {
    if (cases % CASES_BETWEEN_TURNS === 0) await turn();
    if (signal.aborted || !options.goesOn()) break;
    cases += 1;
    const joint = drawn.jointly(
      index,
      engines.map(({ session }) => session.traits),
    );
    if (joint !== undefined) {
      await found.check(
        index,
        joint,
        sessionsAgree,
        engines.at(-1)!,
        engines.map(({ session }) => session),
      );
    } else {
      for (const engine of engines) {
        const { testCase, property } = drawn.at(index, engine.session.traits);
        if (property !== undefined) await found.check(index, testCase, property, engine, [engine.session]);
      }
    }
    options.onCase?.(index, found.failures.length);
  }
  return { cases, tallies: found.tallies, failures: found.failures };
}

interface KeptFailure extends FoundFailure {
  readonly drawnAs: FailureSignature[];
  cases: number;
}

class Failures {
  readonly #options: SearchOptions;
  readonly #tallies = new Map<string, PropertyTally>();
  readonly #failures: KeptFailure[] = [];
  /** By the signatures of the cases that were drawn. */
  readonly #drawnAs = new Map<string, KeptFailure>();

  constructor(options: SearchOptions) {
    this.#options = options;
    for (const { name } of options.engines) {
      for (const property of options.properties) {
        if (property !== sessionsAgree) this.#tallyOf(property, name);
      }
    }
  }

  get tallies(): readonly PropertyTally[] {
    return [...this.#tallies.values()];
  }

  get failures(): readonly (FoundFailure & { readonly cases: number })[] {
    return this.#failures;
  }

  async check(
    index: number,
    testCase: Case,
    property: Property,
    engine: Searched,
    sessions: readonly Session[],
  ): Promise<void> {
    const { findings, signal } = this.#options;
    const verdict = await property.check(testCase, sessions, signal);
    if (signal.aborted) return;
    const tally = this.#tallyOf(property, property === sessionsAgree ? 'all' : engine.name);
    if (verdict.kind !== 'diverge') {
      tally.count(testCase, verdict);
      return;
    }
    if (await isKnown(testCase, verdict, property, engine, findings, signal)) {
      tally.diverged(testCase, 'known');
      return;
    }
    tally.diverged(testCase, 'failed');
    const signature = await signatureOf(testCase, verdict, property, engine.session, signal);
    const before = this.#drawnAs.get(signatureText(signature));
    if (before !== undefined) before.cases += 1;
    else await this.#keep({ index, testCase, verdict, property, engine }, signature);
  }

  async #keep(
    failure: Omit<FoundFailure, 'signature' | 'drawnAs' | 'confirmed' | 'rows'>,
    drawnAs: FailureSignature,
  ): Promise<void> {
    const { property, engine, testCase } = failure;
    const { engines, findings, signal } = this.#options;
    const { confirmations = CONFIRMATIONS, reduction = REDUCTION } = this.#options;
    const compared = property === sessionsAgree ? engines : [engine];
    const still = new StillFails({ property, engines: compared, findings, signal });
    const { k, n } = await still.establish(testCase, confirmations, failure.verdict);
    const reduced = await reduceCase(testCase, {
      stillFails: (candidate) => still.ask(candidate),
      budget: reduction,
      signal,
      focus: behindRows(testCase, failure.verdict),
      sideBySide: Math.min(...compared.map(({ session }) => session.mostAtOnce ?? 1)),
    });
    const same = this.#failures.find(
      (other) =>
        other.property === property &&
        other.engine === engine &&
        caseKey(other.testCase) === caseKey(reduced.testCase),
    );
    if (same !== undefined) {
      same.cases += 1;
      same.drawnAs.push(drawnAs);
      this.#drawnAs.set(signatureText(drawnAs), same);
      return;
    }
    const verdict = still.shownBy(reduced.testCase)?.verdict ?? failure.verdict;
    const signature = await signatureOf(reduced.testCase, verdict, property, engine.session, signal);
    const reads = streamsOf(testCase.query.plan);
    const kept: KeptFailure = {
      ...failure,
      // Cut short, the parts of its plan are not all known.
      signature: signal.aborted ? drawnAs : signature,
      drawnAs: [drawnAs],
      testCase: reduced.testCase,
      verdict,
      confirmed: { k, n },
      rows: {
        drawn: rowsOf(testCase.dataset, reads),
        kept: rowsOf(reduced.testCase.dataset, streamsOf(reduced.testCase.query.plan)),
      },
      cases: 1,
    };
    this.#failures.push(kept);
    this.#drawnAs.set(signatureText(drawnAs), kept);
    await this.#options.onFailure(kept);
  }

  #tallyOf(property: Property, engine: string): PropertyTally {
    const key = `${property.name} ${engine}`;
    let tally = this.#tallies.get(key);
    if (tally === undefined) {
      tally = new PropertyTally(property, engine);
      this.#tallies.set(key, tally);
    }
    return tally;
  }
}
