import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashQuery, type Manifest } from '../../src/campaign/manifest.ts';
import { type QueryResult, type Summary, summarise } from '../../src/campaign/summary.ts';
import { MAX_BINS } from '../../src/campaign/time-axis.ts';
import { InputError } from '../../src/model/errors.ts';
import { qualification } from '../../src/queries/index.ts';
import { htmlReport } from '../../src/report/html/index.ts';
import { html } from '../../src/report/html/markup.ts';
import { reportPage } from '../../src/report/html/page.ts';
import { junitXml } from '../../src/report/junit.ts';
import { replayCommand } from '../../src/report/replay.ts';
import type { Divergence, QueryEvidence } from '../../src/report/run-evidence.ts';
import { standingOf, TRUTH } from '../../src/report/standing.ts';
import { statementOf } from '../../src/report/statement.ts';
import { writeReport } from '../../src/report/write-report.ts';
import { HOSTILE, LOST_PANE, right, writeRun, wrong } from './diverging-run.ts';

let directory: string;
let path: string;
let manifest: Manifest;
let summary: Summary;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tidemark-test-'));
  path = join(directory, 'run');
  ({ manifest, summary } = await writeRun(path, { right, too: right, wrong }));
});
afterAll(() => rm(directory, { recursive: true }));

/** A copy of the run, to take something away from. */
async function copy(name: string): Promise<string> {
  const to = join(directory, name);
  await cp(path, to, { recursive: true });
  return to;
}

describe('the page', () => {
  test('needs nothing from outside itself', async () => {
    const page = (await htmlReport(path)).replaceAll('&#39;', "'");
    expect(page).not.toMatch(/\s(src|href)="(?!#)/);
    expect(page).not.toMatch(/url\(|@import/);
    expect(page).toContain("default-src 'none'");
  });

  test('holds nothing of an engine’s as markup', async () => {
    const page = await htmlReport(path);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;script&gt;');
  });

  test('holds no row and no time of private data, and says so', async () => {
    const to = join(directory, 'private');
    await writeRun(to, { right, wrong }, 'captured');
    const page = await htmlReport(to);
    expect(page).toContain('its rows are not shown');
    expect(page).toContain(`${LOST_PANE.rows} lost`);
    expect(page).not.toMatch(/class="rows/);
    expect(page).not.toContain('2024-');
    expect(page).toContain('+20 s');
  });

  test('shows no row of private data that an evidence file holds all the same', async () => {
    const to = await copy('leaking');
    const provenance = 'captured';
    await writeFile(
      join(to, 'manifest.json'),
      JSON.stringify({ ...manifest, dataset: { ...manifest.dataset, provenance } }),
    );
    expect(await htmlReport(to)).not.toMatch(/class="rows/);
  });

  test('of a run that was killed in its first query says that nothing was judged', async () => {
    const to = await copy('killed');
    await rm(join(to, 'summary.json'));
    const page = await htmlReport(to);
    expect(page).toContain('There is no summary.json');
    expect(page).toContain('none of 4 queries was judged');
    expect(page.match(/there is no verdict/g)).toHaveLength(4);
  });

  test('of a run that was stopped says which queries were not run', async () => {
    const to = await copy('stopped');
    const { steps, objections } = summary;
    const part = summarise(summary.queries.slice(0, 2), { steps, objections, complete: false });
    await writeFile(join(to, 'summary.json'), JSON.stringify(part));
    const page = await htmlReport(to);
    expect(page).toContain('2 of 4 queries judged');
    expect(page).toContain('nothing is known of 2 queries (hop and q18)');
  });

  test('leaves out a file that was cut short, and says which', async () => {
    const to = await copy('cut');
    const file = join(to, 'queries', 'q12', 'wrong.divergence.json');
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, 100));
    const page = await htmlReport(to);
    expect(page).toContain('Left out, for it cannot be read');
    expect(page).toContain('wrong.divergence.json');
  });

  test('says where the declaration of a query is not the one that was run', async () => {
    const to = await copy('changed');
    const queries = manifest.queries.map((query) => ({ ...query, declarationSha256: 'f'.repeat(64) }));
    await writeFile(join(to, 'manifest.json'), JSON.stringify({ ...manifest, queries }));
    expect(await htmlReport(to)).toContain('has changed since the run');
  });

  test('shows every digit of a number beyond a double', async () => {
    const to = await copy('digits');
    const file = join(to, 'queries', 'q0', 'wrong.divergence.json');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/"price":-?\d+/, '"price":9223372036854775807'));
    expect(await htmlReport(to)).toContain('9223372036854775807');
  });

  test('stays below two megabytes when every row of 19 queries differs on 3 engines', () => {
    const page = reportPage(worstRun());
    expect(page.length).toBeLessThan(2e6);
    expect(page.length).toBeGreaterThan(3e5);
  });
});

