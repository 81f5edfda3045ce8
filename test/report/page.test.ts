import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { writeReport } from '../../src/report/write-report.ts';
import { browserRuns, browserTitle } from './browser.ts';
import { HOSTILE, LOST_PANE, right, writeRun, wrong } from './diverging-run.ts';
import { useOfflinePage } from './offline-page.ts';

describe.skipIf(!browserRuns)(browserTitle, () => {
  const shared = useOfflinePage();
  const { complaints } = shared;
  let url: string;
  let page: Page;

  beforeAll(async () => {
    await writeRun(shared.directory, { right, too: right, wrong });
    url = pathToFileURL(await writeReport(shared.directory)).href;
  });
  beforeEach(async () => {
    page = shared.page;
    page.on('request', (request) => {
      if (request.url() !== url && !request.url().startsWith(`${url}#`)) complaints.push(request.url());
    });
    await page.goto(url);
  });

  const query = (name: string) => page.locator(`details[id="${name}"]`);
  const texts = (selector: string) => page.locator(selector).allTextContents();

  test('a link of the matrix leads to the query, and the back button back', async () => {
    await query('q12').locator('summary').first().click();
    expect(await query('q12').getAttribute('open')).toBeNull();
    await page.getByRole('link', { name: 'q12', exact: true }).first().click();
    expect(new URL(page.url()).hash).toBe('#q12');
    await query('q12').getByRole('heading', { name: 'q12' }).waitFor();
    expect(await query('q12').getAttribute('open')).not.toBeNull();
    await page.goBack();
    expect(new URL(page.url()).hash).toBe('');
  });

  test('the counts of a diverging query say what was lost, and by whom', async () => {
    const cells = async (side: string) =>
      query('q12')
        .locator('.counts tbody tr')
        .filter({ has: page.getByRole('rowheader', { name: side, exact: true }) })
        .locator('td')
        .allTextContents();
    const [, truthRows] = await cells('truth');
    expect((await cells('right')).slice(1, 3)).toEqual([truthRows, '0']);
    const [verdict, rows, lost] = await cells('wrong');
    expect(verdict).toContain('diverge');
    expect([Number(rows), lost]).toEqual([Number(truthRows) - LOST_PANE.rows, String(LOST_PANE.rows)]);
    expect(await query('q12').locator('table.lost tbody tr').count()).toBeGreaterThanOrEqual(LOST_PANE.rows);
    await expect(texts('#_alone ~ * tbody tr')).resolves.toEqual(
      expect.arrayContaining([expect.stringMatching(/^\s*q12wrongthe truth = right = too ≠ wrong$/)]),
    );
  });

  test('the time line shows the missing pane in its bin alone, drawn and in numbers', async () => {
    const figure = query('q12').locator('figure.time-line');
    const heads = await figure.locator('.bins thead th').allTextContents();
    const at = heads.indexOf('wrong: missing');
    expect(heads).not.toContain('right: missing');
    await figure.getByText('The same in numbers').click();
    const rows = figure.locator('.bins tbody tr');
    const missing: number[] = [];
    for (const row of await rows.all())
      missing.push(Number((await row.locator('th, td').allTextContents())[at]));
    expect(missing.filter((number) => number > 0)).toEqual([LOST_PANE.rows]);
    expect(missing[LOST_PANE.pane]).toBe(LOST_PANE.rows);
    expect(await figure.locator('svg path.missing').count()).toBe(1);
    const drawn = await figure.locator('svg path.missing').boundingBox();
    const lane = await figure.locator('svg line.base').last().boundingBox();
    const middle = (drawn!.x + drawn!.width / 2 - lane!.x) / lane!.width;
    expect(Math.floor(middle * missing.length)).toBe(LOST_PANE.pane);
  });

  test('a bin is read with the keyboard', async () => {
    const figure = query('q12').locator('figure.time-line');
    await figure.locator('input[type=range]').focus();
    for (let press = 0; press < LOST_PANE.pane; press++) await page.keyboard.press('ArrowRight');
    const { rows } = LOST_PANE;
    expect(await figure.locator('output').textContent()).toMatch(
      new RegExp(`wrong: true ${rows}, shown 0, missing ${rows}$`),
    );
  });

  test('what engines wrote is text, never markup', async () => {
    expect(await page.title()).not.toBe('broken');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('script').count()).toBe(1);
    expect(await query('q0').locator('table.extra').first().textContent()).toContain('<script>');
    expect(await query('q0').locator('.reasons').textContent()).toContain(HOSTILE);
    await query('q0').getByText('SQL, as each engine was asked').click();
    expect(await query('q0').locator('.sql pre').first().textContent()).toContain(HOSTILE);
  });

  test('nothing is wider than a telephone', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'open all' }).click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  });

  test.each(['light', 'dark'] as const)('text stands out in the %s scheme', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    const contrast = await page.evaluate(CONTRAST);
    expect(contrast).toBeGreaterThanOrEqual(4.5);
  });

  test('the JUnit file is XML to a browser', async () => {
    const xml = await readFile(join(shared.directory, 'junit.xml'), 'utf8');
    const parsed = await page.evaluate(`(() => {
      const document = new DOMParser().parseFromString(${JSON.stringify(xml)}, 'application/xml');
      return {
        error: document.querySelector('parsererror')?.textContent ?? null,
        suites: document.querySelectorAll('testsuite').length,
        message: document.querySelector('testcase[name=absent] > error').getAttribute('message'),
      };
    })()`);
    expect(parsed).toEqual({ error: null, suites: 4, message: expect.stringContaining(HOSTILE) });
  });
});

/** The least contrast, by WCAG, of any text of the page's own with its ground. */
const CONTRAST = `(() => {
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (element) => {
    for (let each = element; each !== null; each = each.parentElement) {
      const { backgroundColor } = getComputedStyle(each);
      if (!/, 0\\)$/.test(backgroundColor)) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const texts = [...document.querySelectorAll('p, li, a, th, td, dt, dd, h1, h2, h3, h4, small, mark, code, .chip')];
  return Math.min(...texts.map((element) => {
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(groundOf(element))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  }));
})()`;
