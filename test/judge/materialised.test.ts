import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JudgeOptions, judge, type Side } from '../../src/judge/judge.ts';
import { LatestRows } from '../../src/judge/latest-rows.ts';
import { murmur3 } from '../../src/judge/murmur3.ts';
import type { Row } from '../../src/model/value.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import { captured, change, lines, record } from './captures.ts';
import { materialised } from './declarations.ts';
import { columnsOf } from './rows.ts';

const columns = columnsOf('BIGINT', 'STRING', 'DOUBLE');
const none = { lost: 0, premature: 0, altered: 0, extra: 0, corrupt: 0 };

/** Judges a materialised output of a BIGINT `a`, the key, a STRING `b` and a DOUBLE `c` with a tolerance. */
function judged(expected: Side, actual: Side, options: Partial<JudgeOptions> = {}): Promise<Verdict> {
  return judge({ columns, declaration: materialised(['a'], ['c']), expected, actual, ...options });
}

const truth: Side = {
  rows: [
    [1, 'x', 1],
    [2, 'y', null],
  ],
};
const x = '{"a":1,"b":"x","c":1.0}';
const y = '{"a":2,"b":"y","c":null}';
const old = '{"a":1,"b":"old","c":0}';
const z = '{"a":3,"b":"z","c":3}';

const changelog = (...changes: readonly (readonly [string, string])[]) =>
  captured(changes.map(([op, row]) => change(op, row)).join(''), 'changelog');
const retract = (...changes: readonly (readonly [string, string])[]) =>
  captured(changes.map(([op, row]) => change(op, row)).join(''), 'retract');
const records = (...list: readonly (readonly [string | null, string | null])[]) =>
  captured(list.map(([key, value], offset) => record(key, value, offset)).join(''), 'records');

describe('materialised outputs that agree', () => {
  it.each<[string, Side]>([
    ['rows, last write per key', lines(old, y, x)],
    ['rows, an identical upsert again', lines(x, y, x)],
    ['a changelog', changelog(['+I', old], ['-U', old], ['+U', x], ['+I', y])],
    ['a changelog that starts a group with +U', changelog(['+U', x], ['+I', y])],
    ['a changelog that withdraws an absent row', changelog(['-D', z], ['+I', x], ['-U', z], ['+I', y])],
    [
      'a changelog that writes again after a withdrawal',
      changelog(['+I', old], ['-D', old], ['+I', x], ['+I', y]),
    ],
    ['retractions', retract(['+I', old], ['-U', old], ['+U', x], ['+I', z], ['-D', z], ['+I', y])],
    [
      'retractions that start a group with +U and end one with -U',
      retract(['+U', x], ['+U', z], ['-U', z], ['+I', y]),
    ],
    ['records', records(['k', old], ['l', y], ['k', x])],
    ['records with a tombstone', records(['k', x], ['l', y], ['m', z], ['m', null])],
    ['records with a tombstone for an absent key', records(['m', null], ['k', x], ['l', y])],
    ['records that change the declared key', records(['k', z], ['l', y], ['k', x])],
    ['records with broker keys of any bytes, also none', records(['\u0000\u0001', x], ['', y])],
    [
      'records with broker keys of other lengths in between',
      records(['zzzz', y], ['a', old], ['yyyy', z], ['a', x], ['yyyy', null]),
    ],
    ['a value within tolerance', lines('{"a":1,"b":"x","c":1.0000005}', y)],
  ])('%s', async (_, actual) => {
    expect(await judged(truth, actual)).toEqual({ kind: 'agree', rows: 2 });
  });

  it('whatever two engines do underneath', async () => {
    const verdict = await judged(changelog(['+I', x], ['+I', y]), records(['k', x], ['l', z], ['l', y]));
    expect(verdict).toEqual({ kind: 'agree', rows: 2 });
  });
});

describe('a retract stream that is illegal (semantics §7) diverges, though its final state be right', () => {
  it.each<[string, Side, number, string]>([
    ['removes an absent row', retract(['+I', x], ['-D', z], ['+I', y]), 2, 'removes a row that is not there'],
    [
      'removes a row with other values',
      retract(['+I', x], ['-U', old], ['+I', y]),
      2,
      'removes a row that is not there',
    ],
    [
      'removes a row twice',
      retract(['+I', old], ['-U', old], ['-U', old], ['+U', x], ['+I', y]),
      3,
      'removes a row that is not there',
    ],
    [
      'has two live rows of a key',
      retract(['+I', x], ['+U', x], ['+I', y]),
      2,
      'adds a row whose key is live',
    ],
  ])('%s', async (_, actual, line, problem) => {
    const verdict = await judged(truth, actual);
    expect(verdict).toMatchObject({
      kind: 'diverge',
      counts: { corrupt: 1 },
      samples: expect.arrayContaining([{ kind: 'corrupt', count: 1, position: { line, byte: 0, problem } }]),
    });
  });
});

