import { Buffer } from 'node:buffer';
import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JudgeOptions, judge, type Side } from '../../src/judge/judge.ts';
import { murmur3, type WordHash } from '../../src/judge/murmur3.ts';
import { rowToJson } from '../../src/model/row-json.ts';
import type { Row } from '../../src/model/value.ts';
import type { Difference, Verdict } from '../../src/model/verdict.ts';
import { captured, change, lines, record } from './captures.ts';
import { append } from './declarations.ts';
import { columnsOf, everyType, rowOf } from './rows.ts';

const columns = columnsOf('BIGINT', 'STRING');
const none = { lost: 0, premature: 0, altered: 0, extra: 0, corrupt: 0 };

/** Judges an append output of a BIGINT `a`, the key, and a STRING `b`. */
function judged(expected: Side, actual: Side, options: Partial<JudgeOptions> = {}): Promise<Verdict> {
  return judge({ columns, declaration: append(['a']), expected, actual, ...options });
}

const rows = (...list: readonly Row[]): Side => ({ rows: list });

describe('append outputs that agree', () => {
  it.each<[string, Side, Side]>([
    ['in another order', rows([1, 'x'], [2, 'y']), lines('{"a":2,"b":"y"}', '{"a":1,"b":"x"}')],
    ['with fields in another order', rows([1, 'x'], [2, 'y']), lines('{"b":"x","a":1}', '{"a":2,"b":"y"}')],
    ['without a final newline', rows([1, 'x']), captured('{"a":1,"b":"x"}')],
    ['with white space', rows([1, 'x']), captured(' {\t"a" : 1 , "b" :"x" }\r\n')],
    ['with escapes', rows([1, 'é']), lines('{"a":1,"b":"\\u00e9"}')],
    ['with escapes on both sides', lines('{"a":1,"b":"\\u00e9"}'), lines('{"a":1,"b":"é"}')],
    ['with duplicates', rows([1, 'x'], [1, 'x']), lines('{"a":1,"b":"x"}', '{"a":1,"b":"x"}')],
    ['with nulls', rows([null, null]), lines('{"a":null,"b":null}')],
    ['as a changelog', rows([1, 'x']), captured(change('+I', '{"a":1,"b":"x"}'), 'changelog')],
    ['as a changelog, row first', rows([1, 'x']), captured('{"row":{"a":1,"b":"x"},"op":"+I"}', 'changelog')],
    ['as records', rows([1, 'x']), captured(record('k', '{"a":1,"b":"x"}'), 'records')],
    ['as records without a key', rows([1, 'x']), captured(record(null, '{"a":1,"b":"x"}'), 'records')],
    [
      'as records with escaped slashes',
      rows([1, '???']),
      captured(record('k', '{"a":1,"b":"???"}').replaceAll('/', '\\/'), 'records'),
    ],
  ])('%s', async (_, expected, actual) => {
    expect(await judged(expected, actual)).toEqual({
      kind: 'agree',
      rows: 'rows' in expected ? expected.rows.length : 1,
    });
  });
});

