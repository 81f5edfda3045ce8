import type { Repro } from '../../campaign/fuzz/repro.ts';
import { hashQuery, type Manifest } from '../../campaign/manifest.ts';
import type { EngineResult, QueryResult, ShortVerdict } from '../../campaign/summary.ts';
import type { Premise, QueryDefinition } from '../../model/query.ts';
import { queries } from '../../queries/index.ts';
import { count, seconds, timeTeller } from '../format.ts';
import { pictureMarkup, storedPicture } from '../picture/index.ts';
import type { Divergence, QueryEvidence, RunEvidence } from '../run-evidence.ts';
import { html, type Markup } from './markup.ts';
import { type SampleLimits, samples } from './samples.ts';
import { timeLineChart } from './time-line-chart.ts';
import { chip } from './verdict.ts';

/** Longer SQL is not read, and would crowd out what is. */
const LONGEST_SQL = 20_000;

const ENGINE_SAMPLES = 20;
const PAIR_SAMPLES = 5;

/** What samples may take of the whole page, in characters, and the tables that a divergence fills. */
const SAMPLE_CHARACTERS = 600_000;
const SAMPLE_TABLES = 3;

/** All that is known of one query. What needs no look is closed, and opens by its link. */
export function querySection(name: string, { manifest, summary, queries: held }: RunEvidence): Markup {
  const tables = [...held.values()].reduce(
    (sum, { divergences }) => sum + SAMPLE_TABLES * divergences.size,
    0,
  );
  const result = summary?.queries.find(({ query }) => query === name);
  const evidence = held.get(name);
  const definition = declaredAsRun(manifest.queries.find((query) => query.name === name));
  const kind = result?.verdict.kind ?? 'not run';
  return html`
<details class="query" id="${name}"${kind === 'diverge' && html` open`}>
<summary><h3>${name}</h3> ${chip(kind)} <span class="title">${definition?.title}</span></summary>
${definition === undefined ? UNDECLARED : declarationOf(definition)}
${result === undefined ? NOT_RUN : countsTable(result, evidence, manifest)}
${result && reasonsOf(result)}
${evidence?.timeLine && timeLineChart(name, evidence.timeLine, manifest)}
${evidence && divergencesOf(evidence, manifest, SAMPLE_CHARACTERS / tables)}
${[...(evidence?.repros ?? [])].map(([file, repro]) => reproSection(file, repro))}
${evidence && evidence.sql.size > 0 && sideBySide(evidence.sql)}
<p class="back"><a href="#_matrix">all queries</a></p>
</details>`;
}

const NOT_RUN = html`<p class="note">The run ended before this query did: there is no verdict.</p>`;
const UNDECLARED = html`<p class="note">How this query is judged is not told here: it is none of the declared
queries, or what is declared under its name has changed since the run. The hashes of what was run are in manifest.json.</p>`;

/** The declared query of that name, if it still is what was run. */
function declaredAsRun(ran: Manifest['queries'][number] | undefined): QueryDefinition | undefined {
  const declared = ran && queries.get(ran.name);
  if (declared === undefined) return undefined;
  const { planSha256, declarationSha256 } = hashQuery(declared);
  return planSha256 === ran?.planSha256 && declarationSha256 === ran.declarationSha256 ? declared : undefined;
}

function declarationOf({ declaration, premises }: QueryDefinition): Markup {
  const { class: judged, reason, keys, tolerance, fire } = declaration;
  return html`
<dl class="facts">
<div><dt>class</dt><dd><b>${judged}</b>: ${reason}</dd></div>
<div><dt>key</dt><dd>${keys.map((key, index) => html`${index > 0 && ', '}<code>${key}</code>`)}</dd></div>
<div><dt>fire point</dt><dd>${typeof fire === 'string' ? fire : html`column <code>${fire.column}</code>`}</dd></div>
<div><dt>tolerance</dt><dd>${tolerance === undefined ? 'none: every value is compared exactly' : html`${tolerance.relative} relative in ${tolerance.columns.join(', ')}: ${tolerance.reason}`}</dd></div>
${premises.map((premise) => html`<div><dt>premise</dt><dd>${premiseOf(premise)}</dd></div>`)}
</dl>`;
}

function premiseOf({ kind, stream, columns, reason }: Premise): string {
  const names = columns.map((column) => `${stream}.${column}`).join(', ');
  return `${names} ${kind === 'unique' ? 'are unique together' : 'are never null'}: ${reason}`;
}

