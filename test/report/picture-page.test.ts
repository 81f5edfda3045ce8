import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { picturePage } from '../../src/report/picture/index.ts';
import { browserRuns, browserTitle } from './browser.ts';
import { useOfflinePage } from './offline-page.ts';
import { pictures } from './pictures.ts';

describe.skipIf(!browserRuns)(`the page of a picture ${browserTitle}`, () => {
  const shared = useOfflinePage();
  const { complaints } = shared;
  let page: Page;
  beforeEach(() => {
    page = shared.page;
  });

  async function show(name: string): Promise<void> {
    const file = join(shared.directory, 'picture.html');
    await writeFile(file, picturePage(await pictures[name]!()));
    const url = pathToFileURL(file).href;
    page.on('request', (request) => {
      if (request.url() !== url) complaints.push(request.url());
    });
    await page.goto(url);
  }

  test('says in one sentence what differs', async () => {
    await show('sessions of two keys');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
      'In a session window, specimen@touching-sessions-separate loses the session of k "red" that ends at 20.000 s, and ' +
        '2 more rows are wrong.',
    );
  });

  test('draws rows by their times, and the lost session from its start to its end', async () => {
    await show('sessions of two keys');
    const svg = page.locator('svg.timeline');
    expect(await svg.locator('circle.row').count()).toBe(4);
    const xs = await svg
      .locator('circle.row')
      .evaluateAll((circles) => circles.map((circle) => Number(circle.getAttribute('cx'))));
    const [first, blue, bridge, last] = xs as [number, number, number, number];
    // The rows are at 0, 4, 10 and 40 s.
    expect((blue - first) / (last - first)).toBeCloseTo(4 / 40, 1);
    expect((bridge - first) / (last - first)).toBeCloseTo(10 / 40, 1);
    const lost = svg.locator('rect.pane.lost');
    expect(await lost.count()).toBe(1);
    const [x, width] = await lost.evaluate((rect) => [rect.getAttribute('x'), rect.getAttribute('width')]);
    expect(Number(x)).toBe(first);
    // Times are drawn on whole points.
    expect(Math.abs(Number(width) - 2 * (bridge - first))).toBeLessThanOrEqual(2);
    expect(await svg.locator('rect.pane.extra').count()).toBe(2);
  });

  test('puts expected rows beside actual ones, and marks what differs', async () => {
    await show('a row of a top-N');
    const row = page.locator('table.beside tbody tr');
    expect(await row.count()).toBe(1);
    expect(await row.locator('td').allTextContents()).toEqual(['"a"', '3', '1', '"a"', 'NULL', '0']);
    expect(await row.locator('mark').allTextContents()).toEqual(['3', '1', 'NULL', '0']);
  });

  test('shows the SQL of each dialect as text that can be selected and copied', async () => {
    await show('a row of a top-N');
    const pre = page.locator('.sql pre');
    expect(await page.locator('.sql h4').allTextContents()).toEqual(['duckdb', 'clink', 'flink']);
    expect(await pre.first().isVisible()).toBe(true);
    const box = await pre.first().boundingBox();
    await page.mouse.click(box!.x + 30, box!.y + 15, { clickCount: 3 });
    const selected = await page.evaluate<string>('getSelection().toString()');
    expect(selected.trim()).not.toBe('');
    expect(await pre.first().textContent()).toContain(selected.trim());
    await page.locator('.replay').click();
    expect(await page.evaluate<string>('getSelection().toString()')).toContain('tidemark replay');
  });

  test('takes texts of rows for texts, never for markup', async () => {
    await show('many columns and odd texts');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(0);
    const text = await page.locator('main').textContent();
    expect(text).toContain('<img src=x>');
    expect(text).toContain('\\u202egnp.exe');
    expect(text).not.toContain('\u202e');
    expect(text).toContain('日本語のとても長い題名です、まだ続きます');
  });

  test.each(Object.keys(pictures))('is no wider than a telephone: %s', async (name) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await show(name);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });
});
