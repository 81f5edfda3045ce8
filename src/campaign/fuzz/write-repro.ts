import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { orInputError } from '../../streams/files.ts';
import { type Repro, reproName, reproText } from './repro.ts';
import type { FoundFailure } from './search.ts';
import { signatureText } from './signature.ts';

/** Writes the repro of a failure into a directory that is there, and returns the file's name. @throws InputError */
export async function writeRepro(
  failure: FoundFailure,
  directory: string,
  { seed, profiles }: Pick<NonNullable<Repro['found']>, 'seed' | 'profiles'>,
): Promise<string> {
  const { engine, property, testCase, verdict, confirmed, index } = failure;
  const { version, sha256 } = engine.session;
  const name = reproName({ property: property.name, testCase });
  const path = join(directory, name);
  const text = reproText({
    engine: { name: engine.name, version, ...(sha256 === undefined ? {} : { sha256 }) },
    property: property.name,
    signature: signatureText(failure.signature),
    found: { seed, index, profiles },
    confirmed,
    testCase,
    verdict,
  });
  await orInputError(path, 'cannot write', () => writeFile(path, text));
  return name;
}
