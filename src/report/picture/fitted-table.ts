import type { Column } from '../../model/schema.ts';
import { fitted, textWidth } from '../text-width.ts';

const GAP = 2;

/** Texts may be cut down to that, and never take more than that. */
const TEXT = { least: 10, most: 28 } as const;

/** No decimal takes more, nor any point of time. */
const MOST_WIDTH = 42;

/** A name that is longer than all below it may be cut down to that. */
const LEAST_HEAD = 6;

/** A table, and whether a column's values may be cut: of texts, never of numbers and times. */
export interface Cells {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly isText: readonly boolean[];
}

/** Widths of the columns that fit, the first ones; `left` is how many do not. */
export interface TableWidths {
  readonly widths: readonly number[];
  readonly left: number;
}

/** How wide each column is to be, so that all of a table takes at most so much room; wide ones give way first. */
export function tableWidths({ head, rows, isText }: Cells, room: number): TableWidths {
  const sizes = head.map((name, column) => {
    const values = Math.max(1, ...rows.map((cells) => textWidth(cells[column] ?? '')));
    const whole = Math.max(values, textWidth(name));
    const most = Math.min(whole, isText[column] === true ? TEXT.most : MOST_WIDTH);
    const named = Math.max(Math.min(textWidth(name), LEAST_HEAD), values);
    return { width: most, least: Math.min(most, isText[column] === true ? TEXT.least : named) };
  });
  let left = 0;
  while (sizes.length > 1 && takes(sizes.map(({ width }) => width)) > room) {
    const yielding = sizes.filter(({ width, least }) => width > least);
    const widest = yielding.sort((a, b) => b.width - a.width)[0];
    if (widest !== undefined) widest.width -= 1;
    else {
      sizes.pop();
      left += 1;
    }
  }
  return { widths: sizes.map(({ width }) => width), left };
}

/** Which of these columns hold texts. */
export function areTexts(columns: readonly Pick<Column, 'type'>[]): readonly boolean[] {
  return columns.map(({ type }) => type === 'STRING');
}

/** What a table of these widths takes. */
export function takes(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, widths.length - 1);
}

/** One line of a table. */
export function tableLine(cells: readonly string[], widths: readonly number[]): string {
  return widths.map((width, column) => fitted(cells[column] ?? '', width)).join(' '.repeat(GAP));
}

/** What is said below a table of which columns were left out. */
export function leftOut(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`(without ${names.join(', ')})`];
}
