import type { SinkNumbers, SinkVerdict } from '../../judge/sinks/sink-verdict.ts';
import { type DeliveryMode, guarantees } from '../../model/history/index.ts';
import { boundOf } from './bound-text.ts';
import { type ModeSummary, type SinkFailure, worstOf } from './sink-summary.ts';

/** The cases of one mode added up. */
export class ModeTally {
  readonly #mode: DeliveryMode;
  readonly #batchSize: number;
  readonly failures: SinkFailure[] = [];
  histories = 0;
  discarded = 0;
  #transactions = 0;
  #messages = 0;
  #chunks = 0;
  #redelivered = 0;
  #redeliveredIn = 0;
  #dup = 0;
  #dupIn = 0;
  #worst = 0;
  #loss = 0;

  constructor(mode: DeliveryMode, batchSize: number) {
    this.#mode = mode;
    this.#batchSize = batchSize;
  }

  /** `file`: where the case was written, if anywhere. */
  add(index: number, verdict: SinkVerdict, file: string | undefined): void {
    this.histories++;
    if (verdict.kind !== 'not-gated') this.#count(verdict.numbers);
    if (verdict.kind !== 'agree')
      this.failures.push({ index, verdict: verdict.kind, problems: problemsOf(verdict), file });
  }

  summary(seconds: number): ModeSummary {
    const mode = this.#mode;
    const { name: guarantee } = guarantees[mode];
    return {
      mode,
      guarantee,
      bound: boundOf(mode, this.#batchSize),
      histories: this.histories,
      discarded: this.discarded,
      transactions: this.#transactions,
      messages: this.#messages,
      chunks: this.#chunks,
      redelivered: this.#redelivered,
      redeliveredIn: this.#redeliveredIn,
      dup: this.#dup,
      dupIn: this.#dupIn,
      worst: this.#worst,
      loss: this.#loss,
      ...this.#verdict(),
      failures: this.failures,
      seconds,
    };
  }

  #verdict(): Pick<ModeSummary, 'verdict' | 'reason'> {
    if (this.histories === 0)
      return { verdict: 'inconclusive', reason: 'no history had what the mode is about' };
    const verdict = worstOf(this.failures.map((failure) => failure.verdict));
    const first = this.failures.find((failure) => failure.verdict === verdict)?.problems[0];
    if (first !== undefined) return { verdict, reason: `${first.kind}: ${first.message}` };
    // A bound that nothing came near was not tried: a ledger that hides duplicates looks the same.
    if (guarantees[this.#mode].name === 'at-least-once' && this.#dup === 0)
      return { verdict: 'inconclusive', reason: 'uncovered: nothing that came again took effect again' };
    return { verdict: 'agree' };
  }

  #count({ transactions, messages, chunks, redelivered, loss, restarts }: SinkNumbers): void {
    this.#transactions += transactions;
    this.#messages += messages;
    this.#chunks += chunks;
    this.#redelivered += redelivered;
    this.#loss += loss;
    if (redelivered > 0) this.#redeliveredIn++;
    const before = this.#dup;
    for (const { dupTransactions, dupSpan, dupMessages, dupChunks } of restarts) {
      // Messages of no transaction may come again in every mode that has them.
      const others = dupChunks + (this.#mode === 'message' ? dupMessages : 0);
      this.#dup += dupTransactions + others;
      this.#worst = Math.max(this.#worst, dupSpan + others);
    }
    if (this.#dup > before) this.#dupIn++;
  }
}

function problemsOf(verdict: Exclude<SinkVerdict, { kind: 'agree' }>): SinkFailure['problems'] {
  if (verdict.kind === 'diverge')
    return verdict.problems.map(({ kind, count, message }) => ({ kind, count, message }));
  const kind = verdict.kind === 'not-gated' ? verdict.code : verdict.reason;
  return [{ kind, count: 1, message: verdict.message }];
}
