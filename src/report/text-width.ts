const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What takes no room by itself: combining marks, joiners, selectors of a form. */
const NO_ROOM = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u;

/** What takes two columns (East Asian Wide and Fullwidth, Unicode Standard Annex 11), and emoji shown as such. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\ufe0f/u;

/** How many columns of a terminal a text takes: wide characters two, combining ones none. */
export function textWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The text in exactly so many columns: what is longer is cut, which an ellipsis tells. */
export function fitted(text: string, columns: number): string {
  const cut = shortened(text, columns);
  return cut + ' '.repeat(Math.max(0, columns - textWidth(cut)));
}

/** The text in at most so many columns. */
export function shortened(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    const own = graphemeWidth(segment);
    if (width + own > columns - 1) break;
    kept += segment;
    width += own;
  }
  return `${kept}…`;
}

/** The words of a text in lines of at most so many columns; a longer word stands in a line of its own, cut. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer) <= columns) line = longer;
    else {
      if (line !== '') lines.push(line);
      line = shortened(word, columns);
    }
  }
  return [...lines, line];
}

function graphemeWidth(grapheme: string): number {
  if (NO_ROOM.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}
