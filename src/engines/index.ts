import { InputError } from '../model/errors.ts';
import { clink } from './clink/engine.ts';
import { command } from './command/engine.ts';
import { duckdb } from './duckdb/engine.ts';
import type { Engine } from './engine.ts';
import { flink } from './flink/engine.ts';
import { specimen } from './specimen/engine.ts';

/** Every engine by name. */
export const engines: ReadonlyMap<string, Engine> = new Map(
  [duckdb, clink, flink, specimen, command].map((engine) => [engine.name, engine]),
);

/** An engine, and which one of it: a version, or the path of a local build. */
export interface EngineChoice {
  readonly engine: Engine;
  readonly variant?: string | undefined;
}

/**
 * Reads `name` or `name@variant`.
 *
 * @throws InputError for a name that is no engine's; it lists those that are.
 */
export function parseEngine(text: string): EngineChoice {
  const at = text.indexOf('@');
  const name = at < 0 ? text : text.slice(0, at);
  const variant = at < 0 ? undefined : text.slice(at + 1);
  const engine = engines.get(name);
  if (engine === undefined) {
    throw new InputError(
      `unknown engine ${JSON.stringify(name)}; known are ${[...engines.keys()].join(', ')}`,
    );
  }
  if (variant === '') throw new InputError(`${name}@ must be followed by a version or a path`);
  return variant === undefined ? { engine } : { engine, variant };
}