test('a template escapes all but markup, and shows what hides', () => {
  expect(html`<p title="${`"'&`}">${['<b>', html`<i>`]}${undefined}${false}${0}</p>`.text).toBe(
    '<p title="&quot;&#39;&amp;">&lt;b&gt;<i>0</p>',
  );
  expect(html`${'a\u202eb\u0000c\ud800d\n'}`.text).toBe('a\\u202eb\\u0000c\\ud800d\n');
});

describe('the statement', () => {
  const statement = () =>
    statementOf({ manifest, summary, queries: new Map(), unreadable: [] } as Parameters<
      typeof statementOf
    >[0]);

  test('counts what agrees and names what does not', () => {
    const { demonstrates } = statement();
    expect(demonstrates.join(' ')).toContain('2 queries diverge: q0 on wrong; q12 on wrong');
    expect(demonstrates.join(' ')).toContain('on right 1, too 1 and wrong 1.');
  });

  test('says what a drained run of ordered data on one subtask cannot know', () => {
    const { bounds, unknown } = statement();
    expect(bounds.join(' ')).toContain('watermark lag 4 s, rows out of order by at most 3,998 ms');
    expect(unknown.join(' ')).toContain('Not judged, since a step failed: q0 on absent');
    expect(unknown.join(' ')).toContain('No row was late');
    expect(unknown.join(' ')).toContain('No engine was killed or restarted');
    expect(unknown.join(' ')).toContain('Parallelism other than 1, more than one partition');
  });

  test('claims nothing without a summary', () => {
    const evidence = { manifest, summary: undefined, queries: new Map(), unreadable: [] };
    expect(statementOf(evidence).demonstrates).toEqual(['Nothing: no output of any engine was judged.']);
  });
});

describe('who stands alone', () => {
  const standing = (engines: Record<string, string>, pairs: readonly (readonly [string, string, string])[]) =>
    standingOf({
      engines: Object.entries(engines).map(([engine, kind]) => ({ engine, verdict: { kind } })),
      pairs: pairs.map(([a, b, kind]) => ({ engines: [a, b], verdict: { kind } })),
    } as unknown as QueryResult);

  test.each([
    ['nobody', { a: 'agree', b: 'agree' }, [['a', 'b', 'agree']], { kind: 'together' }],
    ['an engine', { a: 'agree', b: 'diverge' }, [['a', 'b', 'diverge']], { kind: 'alone', side: 'b' }],
    ['the truth', { a: 'diverge', b: 'diverge' }, [['a', 'b', 'agree']], { kind: 'alone', side: TRUTH }],
    ['no one side', { a: 'diverge', b: 'diverge' }, [['a', 'b', 'diverge']], { kind: 'apart' }],
    [
      'no one of two pairs',
      { a: 'agree', b: 'diverge', c: 'diverge' },
      [['b', 'c', 'agree']],
      { kind: 'apart' },
    ],
    ['nobody of two sides', { a: 'diverge', b: 'not-gated' }, [], { kind: 'too-few' }],
  ] as const)('%s', (_, engines, pairs, expected) => {
    expect(standing(engines, pairs)).toMatchObject(expected);
  });
});

describe('JUnit', () => {
  const suite = (xml: string, name: string) =>
    xml.slice(xml.indexOf(`<testsuite name="${name}"`)).split('</testsuite>')[0]!;

  test('has a suite a query and a case an engine and pair, each as it was judged', () => {
    const xml = junitXml(summary, manifest);
    const q12 = suite(xml, 'q12');
    expect(q12).toMatch(/tests="7" failures="3" errors="1" skipped="0"/);
    expect(q12).toMatch(/<testcase classname="q12" name="right" time="0.500"\/>/);
    expect(q12).toMatch(
      /name="wrong" time="0.500">\s*<failure message="16 lost" type="diverge"\/>\s*<\/testcase>/,
    );
    expect(q12).toMatch(/name="absent" time="0.000">\s*<error message="install: not here /);
    expect(q12).toMatch(/name="right against too" time="0.000"\/>/);
    expect(suite(xml, 'hop')).toMatch(/tests="7" failures="0" errors="1"/);
  });

  test('a skip is a skip, and a query that was not run is an error', () => {
    const [first] = summary.queries;
    const skipped = {
      ...first!,
      pairs: [],
      engines: [
        {
          ...first!.engines[0]!,
          verdict: { kind: 'inconclusive', reason: 'no joins' } as const,
          skipped: true,
        },
      ],
    };
    const xml = junitXml({ ...summary, queries: [skipped] }, manifest);
    expect(suite(xml, 'q0')).toMatch(/skipped="1"[\s\S]*<skipped message="no joins"\/>/);
    expect(suite(xml, 'q12')).toMatch(
      /errors="1"[\s\S]*<error message="the run ended before this query did"/,
    );
    expect(junitXml(undefined, manifest).match(/<error /g)).toHaveLength(4);
  });

  test('holds only characters that XML has, and every one of markup escaped', () => {
    const hostile = {
      ...summary.queries[0]!.engines[0]!,
      engine: `a\u0000\u001b\ud800\uffff"<&>\n${HOSTILE}`,
    };
    const xml = junitXml(
      { ...summary, queries: [{ ...summary.queries[0]!, engines: [hostile], pairs: [] }] },
      manifest,
    );
    expect(xml).toContain('name="a&quot;&lt;&amp;&gt;&#10;&lt;script&gt;');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there.
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]/);
    expect(openTags(xml)).toEqual([]);
  });
});

