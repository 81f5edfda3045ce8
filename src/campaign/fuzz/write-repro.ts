import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { orInputError } from '../../streams/files.ts';
import { checkShowing, differingRows } from '../repro/shown.ts';
import { type Repro, reproName, reproText } from './repro.ts';
import type { FoundFailure } from './search.ts';
import { kindsOf, signatureText } from './signature.ts';

/** Writes the repro of a failure into a directory that is there, and returns the file's name. @throws InputError */
export async function writeRepro(
  failure: FoundFailure,
  directory: string,
  { seed, profiles }: Pick<NonNullable<Repro['found']>, 'seed' | 'profiles'>,
): Promise<string> {
  const { engine, property, testCase, confirmed, index } = failure;
  const { version, sha256 } = engine.session;
  const name = reproName({ property: property.name, testCase });
  await writeReproFile(join(directory, name), {
    engine: { name: engine.name, version, ...(sha256 === undefined ? {} : { sha256 }) },
    property: property.name,
    signature: signatureText(failure.signature),
    found: { seed, index, profiles },
    data: 'generated',
    confirmed,
    firstDivergence: undefined,
    testCase,
    ...(await rowsOf(failure)),
  });
  return name;
}

/** Whole or not at all, whatever ends us meanwhile. @throws InputError */
export async function writeReproFile(path: string, repro: Repro): Promise<void> {
  const text = reproText(repro);
  await orInputError(path, 'cannot write', async () => {
    await writeFile(`${path}.part`, text);
    await rename(`${path}.part`, path);
  });
}

/** One more run tells what else is there than the rows that differ; one that fails otherwise tells nothing of this one. */
async function rowsOf({
  engine,
  property,
  testCase,
  verdict,
}: FoundFailure): Promise<Pick<Repro, 'verdict' | 'shown'>> {
  const again = await checkShowing(property, testCase, [engine.session], new AbortController().signal);
  if (
    again.verdict.kind === 'diverge' &&
    again.shown !== undefined &&
    kindsOf(again.verdict).join() === kindsOf(verdict).join()
  )
    return { verdict: again.verdict, shown: again.shown };
  return { verdict, shown: differingRows(testCase.query.columns, verdict) };
}