describe('append outputs that differ', () => {
  it('names a lost row', async () => {
    expect(await judged(rows([1, 'x'], [2, 'y']), lines('{"a":1,"b":"x"}'))).toEqual({
      kind: 'diverge',
      counts: { ...none, lost: 1 },
      samples: [{ kind: 'lost', count: 1, expected: [2, 'y'] }],
    });
  });

  it('names an extra row', async () => {
    expect(await judged(rows([1, 'x']), lines('{"a":1,"b":"x"}', '{"a":2,"b":"y"}'))).toEqual({
      kind: 'diverge',
      counts: { ...none, extra: 1 },
      samples: [{ kind: 'extra', count: 1, actual: [2, 'y'] }],
    });
  });

  it('names an altered row and its columns', async () => {
    expect(await judged(rows([1, 'x'], [2, 'y']), lines('{"a":1,"b":"z"}', '{"a":2,"b":"y"}'))).toEqual({
      kind: 'diverge',
      counts: { ...none, altered: 1 },
      samples: [{ kind: 'altered', count: 1, expected: [1, 'x'], actual: [1, 'z'], columns: ['b'] }],
    });
  });

  it('names a premature row, as often as it is true later', async () => {
    const line = '{"a":2,"b":"y"}';
    const verdict = await judged(rows([1, 'x']), lines('{"a":1,"b":"x"}', line, line), {
      beyond: [
        [2, 'y'],
        [1, 'x'],
        [3, 'z'],
      ],
    });
    expect(verdict).toEqual({
      kind: 'diverge',
      counts: { ...none, premature: 1, extra: 1 },
      samples: [
        { kind: 'premature', count: 1, actual: [2, 'y'] },
        { kind: 'extra', count: 1, actual: [2, 'y'] },
      ],
    });
  });

  it('does not take a row that is true now and later for premature', async () => {
    const side = lines('{"a":1,"b":"x"}');
    expect(await judged(rows([1, 'x']), side, { beyond: [[1, 'x']] })).toEqual({ kind: 'agree', rows: 1 });
  });

  it('calls {a,a,b} and {a,b,b} different', async () => {
    const verdict = await judged(
      rows([1, 'x'], [1, 'x'], [2, 'y']),
      lines('{"a":1,"b":"x"}', '{"a":2,"b":"y"}', '{"a":2,"b":"y"}'),
    );
    expect(verdict).toMatchObject({ kind: 'diverge', counts: { ...none, lost: 1, extra: 1 } });
  });

  it('pairs rows of one key as far as they go', async () => {
    const verdict = await judged(
      rows([1, 'p'], [1, 'q'], [1, 'r']),
      lines('{"a":1,"b":"r"}', '{"a":1,"b":"s"}', '{"a":2,"b":"s"}'),
    );
    expect(verdict).toEqual({
      kind: 'diverge',
      counts: { ...none, lost: 1, altered: 1, extra: 1 },
      samples: [
        { kind: 'lost', count: 1, expected: [1, 'q'] },
        { kind: 'altered', count: 1, expected: [1, 'p'], actual: [1, 's'], columns: ['b'] },
        { kind: 'extra', count: 1, actual: [2, 's'] },
      ],
    });
  });

  it.each<[string, Row, string]>([
    ['the last digit of a BIGINT beyond 2^53', [9007199254740993n, 'x'], '{"a":9007199254740992,"b":"x"}'],
    ['a letter and its canonical equivalent', [1, 'é'], '{"a":1,"b":"e\u0301"}'],
    ['NULL and the empty string', [1, ''], '{"a":1,"b":null}'],
    ['NULL and zero', [0, 'x'], '{"a":null,"b":"x"}'],
    ['the string null', [1, null], '{"a":1,"b":"null"}'],
    ['trailing white space', [1, 'x'], '{"a":1,"b":"x "}'],
  ])('sees %s', async (_, row, line) => {
    expect(await judged(rows(row), lines(line))).toMatchObject({ kind: 'diverge' });
  });

  it('tells -0.0 from 0 in a DOUBLE, and takes 3 for 3.0', async () => {
    const doubles = { columns: columnsOf('DOUBLE'), declaration: append(['a']) };
    expect(await judged(rows([0]), lines('{"a":-0.0}'), doubles)).toMatchObject({ kind: 'diverge' });
    expect(await judged(rows([3]), lines('{"a":3.0}'), doubles)).toMatchObject({ kind: 'agree' });
    expect(await judged(rows([Number.NaN]), lines('{"a":"NaN"}'), doubles)).toMatchObject({ kind: 'agree' });
  });

  it('keeps the first few samples, and exact counts', async () => {
    const truth = Array.from({ length: 50 }, (_, index): Row => [49 - index, 'x']);
    const verdict = await judged({ rows: truth }, lines('{"a":7,"b":"x"}'), { maxSamples: 3 });
    expect(verdict).toEqual({
      kind: 'diverge',
      counts: { ...none, lost: 49 },
      samples: [49, 48, 47].map((a) => ({ kind: 'lost', count: 1, expected: [a, 'x'] })),
    });
  });
});

describe('empty append outputs', () => {
  const one = lines('{"a":1,"b":"x"}');
  it('agree with nothing', async () => {
    expect(await judged(rows([1, 'x']), captured(''))).toMatchObject({ counts: { ...none, lost: 1 } });
    expect(await judged(rows(), one)).toMatchObject({ counts: { ...none, extra: 1 } });
    expect(await judged(one, captured(''))).toMatchObject({ counts: { ...none, lost: 1 } });
  });

  it('prove nothing when both are', async () => {
    expect(await judged(rows(), captured(''))).toMatchObject({ kind: 'inconclusive', reason: 'both-empty' });
  });

  it('are not both empty when a line is corrupt', async () => {
    expect(await judged(rows(), captured('\n'))).toMatchObject({
      kind: 'diverge',
      counts: { ...none, corrupt: 1 },
    });
  });
});

