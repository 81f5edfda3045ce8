import { documentText } from '../html/document.ts';
import { html, type Markup } from '../html/markup.ts';
import { style } from '../html/style.ts';
import { cellText } from './cell.ts';
import { chart } from './html-chart.ts';
import { pictureStyle } from './html-style.ts';
import type { Picture, PictureRow } from './picture.ts';

const MOST_ROWS = 200;

/** A picture as a page that needs nothing else: no script, no network, no other file. */
export function picturePage(picture: Picture): string {
  const { sentence } = picture;
  return documentText({
    title: `${sentence} – Tidemark`,
    style: `${style}${pictureStyle}`,
    body: html`<header><p class="brand">Tidemark repro</p><h1>${sentence}</h1></header>
<main>${pictureMarkup(picture)}</main>`,
  });
}

/** The same as part of a page that has the report's style and {@link pictureStyle}. */
export function pictureMarkup(picture: Picture): Markup {
  const { facts, sql, replay, told } = picture;
  return html`
<div class="picture">
<dl class="facts">${facts.map(({ name, text }) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}
<div><dt>replay</dt><dd><pre class="replay" tabindex="0"><code>${replay}</code></pre></dd></div></dl>
${chart(picture)}
<h4>${told === 'differing' ? 'Expected and actual: the rows that differ' : 'Expected and actual'}</h4>
${rowsTable(picture)}
<h4>Input, in the order of arrival</h4>
${inputTables(picture)}
<h4>SQL</h4>
<div class="columns sql">${sql.map(
    ({ dialect, text, isSql }) =>
      html`<div><h4>${dialect}</h4>${isSql ? html`<pre tabindex="0"><code>${text}</code></pre>` : html`<p class="note">${text}</p>`}</div>`,
  )}</div>
</div>`;
}

const WORDS = {
  same: '=',
  lost: 'missing',
  altered: 'altered',
  premature: 'too early',
  extra: 'not true',
} as const;

/** Each expected row beside the actual one, what differs marked. */
function rowsTable({ columns, rows, told }: Picture): Markup {
  if (told === 'none') return html`<p class="note">Nothing was judged.</p>`;
  if (rows.length === 0) return html`<p class="note">No row on either side.</p>`;
  const kept = new Set(
    [...rows].sort((a, b) => Number(a.kind === 'same') - Number(b.kind === 'same')).slice(0, MOST_ROWS),
  );
  const heads = columns.map(({ name }) => html`<th scope="col">${name}</th>`);
  const cells = (row: PictureRow, side: readonly string[] | undefined) =>
    side === undefined
      ? html`<td colspan="${columns.length}" class="none">none</td>`
      : side.map((text, index) =>
          row.differs.includes(index) ? html`<td><mark>${text}</mark></td>` : html`<td>${text}</td>`,
        );
  return html`
<div class="scroll" tabindex="0" role="region" aria-label="Expected and actual rows"><table class="rows beside">
<thead><tr><th scope="col" colspan="${columns.length}">expected</th><th></th><th scope="col" colspan="${columns.length}">actual</th></tr>
<tr>${heads}<th></th>${heads}</tr></thead>
<tbody>${rows
    .filter((row) => kept.has(row))
    .map(
      (row) => html`
<tr class="${row.kind}">${cells(row, row.expected)}<th scope="row">${WORDS[row.kind]}</th>${cells(row, row.actual)}</tr>`,
    )}</tbody></table></div>
${rows.length > kept.size && html`<p class="note">… and ${rows.length - kept.size} more rows</p>`}`;
}

function inputTables({ happenings, times }: Picture): readonly Markup[] {
  const rows = happenings.flatMap((each) => (each.kind === 'row' ? [each] : []));
  return [...new Set(rows.map(({ schema }) => schema))].map((schema) => {
    const own = rows.filter((row) => row.schema === schema);
    const { columns, name } = schema;
    return html`
<div class="scroll" tabindex="0" role="region" aria-label="Rows of ${name}"><table class="rows input">
<thead><tr><th scope="col" class="n">#</th><th scope="col">from</th>${columns.map((column) => html`<th scope="col">${column.name}</th>`)}</tr></thead>
<tbody>${own.slice(0, MOST_ROWS).map(
      ({ arrival, partition, row }) => html`
<tr><td class="n">${arrival}</td><th scope="row">${name}/${partition}</th>${columns.map((column, index) => html`<td>${cellText(row[index] ?? null, column, times)}</td>`)}</tr>`,
    )}</tbody></table></div>
${own.length > MOST_ROWS && html`<p class="note">… and ${own.length - MOST_ROWS} more rows</p>`}`;
  });
}
