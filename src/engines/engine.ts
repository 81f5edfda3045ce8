import type { Case } from '../model/case.ts';
import type { Outcome } from '../model/outcome.ts';
import type { CheckedQuery } from '../model/query.ts';
import type { Traits, Transport } from '../model/traits.ts';
import type { RunTopics } from '../streams/kafka/run-topics.ts';

/** One system under test, running. Moves bytes; never compares, sorts, dedups or retries a row. */
export interface Session extends AsyncDisposable {
  /** `clink 0.12.2`, for reports. */
  readonly name: string;
  readonly version: string;
  /** SHA-256 of a local build's library, where the engine was given by its path. */
  readonly sha256?: string | undefined;
  /** What the engine promises. Judge and properties read this, never a name. */
  readonly traits: Traits;
  /** How many cases may run beside each other; one where absent. */
  readonly mostAtOnce?: number | undefined;
  /** A query's SQL in the engine's dialect, undefined where it has no form; absent where the engine takes no SQL. */
  sqlOf?(query: CheckedQuery): string | undefined;
  /** Runs one case to its scheduled stop. Resolves to `failed` or `unsupported` rather than throwing. */
  run(testCase: Case, signal: AbortSignal): Promise<Outcome>;
}

/** How to have an engine. */
export interface Engine {
  readonly name: string;
  /** One line for `tidemark engines list`. */
  readonly description: string;
  /**
   * What the engine promises, for each transport it reads; a session states the one it was opened for. Undefined where
   * only a session can tell.
   */
  readonly traits: Readonly<Partial<Record<Transport, Traits>>> | undefined;
  /** Whether a run that names no engine leaves it out. */
  readonly onlyByName?: boolean | undefined;
  /** Versions to be had besides the one that the name alone stands for, as they follow `name@`. */
  readonly otherVersions?: readonly string[] | undefined;
  /**
   * What is here, of this variant where the engine is installed by version. Never installs.
   *
   * @throws EngineError `bad-variant` for one that cannot be had.
   */
  status(variant?: string): Promise<EngineStatus>;
  /** Brings the engine into the cache. @throws EngineError with a message a person can act on. */
  install(options: InstallOptions): Promise<void>;
  /**
   * Starts a session. Files it needs go below `directory`, which the caller removes.
   *
   * @throws EngineError when the engine is not installed or does not start.
   */
  open(options: OpenOptions): Promise<Session>;
}

export interface InstallOptions {
  /** After `name@`; an engine that has one version alone ignores it. */
  readonly variant?: string | undefined;
  readonly onProgress: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface OpenOptions {
  readonly directory: string;
  /** After `name@`: a version, or the path of a local build. */
  readonly variant?: string | undefined;
  /** The topics of a run over Kafka; absent where rows come from files. */
  readonly topics?: RunTopics | undefined;
  /** How long one case may take to settle or to end; each engine has a default. */
  readonly limitMs?: number | undefined;
  readonly signal: AbortSignal;
}

export type EngineStatus =
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'installable'; readonly version: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** An engine could not be had or started. The message names what is missing and what to do. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: 'missing-python' | 'install-failed' | 'not-installed' | 'bad-variant' | 'start-failed';

  constructor(code: EngineError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The same session with its cases run another way. */
export function withRun(session: Session, run: Session['run']): Session {
  return {
    name: session.name,
    version: session.version,
    sha256: session.sha256,
    traits: session.traits,
    mostAtOnce: session.mostAtOnce,
    ...(session.sqlOf === undefined ? {} : { sqlOf: (query) => session.sqlOf!(query) }),
    run,
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}
