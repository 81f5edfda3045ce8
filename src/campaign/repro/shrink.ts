import type { Property } from '../../../properties/property.ts';
import type { Case } from '../../model/case.ts';
import type { Diverge, Verdict } from '../../model/verdict.ts';
import { type Budget, type Reduced, reduceCase } from '../../reduce/index.ts';
import type { Finding } from '../corpus/finding.ts';
import { behindRows } from '../fuzz/behind-rows.ts';
import type { Searched } from '../fuzz/known-failure.ts';
import type { Repro } from '../fuzz/repro.ts';
import { kindsOf, signatureOf, signatureText } from '../fuzz/signature.ts';
import { failingPrefix, type Prefix } from './first-divergence.ts';
import { type Relabelled, relabel } from './relabel.ts';
import { differingRows, type ShownVerdict } from './shown.ts';
import { type Established, StillFails } from './still-fails.ts';

/** How often a case is run to say k of n. */
const CONFIRMATIONS = 3;

export interface ShrinkOptions {
  readonly testCase: Case;
  readonly property: Property;
  /** One, or several where their outputs are compared. */
  readonly engines: readonly Searched[];
  readonly findings: readonly Finding[];
  readonly budget: Budget;
  /** Whether the input is cut to its first rows before anything else. */
  readonly firstDivergence: boolean;
  /** Whether the case is to be told under new values; of private data it always is. */
  readonly relabel: boolean;
  readonly found: Repro['found'];
  /** What the rows are now. */
  readonly data: Repro['data'];
  readonly onStep: (doing: string) => void;
  readonly onCandidate: (runs: number, engineSeconds: number) => void;
  readonly signal: AbortSignal;
}

/** What shrinking came to, and what it cost. */
export type Shrunk = ShrinkResult & { readonly runs: number; readonly engineSeconds: number };

type ShrinkResult =
  | {
      readonly kind: 'shrunk';
      readonly repro: Repro;
      readonly reduced: Pick<Reduced, 'stopped' | 'otherFailures'>;
      readonly prefix: Prefix | undefined;
      readonly relabelled: Omit<Relabelled, 'testCase'> | undefined;
    }
  /** The case as it was given does not fail, or could not be judged. */
  | { readonly kind: 'no-longer-fails'; readonly verdict: Verdict }
  /** Under new values it does not fail, or was not tried before all was ended: it is not told. */
  | { readonly kind: 'not-relabelled' };

/**
 * The smallest case found that fails as the given one, as a repro. Ended at any point it is the smallest so far, which
 * has failed when it was run last.
 */
export async function shrink(options: ShrinkOptions): Promise<Shrunk> {
  const { property, engines, findings, signal } = options;
  const still = new StillFails({ property, engines, findings, signal });
  const result = await shrinkWith(still, options);
  return { ...result, runs: still.runs, engineSeconds: still.engineSeconds };
}

async function shrinkWith(still: StillFails, options: ShrinkOptions): Promise<ShrinkResult> {
  const { budget, signal, onStep } = options;
  const isFree = budget.runs === 0 || budget.engineSeconds === 0;
  onStep('run the case as it is');
  const first = await still.establish(options.testCase, isFree ? 1 : CONFIRMATIONS);
  if (first.failed === undefined) return { kind: 'no-longer-fails', verdict: first.verdict };
  let { testCase } = options;
  let prefix: Prefix | undefined;
  if (options.firstDivergence && !isFree) {
    onStep('find the first divergence');
    prefix = await failingPrefix(testCase, (candidate) => still.fails(candidate), signal);
    ({ testCase } = prefix);
  }
  onStep('reduce');
  const reduced = await reduceCase(testCase, {
    stillFails: async (candidate) => {
      const answer = await still.ask(candidate);
      options.onCandidate(still.runs, still.engineSeconds);
      return answer;
    },
    budget,
    signal,
    focus: behindRows(testCase, (still.shownBy(testCase) ?? first.failed).verdict),
    sideBySide: Math.min(...options.engines.map(({ session }) => session.mostAtOnce ?? 1)),
  });
  ({ testCase } = reduced);
  let relabelled: Relabelled | undefined;
  if (options.relabel) {
    onStep('relabel');
    relabelled = await relabel(
      testCase,
      async (candidate) => !signal.aborted && (await still.fails(candidate)),
    );
    if (relabelled === undefined) return { kind: 'not-relabelled' };
    ({ testCase } = relabelled);
  }
  onStep('confirm');
  const failed = await failureOf(still, testCase, { ...first, failed: first.failed });
  return {
    kind: 'shrunk',
    reduced,
    prefix,
    relabelled,
    repro: {
      engine: engineOf(options.engines),
      property: options.property.name,
      signature: await signatureTextOf(failed, options),
      found: options.found,
      data: relabelled === undefined ? options.data : 'relabelled',
      confirmed: failed.confirmed,
      firstDivergence: prefix && {
        rows: prefix.rows,
        of: prefix.of,
        shortest: prefix.shortest,
        versions: [],
      },
      testCase: failed.testCase,
      verdict: failed.verdict,
      shown: failed.shown ?? differingRows(failed.testCase.query.columns, failed.verdict),
    },
  };
}

interface Failed extends ShownVerdict<Diverge> {
  readonly testCase: Case;
  readonly confirmed: Repro['confirmed'];
}

/** What the case showed when it failed last; where it is another than the given one, it is run some more times first. */
async function failureOf(
  still: StillFails,
  testCase: Case,
  first: Established & { readonly failed: ShownVerdict<Diverge> },
): Promise<Failed> {
  if (testCase === first.testCase)
    return { ...first.failed, testCase, confirmed: { k: first.k, n: first.n } };
  let k = 1;
  let n = 1;
  for (; n < CONFIRMATIONS && !still.isEnded; n++) if (await still.fails(testCase)) k += 1;
  const shown = still.shownBy(testCase);
  if (shown !== undefined) return { ...shown, testCase, confirmed: { k, n } };
  // Known by an equal case alone, and there is no more running now: the last one that failed serves as well.
  const last = still.lastFailed ?? first.testCase;
  return { ...(still.shownBy(last) ?? first.failed), testCase: last, confirmed: { k: 1, n: 1 } };
}

/** Costs as many runs as the plan has operators; without them it names none. */
async function signatureTextOf(
  { testCase, verdict }: Failed,
  { property, engines, signal }: ShrinkOptions,
): Promise<string> {
  const { session } = engines.at(-1)!;
  if (!signal.aborted) {
    const signature = await signatureOf(testCase, verdict, property, session, signal);
    if (!signal.aborted) return signatureText(signature);
  }
  return `${session.name}: ${property.name}: ${kindsOf(verdict).join(' + ')}`;
}

function engineOf(engines: readonly Searched[]): Repro['engine'] {
  const sha256 = engines.length === 1 ? engines[0]!.session.sha256 : undefined;
  return {
    name: engines.map(({ name }) => name).join(' and '),
    version: engines.map(({ session }) => session.version).join(' and '),
    ...(sha256 === undefined ? {} : { sha256 }),
  };
}
