import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { openBrowser } from './browser.ts';

/** What the tests of one page share: a directory, and for each test a page without a network. */
export interface OfflinePage {
  readonly directory: string;
  readonly page: Page;
  /** What the page said or failed at. A test that leaves one fails; it may add its own. */
  readonly complaints: string[];
}

/** Registers the hooks of a suite. What it returns is there once they have run. */
export function useOfflinePage(): OfflinePage {
  const shared = { complaints: [] } as unknown as { directory: string; page: Page; complaints: string[] };
  let browser: Browser | undefined;
  let context: BrowserContext;
  beforeAll(async () => {
    shared.directory = await mkdtemp(join(tmpdir(), 'tidemark-test-'));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await rm(shared.directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    context = await browser!.newContext({ offline: true, viewport: { width: 1_200, height: 900 } });
    shared.page = await context.newPage();
    shared.complaints.length = 0;
    shared.page.on('console', (message) => shared.complaints.push(message.text()));
    shared.page.on('pageerror', (error) => shared.complaints.push(error.message));
  });
  afterEach(async () => {
    expect(shared.complaints).toEqual([]);
    await context.close();
  });
  return shared;
}
