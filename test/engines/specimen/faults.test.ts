import { describe, expect, it } from 'vitest';
import { specimen } from '../../../src/engines/specimen/engine.ts';
import { type FaultName, faults } from '../../../src/engines/specimen/faults.ts';
import { never, sorted } from '../cases.ts';
import { faultCases, textCases } from './fault-cases.ts';
import { answer, textFrom } from './support.ts';

const entries = <T>(cases: Readonly<Partial<Record<FaultName, T>>>) =>
  Object.entries(cases) as [FaultName, T][];

describe('each fault gives the wrong answer it stands for', () => {
  it.each(entries(faultCases))('%s', async (name, { plan, dataset, run = {}, healthy, faulty }) => {
    expect(await answer(plan, dataset, run)).toEqual(sorted(healthy));
    expect(await answer(plan, dataset, { ...run, faults: [name] })).toEqual(sorted(faulty));
  });

  it.each(entries(textCases))('%s', async (name, { plan, dataset, healthy, faulty }) => {
    expect(await textFrom(plan, dataset)).toBe(healthy);
    expect(await textFrom(plan, dataset, { faults: [name] })).toBe(faulty);
  });

  it('of which none is left out, and no two have one name', () => {
    const names = faults.map(({ name }) => name).sort();
    expect([...Object.keys(faultCases), ...Object.keys(textCases)].sort()).toEqual(names);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('the specimen as an engine', () => {
  const open = (variant?: string) => specimen.open({ directory: '', variant, signal: never });

  it('is healthy where no fault is named, and says which ones it has', async () => {
    expect((await open()).name).toBe('specimen 1');
    expect((await open('null-group-lost+avg-truncates')).name).toBe(
      'specimen 1 with null-group-lost, avg-truncates',
    );
  });

  it('refuses a fault that it does not know, and lists those it does', async () => {
    for (const asked of [open('null-group-lost+gremlins'), specimen.status('gremlins')]) {
      await expect(asked).rejects.toMatchObject({
        name: 'EngineError',
        code: 'bad-variant',
        message: expect.stringMatching(/"gremlins".*late-row-reopens-pane.*null-group-lost/),
      });
    }
  });

  it('needs nothing to be installed', async () => {
    expect(await specimen.status()).toEqual({ kind: 'ready', version: '1' });
  });
});