describe('corrupt lines', () => {
  const good = '{"a":1,"b":"x"}';

  it.each<[string, Side, object]>([
    ['an empty line', lines(good, '', '{"a":2,"b":"y"}'), { line: 2, byte: 0, problem: 'ends early' }],
    [
      'half a line',
      captured(`${good}\n{"a":2,"b":"y`),
      { line: 2, byte: 13, problem: 'ends early', column: 'b' },
    ],
    ['a missing field', lines(good, '{"a":2}'), { line: 2, byte: 6, problem: 'missing field', column: 'b' }],
    [
      'another op',
      captured(change('+I', good) + change('I', good), 'changelog'),
      { line: 2, byte: 6, problem: 'not an op' },
    ],
    [
      'an envelope without a row',
      captured(`${change('+I', good)}{"op":"+I"}`, 'changelog'),
      { line: 2, byte: 10, problem: 'missing field' },
    ],
    [
      'a field of the envelope too many',
      captured(`${change('+I', good)}{"op":"+I","ts":1,"row":${good}}`, 'changelog'),
      { line: 2, byte: 11, problem: 'unknown field' },
    ],
    [
      'a bad row in an envelope',
      captured(change('+I', good) + change('+I', '{"a":"1","b":"x"}'), 'changelog'),
      { line: 2, byte: 22, problem: 'not a whole number', column: 'a' },
    ],
    [
      'an update',
      captured(change('+I', good) + change('+U', good), 'changelog'),
      { line: 2, byte: 0, problem: 'updates a row of an append output' },
    ],
    [
      'a withdrawal',
      captured(change('+I', good) + change('-D', good), 'changelog'),
      { line: 2, byte: 0, problem: 'withdraws a row of an append output' },
    ],
    [
      'a tombstone',
      captured(record('k', good) + record('k', null), 'records'),
      { line: 2, byte: 0, problem: 'withdraws a row of an append output' },
    ],
    [
      'a bad row in a record',
      captured(record('k', good) + record('k', '{"a":1}'), 'records'),
      { line: 2, byte: 47, problem: 'missing field', column: 'b' },
    ],
    [
      'a value that is not base64',
      captured(`${record('k', good)}{"partition":0,"offset":1,"key":null,"value":"e?=="}`, 'records'),
      { line: 2, byte: 45, problem: 'not base64' },
    ],
    [
      'a value that goes on after its padding',
      captured(`${record('k', good)}{"partition":0,"offset":1,"key":null,"value":"eQ==eQ=="}`, 'records'),
      { line: 2, byte: 45, problem: 'not base64' },
    ],
    [
      'a value of which a letter is missing',
      captured(`${record('k', good)}{"partition":0,"offset":1,"key":null,"value":"eQ="}`, 'records'),
      { line: 2, byte: 45, problem: 'not base64' },
    ],
    [
      'a key that does not end',
      captured(`${record('k', good)}{"partition":0,"offset":1,"key":"aaaa`, 'records'),
      { line: 2, byte: 37, problem: 'ends early' },
    ],
    [
      'an offset that is no number',
      captured(`${record('k', good)}{"partition":0,"offset":"1","key":null,"value":null}`, 'records'),
      { line: 2, byte: 24, problem: 'not a whole number' },
    ],
  ])('%s', async (_, actual, position) => {
    const verdict = await judged(rows([1, 'x']), actual);
    expect(verdict).toMatchObject({ kind: 'diverge', counts: { corrupt: 1 } });
    const samples =
      verdict.kind === 'diverge' ? verdict.samples.filter(({ kind }) => kind === 'corrupt') : [];
    expect(samples).toEqual([{ kind: 'corrupt', count: 1, position }]);
  });

  it('are none where base64 is written with escapes', async () => {
    const value = Buffer.from(good).toString('base64').replace('e', '\\u0065').replaceAll('/', '\\/');
    const escaped = captured(`{"partition":0,"offset":0,"key":"\\u0061w==","value":"${value}"}`, 'records');
    expect(await judged(rows([1, 'x']), escaped)).toEqual({ kind: 'agree', rows: 1 });
  });

  it('count on both sides, beside what the other lines lack', async () => {
    const verdict = await judged(lines(good, '{'), lines('{"a":1,"b":"y"}', ']', ''));
    expect(verdict).toMatchObject({ kind: 'diverge', counts: { ...none, altered: 1, corrupt: 3 } });
  });

  it('are described without what they hold', async () => {
    const secrets = [
      '{"a":"secret","b":"x"}',
      '{"secret":1}',
      'secret',
      '{"a":1,"b":"secret',
      '{"a":1,"b":"secret"}secret',
    ];
    const verdict = await judged(rows([1, 'x']), lines(good, ...secrets));
    expect(verdict).toMatchObject({ kind: 'diverge', counts: { ...none, corrupt: 5 } });
    expect(JSON.stringify(verdict)).not.toContain('secret');
  });
});

