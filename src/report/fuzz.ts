import type { FuzzSummary } from '../campaign/fuzz/summary.ts';
import { table } from './table.ts';
import { paintVerdict } from './terminal.ts';

/** A search as a person reads it: a line a property, then each distinct failure, then the verdict. */
export function fuzzLines(summary: FuzzSummary): string[] {
  const { tallies, failures, cases, shard } = summary;
  const rows = tallies.map((tally) => [
    tally.property,
    tally.engine,
    ...[tally.held, tally.failed, tally.known, tally.empty, tally.undecided, tally.skipped].map(String),
    tally.verdict.replaceAll('-', ' '),
  ]);
  const head = ['property', 'engine', 'held', 'failed', 'known', 'empty', 'undecided', 'skipped', 'verdict'];
  return [
    ...table(head, rows, [2, 3, 4, 5, 6, 7]),
    '',
    ...tallies.flatMap(({ property, engine, missing, notGated, verdict }) => [
      ...(verdict === 'not-covered' ? [`${property}: ${engine}: never reached ${missing.join(', ')}`] : []),
      ...Object.entries(notGated).map(
        ([code, count]) => `${property}: ${engine}: not-gated: ${code} (${count} cases)`,
      ),
    ]),
    ...failures.map(
      ({ signature, drawnAs, cases: alike, confirmed, rows: { drawn, kept }, repro }) =>
        `${signature}: ${alike} cases, the first fails ${confirmed.k} of ${confirmed.n} times, ${kept} of ${drawn} rows kept: ` +
        `${repro}${drawnAsText(signature, drawnAs)}`,
    ),
    `${cases} cases${shard.of === 1 ? '' : ` of shard ${shard.index + 1}/${shard.of}`}, seed ${summary.seed}, ` +
      `${failures.length} distinct failures, ${summary.seconds.toFixed(1)} s`,
    `verdict: ${paintVerdict(summary.verdict)}${summary.complete ? '' : ' (interrupted)'}`,
  ];
}

/** Under which other signatures its cases were drawn. */
function drawnAsText(signature: string, drawnAs: readonly string[]): string {
  const others = drawnAs.filter((drawn) => drawn !== signature);
  return others.length === 0 ? '' : ` (drawn as ${others.join('; ')})`;
}
