import { Option } from 'commander';
import { parseEngine } from '../engines/index.ts';
import { InputError } from '../model/errors.ts';
import { type Transport, transports } from '../model/traits.ts';

/** `--transport`, of commands that know by themselves what an engine reads. */
export function transportOption(): Option {
  return new Option(
    '--transport <name>',
    'how rows reach it (default: files, or kafka where it reads no files)',
  ).choices(transports);
}

/**
 * The transport that all of these engines read: files where they do. What an engine of the user's reads, it says only
 * once it runs.
 *
 * @throws InputError naming an engine that does not read it.
 */
export function transportOf(names: readonly string[], asked: Transport | undefined): Transport {
  const readBy = names.map((name) => {
    const { engine } = parseEngine(name);
    const reads = transports.filter((transport) => engine.traits?.[transport] !== undefined);
    return { name: engine.name, reads: reads.length === 0 ? transports : reads };
  });
  const chosen =
    asked ?? transports.find((each) => readBy.every(({ reads }) => reads.includes(each))) ?? 'files';
  const deaf = readBy.find(({ reads }) => !reads.includes(chosen));
  if (deaf !== undefined)
    throw new InputError(`${deaf.name} does not read ${chosen}`, { field: '--transport' });
  return chosen;
}

/** The option as a command repeats it: nothing where it was left to us. */
export function transportAsked({ transport }: { readonly transport?: Transport | undefined }): string[] {
  return transport === undefined ? [] : ['--transport', transport];
}
