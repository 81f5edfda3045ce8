import type { Manifest } from '../../campaign/manifest.ts';
import type { EngineTimeLine, TimeLine } from '../../campaign/time-line.ts';
import { count, counted, dayOf, duration, timeTeller } from '../format.ts';
import { html, type Markup } from './markup.ts';

const WIDTH = 920;
/** Where the bins lie, between the greatest count of a lane and the right edge. */
const LEFT = 56;
const RIGHT = 906;
const LANE = 58;
const LANE_GAP = 26;
const TOP = 22;
const AXIS = 22;
const TICKS = 6;

/** The panes that each side emitted over event time, drawn, and the same numbers as a table. */
export function timeLineChart(query: string, line: TimeLine, manifest: Manifest): Markup {
  const tell = timeTeller(manifest, line.from);
  const day = dayOf(manifest, line.from);
  const title = `Rows by fire point, in bins of ${duration(line.binMs)}${day === undefined ? '' : `, from ${day} (UTC)`}`;
  const height = TOP + line.engines.length * (LANE + LANE_GAP) + AXIS;
  return html`
<figure class="time-line" data-bins="${line.bins}">
<figcaption>${title}</figcaption>
<div class="scroll" tabindex="0" role="region" aria-label="${query}: ${title}">
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${query}: ${line.engines.map(spoken).join('; ')}" data-left="${LEFT}" data-right="${RIGHT}" data-width="${WIDTH}">
${line.engines.map((lane, index) => laneOf(lane, line, TOP + index * (LANE + LANE_GAP), tell))}
${ticks(line, height - AXIS, tell)}
<rect class="cursor" x="${LEFT}" y="${TOP - 4}" width="${shortened((RIGHT - LEFT) / line.bins)}" height="${height - AXIS - TOP}" visibility="hidden"/>
</svg>
</div>
<p class="pick" hidden><label>bin <input type="range" min="0" max="${line.bins - 1}" value="0"></label> <output></output></p>
<ul class="key"><li class="shown">shown, as is true</li><li class="missing">due and missing</li><li class="later">true, and not due yet</li><li class="surplus">shown, and early or not true (below the line)</li></ul>
${line.engines.some(({ unplaced }) => unplaced > 0) && unplacedNote(line.engines)}
<details class="numbers"><summary>The same in numbers</summary>${numbers(query, line, tell)}</details>
</figure>`;
}

function spoken(lane: EngineTimeLine): string {
  const { shown, premature, extra } = lane;
  const lost = missingOf(lane);
  return (
    `${lane.engine}: ${counted(sum(shown), 'true row')} shown` +
    `${lost === undefined ? '' : `, ${count(sum(lost))} missing`}, ` +
    `${count(sum(premature) + sum(extra))} early or not true`
  );
}

function laneOf(lane: EngineTimeLine, line: TimeLine, top: number, tell: (time: number) => string): Markup {
  const { truth, due = lane.shown, shown, premature, extra } = lane;
  const surplus = premature.map((number, bin) => number + extra[bin]!);
  const above = Math.max(1, ...truth);
  const below = Math.max(0, ...surplus);
  const scale = LANE / (above + below);
  const base = top + above * scale;
  const bars = (className: string, from: readonly number[], to: readonly number[]) => {
    const path = barPath(line, from, to, base, scale);
    return path !== '' && html`<path class="${className}" d="${path}"/>`;
  };
  const none = truth.map(() => 0);
  return html`<text class="lane" x="${LEFT}" y="${top - 6}">${lane.engine}</text>
<text class="scale" x="${LEFT - 6}" y="${top + 8}" text-anchor="end">${count(above)}</text>
${bars('later', due, truth)}${bars('missing', shown, due)}${bars('shown', none, shown)}${bars(
  'surplus',
  surplus.map((number) => -number),
  none,
)}
<line class="base" x1="${LEFT}" x2="${RIGHT}" y1="${shortened(base)}" y2="${shortened(base)}"/>
${watermark(lane, line, top, tell)}
`;
}

/** One path for all bins of a kind: from one count to another, both from the base line up. */
function barPath(
  line: TimeLine,
  from: readonly number[],
  to: readonly number[],
  base: number,
  scale: number,
): string {
  const step = (RIGHT - LEFT) / line.bins;
  const width = shortened(Math.max(1, step - (step > 4 ? 1 : 0)));
  let path = '';
  for (let bin = 0; bin < line.bins; bin++) {
    const height = to[bin]! - from[bin]!;
    if (height <= 0) continue;
    // What is there is seen, however few rows it is.
    const tall = Math.max(1.5, height * scale);
    path += `M${shortened(LEFT + bin * step)} ${shortened(base - from[bin]! * scale)}v${shortened(-tall)}h${width}v${shortened(tall)}z`;
  }
  return path;
}

