import { bounded } from '../../streams/bounded.ts';
import { Interruption } from './interruption.ts';
import type { LeakSearch } from './leaks.ts';
import { RelayError } from './relay-error.ts';

/** A sink takes no more deliveries. `reason`: what it gave, or `failed` and the error that it threw, if that holds no value. */
export class Halted extends Error {
  override readonly name = 'Halted';
  readonly reason: string;

  constructor(reason: string) {
    super('the sink takes no more deliveries');
    this.reason = reason;
  }
}

const TOLD_CHARACTERS = 200;

export interface CallBounds {
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Calls a sink within bounds, and searches what it throws for values. */
export class SinkCalls {
  readonly #bounds: CallBounds;
  readonly #search: LeakSearch;
  /** Where a value was found: the method whose error held it, or `log`. */
  readonly leaks: string[] = [];

  constructor(bounds: CallBounds, search: LeakSearch) {
    this.#bounds = bounds;
    this.#search = search;
  }

  /** A delivery. @throws Halted for whatever the sink throws but what the kit threw into it, RelayError `sink-timeout` */
  async deliver<T>(method: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#bounded(method, work);
    } catch (error) {
      if (error instanceof Interruption || error instanceof RelayError || this.#bounds.signal.aborted)
        throw error;
      const said = this.#look(method, error);
      const { name, reason } = Object(error) as { name?: unknown; reason?: unknown };
      throw new Halted(name === 'SinkHalt' && isPlain(reason) ? reason : `failed in ${method}${said}`);
    }
  }

  /** What is no delivery. @throws RelayError `sink-unusable`, `sink-timeout` */
  async use<T>(method: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#bounded(method, work);
    } catch (error) {
      if (error instanceof RelayError || this.#bounds.signal.aborted) throw error;
      throw new RelayError('sink-unusable', `the sink's ${method} failed${this.#look(method, error)}`);
    }
  }

  /** A line that a sink logs. */
  log(line: string): void {
    if (this.#search.isIn(line)) this.leaks.push('log');
  }

  /** Notes values in what the sink threw, and tells it where it holds none. */
  #look(method: string, error: unknown): string {
    if (textsOf(error).some((text) => this.#search.isIn(text))) {
      this.leaks.push(method);
      return ', and its error holds values';
    }
    const [line = ''] = `${error}`.split('\n');
    return `: ${line.slice(0, TOLD_CHARACTERS)}`;
  }

  #bounded<T>(method: string, work: () => Promise<T>): Promise<T> {
    const { limitMs, signal } = this.#bounds;
    const atLimit = () => new RelayError('sink-timeout', `the sink's ${method} took more than ${limitMs} ms`);
    return bounded(
      work(),
      { limitMs, signal, atLimit },
      () => new Error('ended before it was done, as asked'),
    );
  }
}

/** Everything a log would print of an error, its causes too. */
function textsOf(error: unknown, depth = 0): readonly string[] {
  if (depth > 5 || error === null || error === undefined) return [];
  if (typeof error !== 'object') return [String(error)];
  const { message, stack, cause } = error as { message?: unknown; stack?: unknown; cause?: unknown };
  const own = Object.values(error).filter((value) => typeof value === 'string');
  return [`${message ?? ''}`, `${stack ?? ''}`, ...own, ...textsOf(cause, depth + 1)];
}

function isPlain(reason: unknown): reason is string {
  return typeof reason === 'string' && /^[a-z-]{1,32}$/.test(reason);
}
