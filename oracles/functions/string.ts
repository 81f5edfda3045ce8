import { binary, type Implementation, ternary, unary } from './implementation.ts';

/** The second half of a surrogate pair, which is no code point of its own. */
const SECOND_HALF = /[\udc00-\udfff]/;

function codePoints(text: string): number {
  if (!SECOND_HALF.test(text)) return text.length;
  let points = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xdc00 || unit > 0xdfff) points++;
  }
  return points;
}

const PRINTABLE_ASCII = /^[ -~]*$/;

/** Code point by code point; one whose other case is several code points stays as it is. */
function mapCase(text: string, map: (point: string) => string): string {
  // Each of these has one other case at most, wherever it stands, so that the text may be mapped as a whole.
  if (PRINTABLE_ASCII.test(text)) return map(text);
  let mapped = '';
  for (const point of text) {
    const other = map(point);
    mapped += codePoints(other) === 1 ? other : point;
  }
  return mapped;
}

/** The same, but for the text before it answers from memory: a CASE asks for one value many times. */
function remembering(map: (text: string) => string): (text: string) => string {
  let last = '';
  let mapped = map(last);
  return (text) => {
    if (text !== last) {
      mapped = map(text);
      last = text;
    }
    return mapped;
  };
}

const lower = remembering((text) => mapCase(text, (point) => point.toLowerCase()));
const upper = remembering((text) => mapCase(text, (point) => point.toUpperCase()));

function position(needle: string, text: string): number {
  const at = text.indexOf(needle);
  return at < 0 ? 0 : codePoints(text.slice(0, at)) + 1;
}

function replace(text: string, needle: string, by: string): string {
  if (needle === '') return text;
  let replaced = '';
  let start = 0;
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, start)) {
    replaced += text.slice(start, at) + by;
    start = at + needle.length;
  }
  return start === 0 ? text : replaced + text.slice(start);
}

function splitIndex(text: string, separator: string, n: number | bigint): string | null {
  if (separator === '') return n === 0 ? text : null;
  let start = 0;
  const wanted = Number(n);
  for (let part = 0; ; part++) {
    const end = text.indexOf(separator, start);
    if (part === wanted) return text.slice(start, end < 0 ? undefined : end);
    if (end < 0) return null;
    start = end + separator.length;
  }
}

/** Strings are sequences of code points, and positions count from 1 (semantics §1). */
export const string: Readonly<Record<string, Implementation>> = {
  lower: unary((text) => lower(text as string)),
  upper: unary((text) => upper(text as string)),
  char_length: unary((text) => codePoints(text as string)),
  position: binary((needle, text) => position(needle as string, text as string)),
  replace: ternary((text, needle, by) => replace(text as string, needle as string, by as string)),
  concat: binary((a, b) => (a as string) + (b as string)),
  split_index: ternary((text, separator, n) =>
    splitIndex(text as string, separator as string, n as number | bigint),
  ),
};
