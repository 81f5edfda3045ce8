/** Wall and CPU seconds of this process, added up by step. For evidence only: nothing is decided by it. */
export class StepClock {
  readonly #steps = new Map<string, { seconds: number; cpuSeconds: number }>();

  /** Goes on from these sums. */
  constructor(steps: StepClock['steps'] = {}) {
    for (const [step, sums] of Object.entries(steps)) this.#steps.set(step, { ...sums });
  }

  async time<T>(step: string, work: () => Promise<T>): Promise<T> {
    const stop = this.#start(step);
    try {
      return await work();
    } finally {
      stop();
    }
  }

  timeSync<T>(step: string, work: () => T): T {
    const stop = this.#start(step);
    try {
      return work();
    } finally {
      stop();
    }
  }

  /** The sums so far. */
  get steps(): Record<string, { seconds: number; cpuSeconds: number }> {
    return Object.fromEntries([...this.#steps].map(([step, sums]) => [step, { ...sums }]));
  }

  #start(step: string): () => void {
    const wall = performance.now();
    const cpu = process.cpuUsage();
    return () => {
      const { user, system } = process.cpuUsage(cpu);
      const sums = this.#steps.get(step) ?? { seconds: 0, cpuSeconds: 0 };
      sums.seconds += (performance.now() - wall) / 1000;
      sums.cpuSeconds += (user + system) / 1e6;
      this.#steps.set(step, sums);
    };
  }
}
