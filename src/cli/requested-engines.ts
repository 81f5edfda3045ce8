import { mkdtemp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RequestedEngine } from '../campaign/run.ts';
import { parseEngine } from '../engines/index.ts';
import { InputError } from '../model/errors.ts';
import type { Transport } from '../model/traits.ts';
import type { RunTopics } from '../streams/kafka/index.ts';

/** What the engines of a run are given. */
export interface EngineSetting {
  /** Sessions keep their files below it; the caller removes it. */
  readonly directory: string;
  readonly onProgress: (line: string) => void;
  readonly transport: Transport;
  /** The run's topics, opened when the first engine asks; of a run over Kafka. */
  readonly topics?: (() => Promise<RunTopics>) | undefined;
  /** How long a case may take to settle or to end; each engine has a default. */
  readonly limitMs?: number | undefined;
}

/**
 * The engines a run was asked for. One that is not installed but can be is installed when it is opened.
 *
 * @throws InputError for an unknown engine, or two that go by one name.
 */
export function requestedEngines(
  choices: readonly string[],
  { directory, onProgress, transport, topics, limitMs }: EngineSetting,
): readonly RequestedEngine[] {
  const requested = choices.map((choice): RequestedEngine => {
    const { engine, variant } = parseEngine(choice);
    return {
      readsTransport: engine.traits === undefined || engine.traits[transport] !== undefined,
      name: variant === undefined ? engine.name : `${engine.name}@${basename(variant)}`,
      open: async (signal) => {
        const isLocalBuild = variant?.includes('/') ?? false;
        if (!isLocalBuild && (await engine.status(variant)).kind !== 'ready')
          await engine.install({ variant, onProgress, signal });
        return engine.open({
          directory: await mkdtemp(join(directory, `${engine.name}-`)),
          variant,
          topics: await topics?.(),
          limitMs,
          signal,
        });
      },
    };
  });
  for (const [index, { name }] of requested.entries()) {
    if (requested.findIndex((other) => other.name === name) !== index) {
      throw new InputError(`two engines go by the name ${name}`, { field: '--engines' });
    }
  }
  return requested;
}
