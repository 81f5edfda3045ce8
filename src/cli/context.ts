/** What a command is given by the process that runs it. */
export interface CliContext {
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WriteStream;
  /** The words after `tidemark`. */
  readonly argv: readonly string[];
  readonly version: string;
}

/** Exit codes of the contract. */
export const EXIT = { agree: 0, diverge: 1, usage: 2, notGated: 3, interrupted: 130 } as const;
