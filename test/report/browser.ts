import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** A Chromium of the machine's; Debian has a package of it. */
const executable =
  process.env.TIDEMARK_CHROMIUM ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((directory) => NAMES.map((name) => join(directory, name)))
    .find(existsSync);

const required = (process.env.TIDEMARK_REQUIRE_ENGINES ?? '').split(',').includes('browser');

/** Whether tests in a browser run: there is one, or `TIDEMARK_REQUIRE_ENGINES` says that there has to be. */
export const browserRuns = executable !== undefined || required;

/** Says in the list of tests why they are skipped. */
export const browserTitle = browserRuns
  ? 'in a browser'
  : 'in a browser (skipped: no Chromium, install the package chromium or set TIDEMARK_CHROMIUM)';

/** A browser of its own that asks nobody for updates. */
export function openBrowser(): Promise<Browser> {
  if (executable === undefined) throw new Error('no Chromium on this machine: install the package chromium');
  return chromium.launch({
    executablePath: executable,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