describe('chunks', () => {
  it('may end at any byte', async () => {
    const truth: Row[] = [
      [9007199254740993n, 'é\u{1f30a}"\\'],
      [-5, ''],
      [null, 'x'],
    ];
    const content = Buffer.from(truth.map((row) => `${rowToJson(columns, row)}\n`).join(''));
    for (let size = 1; size <= content.length; size++) {
      expect(await judged({ rows: truth }, captured(content, 'rows', size))).toEqual({
        kind: 'agree',
        rows: 3,
      });
      const half = content.subarray(0, -3);
      expect(await judged({ rows: truth }, captured(half, 'rows', size))).toMatchObject({
        samples: [
          { kind: 'lost', expected: [null, 'x'] },
          { kind: 'corrupt', position: { line: 3, byte: half.length - content.lastIndexOf('\n', -2) - 1 } },
        ],
      });
    }
  });
});

/** Sums that tell rows apart, but all rows fall into one bucket and one slot of the tables. */
const oneBucket: WordHash = (words, start, byteLength, seed, out) => {
  murmur3(words, start, byteLength, seed, out);
  out[0] = 0;
  out[3] = 0;
};

/** Four values in all: most rows have equal hashes. */
const fourValues: WordHash = (words, start, byteLength, seed, out) => {
  murmur3(words, start, byteLength, seed, out);
  const low = out[0]! & 3;
  out.fill(low);
};

type NarrowRow = [number, number, number | null];

