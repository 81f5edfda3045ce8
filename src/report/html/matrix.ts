import type { QueryResult, ShortVerdict } from '../../campaign/summary.ts';
import { count } from '../format.ts';
import type { RunEvidence } from '../run-evidence.ts';
import { html, type Markup } from './markup.ts';
import { chip } from './verdict.ts';

/** Every query with its verdict on every engine and between every two. */
export function matrix({ manifest, summary }: RunEvidence): Markup {
  const engines = manifest.engines.map(({ name }) => name);
  const results = new Map(summary?.queries.map((result) => [result.query, result]));
  const pairs = engines
    .flatMap((first, index) => engines.slice(index + 1).map((second) => [first, second] as const))
    .filter((pair) => summary?.queries.some((result) => pairVerdict(result, pair) !== undefined));
  return html`
<div class="scroll" tabindex="0" role="region" aria-labelledby="_matrix">
<table class="matrix">
<thead><tr><th scope="col">query</th><th scope="col">class</th><th scope="col" class="n">truth rows</th>${engines.map(
    (name) => html`<th scope="col">${name}</th>`,
  )}${pairs.map((pair) => html`<th scope="col">${pair.join(' ~ ')}</th>`)}<th scope="col">verdict</th></tr></thead>
<tbody>${manifest.queries.map(({ name }) => row(name, results.get(name), engines, pairs))}</tbody>
</table>
</div>`;
}

function row(
  name: string,
  result: QueryResult | undefined,
  engines: readonly string[],
  pairs: readonly (readonly [string, string])[],
): Markup {
  const head = html`<th scope="row"><a href="#${name}">${name}</a></th>`;
  if (result === undefined) {
    const blank = [...engines, ...pairs].map(() => html`<td></td>`);
    return html`
<tr>${head}<td></td><td class="n"></td>${blank}<td>${chip('not run')}</td></tr>`;
  }
  const cells = engines.map((engine) => {
    const found = result.engines.find((each) => each.engine === engine);
    return html`<td>${found && verdictCell(found.verdict, found.skipped)}</td>`;
  });
  const between = pairs.map((pair) => {
    const verdict = pairVerdict(result, pair);
    return html`<td>${verdict && verdictCell(verdict, false)}</td>`;
  });
  return html`
<tr>${head}<td>${result.class}</td><td class="n">${result.truthRows === undefined ? '' : count(result.truthRows)}</td>${cells}${between}<td>${chip(result.verdict.kind)}</td></tr>`;
}

/** Counts of a divergence are short enough to stand in the cell; other reasons stand at the query. */
function verdictCell(verdict: ShortVerdict, skipped: boolean): Markup {
  const kind = skipped ? 'skipped' : verdict.kind;
  return html`${chip(kind)}${kind === 'diverge' && html`<small>${verdict.reason}</small>`}`;
}

function pairVerdict({ pairs }: QueryResult, [first, second]: readonly [string, string]) {
  return pairs.find(({ engines }) => engines.includes(first) && engines.includes(second))?.verdict;
}
