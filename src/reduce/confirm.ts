/** What repeated runs of one candidate came to. */
export interface Confirmation {
  /** Whether it fails as often as was said, with the confidence that was asked for. */
  readonly fails: boolean;
  /** Runs that failed, of so many. */
  readonly k: number;
  readonly n: number;
}

export interface ConfirmOptions {
  /** Share of runs in which the original failed, above 0 and at most 1. */
  readonly rate: number;
  /** Of the answer, below 1. */
  readonly confidence: number;
  /** Runs at most. */
  readonly most: number;
}

/**
 * A candidate that fails in less than this share of the original's rate is not worth being kept: each run that shows it
 * would cost that much more.
 */
const WORTHLESS = 0.2;

/**
 * Runs a candidate until it is known whether it fails about as often as the original: Wald's sequential test (1945) of
 * the rate against a fifth of it, both errors at most `1 - confidence`. What `most` runs leave open does not fail.
 *
 * Only what failed at least once is said to fail. Where the original failed every time, one run decides.
 */
export async function confirm(
  run: () => Promise<boolean>,
  { rate, confidence, most }: ConfirmOptions,
): Promise<Confirmation> {
  if (rate >= 1) {
    const fails = most > 0 && (await run());
    return { fails, k: fails ? 1 : 0, n: Math.min(1, most) };
  }
  const low = rate * WORTHLESS;
  const error = 1 - confidence;
  const accept = Math.log((1 - error) / error);
  let evidence = 0;
  let k = 0;
  for (let n = 1; n <= most; n++) {
    if (await run()) {
      k += 1;
      evidence += Math.log(rate / low);
    } else evidence += Math.log((1 - rate) / (1 - low));
    if (evidence >= accept) return { fails: true, k, n };
    if (evidence <= -accept) return { fails: false, k, n };
  }
  return { fails: false, k, n: most };
}
