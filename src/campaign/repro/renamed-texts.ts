import { compareCodePoints } from '../../../oracles/order.ts';

/**
 * How texts are renamed, each way keeping order and equality; the empty text stays.
 *
 * - `ranked`: to short ones that tell nothing but the order.
 * - `lettered`: letter by letter, so that lengths, common parts, case and the bytes of a letter stay as well, for
 *   failures of functions that look into a text. It tells the pattern of a text, never its letters.
 */
export type TextNaming = 'ranked' | 'lettered';

export const textNamings: readonly TextNaming[] = ['ranked', 'lettered'];

/** New texts for these; undefined where there are none of the kind that keep the order and show no old one. */
export function renamedTexts(
  texts: readonly string[],
  naming: TextNaming,
): ((text: string) => string) | undefined {
  const old = [...new Set(texts)].filter((text) => text !== '').sort(compareCodePoints);
  const renamed = naming === 'ranked' ? ranked(old) : lettered(old);
  const isInOrder = renamed.every(
    (text, index) => index === 0 || compareCodePoints(renamed[index - 1]!, text) < 0,
  );
  if (!isInOrder || renamed.some((text) => discloses(text, old))) return undefined;
  const names = new Map(old.map((text, index) => [text, renamed[index]!]));
  return (text) => names.get(text) ?? text;
}

/** Parts of so few letters are in everything. */
const TELLING_LETTERS = 3;

/** Whether a text is one of these, or holds one that is long enough to tell anything. */
export function discloses(text: string, old: readonly string[]): boolean {
  return old.some((each) => text === each || (each.length >= TELLING_LETTERS && text.includes(each)));
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** `a`, `b`, …; with a letter before them where one of those was there, and as many letters each as it takes. */
function ranked(old: readonly string[]): readonly string[] {
  let digits = 1;
  while (LETTERS.length ** digits < old.length) digits += 1;
  for (const stem of ['', ...LETTERS]) {
    const names = old.map((_, index) => stem + numeral(index, digits));
    if (!names.some((name) => old.includes(name))) return names;
  }
  return old;
}

function numeral(number: number, digits: number): string {
  let text = '';
  for (let rest = number, place = 0; place < digits; place++) {
    text = LETTERS[rest % LETTERS.length]! + text;
    rest = Math.floor(rest / LETTERS.length);
  }
  return text;
}

/** Kinds of letters that functions tell apart, and from where on new ones of the kind are taken. All others stay. */
const KINDS: readonly { readonly of: RegExp; readonly from: number; readonly room: number }[] = [
  { of: /^[0-9]$/, from: 0x30, room: 10 },
  { of: /^[A-Z]$/, from: 0x41, room: 26 },
  { of: /^[a-z]$/, from: 0x61, room: 26 },
  { of: /^(?=[\u0080-\u07ff])\p{Lu}$/u, from: 0xc0, room: 23 },
  { of: /^(?=[\u0080-\u07ff])\p{Ll}$/u, from: 0xe0, room: 23 },
  { of: /^(?=[\u0800-\uffff])\p{L}$/u, from: 0x4e00, room: 20_000 },
  { of: /^[\u{10000}-\u{10ffff}]$/u, from: 0x1f600, room: 64 },
];

/** Of each kind the letters that occur, in their order, become the first ones of the kind that do not. */
function lettered(old: readonly string[]): readonly string[] {
  const used = [...new Set(old.flatMap((text) => [...text]))].sort(compareCodePoints);
  const names = new Map<string, string>();
  for (const { of, from, room } of KINDS) {
    const own = used.filter((letter) => of.test(letter));
    // Where letters enough are left, none that occurs is used again.
    const all = Array.from({ length: room }, (_, index) => String.fromCodePoint(from + index));
    const free = all.filter((letter) => !used.includes(letter));
    const pool = free.length >= own.length ? free : all;
    for (const [index, letter] of own.entries()) names.set(letter, pool[index] ?? letter);
  }
  return old.map((text) => [...text].map((letter) => names.get(letter) ?? letter).join(''));
}
