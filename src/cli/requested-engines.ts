import { mkdtemp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RequestedEngine } from '../campaign/run.ts';
import { parseEngine } from '../engines/index.ts';
import { InputError } from '../model/errors.ts';

/**
 * The engines a run was asked for. One that is not installed but can be is installed when it is opened.
 *
 * `directory`: sessions keep their files below it; the caller removes it.
 *
 * @throws InputError for an unknown engine, or two that go by one name.
 */
export function requestedEngines(
  choices: readonly string[],
  directory: string,
  onProgress: (line: string) => void,
): readonly RequestedEngine[] {
  const requested = choices.map((choice): RequestedEngine => {
    const { engine, variant } = parseEngine(choice);
    return {
      name: variant === undefined ? engine.name : `${engine.name}@${basename(variant)}`,
      open: async (signal) => {
        const isLocalBuild = variant?.includes('/') ?? false;
        if (!isLocalBuild && (await engine.status()).kind !== 'ready')
          await engine.install({ onProgress, signal });
        return engine.open({ directory: await mkdtemp(join(directory, `${engine.name}-`)), variant, signal });
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
