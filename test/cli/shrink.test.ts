import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fuzzSummarySchema } from '../../src/campaign/fuzz/summary.ts';
import { startTidemark, tidemark } from '../support/tidemark.ts';

let directory: string;
let repro: string;
let run: string;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
  const out = join(directory, 'fuzz');
  const { stdout } = await tidemark([
    ...['fuzz', '--json', '--out', out, '--engines', 'specimen@division-floors'],
    ...['--cases', '300', '--profile', 'arithmetic'],
  ]);
  repro = join(out, fuzzSummarySchema.parse(JSON.parse(stdout)).failures[0]!.repro);
  run = join(directory, 'run');
  await tidemark([
    ...['run', '--engines', 'specimen@pane-fires-twice,specimen', '--queries', 'q7,q12', '--events', '5000'],
    ...['--stop', 'settle-cancel', '--out', run],
  ]);
});
afterAll(() => rmSync(directory, { recursive: true }));

const dataOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')).case.dataset;

describe('tidemark shrink', () => {
  test('writes a small repro beside the given one, prints its picture, and what it cost', async () => {
    const { exitCode, stdout, stderr } = await tidemark(['shrink', repro]);
    const small = repro.replace('.json', '-small.json');
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`repro: ${small}`);
    expect(stdout).toMatch(/^In a [a-z ]+, specimen@division-floors gives /);
    expect(stdout).toContain(`tidemark replay ${small}`);
    expect(stdout).toMatch(/\d+ rows? before, 1 now; nothing of it can be left out; fails in 3 of 3 runs\n/);
    expect(stdout).toMatch(/\d+ runs, \d+\.\d+ s of the engine’s$/);
    const again = await tidemark(['replay', small, '--times', '5']);
    expect(again).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('5 of 5 runs fail') });
    const picture = stdout.slice(0, stdout.indexOf('\nReplay\n'));
    expect(again.stdout.slice(0, again.stdout.indexOf('\nReplay\n'))).toBe(picture);
  });

  test('is as wide as it is told to be, and has no colour in a pipe', async () => {
    const lines = (await tidemark(['replay', repro], { COLUMNS: '140', NO_COLOR: '', CI: '1' })).stdout.split(
      '\n',
    );
    const axis = lines.find((line) => /^ .*watermark$/.test(line))!;
    expect(axis).toHaveLength(140);
    expect(lines.join('\n')).not.toContain('\u001b');
  });

  test('gives the case as it is for no budget', async () => {
    const out = join(directory, 'whole.json');
    const { exitCode, stderr } = await tidemark(['shrink', repro, '--budget', '0s', '--out', out]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(dataOf(out)).toEqual(dataOf(repro));
  });

  test('says that a case does not fail any more, and writes nothing', async () => {
    const out = join(directory, 'none.json');
    const { exitCode, stdout } = await tidemark(['shrink', repro, '--engine', 'specimen', '--out', out]);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('the case does not fail any more: nothing was written');
    expect(existsSync(out)).toBe(false);
    expect(readdirSync(directory)).not.toContain('none.json.part');
  });

  test('takes a divergence of a run, which the run’s report then shows', async () => {
    const several = await tidemark(['shrink', run]);
    expect(several).toMatchObject({ exitCode: 2 });
    expect(several.stderr).toMatch(/choose by --query and --engine: q7 on specimen@pane-fires-twice, q12 on/);
    const { exitCode, stdout } = await tidemark([
      'shrink',
      run,
      '--query',
      'q12',
      '--first-divergence',
      '--json',
    ]);
    expect(exitCode).toBe(0);
    const told = JSON.parse(stdout);
    expect(told).toMatchObject({
      kind: 'shrunk',
      stopped: 'minimal',
      rows: { to: 1 },
      confirmed: { k: 3, n: 3 },
    });
    expect(told.firstDivergence).toMatchObject({ of: told.rows.from, shortest: false });
    expect(told.repro).toBe(join(run, 'queries', 'q12', 'specimen@pane-fires-twice.repro.json'));
    await tidemark(['report', run]);
    expect(readFileSync(join(run, 'report.html'), 'utf8')).toContain(
      'In a tumble window, specimen@pane-fires-twice shows the pane',
    );
  });

  test('ended by Ctrl-C leaves a repro that fails', async () => {
    const out = join(directory, 'interrupted.json');
    // The whole run of q7, so that it takes some time.
    const started = startTidemark(['shrink', run, '--query', 'q7', '--out', out], {}, 60_000);
    while (!started.said().includes('reduce') && started.process.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 20));
    started.process.kill('SIGINT');
    const { exitCode } = await started.ended;
    expect(exitCode).toBe(130);
    expect(await tidemark(['replay', out])).toMatchObject({ exitCode: 1 });
  });

  test('tells private data under new values only', async () => {
    const data = join(directory, 'data');
    cpSync(join(run, 'dataset'), data, { recursive: true });
    const header = join(data, 'dataset.json');
    writeFileSync(
      header,
      JSON.stringify({ ...JSON.parse(readFileSync(header, 'utf8')), provenance: 'captured' }),
    );
    const own = join(directory, 'own');
    await tidemark([
      ...['run', '--engines', 'specimen@pane-fires-twice', '--queries', 'q12', '--data', data],
      ...['--stop', 'settle-cancel', '--out', own],
    ]);
    const out = join(directory, 'private.json');
    const refused = await tidemark(['shrink', own, '--out', out]);
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/--relabel/) });
    expect(existsSync(out)).toBe(false);
    const { exitCode, stdout } = await tidemark([
      'shrink',
      own,
      '--relabel',
      '--budget-runs',
      '0',
      '--out',
      out,
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('new values: texts ranked, numbers ranked, times shifted');
    const written = readFileSync(out, 'utf8');
    const rows = readFileSync(join(data, 'bid-0.ndjson'), 'utf8').trim().split('\n');
    const texts = new Set(
      rows.flatMap((line) => {
        const { channel, url } = JSON.parse(line).row;
        return [channel, url];
      }),
    );
    expect(texts.size).toBeGreaterThan(10);
    for (const text of texts) expect(written).not.toContain(text);
  });

  test.each([
    ['a budget that is no time', ['--budget', '10'], /expected a time like 30s, 10m or 0s/],
    ['a query of a repro', ['--query', 'q5'], /a repro is of one query/],
    [
      'an engine that does not read what is asked',
      ['--engine', 'flink', '--transport', 'files'],
      /flink does not read files/,
    ],
  ])('refuses %s', async (_, args, message) => {
    const { exitCode, stderr } = await tidemark(['shrink', repro, ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('refuses what is neither a run nor a repro', async () => {
    expect(await tidemark(['shrink', join(directory, 'nothing')])).toMatchObject({ exitCode: 2 });
    expect(await tidemark(['shrink', join(directory, 'fuzz')])).toMatchObject({ exitCode: 2 });
  });
});
