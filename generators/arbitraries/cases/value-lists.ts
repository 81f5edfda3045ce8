import type { Value } from '../../../src/model/value.ts';
import type { IntegerKind, TextKind } from './profile.ts';

/** Everyday values of columns that queries look into, by `stream.column`. Others take those of their type. */
export const plainValues: Readonly<Record<string, readonly Value[]>> = {
  'bid.channel': ['Apple', 'Google', 'Facebook', 'Baidu', 'channel-7'],
  'bid.price': [0, 1, 2, 7, 50, 100, 1_101_321, 1_101_322, 7_000_000, 55_066_079, 55_066_080],
  'bid.url': [
    'https://www.nexmark.com/a/b/c/item.htm?query=1',
    'https://www.nexmark.com/a/b/c/item.htm?query=1&channel_id=7',
    'https://www.nexmark.com/a&channel_id=12',
    'a/b',
  ],
  'auction.category': [10, 11, 12],
  'person.state': ['OR', 'ID', 'CA', 'AZ'],
  'person.city': ['Phoenix', 'Boise'],
  'reading.zone': ['north', 'south', 'east'],
  'signal.zone': ['north', 'south', 'east'],
  'reading.note': ['r-a', 'r', 'a-b-c', 'north', 'Rad'],
  'signal.note': ['r-a', 'r', 'a-b-c', 'north', 'Rad'],
};

/** Small and often equal, so that rows meet in groups and tie in orders. */
export const keyNumbers = [1, 0, 2, 3] as const;

export const plainTexts = ['a', 'b', 'B', 'aa'] as const;

/** Whole numbers by kind. Which of the extremes a column may hold depends on what the query computes with it. */
export const integers: Readonly<Record<IntegerKind, readonly (number | bigint)[]>> = {
  plain: [0, 1, 2, 3, 5, 10, 10, 99],
  signed: [0, -1, 1, -2, 2, -3, 3, -7, -8, -100, 100],
  extreme: [
    ...[0, 1, -1],
    ...[2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1],
    // 2^32 apart: equal to an engine that keeps the lower half.
    ...[2 ** 32, 2 ** 32 + 1, 1 - 2 ** 32],
    ...[2 ** 40, -(2 ** 40)],
    // On both sides of the integers that a double tells apart.
    ...[2 ** 53 - 1, 2n ** 53n, 2n ** 53n + 1n, -(2 ** 53 - 1), -(2n ** 53n) - 1n],
    ...[2n ** 62n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n - 2n, -(2n ** 63n) + 1n],
  ],
};

/** Keys at the ends of integer types, and pairs that are equal once halved or rounded. */
export const extremeKeys: readonly (number | bigint)[] = [
  ...[1, 2 ** 32 + 1, 2 ** 31, -(2 ** 31), -1],
  ...[2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)],
];

/** Doubles whose sums and halves are exact. */
export const doubles = [0, 0.5, -1.5, 0.25, 100, -3, 2 ** 40, 1 / 1024] as const;

/** Texts that a column may hold beside its plain ones. */
export const oddTexts: Readonly<Record<TextKind, readonly string[]>> = {
  plain: [],
  empty: ['', '', '', ' ', '-', 'a-'],
  unicode: [
    // By code point U+E010 comes before U+1F680, by UTF-16 unit after it (semantics §1).
    '\ue010',
    '🚀',
    '🚀-r',
    '🚀🚀a',
    // One letter composed and decomposed: equal to a reader, different as code points.
    '\u00e9',
    'e\u0301',
    'Zo\u00eb-r',
    '日本',
    // What formats have to escape.
    'a"r\\',
    "it's\n-r",
  ],
};
