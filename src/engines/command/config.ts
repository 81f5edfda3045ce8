import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../model/errors.ts';
import { readJsonFile } from '../../streams/json-file.ts';
import { EngineError } from '../engine.ts';

/** The version of the configuration's form. A greater one is refused. */
export const COMMAND_CONFIG_VERSION = 1;

/** JSON form of what follows `command@`: the program to start, its directory and more environment for it. */
export const commandConfigSchema = z.strictObject({
  version: z.literal(COMMAND_CONFIG_VERSION),
  command: z.array(z.string().min(1)).min(1),
  cwd: z.string().min(1).optional(),
  env: z.record(z.string(), z.string()).optional(),
});

/** How to start an engine of the user's. */
export interface CommandConfig {
  readonly command: readonly string[];
  /** Absolute. A relative one is taken from the directory of the configuration, which is the default. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** SHA-256 over the configuration and every file that the command names. */
  readonly sha256: string;
}

/** @throws EngineError `bad-variant` when there is no path, no such file, or it is malformed. */
export async function readCommandConfig(path: string | undefined): Promise<CommandConfig> {
  if (path === undefined) {
    throw new EngineError('bad-variant', 'command needs a configuration: command@PATH-TO-JSON');
  }
  const file = resolve(path);
  try {
    const {
      command,
      cwd = '.',
      env = {},
    } = await readJsonFile(file, commandConfigSchema, COMMAND_CONFIG_VERSION);
    const directory = resolve(dirname(file), cwd);
    return { command, cwd: directory, env, sha256: await hashFiles(file, command, directory) };
  } catch (error) {
    if (error instanceof InputError) throw new EngineError('bad-variant', error.message);
    throw error;
  }
}

async function hashFiles(config: string, command: readonly string[], directory: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(config));
  for (const argument of command) {
    // An argument that is no file, such as a flag or a program on the PATH, is in the configuration already.
    const bytes = await readFile(resolve(directory, argument)).catch(() => undefined);
    if (bytes !== undefined) hash.update(bytes);
  }
  return hash.digest('hex');
}
