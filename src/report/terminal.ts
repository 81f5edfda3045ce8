import pc from 'picocolors';
import type { QueryResult, ShortVerdict, Summary } from '../campaign/summary.ts';
import { hasColours } from './colours.ts';
import { table } from './table.ts';

/** A run as a person reads it: a line a query, then why each that is no agreement is none, then the counts. */
export function summaryLines(summary: Summary): string[] {
  const { counts } = summary;
  return [
    ...resultLines(summary.queries),
    '',
    ...summary.queries.flatMap(reasons),
    ...summary.objections.map((objection) => `campaign: ${paintVerdict('inconclusive')}: ${objection}`),
    `${counts.agree} agree, ${counts.diverge} diverge, ${counts['not-gated']} not-gated, ` +
      `${counts.inconclusive} inconclusive; ${counts.skipped} skipped, ${counts.explainedByTrait} rows explained by trait` +
      (counts.known === 0 ? '' : `; ${counts.known} diverge in known findings alone`),
    stepsLine(summary.steps),
    `verdict: ${paintVerdict(summary.verdict)}${summary.complete ? '' : ' (interrupted: not every query was run)'}`,
  ];
}

/** Wall and CPU seconds of this process by step; what a broker and engines of their own used is not among the latter. */
function stepsLine(steps: Summary['steps']): string {
  const each = Object.entries(steps).map(
    ([step, { seconds, cpuSeconds }]) => `${step} ${seconds.toFixed(1)} (${cpuSeconds.toFixed(1)})`,
  );
  const total = Object.values(steps).reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  return `seconds by step (CPU of ours): ${each.join(', ')}; ${total.toFixed(1)} CPU s in all`;
}

/** The table of the queries that are judged: a heading, then a line each. */
export function resultLines(queries: readonly QueryResult[]): string[] {
  const engines = queries[0]?.engines.map(({ engine }) => engine) ?? [];
  const head = ['query', 'class', 'truth rows', ...engines.flatMap((name) => [name, 's']), 'verdict'];
  const rows = queries.map((query) => [
    query.query,
    query.class,
    query.truthRows === undefined ? '–' : String(query.truthRows),
    ...query.engines.flatMap(({ verdict, skipped, seconds }) => [
      skipped ? 'skipped' : verdict.kind,
      seconds.toFixed(1),
    ]),
    query.verdict.kind,
  ]);
  const numbers = [2, ...engines.map((_, index) => 4 + 2 * index)];
  return table(head, rows, numbers, (cell) => paintVerdict(cell));
}

/** `q5: clink agree in 3.2 s, flink@2.2 diverge in 4.1 s`. */
export function resultLine({ query, engines }: QueryResult): string {
  const each = engines.map(
    ({ engine, verdict, skipped, seconds }) =>
      `${engine} ${paintVerdict(skipped ? 'skipped' : verdict.kind)} in ${seconds.toFixed(1)} s`,
  );
  return `${query}: ${each.join(', ')}`;
}

function reasons({ query, engines, pairs }: QueryResult): string[] {
  const lines = [
    ...engines.map(({ engine, verdict, known = [] }) => ({ who: engine, verdict, known })),
    ...pairs.map(({ engines: pair, verdict }) => ({ who: pair.join(' against '), verdict, known: [] })),
  ];
  return lines
    .filter(({ verdict }) => verdict.kind !== 'agree')
    .map(({ who, verdict, known }) => {
      const names = known.length === 0 ? '' : ` (known: ${known.join(', ')})`;
      return `${query}: ${who}: ${verdictLine(verdict)}${names}`;
    });
}

/** `diverge: 3 lost, 1 extra`. */
export function verdictLine(verdict: ShortVerdict): string {
  return verdict.reason === undefined
    ? paintVerdict(verdict.kind)
    : `${paintVerdict(verdict.kind)}: ${verdict.reason}`;
}

const paint = pc.createColors(hasColours(process.stdout));

export function paintVerdict(text: string): string {
  switch (text) {
    case 'agree':
      return paint.green(text);
    case 'diverge':
      return paint.red(text);
    case 'not-gated':
    case 'inconclusive':
    case 'skipped':
      return paint.yellow(text);
    default:
      return text;
  }
}
