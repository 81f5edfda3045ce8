import { html, type Markup } from '../html/markup.ts';
import { shortened } from '../text-width.ts';
import { isRight, paneWords } from './panes.ts';
import type { Picture } from './picture.ts';

const WIDTH = 920;
/** Where times lie, between the labels and what is said at the right. */
const LEFT = 170;
const RIGHT = 750;
const LINE = 20;
const TOP = 28;

const MOST_HAPPENINGS = 200;
const MOST_PANES = 100;
const LONGEST_LABEL = 26;

/** Rows by arrival downwards and by event time to the right, the watermark as a step line through them, panes below. */
export function chart({ axis, times, happenings, end, panes, sentence }: Picture): Markup {
  if (axis === undefined) return html`<p class="note">No row and no pane has a time.</p>`;
  const shown = happenings.slice(0, MOST_HAPPENINGS);
  const bars = panes.slice(0, MOST_PANES);
  const place = (time: number) => {
    if (time <= axis.from) return LEFT;
    if (time >= axis.to) return RIGHT;
    return Math.round(LEFT + ((time - axis.from) / (axis.to - axis.from)) * (RIGHT - LEFT));
  };
  const y = (line: number) => TOP + line * LINE;
  const height = y(shown.length + 1 + bars.length) + LINE;
  let watermark = Number.NEGATIVE_INFINITY;
  let path = `M${LEFT} ${y(0) - LINE / 2}`;
  const marks = shown.map((each, line) => {
    if (each.kind === 'step') {
      path += `V${y(line) + LINE / 2}`;
      return html`<text class="lane" x="4" y="${y(line) + 4}">${each.step.do} after ${each.step.after}</text>
<line class="base" x1="${LEFT}" x2="${RIGHT}" y1="${y(line)}" y2="${y(line)}"/>`;
    }
    ({ watermark } = each);
    path += `V${y(line)}H${place(watermark)}V${y(line) + LINE / 2}`;
    return html`<text x="4" y="${y(line) + 4}">${shortened(`${each.arrival} ${each.schema.name}/${each.partition}`, LONGEST_LABEL)}</text>
<circle class="${each.isLate ? 'late' : 'row'}" cx="${place(each.at)}" cy="${y(line)}" r="4.5"><title>${times.tell(each.at)}</title></circle>
<text x="${RIGHT + 12}" y="${y(line) + 4}">${times.tell(watermark)}</text>`;
  });
  path += `V${y(shown.length)}H${place(end.watermark)}V${y(shown.length) + LINE / 2}`;
  const paneMarks = bars.map((pane, index) => {
    const { start, end: endsAt, label, state } = pane;
    const line = shown.length + 1 + index;
    const isBad = !isRight(pane);
    const width = Math.max(2, place(endsAt) - place(start));
    return html`<text${isBad && html` class="bad"`} x="4" y="${y(line) + 4}">${shortened(label, LONGEST_LABEL)}</text>
<rect class="pane ${state}" x="${place(start)}" y="${y(line) - 6}" width="${width}" height="12"><title>${times.tell(start)} – ${times.tell(endsAt)}</title></rect>
<text${isBad && html` class="bad"`} x="${RIGHT + 12}" y="${y(line) + 4}">${paneWords[state]}</text>`;
  });
  const hidden = happenings.length - shown.length + (panes.length - bars.length);
  return html`
<figure class="timeline">
<figcaption>Rows by arrival (downwards) over event time (to the right), the watermark as a line through them, panes as bars</figcaption>
<div class="scroll" tabindex="0" role="region" aria-label="Time line">
<svg class="timeline" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${sentence}">
<text x="${LEFT}" y="12">${times.tell(axis.from)}</text><text x="${RIGHT}" y="12" text-anchor="end">${times.tell(axis.to)}</text><text x="${RIGHT + 12}" y="12">watermark</text>
${marks}
<text x="4" y="${y(shown.length) + 4}">${end.text}</text><text x="${RIGHT + 12}" y="${y(shown.length) + 4}">${times.tell(end.watermark)}</text>
<path class="mark" d="${path}"/>
${paneMarks}
</svg></div>
${hidden > 0 && html`<p class="note">… and ${hidden} more rows or panes</p>`}
</figure>`;
}
