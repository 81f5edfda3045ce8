import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { orInputError } from '../streams/files.ts';
import { reportPage } from './html/page.ts';
import { junitXml } from './junit.ts';
import { readRunEvidence } from './run-evidence.ts';

/**
 * Writes `report.html` and `junit.xml` into a run's directory, from what the run left there; returns the page's path.
 *
 * @throws InputError when the directory is no run's, or cannot be written.
 */
export async function writeReport(runPath: string): Promise<string> {
  const evidence = await readRunEvidence(runPath);
  const page = join(runPath, 'report.html');
  await replace(page, reportPage(evidence));
  await replace(join(runPath, 'junit.xml'), junitXml(evidence.summary, evidence.manifest));
  return page;
}

/** Whole or not at all: someone may be reading the last one. */
async function replace(path: string, text: string): Promise<void> {
  await orInputError(path, 'cannot write', async () => {
    await writeFile(`${path}.part`, text);
    await rename(`${path}.part`, path);
  });
}
