import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../model/errors.ts';
import { orInputError } from '../../streams/files.ts';
import { parseJsonFile } from '../../streams/json-file.ts';
import { FINDING_VERSION, type Finding, findingOf, findingSchema } from './finding.ts';

/** Findings by name, and the SHA-256 over the files that hold them. */
export interface Corpus {
  readonly findings: readonly Finding[];
  readonly sha256: string;
}

const EXTENSION = '.json';

/**
 * Reads every `NAME.json` of a directory. The hash is over names and bytes in the order of the names, whatever order
 * the file system gives them in.
 *
 * @throws InputError naming file and field: a directory or file that cannot be read, a newer version, a finding that
 * is malformed, contradicts itself, or goes by another name than its file.
 */
export async function readCorpus(directory: string): Promise<Corpus> {
  const held = await orInputError(directory, 'cannot read the directory', () => readdir(directory));
  const names = held.filter((name) => name.endsWith(EXTENSION)).sort();
  const hash = createHash('sha256');
  const findings: Finding[] = [];
  for (const name of names) {
    const file = join(directory, name);
    const bytes = await orInputError(file, 'cannot read', () => readFile(file));
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
    findings.push(parseFinding(bytes, file, name.slice(0, -EXTENSION.length)));
  }
  return { findings, sha256: hash.digest('hex') };
}

function parseFinding(bytes: Buffer, file: string, name: string): Finding {
  const form = { file, schema: findingSchema, version: FINDING_VERSION, exact: true };
  const parsed = parseJsonFile(bytes, form);
  if (parsed.name !== name) throw new InputError(`the file is called ${name}`, { file, field: 'name' });
  try {
    return findingOf(parsed);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problem, { file, field: error.field });
  }
}
