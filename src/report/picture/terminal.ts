import pc from 'picocolors';
import { counted } from '../format.ts';
import { fitted, shortened, textWidth, wrapped } from '../text-width.ts';
import { cellText } from './cell.ts';
import { areTexts, leftOut, tableLine, tableWidths } from './fitted-table.ts';
import { isRight, paneWords } from './panes.ts';
import type { Picture } from './picture.ts';
import { rowLines } from './row-lines.ts';
import type { ArrivedRow } from './time-line.ts';

/** How a picture is drawn: in so many columns, of at least {@link LEAST_COLUMNS}, and whether in colours. */
export interface TerminalOptions {
  readonly columns: number;
  readonly colours: boolean;
}

export const LEAST_COLUMNS = 60;

const MOST_HAPPENINGS = 40;
const MOST_PANES = 24;

/** Columns of the longest label and of what stands right of the time line. */
const LABEL_SHARE = 0.28;
const MOST_ASIDE = 24;

const LEGEND = '● row, ○ row at or behind its watermark, ┊ watermark after it (‹ left of the axis, › right)';

const PANE_FILL = { same: '─', true: '─', lost: '╌', altered: '═', premature: '▒', extra: '▒' } as const;

/** A repro as lines of a terminal. Only SQL and the replay command, which are there to be pasted, may be longer. */
export function pictureLines(picture: Picture, { columns, colours }: TerminalOptions): string[] {
  const width = Math.max(LEAST_COLUMNS, columns);
  const paint = pc.createColors(colours);
  const title = (text: string) => ['', paint.bold(text)];
  const nameWidth = Math.max(...picture.facts.map(({ name }) => name.length));
  return [
    ...wrapped(picture.sentence, width).map((line) => paint.bold(line)),
    '',
    ...picture.facts.flatMap(({ name, text }) =>
      wrapped(text, width - nameWidth - 2).map(
        (line, index) => `${paint.dim(fitted(index === 0 ? name : '', nameWidth))}  ${line}`,
      ),
    ),
    ...title('Time'),
    ...timeLines(picture, width, paint),
    ...title('Input, in the order of arrival'),
    ...inputLines(picture, width),
    ...title(
      picture.told === 'differing' ? 'Expected and actual: the rows that differ' : 'Expected and actual',
    ),
    ...rowLines(picture, width, paint),
    ...picture.sql.flatMap(({ dialect, text }) => [...title(`SQL for ${dialect}`), ...text.split('\n')]),
    ...title('Replay'),
    picture.replay,
  ].map((line) => line.trimEnd());
}

/** Where the time axis lies on the screen. */
interface Layout {
  readonly label: number;
  readonly chart: number;
  readonly aside: number;
}

