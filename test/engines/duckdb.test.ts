import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateNexmark } from '../../generators/nexmark/index.ts';
import { duckdb } from '../../src/engines/duckdb/engine.ts';
import type { Session } from '../../src/engines/engine.ts';
import { bigint, call, count, double, from, sum, tumble } from '../../src/model/build.ts';
import { checkQuery } from '../../src/model/query.ts';
import { qualification } from '../../src/queries/index.ts';
import { answer, bytesOf, captureOf, caseOf, dataset, never, temporaryDirectory } from './cases.ts';

const directory = temporaryDirectory();
let opened: Session;
beforeAll(async () => {
  opened = await duckdb.open({ directory: directory.path, signal: never });
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  directory.remove();
});

const everything = from('click').select('k', 'at', 'v', 'seq');
const few = dataset([['a', 1, 1]]);

describe('a DuckDB session', () => {
  it('answers every query of the qualification', async () => {
    const nexmark = generateNexmark({ seed: 'duckdb', events: 500 });
    const streams = nexmark.streams.map(({ schema }) => schema);
    for (const definition of qualification) {
      const query = checkQuery(definition, streams);
      const outcome = await opened.run(
        { query, dataset: nexmark, schedule: { parallelism: 1, stop: 'drain' } },
        never,
      );
      expect(captureOf(outcome).format).toBe('rows');
      if (outcome.kind === 'output') expect(outcome.evidence.sql).toMatch(/^SELECT\s/);
    }
  });

  it('writes one JSON line a row, int64 as digits', async () => {
    const capture = captureOf(
      await opened.run(caseOf(everything, dataset([['a', -1, 2n ** 53n + 1n]])), never),
    );
    expect((await bytesOf(capture)).toString()).toBe('{"k":"a","at":-1,"v":9007199254740993,"seq":0}\n');
  });

  it('writes what JSON has no number for as text', async () => {
    const plan = from('click').project({
      nan: call('subtract', double(Number.MAX_VALUE), call('to_double', 'v')),
      infinite: call('divide', double(1), call('to_double', 'v')),
      less: call('divide', double(-1), call('to_double', 'v')),
      neither: call('divide', call('to_double', 'v'), call('to_double', 'v')),
    });
    const capture = captureOf(await opened.run(caseOf(plan, dataset([['a', 1, 0]])), never));
    expect((await bytesOf(capture)).toString()).toBe(
      '{"nan":1.7976931348623157e308,"infinite":"Infinity","less":"-Infinity","neither":"NaN"}\n',
    );
  });

  it('reads a capture more than once', async () => {
    const capture = captureOf(await opened.run(caseOf(everything, few), never));
    expect(await bytesOf(capture)).toEqual(await bytesOf(capture));
  });

  it('keeps an earlier capture when another dataset takes the tables', async () => {
    const capture = captureOf(await opened.run(caseOf(everything, few), never));
    const before = await bytesOf(capture);
    expect(await answer(opened, everything, dataset([['b', 2, 2]]))).toEqual([['b', 2, 2, 0]]);
    expect(await bytesOf(capture)).toEqual(before);
  });

  it('has no stop but the drain', async () => {
    const testCase = { ...caseOf(everything, few), schedule: { parallelism: 1, stop: 'cancel' } as const };
    expect(await opened.run(testCase, never)).toMatchObject({ kind: 'unsupported' });
  });

  it('says of an overflow its kind and no value', async () => {
    const plan = from('click').project({ v: call('add', 'v', 'v') });
    const outcome = await opened.run(caseOf(plan, dataset([['a', 1, 2n ** 62n]])), never);
    expect(outcome).toEqual({
      kind: 'failed',
      step: 'run',
      code: 'engine-error',
      message: 'DuckDB failed: Out of Range Error',
    });
  });

  it('fails a run that was aborted before it began', async () => {
    expect(await opened.run(caseOf(everything, few), AbortSignal.abort())).toMatchObject({ code: 'aborted' });
  });

  it('interrupts a run, and answers the next case', async () => {
    const many = dataset(Array.from({ length: 20_000 }, (_, seq) => ['a', seq, 1] as const));
    const plan = from('click')
      .join(from('click').project({ j: 'k', b: 'v', other: 'seq' }), { k: 'j' }, call('lt', 'seq', 'other'))
      .aggregate(['seq'], { n: count(), total: sum('other') });
    await answer(opened, from('click').filter(call('lt', 'seq', bigint(0))), many);
    const abort = new AbortController();
    const running = opened.run(caseOf(plan, many), abort.signal);
    setTimeout(() => abort.abort(), 100);
    expect(await running).toEqual({
      kind: 'failed',
      step: 'run',
      code: 'aborted',
      message: 'the run was aborted',
    });
    expect(await answer(opened, from('click').window(tumble(10)).perWindow([], { n: count() }), few)).toEqual(
      [[0, 10, 1]],
    );
  });

  it('refuses another version', async () => {
    const open = duckdb.open({ directory: directory.path, variant: '0.1', signal: never });
    await expect(open).rejects.toMatchObject({ name: 'EngineError', code: 'bad-variant' });
  });
});