/** W as a line where it falls among the bins; in words at the end of the lane's title in any case. */
function watermark(
  { watermark: at }: EngineTimeLine,
  line: TimeLine,
  top: number,
  tell: (time: number) => string,
): Markup {
  const share = typeof at === 'number' ? (at - line.from) / (line.bins * line.binMs) : -1;
  const x = shortened(LEFT + share * (RIGHT - LEFT));
  const mark =
    share >= 0 &&
    share <= 1 &&
    html`<line class="watermark" x1="${x}" x2="${x}" y1="${top - 3}" y2="${top + LANE + 3}"/>`;
  return html`${mark}<text class="watermark" x="${RIGHT}" y="${top - 6}" text-anchor="end">${watermarkText(at, tell)}</text>`;
}

function watermarkText(at: EngineTimeLine['watermark'], tell: (time: number) => string): string {
  switch (at) {
    case 'end':
      return 'drained: W = +∞';
    case 'start':
      return 'no row moved the watermark: W = −∞';
    case 'unknown':
      return 'cancelled midway: W is not known beforehand';
    default:
      return `W = ${tell(at)}`;
  }
}

function ticks(line: TimeLine, y: number, tell: (time: number) => string): Markup[] {
  const every = Math.max(1, Math.ceil(line.bins / TICKS));
  const step = (RIGHT - LEFT) / line.bins;
  const marks: Markup[] = [];
  for (let bin = 0; bin < line.bins; bin += every) {
    const x = shortened(LEFT + bin * step);
    marks.push(
      html`<line class="tick" x1="${x}" x2="${x}" y1="${y - 4}" y2="${y}"/><text class="tick" x="${x}" y="${y + 13}">${tell(line.from + bin * line.binMs)}</text>`,
    );
  }
  return marks;
}

function numbers(query: string, line: TimeLine, tell: (time: number) => string): Markup {
  const columns = line.engines.flatMap((lane) => columnsOf(lane));
  const rows = Array.from({ length: line.bins }, (_, bin) => bin);
  return html`
<div class="scroll" tabindex="0" role="region" aria-label="${query}: numbers of the time line"><table class="bins">
<thead><tr><th scope="col">fires from</th>${columns.map(({ name }) => html`<th scope="col" class="n">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    (bin) => html`
<tr><th scope="row">${tell(line.from + bin * line.binMs)}</th>${columns.map(({ counts }) => html`<td>${count(counts[bin]!)}</td>`)}</tr>`,
  )}</tbody></table></div>`;
}

/** What can be told of a lane; a count that is zero everywhere is told of the first two only. */
function columnsOf(
  lane: EngineTimeLine,
): readonly { readonly name: string; readonly counts: readonly number[] }[] {
  const { engine, truth, due, shown, premature, extra } = lane;
  const named = (name: string, counts: readonly number[] | undefined) =>
    counts === undefined || sum(counts) === 0 ? [] : [{ name: `${engine}: ${name}`, counts }];
  return [
    { name: `${engine}: true`, counts: truth },
    { name: `${engine}: shown`, counts: shown },
    ...named('missing', missingOf(lane)),
    ...named(
      'not due',
      due?.map((number, bin) => truth[bin]! - number),
    ),
    ...named('early', premature),
    ...named('not true', extra),
  ];
}

function unplacedNote(engines: readonly EngineTimeLine[]): Markup {
  const told = engines.filter(({ unplaced }) => unplaced > 0);
  return html`<p class="note">Not drawn, since they bear no time that could place them: ${told
    .map(
      ({ engine, unplaced }) =>
        `${counted(unplaced, 'row')} of ${engine} that ${unplaced === 1 ? 'is' : 'are'} not true`,
    )
    .join(', ')}.</p>`;
}

function missingOf({ due, shown }: EngineTimeLine): readonly number[] | undefined {
  return due?.map((number, bin) => number - shown[bin]!);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, each) => total + each, 0);
}

/** A coordinate to a tenth: what more digits say, no eye sees. */
function shortened(number: number): number {
  return Math.round(number * 10) / 10;
}
