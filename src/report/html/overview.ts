import { seconds } from '../format.ts';
import type { RunEvidence } from '../run-evidence.ts';
import { type Standing, standingOf, TRUTH } from '../standing.ts';
import type { Statement } from '../statement.ts';
import { html, type Markup } from './markup.ts';
import { chip } from './verdict.ts';

/** The statement's three parts, side by side. */
export function statementSection({ demonstrates, bounds, unknown }: Statement): Markup {
  const part = (id: string, title: string, sentences: readonly string[]) => html`
<section aria-labelledby="${id}"><h3 id="${id}">${title}</h3><ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`;
  return html`<div class="statement">${part('_shows', 'What this run demonstrates', demonstrates)}${part(
    '_bounds',
    'What bounds it',
    bounds,
  )}${part('_unknown', 'What it does not know', unknown)}</div>`;
}

/** Of every query with three sides or more that do not all agree: who stands alone. */
export function standingSection({ summary }: RunEvidence): Markup {
  const all = (summary?.queries ?? []).map((result) => ({
    query: result.query,
    standing: standingOf(result),
  }));
  const compared = all.filter(({ standing }) => standing.kind !== 'too-few');
  const split = compared.filter(({ standing }) => standing.kind !== 'together');
  if (compared.length === 0) {
    return html`<p>No query had three sides, the truth being one, so that no majority says anything.</p>`;
  }
  if (split.length === 0) {
    return html`<p>Nobody: in all ${compared.length} queries with three sides or more, the truth and the engines agree.</p>`;
  }
  return html`
<div class="scroll" tabindex="0" role="region" aria-labelledby="_alone"><table>
<thead><tr><th scope="col">query</th><th scope="col">alone</th><th scope="col">how the sides stand</th></tr></thead>
<tbody>${split.map(
    ({ query, standing }) => html`
<tr><th scope="row"><a href="#${query}">${query}</a></th><td>${standing.kind === 'alone' ? html`<b>${standing.side}</b>` : 'no one side'}</td><td>${described(standing)}</td></tr>`,
  )}</tbody></table></div>
<p class="fine">A majority proves nothing; it says where to look first. Where ${TRUTH} stands alone, suspect the oracle.</p>`;
}

function described(standing: Standing): string {
  switch (standing.kind) {
    case 'alone':
      return `${standing.others.join(' = ')} ≠ ${standing.side}`;
    case 'apart':
      return standing.groups.map((group) => group.join(' = ')).join(' ≠ ');
    default:
      return '';
  }
}

/** Why outputs were not judged, each reason once with all it holds for; undefined where everything was. */
export function unjudgedTable({ summary }: RunEvidence): Markup | undefined {
  const told = new Map<string, { kind: string; who: string; reason: string; queries: string[] }>();
  for (const { query, engines, pairs } of summary?.queries ?? []) {
    for (const { who, verdict, skipped } of [
      ...engines.map((each) => ({ who: each.engine, verdict: each.verdict, skipped: each.skipped })),
      ...pairs.map((each) => ({ who: each.engines.join(' ~ '), verdict: each.verdict, skipped: false })),
    ]) {
      if (verdict.kind === 'agree' || verdict.kind === 'diverge') continue;
      const kind = skipped ? 'skipped' : verdict.kind;
      const reason = verdict.reason ?? '';
      const key = JSON.stringify([kind, who, reason]);
      const known = told.get(key) ?? { kind, who, reason, queries: [] };
      known.queries.push(query);
      told.set(key, known);
    }
  }
  if (told.size === 0) return undefined;
  return html`
<h3>Without a verdict either way</h3>
<div class="scroll" tabindex="0" role="region" aria-label="Without a verdict either way"><table class="unjudged">
<thead><tr><th scope="col">side</th><th scope="col">outcome</th><th scope="col">reason</th><th scope="col">queries</th></tr></thead>
<tbody>${[...told.values()].map(
    ({ kind, who, reason, queries }) => html`
<tr><th scope="row">${who}</th><td>${chip(kind)}</td><td>${reason}</td><td>${queries.map((query, index) => html`${index > 0 && ', '}<a href="#${query}">${query}</a>`)}</td></tr>`,
  )}</tbody></table></div>`;
}

/** Where the time of the harness's own process went. */
export function stepsTable({ summary }: RunEvidence): Markup {
  if (summary === undefined)
    return html`<p>Nothing was measured: the run ended before its first query did.</p>`;
  return html`
<table>
<thead><tr><th scope="col">step</th><th scope="col" class="n">wall</th><th scope="col" class="n">CPU of this process</th></tr></thead>
<tbody>${Object.entries(summary.steps).map(
    ([step, spent]) => html`
<tr><th scope="row">${step}</th><td class="n">${seconds(spent.seconds)}</td><td class="n">${seconds(spent.cpuSeconds)}</td></tr>`,
  )}</tbody></table>`;
}
