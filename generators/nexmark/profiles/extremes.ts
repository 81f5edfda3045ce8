import { BIGINT_MAX, BIGINT_MIN, bigintValue } from '../../../src/model/value.ts';
import { below, type Random } from '../random.ts';
import { textOf } from '../text.ts';
import type { Profile } from './profile.ts';

const NULL_SHARE = 1 / 8;
const ODD_TEXT_SHARE = 1 / 8;
// Most prices stay small: a sum over int64 extremes overflows, and what then happens is an engine's trait.
const ODD_PRICE_SHARE = 1 / 16;
const SMALL_PRICE_SHARE = 1 / 4;

const NULL_TEXT = textOf(null);

const oddTexts = [
  '',
  ' ',
  'null',
  'say "hello"',
  "it's",
  'back\\slash',
  'two\nlines\r\n',
  'tab\tand bell\u0007',
  'delete\u007f next line\u0085',
  'line separator\u2028',
  // U+E010 sorts before U+1F680 by code point but after it by UTF-16 unit (semantics §1).
  '\ue010',
  '🚀',
  'a\ue010',
  'a🚀',
  // The same letter composed and decomposed: equal to a reader, different as code points.
  '\u00e9',
  'e\u0301',
  'GOOGLE',
  'aPPle',
  'https://www.nexmark.com/item.htm?channel_id=',
  'https://www.nexmark.com/🚀/e\u0301/"/item.htm?query=1&channel_id=77&channel_id=78',
  'https://',
  '////',
  // No U+0000: PostgreSQL and C strings cannot hold it, so it would test transports and no engine.
].map(textOf);

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

const oddPrices = [
  0n,
  -1n,
  SAFE,
  SAFE + 1n,
  SAFE + 2n,
  -SAFE,
  -SAFE - 1n,
  -SAFE - 2n,
  BIGINT_MAX,
  BIGINT_MAX - 1n,
  BIGINT_MIN,
  BIGINT_MIN + 1n,
].map(bigintValue);

const isNull = (random: Random): boolean => random() < NULL_SHARE;

/**
 * The edges of every type (semantics §1): nulls in one of eight values of each nullable column, prices around
 * 2^53 and at both ends of BIGINT, strings that need escaping or lie beyond the BMP, and event time that
 * starts more than ten seconds before the epoch and crosses it (event 3,087 at the default rate).
 */
export const extremes: Profile = {
  name: 'extremes',
  startMs: -12_345,
  // Slower than `nexmark`, so that a few thousand events reach the other side of the epoch.
  eventsPerSecond: 250,
  integer: (random, value) => (isNull(random) ? null : value),
  price: (random, value) => {
    if (isNull(random)) return null;
    const share = random();
    if (share < ODD_PRICE_SHARE) return oddPrices[below(random, oddPrices.length)]!;
    return share < SMALL_PRICE_SHARE ? below(random, 10) : value;
  },
  text: (random, value) => {
    if (isNull(random)) return NULL_TEXT;
    return random() < ODD_TEXT_SHARE ? oddTexts[below(random, oddTexts.length)]! : value;
  },
};