function timeLines(picture: Picture, width: number, paint: ReturnType<typeof pc.createColors>): string[] {
  const { axis, times, happenings, end, panes } = picture;
  if (axis === undefined) return ['no row and no pane has a time'];
  const shown = happenings.slice(0, MOST_HAPPENINGS);
  const bars = [...panes]
    .sort((a, b) => Number(isRight(a)) - Number(isRight(b)))
    .slice(0, MOST_PANES)
    .sort((a, b) => a.end - b.end || a.start - b.start);
  const labelOf = (row: ArrivedRow) => `${row.arrival} ${row.schema.name}/${row.partition}`;
  const labels = [
    ...shown.map((each) =>
      each.kind === 'row' ? labelOf(each) : `${each.step.do} after ${each.step.after}`,
    ),
    end.text,
    ...bars.map(({ label }) => label),
  ];
  const asides = [
    'watermark',
    ...shown.map((each) => (each.kind === 'row' ? times.tell(each.watermark) : '')),
    times.tell(end.watermark),
    ...bars.map(({ state }) => paneWords[state]),
  ];
  const label = Math.min(Math.floor(width * LABEL_SHARE), Math.max(...labels.map(textWidth)));
  const aside = Math.min(MOST_ASIDE, Math.max(...asides.map(textWidth)));
  const layout: Layout = { label, aside, chart: width - label - aside - 4 };
  const place = (time: number) =>
    axis.to === axis.from ? 0 : Math.round(((time - axis.from) / (axis.to - axis.from)) * (layout.chart - 1));
  const line = (name: string, chart: string, side: string) =>
    `${fitted(name, layout.label)}  ${fitted(chart, layout.chart)}  ${fitted(side, layout.aside)}`;
  const marks = (watermark: number) => {
    const cells = new Array<string>(layout.chart).fill(' ');
    if (watermark < axis.from) cells[0] = '‹';
    else if (watermark > axis.to) cells[layout.chart - 1] = '›';
    else cells[place(watermark)] = '┊';
    return cells;
  };
  let watermark = Number.NEGATIVE_INFINITY;
  return [
    line('', scale(picture, layout), 'watermark'),
    ...shown.map((each) => {
      if (each.kind === 'step')
        return line(`${each.step.do} after ${each.step.after}`, marks(watermark).join(''), '');
      ({ watermark } = each);
      const cells = marks(watermark);
      cells[place(each.at)] = each.isLate ? '○' : '●';
      return line(labelOf(each), cells.join(''), times.tell(watermark));
    }),
    ...more(happenings.length - shown.length, 'more event'),
    line(end.text, marks(end.watermark).join(''), times.tell(end.watermark)),
    ...bars.map((pane) => {
      const { start, end: endsAt, label: name, state } = pane;
      const cells = new Array<string>(layout.chart).fill(' ');
      const [from, to] = [place(start), place(endsAt)];
      cells.fill(PANE_FILL[state], from, to);
      cells[from] = '├';
      cells[to] = from === to ? '┼' : '┤';
      const drawn = line(name, cells.join(''), paneWords[state]);
      return isRight(pane) ? drawn : paint.red(drawn);
    }),
    ...more(panes.length - bars.length, 'more pane'),
    ...wrapped(LEGEND, width).map((each) => paint.dim(each)),
  ];
}

/** The bounds of the axis, and its middle where there is room. */
function scale({ axis, times }: Picture, { chart }: Layout): string {
  const { from, to } = axis!;
  const left = times.tell(from);
  const right = times.tell(to);
  const room = chart - textWidth(left) - textWidth(right);
  if (from === to || room < 1) return left;
  const middle = times.tell(Math.round((from + to) / 2));
  const space = room - textWidth(middle);
  if (space < 4 || middle === left || middle === right) return `${left}${' '.repeat(room)}${right}`;
  const before = Math.max(
    2,
    Math.min(space - 2, Math.round((chart - textWidth(middle)) / 2) - textWidth(left)),
  );
  return `${left}${' '.repeat(before)}${middle}${' '.repeat(space - before)}${right}`;
}

/** A table for each stream: its rows by arrival. */
function inputLines({ happenings, times }: Picture, width: number): string[] {
  const rows = happenings.flatMap((each) => (each.kind === 'row' ? [each] : []));
  if (rows.length === 0) return ['no row'];
  const streams = [...new Set(rows.map(({ schema }) => schema))];
  return streams.flatMap((schema) => {
    const own = rows.filter((row) => row.schema === schema);
    const shown = own.slice(0, MOST_HAPPENINGS);
    const head = ['#', `${schema.name}/`, ...schema.columns.map(({ name }) => name)];
    const cells = shown.map(({ arrival, partition, row }) => [
      String(arrival),
      String(partition),
      ...schema.columns.map((column, index) => cellText(row[index] ?? null, column, times)),
    ]);
    const isText = [false, false, ...areTexts(schema.columns)];
    const { widths, left } = tableWidths({ head, rows: cells, isText }, width);
    return [
      ...[head, ...cells].map((line) => tableLine(line, widths)),
      ...leftOut(head.slice(head.length - left)).map((line) => shortened(line, width)),
      ...more(own.length - shown.length, 'more row'),
    ];
  });
}

function more(count: number, what: string): string[] {
  return count <= 0 ? [] : [`… and ${counted(count, what)}`];
}
