import { describe, expect, test } from 'vitest';
import { isSameText } from '../../src/judge/same-text.ts';
import type { Column } from '../../src/model/schema.ts';
import type { Row } from '../../src/model/value.ts';
import { captured } from './captures.ts';

const columns: readonly Column[] = [
  { name: 'k', type: 'STRING', nullable: true },
  { name: 'n', type: 'BIGINT', nullable: false },
];
const rows: readonly Row[] = [
  ['a', 1],
  ['b', 2],
  ['a', 1],
];
const text = '{"k":"a","n":1}\n{"k":"a","n":1}\n{"k":"b","n":2}\n';
const same = (output: string | Uint8Array, expected = rows) => {
  const { capture } = captured(output as string);
  return isSameText(columns, expected, capture);
};

describe('the text of an output', () => {
  test('is that of rows in any order, each as often', async () => {
    expect(await same(text)).toBe(true);
  });

  test.each([
    ['a row twice and another not', '{"k":"a","n":1}\n{"k":"b","n":2}\n{"k":"b","n":2}\n'],
    ['a row more', `${text}{"k":"a","n":1}\n`],
    ['a row less', '{"k":"a","n":1}\n{"k":"b","n":2}\n'],
    ['another value', text.replace('2', '3')],
    ['a line that is not ended', text.slice(0, -1)],
    [
      'fields in another order, which only the decoder can tell',
      text.replace('{"k":"b","n":2}', '{"n":2,"k":"b"}'),
    ],
  ])('is not with %s', async (_, output) => {
    expect(await same(output)).toBe(false);
  });

  test('says nothing of bytes that are no UTF-8, though they read as a row', async () => {
    const replaced: readonly Row[] = [['\ufffd', 1]];
    const bytes = Buffer.concat([Buffer.from('{"k":"'), Buffer.from([0xff]), Buffer.from('","n":1}\n')]);
    const capture = {
      format: 'rows',
      bytes: {
        open: async function* () {
          yield bytes;
        },
      },
    } as const;
    expect(await isSameText(columns, replaced, capture)).toBe(false);
  });

  test('says nothing where both are empty', async () => {
    expect(await same('', [])).toBe(false);
  });
});
