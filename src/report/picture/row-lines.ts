import type pc from 'picocolors';
import { counted } from '../format.ts';
import { shortened } from '../text-width.ts';
import { areTexts, leftOut, tableLine, tableWidths, takes } from './fitted-table.ts';
import type { Picture, PictureRow } from './picture.ts';

type Colours = ReturnType<typeof pc.createColors>;

const MOST_ROWS = 40;

/** What stands before a row, and between its two sides. */
const WORDS = {
  same: '',
  lost: 'missing',
  altered: 'altered',
  premature: 'early',
  extra: 'surplus',
} as const;
const WORD_WIDTH = 7;
const SIGNS = { same: '=', lost: '−', altered: '≠', premature: '+', extra: '+' } as const;

/** The expected rows beside the actual ones, what differs marked; the wrong ones first to be kept where they are many. */
export function rowLines(picture: Picture, width: number, paint: Colours): string[] {
  const { rows, told } = picture;
  if (told === 'none') return ['nothing was judged'];
  if (rows.length === 0) return ['no row on either side'];
  const kept = new Set(
    [...rows].sort((a, b) => Number(a.kind === 'same') - Number(b.kind === 'same')).slice(0, MOST_ROWS),
  );
  const shown = rows.filter((row) => kept.has(row));
  const rest = rows.length - shown.length;
  return [
    ...(sideBySide(picture, shown, width, paint) ?? aboveEachOther(picture, shown, width, paint)),
    ...(rest > 0 ? [`… and ${counted(rest, 'more row')}`] : []),
  ];
}

/**
 * Undefined where there is no room. Where rows are altered alone, columns that are no key and the same on both sides may
 * be left out.
 */
function sideBySide(
  { columns }: Picture,
  rows: readonly PictureRow[],
  width: number,
  paint: Colours,
): string[] | undefined {
  const all = columns.map((_, index) => index);
  const isAlike = rows.every(({ kind }) => kind === 'same' || kind === 'altered');
  const telling = all.filter(
    (index) => columns[index]!.isKey || rows.some(({ differs }) => differs.includes(index)),
  );
  for (const chosen of isAlike && telling.length > 0 ? [all, telling] : [all]) {
    const head = chosen.map((index) => columns[index]!.name);
    const side = (row: PictureRow, cells: readonly string[] | undefined, isActual: boolean) =>
      cells === undefined
        ? []
        : chosen.map((index) => (isActual ? marked(row, cells, index) : cells[index]!));
    const lines = rows.flatMap((row) => [side(row, row.expected, false), side(row, row.actual, true)]);
    const room = Math.floor((width - WORD_WIDTH - 7) / 2);
    const isText = areTexts(chosen.map((index) => columns[index]!));
    const { widths, left } = tableWidths({ head, rows: lines, isText }, room);
    if (left > 0 || takes(widths) > room) continue;
    const half = Math.max(takes(widths), 'expected'.length);
    const line = (word: string, left: string, sign: string, right: string) =>
      `${word.padEnd(WORD_WIDTH)}  ${left}  ${sign}  ${right}`;
    const padded = (text: string) => text + ' '.repeat(Math.max(0, half - takes(widths)));
    return [
      line('', 'expected'.padEnd(half), ' ', 'actual'),
      line('', padded(tableLine(head, widths)), ' ', tableLine(head, widths)),
      ...rows.map((row) => {
        const red = (text: string) => (row.kind === 'same' ? text : paint.red(text));
        return line(
          WORDS[row.kind],
          padded(red(tableLine(side(row, row.expected, false), widths))),
          SIGNS[row.kind],
          red(tableLine(side(row, row.actual, true), widths)),
        );
      }),
      ...leftOut(all.filter((index) => !chosen.includes(index)).map((index) => columns[index]!.name)).map(
        (each) => shortened(each, width),
      ),
    ];
  }
  return undefined;
}

/** Each row in two lines where it differs, and in one where it does not. */
function aboveEachOther(
  { columns }: Picture,
  rows: readonly PictureRow[],
  width: number,
  paint: Colours,
): string[] {
  // What tells most stands first, for the last columns are the ones that are left out.
  const rank = (index: number) =>
    rows.some(({ differs }) => differs.includes(index)) ? 0 : columns[index]!.isKey ? 1 : 2;
  const chosen = columns.map((_, index) => index).sort((a, b) => rank(a) - rank(b));
  const head = ['', ...chosen.map((index) => columns[index]!.name)];
  const body = rows.flatMap((row): { readonly row: PictureRow; readonly cells: string[] }[] => {
    const of = (cells: readonly string[], isActual: boolean) =>
      chosen.map((index) => (isActual ? marked(row, cells, index) : cells[index]!));
    if (row.kind === 'same') return [{ row, cells: ['both', ...of(row.expected!, false)] }];
    return [
      { row, cells: ['expected', ...(row.expected === undefined ? ['none'] : of(row.expected, false))] },
      { row, cells: ['actual', ...(row.actual === undefined ? ['none'] : of(row.actual, true))] },
    ];
  });
  const isText = [false, ...areTexts(chosen.map((index) => columns[index]!))];
  const { widths, left } = tableWidths({ head, rows: body.map(({ cells }) => cells), isText }, width);
  return [
    tableLine(head, widths),
    ...body.map(({ row, cells }) => {
      const text = tableLine(cells, widths);
      return row.kind === 'same' ? text : paint.red(text);
    }),
    ...leftOut(head.slice(head.length - left)).map((each) => shortened(each, width)),
  ];
}

function marked({ differs }: PictureRow, cells: readonly string[], index: number): string {
  return differs.includes(index) ? `≠ ${cells[index]!}` : cells[index]!;
}