describe('drilling', () => {
  const narrow = columnsOf('INT', 'INT', 'DOUBLE');
  const value = fc.integer({ min: 0, max: 3 });
  const near = fc.constantFrom(1, 1 + 5e-7, 1 + 1e-6, 1 + 15e-7, 1 + 3e-6, null);
  const someRows = fc.array(fc.tuple(value, value, near), { maxLength: 40 });

  /** An extra row of line 3, and one that is first seen in line 3 of the other side. */
  const sameLines: [NarrowRow[], NarrowRow[], NarrowRow[]] = [
    [
      [0, 0, 1],
      [0, 0, 1],
      [3, 3, 1],
    ],
    [
      [0, 0, 1],
      [0, 0, 1],
      [3, 0, 1],
      [3, 3, 1],
      [3, 3, 1],
    ],
    [],
  ];

  for (const tolerance of [[], ['c']]) {
    test.prop([someRows, someRows, someRows], { numRuns: 100, examples: [sameLines] })(
      `gives one verdict whatever memory and hash, tolerance ${tolerance.length > 0}`,
      async (expected, actual, beyond) => {
        const options = {
          columns: narrow,
          declaration: append(['a'], tolerance),
          expected: { rows: expected },
          actual: lines(...actual.map((row) => rowToJson(narrow, row))),
          beyond,
          maxSamples: 1000,
        };
        const verdict = await judge(options);
        for (const heldBytes of [1, 200, 1000]) {
          expect(await judge({ ...options, heldBytes })).toEqual(verdict);
        }
        expect(await judge({ ...options, hash: oneBucket })).toEqual(verdict);
        expect(await judge({ ...options, hash: oneBucket, heldBytes: 1 })).toEqual(verdict);
      },
    );
  }

  test.prop([someRows, someRows, someRows, fc.constantFrom(1, 200, 100_000), fc.constantFrom(1, 2, 1000)], {
    numRuns: 200,
  })(
    'tells of every difference it counts, or of too few',
    async (expected, actual, beyond, heldBytes, few) => {
      const options = {
        columns: narrow,
        declaration: append(['a']),
        expected: { rows: expected },
        actual: lines(...actual.map((row) => rowToJson(narrow, row)), '{'),
        beyond,
        heldBytes,
        maxSamples: few,
      };
      const told = { ...none };
      const onDifference = ({ kind, count }: Difference) => {
        told[kind] += count;
      };
      const verdict = await judge({ ...options, onDifference });
      expect(verdict).toEqual(await judge(options));
      const counts = verdict.kind === 'diverge' ? verdict.counts : none;
      if (few === 1000 || heldBytes === 100_000) expect(told).toEqual(counts);
      for (const kind of Object.keys(none) as (keyof typeof none)[]) {
        expect(told[kind]).toBeLessThanOrEqual(counts[kind]);
      }
    },
  );

  test.prop([someRows, someRows], { numRuns: 200 })(
    'takes no two rows for one by their hashes',
    async (a, b) => {
      const options = {
        columns: narrow,
        declaration: append(['a']),
        expected: { rows: a },
        // Rows in unequal numbers make a bucket differ, whatever the sums.
        actual: { rows: [...b, ...Array.from({ length: a.length + 1 }, (_, n): Row => [n % 9, 9, 9])] },
        maxSamples: 1000,
      };
      const verdict = await judge({ ...options, hash: fourValues });
      expect(verdict.kind).toBe('diverge');
      const surplus = (row: Row) => {
        const count = (list: readonly Row[]) =>
          list.filter((other) => row.every((value, index) => Object.is(value, other[index]))).length;
        return count(options.expected.rows) - count(options.actual.rows);
      };
      for (const sample of verdict.kind === 'diverge' ? verdict.samples : []) {
        if ('expected' in sample) expect(surplus(sample.expected)).toBeGreaterThanOrEqual(sample.count);
        if ('actual' in sample) expect(-surplus(sample.actual)).toBeGreaterThanOrEqual(sample.count);
      }
    },
  );

  it('keeps the counts of a key that does not fit, though not all of its samples', async () => {
    const expected = Array.from({ length: 300 }, (_, b): Row => [1, `e${b}`]);
    const actual = Array.from({ length: 200 }, (_, b): Row => [1, `a${b}`]);
    const verdict = await judged({ rows: expected }, { rows: actual }, { heldBytes: 1000, maxSamples: 5 });
    expect(verdict).toMatchObject({ kind: 'diverge', counts: { ...none, altered: 200, lost: 100 } });
    const samples = verdict.kind === 'diverge' ? verdict.samples : [];
    expect(samples.filter(({ kind }) => kind === 'altered')).toHaveLength(5);
  });

  it('takes none of the rows that have a partner for lost where only samples of a key are left', async () => {
    const twice = Array.from({ length: 600 }, (_, b): Row => [1, `e${b >> 1}`]);
    const actual = Array.from({ length: 200 }, (_, b): Row => [1, `a${b}`]);
    const verdict = await judged({ rows: twice }, { rows: actual }, { heldBytes: 1000, maxSamples: 5 });
    expect(verdict).toMatchObject({ kind: 'diverge', counts: { ...none, altered: 200, lost: 400 } });
    expect(verdict.kind === 'diverge' && verdict.samples.map(({ kind }) => kind)).not.toContain('lost');
  });

  it('sees unequal numbers of rows whose hashes sum to nothing', async () => {
    const hash: WordHash = (_words, _start, _byteLength, _seed, out) => out.fill(0);
    expect(await judged(rows([1, 'x']), rows([1, 'x'], [1, 'x']), { hash })).toMatchObject({
      counts: { ...none, extra: 1 },
    });
  });

  it('reads each side once when they agree, and twice when a little differs', async () => {
    let opened = 0;
    const source = (content: string): Side => ({
      capture: {
        format: 'rows',
        bytes: {
          async *open() {
            opened++;
            yield Buffer.from(content);
          },
        },
      },
    });
    await judged(source('{"a":1,"b":"x"}\n'), source('{"b":"x","a":1}\n'));
    expect(opened).toBe(2);
    opened = 0;
    await judged(source('{"a":1,"b":"x"}\n'), source('{"b":"y","a":1}\n'));
    expect(opened).toBe(4);
  });
});

describe('against a reference', () => {
  const few = fc.array(rowOf(everyType), { minLength: 1, maxLength: 8 });
  test.prop([few, fc.infiniteStream(fc.nat())], { numRuns: 100 })(
    'counts each difference of multisets once',
    async (pool, picks) => {
      const pick = (size: number) =>
        Array.from({ length: size }, () => pool[picks.next().value! % pool.length]!);
      const [expected, actual] = [pick(6), pick(6)];
      const texts = (list: readonly Row[]) => list.map((row) => rowToJson(everyType, row));
      const left = texts(expected);
      const missing = texts(actual).filter((text) => {
        const at = left.indexOf(text);
        if (at >= 0) left.splice(at, 1);
        return at < 0;
      });
      const verdict = await judge({
        columns: everyType,
        declaration: append(everyType.map((column) => column.name)),
        expected: { rows: expected },
        actual: lines(...texts(actual)),
      });
      if (missing.length === 0) expect(verdict).toEqual({ kind: 'agree', rows: 6 });
      else expect(verdict).toMatchObject({ counts: { ...none, lost: left.length, extra: missing.length } });
    },
  );
});
