import { readRunEvidence } from '../run-evidence.ts';
import { reportPage } from './page.ts';

/**
 * The report of a run as one HTML page that needs nothing else: no network, no other file.
 *
 * @throws InputError when the directory is no run's.
 */
export async function htmlReport(runPath: string): Promise<string> {
  return reportPage(await readRunEvidence(runPath));
}
