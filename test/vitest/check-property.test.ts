import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreesWithTruth } from '../../properties/agrees-with-truth.ts';
import type { Property } from '../../properties/property.ts';
import { readRepro } from '../../src/campaign/fuzz/repro.ts';
import type { Session } from '../../src/engines/engine.ts';
import { openSpecimen } from '../../src/engines/specimen/session.ts';
import { pictureLines, storedPicture } from '../../src/report/picture/index.ts';
import { checkProperty, type PropertyTestOptions } from '../../src/vitest/index.ts';
import { never } from '../engines/cases.ts';

let repros: string;
beforeAll(() => {
  repros = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
});
afterAll(() => rmSync(repros, { recursive: true }));

const healthy = () => openSpecimen();

function check(property: Property, options: Partial<PropertyTestOptions> = {}): Promise<void> {
  return checkProperty(
    property,
    { engine: healthy, seed: '7', repros, coverage: ['rows'], ...options },
    never,
  );
}

describe('a property as a test', () => {
  test('passes where it held', async () => {
    await check(agreesWithTruth, { cases: 300 });
  });

  test('fails with the case that was cut, its seed, how to replay it, and a repro that can be read', async () => {
    const engine = () => openSpecimen({ faults: ['negative-time-truncates'] });
    const failing = check(agreesWithTruth, { engine, profiles: ['before-the-epoch'] });
    await expect(failing).rejects.toThrow(
      /it does not \(3 of 3 runs\)[\s\S]*\nReplay\nTIDEMARK_SEED=7 TIDEMARK_CASE=\d+ npx vitest run -t agrees-with-truth\n\nseed 7, case \d+; repro: /,
    );
    const [file] = readdirSync(repros);
    const repro = await readRepro(join(repros, file!));
    const { testCase, property } = repro;
    // All of the picture that is the same wherever it is drawn, which is all but its last line.
    const drawn = pictureLines(storedPicture(file!, repro), { columns: 80, colours: false });
    await expect(failing).rejects.toThrow(drawn.slice(0, -1).join('\n'));
    expect(property).toBe('agrees-with-truth');
    expect(testCase.dataset.streams.flatMap(({ partitions }) => partitions.flat()).length).toBeLessThan(8);
  });

  test('fails where the property itself is wrong', async () => {
    const wrong: Property = {
      ...agreesWithTruth,
      name: 'always-one-row',
      statement: 'an engine gives one row, whatever it reads',
      async check(testCase, [session], signal) {
        const outcome = await session!.run(testCase, signal);
        if (outcome.kind !== 'output') return { kind: 'inconclusive', reason: 'skipped', message: '' };
        let lines = 0;
        for await (const chunk of outcome.capture.bytes.open()) {
          lines += Buffer.from(chunk).filter((byte) => byte === 10).length;
        }
        const counts = { lost: 0, premature: 0, altered: 0, extra: Math.max(0, lines - 1), corrupt: 0 };
        return lines <= 1 ? { kind: 'agree', rows: 1 } : { kind: 'diverge', counts, samples: [] };
      },
    };
    await expect(check(wrong)).rejects.toThrow('an engine gives one row, whatever it reads: it does not');
  });

  test('fails where a label was never reached, and names it', async () => {
    const covering = check(agreesWithTruth, { coverage: ['rows', 'around-2048'], profiles: ['ties'] });
    await expect(covering).rejects.toThrow('not covered: no case reached around-2048');
  });

  test('fails where no case is judged', async () => {
    const engine = (): Session => ({
      ...openSpecimen(),
      name: 'refusing 1',
      version: '1',
      traits: openSpecimen().traits,
      run: async () => ({ kind: 'unsupported', reason: 'nothing is supported' }),
      async [Symbol.asyncDispose]() {},
    });
    await expect(check(agreesWithTruth, { engine, cases: 40 })).rejects.toThrow(/too few cases: 0 held/);
  });

  test('fails where the engine hangs, and ends it', async () => {
    let aborted = 0;
    const engine = (): Session => ({
      name: 'hanging 1',
      version: '1',
      traits: openSpecimen().traits,
      run: (_, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', () => {
            aborted += 1;
          });
        }),
      async [Symbol.asyncDispose]() {},
    });
    await expect(check(agreesWithTruth, { engine, cases: 3, limitMs: 20 })).rejects.toThrow(
      /not gated: cases ended in timeout \(\d\)/,
    );
    expect(aborted).toBeGreaterThan(0);
  });
});
