import { count, counted, value } from '../format.ts';
import type { Divergence } from '../run-evidence.ts';
import { html, type Markup } from './markup.ts';

type Sample = Divergence['samples'][number];
type SampleRow = Exclude<Sample['expected'], 'private' | undefined>;

/** How much of a page samples may take: of each table so many rows at most, and so many characters. */
export interface SampleLimits {
  readonly rows: number;
  readonly characters: number;
}

/** Counts of every kind of difference, and the first rows that are missing and that should not be there. */
export function samples(
  name: string,
  divergence: Divergence,
  isPrivate: boolean,
  limits: SampleLimits,
): Markup {
  const { counts } = divergence;
  const told = Object.entries(counts).filter(([, number]) => number > 0);
  const of = (...kinds: readonly Sample['kind'][]) =>
    divergence.samples.filter(({ kind }) => kinds.includes(kind));
  const surplus = counts.extra + counts.premature;
  return html`
<div class="divergence">
<h4>${name}: ${told.map(([kind, number]) => `${count(number)} ${kind}`).join(', ')}</h4>
${
  isPrivate
    ? html`<p class="note">The data is somebody’s own: its rows are not shown. ${columnsOf(of('altered'))}</p>`
    : [
        rowTable('Missing', 'lost', of('lost'), 'expected', counts.lost, limits),
        rowTable('Not to be there', 'extra', of('extra', 'premature'), 'actual', surplus, limits),
        alteredTable(of('altered'), counts.altered, limits),
      ]
}
${counts.corrupt > 0 && corruptTable(of('corrupt').slice(0, limits.rows), counts.corrupt)}
</div>`;
}

function columnsOf(altered: readonly Sample[]): string {
  const columns = new Set(altered.flatMap(({ columns: names = [] }) => names));
  return columns.size === 0 ? '' : `Altered in ${[...columns].join(', ')}.`;
}

function rowTable(
  title: string,
  className: string,
  found: readonly Sample[],
  side: 'expected' | 'actual',
  total: number,
  limits: SampleLimits,
): Markup | undefined {
  const all = found.flatMap((sample) => {
    const row = sample[side];
    return row === undefined || row === 'private' ? [] : [{ times: sample.count, row }];
  });
  if (all.length === 0) return undefined;
  const columns = Object.keys(all[0]!.row);
  const repeated = all.some(({ times }) => times > 1);
  const rows = within(limits, all, ({ times, row }) => {
    const often = repeated && html`<td class="n">${times}</td>`;
    return html`
<tr>${often}${columns.map((name) => cell(row, name))}</tr>`;
  });
  const shown = all.slice(0, rows.length).reduce((sum, { times }) => sum + times, 0);
  return tableOf(
    className,
    captionOf(title, shown, total),
    html`${repeated && html`<th scope="col" class="n">times</th>`}${columns.map(head)}`,
    rows,
  );
}

/** Each altered row twice, as it must be and as it came, the columns that differ marked. */
function alteredTable(found: readonly Sample[], total: number, limits: SampleLimits): Markup | undefined {
  const all = found.flatMap(({ expected, actual, columns = [] }) =>
    expected === undefined || expected === 'private' || actual === undefined || actual === 'private'
      ? []
      : [{ expected, actual, columns }],
  );
  if (all.length === 0) return undefined;
  const names = Object.keys(all[0]!.expected);
  const rows = within(
    limits,
    all,
    ({ expected, actual, columns }) => html`
<tr><th scope="row">is to be</th>${names.map((name) => cell(expected, name))}</tr>
<tr class="came"><th scope="row">came</th>${names.map((name) => cell(actual, name, columns.includes(name)))}</tr>`,
  );
  const heads = html`<th scope="col"></th>${names.map(head)}`;
  return tableOf('altered', captionOf('Altered', rows.length, total), heads, rows);
}

function corruptTable(found: readonly Sample[], total: number): Markup {
  const rows = found.map(
    ({ position }) => html`
<tr>${[position?.line, position?.byte, position?.column, position?.problem].map((part) => html`<td>${part}</td>`)}</tr>`,
  );
  const heads = html`${['line', 'byte', 'column', 'problem'].map(head)}`;
  return tableOf('corrupt', captionOf('Corrupt', rows.length, total), heads, rows);
}

function captionOf(title: string, shown: number, total: number): string {
  return `${title}: ${shown >= total ? '' : `${count(shown)} of `}${counted(total, 'row')}`;
}

function tableOf(className: string, caption: string, heads: Markup, rows: readonly Markup[]): Markup {
  return html`
<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table class="rows ${className}"><caption>${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** The first items as markup, as many as the limits allow; one in any case. */
function within<T>(limits: SampleLimits, items: readonly T[], render: (item: T) => Markup): Markup[] {
  const rendered: Markup[] = [];
  let characters = 0;
  for (const item of items.slice(0, limits.rows)) {
    const markup = render(item);
    characters += markup.text.length;
    if (characters > limits.characters && rendered.length > 0) break;
    rendered.push(markup);
  }
  return rendered;
}

function head(name: string): Markup {
  return html`<th scope="col">${name}</th>`;
}

function cell(row: SampleRow, name: string, differs = false): Markup {
  const shown = value(row[name]);
  return differs ? html`<td><mark>${shown}</mark></td>` : html`<td>${shown}</td>`;
}
