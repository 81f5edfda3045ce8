import type { ModeSummary, SinkSummary } from '../sinks/conformance/sink-summary.ts';
import { attributes } from './junit.ts';
import { table } from './table.ts';

const HEAD = ['mode', 'guarantee', 'histories', 'transactions', 'redelivered', 'dup', 'loss', 'verdict'];
const NUMBERS = [2, 3, 4, 5, 6];
/** Failures of a mode that are told in full. */
const TOLD = 3;

/** The conformance table of a sink, what was wrong below it, and the verdict. */
export function sinkLines(summary: SinkSummary): readonly string[] {
  const { sink, postgres, modes, verdict } = summary;
  const rows = modes.map((mode) => [
    mode.mode,
    `${mode.guarantee}, ${mode.bound}`,
    `${mode.histories}`,
    `${mode.transactions}`,
    `${mode.redelivered}`,
    `${mode.dup}`,
    `${mode.loss}`,
    mode.verdict,
  ]);
  return [
    `sink ${sink}, source PostgreSQL ${postgres}`,
    '',
    ...table(HEAD, rows, NUMBERS),
    '',
    ...modes.flatMap(problemLines),
    verdict,
  ];
}

function problemLines({ mode, failures, reason, verdict }: ModeSummary): readonly string[] {
  if (verdict === 'agree') return [];
  if (failures.length === 0) return [`${mode}: ${verdict}: ${reason}`, ''];
  const told = failures
    .slice(0, TOLD)
    .flatMap(({ index, problems, file }) => [
      `${mode}, case ${index}:`,
      ...problems.map(({ kind, count, message }) => `  ${kind} (${count}): ${message}`),
      ...(file === undefined ? [] : [`  kept as ${file}`]),
    ]);
  const rest = failures.length - TOLD;
  return [...told, ...(rest > 0 ? [`${mode}: ${rest} more`] : []), ''];
}

/** The same as JUnit XML: a suite of the sink, a case a mode. */
export function sinkJunitXml({ sink, seed, postgres, tidemark, modes }: SinkSummary): string {
  const of = (...kinds: readonly ModeSummary['verdict'][]) =>
    modes.filter(({ verdict }) => kinds.includes(verdict)).length;
  const suite = attributes({
    name: `sink ${sink}`,
    tests: modes.length,
    failures: of('diverge'),
    errors: of('not-gated', 'inconclusive'),
    skipped: 0,
    time: modes.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
  });
  const properties = Object.entries({ tidemark, seed, postgres }).map(
    ([name, value]) => `      <property${attributes({ name, value })}/>\n`,
  );
  const cases = modes.map((mode) => caseXml(sink, mode));
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name: 'tidemark' })}>\n` +
    `  <testsuite${suite}>\n    <properties>\n${properties.join('')}    </properties>\n${cases.join('')}` +
    '  </testsuite>\n</testsuites>\n'
  );
}

function caseXml(sink: string, { mode, verdict, reason = verdict, seconds }: ModeSummary): string {
  const head = `    <testcase${attributes({ classname: sink, name: mode, time: seconds.toFixed(3) })}`;
  if (verdict === 'agree') return `${head}/>\n`;
  const element = verdict === 'diverge' ? 'failure' : 'error';
  return `${head}>\n      <${element}${attributes({ message: reason, type: verdict })}/>\n    </testcase>\n`;
}
