import type { Manifest } from '../../campaign/manifest.ts';
import { counted } from '../format.ts';
import { pictureStyle } from '../picture/html-style.ts';
import { replayCommand } from '../replay.ts';
import type { RunEvidence } from '../run-evidence.ts';
import { statementOf } from '../statement.ts';
import { documentText } from './document.ts';
import { html, type Markup } from './markup.ts';
import { matrix } from './matrix.ts';
import { standingSection, statementSection, stepsTable, unjudgedTable } from './overview.ts';
import { querySection } from './query-section.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { chip } from './verdict.ts';

/** The whole page. It may run our script and no other, and reach for nothing outside itself. */
export function reportPage(evidence: RunEvidence): string {
  const { manifest, summary } = evidence;
  const body = html`<a class="skip" href="#_matrix">To the verdicts</a>
<header>
<p class="brand">Tidemark ${manifest.tidemark}</p>
<h1>${chip(summary?.verdict ?? 'inconclusive')} <span>${headline(evidence)}</span></h1>
<ul class="counts-line">${summary && Object.entries(summary.counts).map(([kind, number]) => html`<li><b>${number}</b> ${kind === 'explainedByTrait' ? 'rows explained by trait' : kind}</li>`)}</ul>
<dl class="facts">
<div><dt>data</dt><dd>${dataOf(manifest)}</dd></div>
<div><dt>engines</dt><dd>${manifest.engines.map(({ name, version, sha256 }, index) => html`${index > 0 && ', '}${name} ${version}${sha256 && html` <code title="${sha256}">${sha256.slice(0, 12)}</code>`}`)}</dd></div>
<div><dt>schedule</dt><dd>transport ${manifest.schedule.transport}, parallelism ${manifest.schedule.parallelism}, stop ${manifest.schedule.stop}${manifest.schedule.delivery === undefined ? '' : `, delivery ${manifest.schedule.delivery}`}</dd></div>
<div><dt>replay</dt><dd><pre class="replay" tabindex="0"><code>${replayCommand(manifest)}</code></pre></dd></div>
</dl>
${incompleteness(evidence)}
</header>
<nav aria-label="Sections"><a href="#_statement">Statement</a><a href="#_matrix">Verdicts</a><a href="#_alone">Who stands alone</a><a href="#_queries">Queries</a><a href="#_time">Time</a></nav>
<main>
<section aria-labelledby="_statement"><h2 id="_statement">What can be said</h2>${statementSection(statementOf(evidence))}</section>
<section aria-labelledby="_matrix"><h2 id="_matrix">Verdicts</h2>${matrix(evidence)}
<p class="fine"><i>a ~ b</i> compares the outputs of two engines, row by row where their own truths coincide.</p>${unjudgedTable(evidence)}</section>
<section aria-labelledby="_alone"><h2 id="_alone">Who stands alone</h2>${standingSection(evidence)}</section>
<section aria-labelledby="_queries"><h2 id="_queries">Queries</h2>
<p class="tools" hidden><button type="button" data-open="true">open all</button> <button type="button" data-open="false">close all</button></p>
${manifest.queries.map(({ name }) => querySection(name, evidence))}</section>
<section aria-labelledby="_time"><h2 id="_time">Where the time went</h2>${stepsTable(evidence)}</section>
</main>`;
  return documentText({ title: titleOf(evidence), style: `${style}${pictureStyle}`, script, body });
}

function titleOf({ manifest, summary }: RunEvidence): string {
  const engines = manifest.engines.map(({ name }) => name).join(', ');
  return `${summary?.verdict ?? 'no verdict'}: ${counted(manifest.queries.length, 'query', 'queries')} on ${engines} – Tidemark`;
}

function headline({ manifest, summary }: RunEvidence): string {
  const asked = counted(manifest.queries.length, 'query', 'queries');
  if (summary === undefined) return `none of ${asked} was judged`;
  if (!summary.complete) return `${summary.queries.length} of ${asked} judged`;
  return `${asked}, ${counted(manifest.engines.length, 'engine')}`;
}

function dataOf({ dataset: { provenance, rows, sha256 } }: Manifest): Markup {
  const total = Object.values(rows).reduce((sum, each) => sum + each, 0);
  const origin =
    provenance === 'captured'
      ? 'somebody’s own data: no value of it is shown'
      : `profile ${provenance.profile}, seed ${provenance.seed}`;
  return html`${counted(total, 'row')}, ${origin}, <code title="${sha256}">${sha256.slice(0, 12)}</code>`;
}

/** What is missing of the evidence, said before anything is concluded from the rest. */
function incompleteness({ summary, unreadable }: RunEvidence): Markup | undefined {
  const told = [
    summary === undefined
      ? 'There is no summary.json: the run was ended before its first query was judged.'
      : summary.complete
        ? undefined
        : 'The run was ended before every query was judged; what follows is what it had found by then.',
    ...(summary?.objections ?? []).map(
      (objection) => `Nothing in this campaign can pass any more: ${objection}`,
    ),
    ...unreadable.map((problem) => `Left out, for it cannot be read: ${problem}`),
  ].filter((sentence) => sentence !== undefined);
  if (told.length === 0) return undefined;
  return html`<div class="warning" role="note">${told.map((sentence) => html`<p>${sentence}</p>`)}</div>`;
}
