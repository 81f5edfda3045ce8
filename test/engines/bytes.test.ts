import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clink } from '../../src/engines/clink/engine.ts';
import { duckdb } from '../../src/engines/duckdb/engine.ts';
import type { Session } from '../../src/engines/engine.ts';
import { bigint, call, desc, from } from '../../src/model/build.ts';
import type { StreamSchema } from '../../src/model/schema.ts';
import type { Row } from '../../src/model/value.ts';
import { answer, datasetOf, never, sorted, temporaryDirectory, testedEngines } from './cases.ts';

const nullable = true;
const order: StreamSchema = {
  name: 'order',
  columns: [
    { name: 'at', type: 'TIMESTAMP(3)', nullable: false },
    { name: 'user', type: 'BIGINT', nullable },
    { name: 'select', type: 'STRING', nullable },
    { name: 'x', type: 'DOUBLE', nullable },
    { name: 'i', type: 'INT', nullable },
    { name: 'b', type: 'BOOLEAN', nullable },
    { name: 'd', type: 'DECIMAL(10,2)', nullable },
    { name: 'seq', type: 'BIGINT', nullable: false },
  ],
  eventTime: 'at',
  unique: [['seq']],
};
const names = order.columns.map(({ name }) => name);

const rows: readonly Row[] = [
  [-1, 9_007_199_254_740_993n, 'a😀é\u{10ffff}', 0.1, -2_147_483_648, true, '-0.05', 0],
  [0, -9_223_372_036_854_775_808n, '', -0, 2_147_483_647, false, '99999999.99', 1],
  [-9_000_000_000_000, 9_223_372_036_854_775_807n, 'q"\\/\n\t\u007f', 5e-324, 0, null, '0.00', 2],
  [253_402_300_799_999, null, null, null, null, null, null, 3],
  [1, 0, "it's <b>&amp;\ufffd\u2028", 1.7976931348623157e308, 1, true, '1.50', 4],
  [2, 1, '\uffff', 123456789012345680, 1, true, '1.00', 5],
];

const data = datasetOf([order, rows]);

describe.each(testedEngines([duckdb, clink]))('$title carries', ({ engine, runs }) => {
  describe.skipIf(!runs)('values', () => {
    const directory = temporaryDirectory();
    let opened: Session;
    beforeAll(async () => {
      opened = await engine.open({ directory: directory.path, signal: never });
    });
    afterAll(async () => {
      await opened?.[Symbol.asyncDispose]();
      directory.remove();
    });

    it('of every type, exact from dataset to output', async () => {
      expect(await answer(opened, from('order').select(...names), data)).toEqual(sorted(rows));
    });

    it('of every type through a top-N', async () => {
      const plan = from('order').top(1, ['seq'], desc('at'));
      expect(await answer(opened, plan, data)).toEqual(sorted(rows));
    });

    it('of INT from arithmetic', async () => {
      const plan = from('order').project({
        seq: 'seq',
        i: 'i',
        twice: call('add', 'i', { lit: 0, type: 'INT' }),
      });
      expect(await answer(opened, plan, data)).toEqual(
        sorted(rows.map((row) => [row[7]!, row[4]!, row[4]!])),
      );
    });

    it('of literals', async () => {
      const plan = from('order')
        .filter(call('eq', 'seq', bigint(0)))
        .project({
          least: bigint(-(2n ** 63n)),
          odd: bigint(2n ** 53n + 1n),
          least_double: { lit: 2.2250738585072014e-308, type: 'DOUBLE' },
          decimal: { lit: '-1.50', type: 'DECIMAL(10,2)' },
          never: { lit: null, type: 'BOOLEAN' },
          always: { lit: true, type: 'BOOLEAN' },
          when: { lit: -1, type: 'TIMESTAMP(3)' },
        });
      expect(await answer(opened, plan, data)).toEqual([
        [-(2n ** 63n), 2n ** 53n + 1n, 2.2250738585072014e-308, '-1.50', null, true, -1],
      ]);
    });
  });
});