test('the replay says seed and size, and writes elsewhere', () => {
  const command = ['tidemark', 'run', '--out', 'x y', '--queries', "it's,q0", '--seed=9'];
  expect(replayCommand({ ...manifest, command })).toBe(
    String.raw`tidemark run --queries 'it'\''s,q0' --seed=9 --events 3000`,
  );
});

describe('writing', () => {
  test('puts page and JUnit file into the run’s directory, as often as asked', async () => {
    const to = await copy('written');
    expect(await writeReport(to)).toBe(join(to, 'report.html'));
    const first = await readFile(join(to, 'report.html'), 'utf8');
    await writeReport(to);
    expect(await readFile(join(to, 'report.html'), 'utf8')).toBe(first);
    expect(await readFile(join(to, 'junit.xml'), 'utf8')).toBe(junitXml(summary, manifest));
  });

  test('refuses a directory that is no run’s, by the file it lacks', async () => {
    const attempt = writeReport(directory);
    await expect(attempt).rejects.toThrow(InputError);
    await expect(attempt).rejects.toThrow('manifest.json');
  });
});

/** Tags that are opened and never closed, or the other way round. */
function openTags(xml: string): string[] {
  const open: string[] = [];
  for (const [, end, name, empty] of xml.matchAll(/<(\/?)(\w+)(?:\s+[\w-]+="[^"<]*")*\s*(\/?)>/g)) {
    if (end === '/') {
      if (open.pop() !== name) return [`/${name}`];
    } else if (empty !== '/') open.push(name!);
  }
  return open;
}

/** As much evidence as a run of the qualification on three engines can leave. */
function worstRun(): Parameters<typeof reportPage>[0] {
  const engines = ['one', 'two', 'three'];
  const sides = [...engines, 'one-two', 'one-three', 'two-three'];
  const row = Object.fromEntries(
    Array.from({ length: 8 }, (_, column) => [`column_${column}`, '<&"'.repeat(9)]),
  );
  const kinds = ['lost', 'premature', 'altered', 'extra'] as const;
  const divergence: Divergence = {
    version: 1,
    counts: { lost: 1e6, premature: 1e6, altered: 1e6, extra: 1e6, corrupt: 0 },
    samples: kinds.flatMap((kind) =>
      Array.from({ length: 20 }, () => ({
        kind,
        count: 1,
        expected: row,
        actual: row,
        columns: Object.keys(row),
      })),
    ),
  };
  const counts = Array.from({ length: MAX_BINS }, (_, bin) => 10_000 + bin);
  const evidence: QueryEvidence = {
    sql: new Map(engines.map((engine) => [engine, 'SELECT auction, bidder FROM bid\n'.repeat(40)])),
    divergences: new Map(sides.map((side) => [side, divergence])),
    timeLine: {
      version: 1,
      from: 1_704_095_990_000,
      binMs: 10_000,
      bins: MAX_BINS,
      engines: engines.map((engine) => ({
        engine,
        watermark: 1_704_096_990_000,
        truth: counts.map((number) => 3 * number),
        due: counts.map((number) => 2 * number),
        shown: counts,
        premature: counts,
        extra: counts,
        unplaced: 5,
      })),
    },
  };
  const verdict = { kind: 'diverge', reason: '1000000 lost' } as const;
  const results = qualification.map(
    ({ name, declaration }): QueryResult => ({
      query: name,
      class: declaration.class,
      verdict,
      truthRows: 1e6,
      engines: engines.map((engine) => ({ engine, verdict, rows: 1e6, skipped: false, seconds: 1 })),
      pairs: (
        [
          ['one', 'two'],
          ['one', 'three'],
          ['two', 'three'],
        ] as [string, string][]
      ).map((pair) => ({ engines: pair, verdict, explainedByTrait: 0 })),
      seconds: { truth: 1, judge: 1 },
    }),
  );
  return {
    manifest: {
      ...manifest,
      engines: engines.map((name) => ({ name, version: '1', sql: {} })),
      queries: qualification.map(hashQuery),
    },
    summary: summarise(results, { steps: {}, complete: true, objections: [] }),
    queries: new Map(
      qualification.map(({ name, declaration }) => [
        name,
        typeof declaration.fire === 'object' ? evidence : { ...evidence, timeLine: undefined },
      ]),
    ),
    unreadable: [],
  };
}
