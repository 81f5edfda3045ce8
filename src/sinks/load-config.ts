import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { z } from 'zod';
import { InputError } from '../model/errors.ts';
import { readJsonFile } from '../streams/json-file.ts';
import {
  SINK_CONFIG_VERSION,
  type SinkConfig,
  sinkConfigFileSchema,
  sinkConfigSchema,
  sinkSchema,
} from './config.ts';

/**
 * Reads a configuration: a JSON file that names the module of its sink, or a module that exports `config`.
 *
 * @throws InputError naming the file, and the line or field where there is one
 */
export async function loadSinkConfig(file: string): Promise<SinkConfig> {
  if (extname(file) !== '.json') {
    const { config } = await loadModule(file);
    if (config === undefined) throw new InputError('exports no config', { file });
    return checked(sinkConfigSchema, config, file, '');
  }
  const { sink, ...rest } = await readJsonFile(file, sinkConfigFileSchema, SINK_CONFIG_VERSION);
  const path = resolve(dirname(file), sink);
  if (!existsSync(path)) throw new InputError('no such file', { file, field: 'sink' });
  const exported = await loadModule(path);
  if (exported.sink === undefined) throw new InputError('exports no sink', { file: path });
  return { ...rest, sink: checked(sinkSchema, exported.sink, path, 'sink') };
}

type Exports = Readonly<Record<string, unknown>>;

async function loadModule(file: string): Promise<Exports> {
  if (!existsSync(file)) throw new InputError('cannot read (ENOENT)', { file });
  const url = pathToFileURL(resolve(file)).href;
  try {
    return (await (needsHelp(file) ? importTypeScript(file, url) : import(url))) as Exports;
  } catch (error) {
    if (error instanceof InputError) throw error;
    // The message of a module of the user's is the user's own: it holds no row.
    const { message, stack } = Object(error) as { message?: unknown; stack?: unknown };
    const line = new RegExp(`${escaped(url)}:(\\d+)`).exec(`${stack}`)?.[1];
    const place = line === undefined ? { file } : { file, line: Number(line) };
    throw new InputError(`cannot be loaded: ${message ?? 'it throws no error'}`, place);
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Whether Node itself reads the module only with help. */
function needsHelp(file: string): boolean {
  const readsTypes = (process.features as { typescript?: unknown }).typescript;
  return extname(file).endsWith('ts') && !readsTypes;
}

/** By the user's own tsx, where Node knows no types. */
async function importTypeScript(file: string, url: string): Promise<Exports> {
  let api: string;
  try {
    // What a require of it resolves to is another build, which cannot be imported.
    api = join(dirname(createRequire(resolve(file)).resolve('tsx/package.json')), 'dist/esm/api/index.mjs');
  } catch {
    throw new InputError(
      `Node ${process.version} reads no TypeScript: install tsx beside it, use Node 22.18 or later, or JavaScript`,
      { file },
    );
  }
  const { tsImport } = (await import(pathToFileURL(api).href)) as {
    tsImport(url: string, parent: string): Promise<Exports>;
  };
  return tsImport(url, url);
}

function checked<T>(schema: z.ZodType<T>, given: unknown, file: string, within: string): T {
  const version = (given as { version?: unknown } | null)?.version;
  if (within === '' && typeof version === 'number' && version > SINK_CONFIG_VERSION) {
    const problem = `version ${version} is newer than this program reads (up to ${SINK_CONFIG_VERSION})`;
    throw new InputError(problem, { file, field: 'version' });
  }
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const field = [within, ...issue.path.map(String)].filter((part) => part !== '').join('.');
  throw new InputError(issue.message, { file, field });
}