describe('materialised outputs that differ', () => {
  it.each<[string, Side, object, object]>([
    ['a lost key', lines(x), { lost: 1 }, { kind: 'lost', count: 1, expected: [2, 'y', null] }],
    ['a key withdrawn', changelog(['+I', x], ['+I', y], ['-D', y]), { lost: 1 }, { kind: 'lost' }],
    ['an extra key', lines(x, y, z), { extra: 1 }, { kind: 'extra', count: 1, actual: [3, 'z', 3] }],
    ['a tombstone left out', records(['k', x], ['l', y], ['m', z]), { extra: 1 }, { kind: 'extra' }],
    [
      'an old row at the end',
      lines(x, y, old),
      { altered: 1 },
      { kind: 'altered', count: 1, expected: [1, 'x', 1], actual: [1, 'old', 0], columns: ['b', 'c'] },
    ],
    [
      'a value beyond tolerance',
      lines('{"a":1,"b":"x","c":1.000002}', y),
      { altered: 1 },
      { columns: ['c'] },
    ],
    ['NULL for a number', lines('{"a":1,"b":"x","c":null}', y), { altered: 1 }, { columns: ['c'] }],
    [
      'another value beside one within tolerance',
      lines('{"a":1,"b":"X","c":1.0000005}', y),
      { altered: 1 },
      { columns: ['b'] },
    ],
    [
      'two broker keys for one key',
      records(['k', x], ['l', y], ['m', x]),
      { extra: 1 },
      { actual: [1, 'x', 1] },
    ],
    ['nothing', captured(''), { lost: 2 }, { kind: 'lost' }],
  ])('%s', async (_, actual, counts, sample) => {
    const verdict = await judged(truth, actual);
    expect(verdict).toMatchObject({ kind: 'diverge', counts: { ...none, ...counts } });
    expect(verdict.kind === 'diverge' && verdict.samples[0]).toMatchObject(sample);
  });

  it('two broker keys for one key, on both sides', async () => {
    const twice = records(['k', x], ['l', x]);
    expect(await judged(twice, twice)).toMatchObject({ counts: { ...none, lost: 1, extra: 1 } });
  });

  it.each<[string, Side, object]>([
    [
      'a record without a key',
      records(['k', x], ['l', y], [null, x]),
      { line: 3, problem: 'a record without a key' },
    ],
    ['half a record', captured(record('k', x).slice(0, -9), 'records'), { line: 1, problem: 'ends early' }],
    [
      'a broker key without its padding',
      captured(
        `${record('k', x)}{"partition":0,"offset":1,"key":"aw","value":null}\n${record('l', y)}`,
        'records',
      ),
      { line: 2, problem: 'not base64' },
    ],
    ['a bad row', lines(x, y, '{"a":1,"b":1,"c":1}'), { line: 3, column: 'b' }],
  ])('a corrupt line: %s', async (_, actual, position) => {
    const verdict = await judged(truth, actual);
    expect(verdict).toMatchObject({ kind: 'diverge', counts: { corrupt: 1 } });
    expect(verdict.kind === 'diverge' && verdict.samples.at(-1)).toMatchObject({ kind: 'corrupt', position });
  });
});

describe('empty states', () => {
  it('prove nothing when both are', async () => {
    const gone = changelog(['+I', x], ['-D', x]);
    expect(await judged({ rows: [] }, gone)).toMatchObject({ kind: 'inconclusive', reason: 'both-empty' });
  });

  it('agree with nothing', async () => {
    expect(await judged({ rows: [] }, lines(x))).toMatchObject({ counts: { ...none, extra: 1 } });
  });
});

it('refuses a truth that holds a key twice', async () => {
  const twice: Row[] = [
    [1, 'x', 1],
    [1, 'x', 1],
  ];
  await expect(judged({ rows: twice }, lines(x))).rejects.toThrow('same key');
});

describe('LatestRows', () => {
  const operation = fc.record({
    key: fc.integer({ min: 0, max: 40 }),
    values: fc.option(fc.array(fc.integer(), { maxLength: 5 }), { freq: 3 }),
  });
  const seen = (rows: LatestRows) => {
    const found = new Map<number, number[]>();
    rows.each(({ words, start, length }) => {
      found.set(words[start]!, [...words.subarray(start + 1, start + length)]);
    });
    return found;
  };

  test.prop([fc.array(operation, { maxLength: 300 })])('is a map', (operations) => {
    const rows = new LatestRows(murmur3);
    const map = new Map<number, number[]>();
    for (const { key, values } of operations) {
      if (values === null) {
        rows.remove(Int32Array.of(key), 1);
        map.delete(key);
      } else {
        rows.put(Int32Array.of(key, ...values), 0, 1 + values.length, 1);
        map.set(key, values);
      }
      expect(rows.size).toBe(map.size);
    }
    expect(seen(rows)).toEqual(map);
  });

  it('takes memory for live keys only', () => {
    const rows = new LatestRows(murmur3);
    for (let key = 0; key < 500_000; key++) {
      rows.put(Int32Array.of(key, key), 0, 2, 1);
      rows.put(Int32Array.of(key, ...new Array(1 + (key % 7)).fill(key)), 0, 2 + (key % 7), 1);
      if (key >= 10) rows.remove(Int32Array.of(key - 10), 1);
    }
    expect(rows.size).toBe(10);
    expect([...seen(rows).keys()]).toEqual(Array.from({ length: 10 }, (_, index) => 499_990 + index));
    const place = rows.find(Int32Array.of(499_999), 0, 1)!;
    expect(place.words.length).toBeLessThan(1_000_000);
  });
});
