import { Buffer } from 'node:buffer';
import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { CanonicalRow, Layout } from '../../src/judge/canonical-row.ts';
import { RowLineDecoder } from '../../src/judge/decode/row-line.ts';
import { rowToJson } from '../../src/model/row-json.ts';
import type { Row } from '../../src/model/value.ts';
import { everyType, rowOf } from './rows.ts';

const layout = new Layout(everyType, ['f', 'b'], ['c']);

const wordsOf = (row: CanonicalRow) => [...row.words.subarray(0, row.length)];

function encoded(row: Row): CanonicalRow {
  const canonical = new CanonicalRow(layout);
  canonical.encode(row);
  return canonical;
}

function decoded(json: string): CanonicalRow {
  const decoder = new RowLineDecoder(layout);
  const bytes = Buffer.from(json);
  expect(decoder.decode(bytes, 0, bytes.length)).toBe('insert');
  return decoder.row;
}

/** The row's fields in another order. */
function reordered(json: string): string {
  const fields = everyType.map((column, index) => {
    const from = json.indexOf(`"${column.name}":`);
    const next = everyType[index + 1];
    return json.slice(from, next === undefined ? json.length - 1 : json.indexOf(`,"${next.name}":`));
  });
  return `{${fields.toReversed().join(',')}}`;
}

describe('the canonical row', () => {
  const row = rowOf(everyType);

  test.prop([row])('is the same from memory as from JSON', (values) => {
    const a = encoded(values);
    const b = decoded(rowToJson(everyType, values));
    expect(wordsOf(b)).toEqual(wordsOf(a));
    expect([b.keyLength, b.exactLength]).toEqual([a.keyLength, a.exactLength]);
  });

  test.prop([rowOf(everyType.filter((column) => column.type !== 'STRING'))])(
    'does not depend on the order of fields',
    (values) => {
      const all = everyType.map((column) =>
        column.type === 'STRING'
          ? 'é\u{1f30a}'
          : values[everyType.filter((c) => c.type !== 'STRING').indexOf(column)]!,
      );
      expect(wordsOf(decoded(reordered(rowToJson(everyType, all))))).toEqual(wordsOf(encoded(all)));
    },
  );

  test.prop([row])('gives the values back', (values) => {
    const { words } = encoded(values);
    expect(layout.row(words, 0)).toStrictEqual(values);
  });

  test.prop([fc.tuple(row, row)])('differs where the values do', ([a, b]) => {
    const same = a.every((value, index) => Object.is(value, b[index]));
    const [left, right] = [wordsOf(encoded(a)), wordsOf(encoded(b))];
    expect(left.length === right.length && left.every((word, index) => word === right[index])).toBe(same);
  });

  test.prop([row])('begins with the key, then the exact columns', (values) => {
    const canonical = encoded(values);
    expect(layout.prefixLength(canonical.words, 0, layout.keyColumns)).toBe(canonical.keyLength);
    expect(layout.prefixLength(canonical.words, 0, layout.exactColumns)).toBe(canonical.exactLength);
    const other = values.map((value, index) => (index === 1 || index === 5 ? value : null));
    expect(wordsOf(encoded(other)).slice(0, canonical.keyLength)).toEqual(
      wordsOf(canonical).slice(0, canonical.keyLength),
    );
  });
});