function countsTable(result: QueryResult, evidence: QueryEvidence | undefined, manifest: Manifest): Markup {
  const cells = (divergence: Divergence | undefined, verdict: ShortVerdict) => {
    const isKnown = verdict.kind === 'agree' || divergence !== undefined;
    return (['lost', 'premature', 'altered', 'extra', 'corrupt'] as const).map(
      (kind) =>
        html`<td class="n${divergence && divergence.counts[kind] > 0 && ' bad'}">${isKnown && count(divergence?.counts[kind] ?? 0)}</td>`,
    );
  };
  return html`
<div class="scroll" tabindex="0" role="region" aria-label="${result.query}: counts"><table class="counts">
<thead><tr><th scope="col">side</th><th scope="col">verdict</th>${['rows', 'lost', 'premature', 'altered', 'extra', 'corrupt', 'by trait', 'wall', 'CPU'].map((name) => html`<th scope="col" class="n">${name}</th>`)}</tr></thead>
<tbody>
<tr><th scope="row">truth</th><td></td><td class="n">${result.truthRows === undefined ? '' : count(result.truthRows)}</td>${[0, 1, 2, 3, 4, 5].map(() => html`<td></td>`)}<td class="n">${seconds(result.seconds.truth)}</td><td></td></tr>
${result.engines.map(
  (each) => html`
<tr><th scope="row">${each.engine}${interruption(each, evidence, manifest)}</th><td>${chip(each.skipped ? 'skipped' : each.verdict.kind)}</td><td class="n">${each.rows === undefined ? '' : count(each.rows)}</td>${cells(evidence?.divergences.get(each.engine), each.verdict)}<td></td><td class="n">${seconds(each.seconds)}</td><td class="n">${each.cpuSeconds === undefined ? '' : seconds(each.cpuSeconds)}</td></tr>`,
)}
${result.pairs.map(
  ({ engines, verdict, explainedByTrait }) => html`
<tr><th scope="row">${engines.join(' ~ ')}</th><td>${chip(verdict.kind)}</td><td></td>${cells(evidence?.divergences.get(engines.join('-')), verdict)}<td class="n">${count(explainedByTrait)}</td><td></td><td></td></tr>`,
)}
</tbody></table></div>
<p class="fine">Judging took ${seconds(result.seconds.judge)}. Of a pair, <i>lost</i> is what only the first has and <i>extra</i> what only the
second has; <i>by trait</i> are rows that the two lawfully differ in, each held to its own truth.</p>`;
}

/** How far a run came that was cancelled midway. */
function interruption(
  { interrupted }: EngineResult,
  evidence: QueryEvidence | undefined,
  manifest: Manifest,
): Markup | undefined {
  if (interrupted === undefined) return undefined;
  const { from, to, open } = interrupted;
  const tell = timeTeller(manifest, evidence?.timeLine?.from ?? from ?? to ?? 0);
  const watermarks =
    from === null && to === null
      ? ''
      : `, W from ${from === null ? 'the start' : tell(from)} to ${to === null ? 'the end' : tell(to)}`;
  return html` <small>cancelled with ${count(open)} rows open${watermarks}</small>`;
}

/** Why what could not be judged was not, in full; what differs is told by the counts. */
function reasonsOf({ engines, pairs }: QueryResult): Markup | undefined {
  const told = [
    ...engines.map(({ engine, verdict, skipped }) => ({ who: engine, verdict, skipped })),
    ...pairs.map(({ engines: pair, verdict }) => ({ who: pair.join(' ~ '), verdict, skipped: false })),
  ].filter(({ verdict: { kind } }) => kind !== 'agree' && kind !== 'diverge');
  if (told.length === 0) return undefined;
  return html`
<ul class="reasons">${told.map(
    ({ who, verdict, skipped }) =>
      html`<li><b>${who}</b> ${skipped ? 'skipped' : verdict.kind}: ${verdict.reason}</li>`,
  )}</ul>`;
}

/** Of each engine against the truth; those of pairs are closed, for they repeat the former mostly. */
function divergencesOf({ divergences }: QueryEvidence, manifest: Manifest, characters: number): Markup {
  const isPrivate = manifest.dataset.provenance === 'captured';
  const engines = manifest.engines.map(({ name }) => name);
  const pairs = [...divergences.keys()].filter((name) => !engines.includes(name));
  const shown = (name: string, title: string, limits: SampleLimits) => {
    const divergence = divergences.get(name);
    return divergence && samples(title, divergence, isPrivate, limits);
  };
  return html`${engines.map((name) => shown(name, `${name} against the truth`, { rows: ENGINE_SAMPLES, characters }))}${
    pairs.length > 0 &&
    html`
<details><summary>Engines against each other</summary>${pairs.map((name) => shown(name, `${name}, the second against the first`, { rows: PAIR_SAMPLES, characters }))}</details>`
  }`;
}

/** The smallest case that was made of a divergence since the run. */
function reproSection(file: string, repro: Repro): Markup {
  const picture = storedPicture(file, repro);
  return html`
<details class="repro"><summary>Repro: ${picture.sentence}</summary>${pictureMarkup(picture)}</details>`;
}

function sideBySide(sql: ReadonlyMap<string, string>): Markup {
  return html`
<details class="sql"><summary>SQL, as each engine was asked</summary>
<div class="columns">${[...sql].map(
    ([engine, text]) => html`
<div><h4>${engine}</h4><pre tabindex="0"><code>${text.slice(0, LONGEST_SQL)}${text.length > LONGEST_SQL && '\n… the rest is in the run’s directory'}</code></pre></div>`,
  )}</div></details>`;
}
