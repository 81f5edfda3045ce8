import { profileOf } from './everyday.ts';

/** Profiles of what columns hold. */

export const nulls = profileOf({
  name: 'nulls',
  aim: 'NULL is counted, compared, grouped, ordered or joined as if it were a value',
  covers: ['null', 'null-key', 'all-null-column', 'three-valued', 'null-join-key'],
  weight: 6,
  data: { nulls: 'many', maxRows: 24 },
});

export const texts = profileOf({
  name: 'texts',
  aim: 'strings are counted in bytes or UTF-16 units, ordered by them, normalised, or an empty one is taken for NULL',
  covers: ['empty-string', 'surrogate-pair', 'combining-mark', 'text-function', 'text-order'],
  weight: 6,
  queries: ({ features }) => features.has('text') || !features.has('window'),
  data: { texts: ['unicode', 'unicode', 'empty'] },
});

export const integers = profileOf({
  name: 'integers',
  aim: 'integers go through 32 bits or a double, as values, as keys or as literals',
  covers: ['int-extreme', 'beyond-2^31', 'apart-by-2^32', 'beyond-2^53', 'bigint-extreme', 'extreme-key'],
  weight: 6,
  data: { integers: ['extreme'] },
});

export const arithmetic = profileOf({
  name: 'arithmetic',
  aim: 'division and remainder of negative numbers round wrongly, and whole sums are kept in the wrong type',
  covers: ['negative-modulo', 'negative-division', 'exact-doubles', 'negative-sum'],
  weight: 6,
  queries: ({ features }) => features.has('arithmetic') || features.has('exact-double'),
  data: { integers: ['signed', 'signed', 'extreme'] },
});
