import type { Manifest } from '../campaign/manifest.ts';
import type { QueryResult, Summary } from '../campaign/summary.ts';
import { count, counted, duration, listed } from './format.ts';
import type { RunEvidence } from './run-evidence.ts';

/** What a run says and does not say, in sentences made from its evidence alone. */
export interface Statement {
  readonly demonstrates: readonly string[];
  readonly bounds: readonly string[];
  readonly unknown: readonly string[];
}

export function statementOf({ manifest, summary, queries }: RunEvidence): Statement {
  const results = summary?.queries ?? [];
  return {
    demonstrates: demonstrated(manifest, results),
    bounds: boundsOf(manifest, summary),
    unknown: [
      ...notRun(manifest, summary),
      ...notJudged(results),
      ...beyondStop(
        manifest,
        [...queries.values()].flatMap(({ timeLine }) => timeLine?.engines ?? []),
      ),
      ...beyondData(manifest),
      ...beyondSetting(manifest, results),
    ],
  };
}

function demonstrated(manifest: Manifest, results: readonly QueryResult[]): string[] {
  const engines = results.flatMap((result) => result.engines);
  const agreeing = engines.filter(({ verdict }) => verdict.kind === 'agree');
  const judged = results.filter((result) => result.engines.some(({ verdict }) => isComparison(verdict.kind)));
  if (judged.length === 0) return ['Nothing: no output of any engine was judged.'];
  const rows = agreeing.reduce((sum, each) => sum + (each.rows ?? 0), 0);
  const names = manifest.engines
    .filter(({ name }) =>
      engines.some(({ engine, verdict }) => engine === name && isComparison(verdict.kind)),
    )
    .map(({ name, version }) => `${name} ${version}`);
  const diverging = results.filter(({ verdict }) => verdict.kind === 'diverge');
  const pairs = results.flatMap((result) => result.pairs);
  const agreeingPairs = pairs.filter(({ verdict }) => verdict.kind === 'agree').length;
  return [
    `${counted(judged.length, 'query', 'queries')} of ${count(manifest.queries.length)} asked for gave output that was ` +
      `judged against the truth, over ${dataOf(manifest)}, on ${listed(names)}.`,
    `${count(agreeing.length)} of ${counted(engines.length, 'engine run')} gave ${whatAgrees(manifest)}: ` +
      `${counted(rows, 'row')} in all, each compared in every column.`,
    ...(pairs.length === 0
      ? []
      : [
          `${count(agreeingPairs)} of ${counted(pairs.length, 'pair')} of outputs of one query agree row by row.`,
        ]),
    ...(diverging.length === 0
      ? []
      : [
          `${counted(diverging.length, 'query diverges', 'queries diverge')}: ` +
            `${diverging.map(({ query, engines: each }) => divergingOn(query, each)).join('; ')}.`,
        ]),
  ];
}

function divergingOn(query: string, engines: QueryResult['engines']): string {
  const names = engines.filter(({ verdict }) => verdict.kind === 'diverge').map(({ engine }) => engine);
  return names.length === 0 ? `${query} between engines only` : `${query} on ${listed(names)}`;
}

function whatAgrees({ schedule: { stop } }: Manifest): string {
  switch (stop) {
    case 'drain':
      return 'exactly the truth of the whole input, which was read to its end';
    case 'settle-cancel':
      return 'exactly the truth at their watermark, once all input was read and the output was quiet';
    case 'cancel':
      return 'a prefix of the truth and nothing else, cancelled midway';
    default:
      return 'what the truth asks of them';
  }
}

function dataOf({ dataset: { provenance, rows } }: Manifest): string {
  const total = Object.values(rows).reduce((sum, each) => sum + each, 0);
  return provenance === 'captured'
    ? `a dataset of ${counted(total, 'row')} that is somebody’s own`
    : `${counted(total, 'row')} of profile ${provenance.profile}, seed ${provenance.seed}`;
}

/** What the sinks were held to (semantics §6, Sink delivery). */
function deliveryOf({ delivery }: Manifest['schedule']): string[] {
  switch (delivery) {
    case 'exactly-once':
      return [
        'Sinks deliver exactly once: what they had committed after a checkpoint at rest is what was judged. No job was restarted.',
      ];
    case 'at-least-once':
      return [
        'Sinks deliver at least once: no job was restarted, so that every row had to be there just once.',
      ];
    default:
      return [];
  }
}

function boundsOf({ dataset, schedule }: Manifest, summary: Summary | undefined): string[] {
  const { provenance, rows } = dataset;
  const streams = Object.entries(rows).map(([name, number]) => `${count(number)} in ${name}`);
  const shape = `One dataset: ${counted(streams.length, 'stream')}, ${listed(streams)}; SHA-256 ${dataset.sha256.slice(0, 12)}.`;
  const explained = summary?.counts.explainedByTrait ?? 0;
  return [
    shape,
    ...(provenance === 'captured' ? [] : [parametersOf(provenance.parameters)]),
    `Transport ${schedule.transport}, parallelism ${schedule.parallelism}, each job ended by ${schedule.stop}.`,
    ...deliveryOf(schedule),
    'One run: a job that answers otherwise now and then may not have done so here.',
    ...(explained === 0
      ? []
      : [
          `${counted(explained, 'row')} on which the engines lawfully differ, by their declared traits, ` +
            'were held to each engine’s own truth and not compared between engines.',
        ]),
  ];
}

function parametersOf(parameters: Readonly<Record<string, number>>): string {
  const { partitions, lagMs, disorderMs, eventsPerSecond } = parameters;
  const parts = [
    partitions === undefined ? undefined : `${counted(partitions, 'partition')} a stream`,
    lagMs === undefined ? undefined : `watermark lag ${duration(lagMs)}`,
    disorderMs === undefined ? undefined : `rows out of order by at most ${duration(disorderMs)}`,
    eventsPerSecond === undefined ? undefined : `${count(eventsPerSecond)} events a second of event time`,
  ];
  return `Its shape: ${parts.filter((part) => part !== undefined).join(', ')}.`;
}

function notRun({ queries }: Manifest, summary: Summary | undefined): string[] {
  const done = new Set(summary?.queries.map(({ query }) => query));
  const missing = queries.map(({ name }) => name).filter((name) => !done.has(name));
  if (missing.length === 0) return [];
  return [
    `The run ended early: nothing is known of ${counted(missing.length, 'query', 'queries')} (${listed(missing)}).`,
  ];
}

function notJudged(results: readonly QueryResult[]): string[] {
  const all = results.flatMap(({ query, engines }) => engines.map((each) => ({ query, ...each })));
  const where = (found: readonly { readonly query: string; readonly engine: string }[]) =>
    listed(found.map(({ query, engine }) => `${query} on ${engine}`));
  const skipped = all.filter((each) => each.skipped);
  const failed = all.filter(({ verdict }) => verdict.kind === 'not-gated');
  const open = all.filter(({ verdict, skipped: skip }) => verdict.kind === 'inconclusive' && !skip);
  return [
    ...(skipped.length === 0 ? [] : [`Not run, since the engine is not made for it: ${where(skipped)}.`]),
    ...(failed.length === 0 ? [] : [`Not judged, since a step failed: ${where(failed)}.`]),
    ...(open.length === 0 ? [] : [`Judged without a result either way: ${where(open)}.`]),
  ];
}

/** What an engine's way to end hides. */
function beyondStop(
  { schedule: { stop } }: Manifest,
  lines: readonly { readonly truth: readonly number[]; readonly due?: readonly number[] | undefined }[],
): string[] {
  const sum = (counts: readonly number[]) => counts.reduce((total, each) => total + each, 0);
  const open = lines.reduce((total, { truth, due = truth }) => total + sum(truth) - sum(due), 0);
  const always =
    'No engine was killed or restarted: recovery, checkpoints and delivery after a crash were not tried.';
  switch (stop) {
    case 'drain':
      return [
        'The input was drained, so that every pane fires in the end: whether one fires too early, or only with the ' +
          'end of the input, does not show.',
        always,
      ];
    case 'settle-cancel':
      return [
        `Panes still open at the watermark were not seen to fire${open === 0 ? '' : `: ${counted(open, 'row')} over all engines`}.`,
        always,
      ];
    case 'cancel':
      return [
        'Each engine stopped at a point of its own, so that engines were not compared with each other; what it would ' +
          'have written later was not seen.',
        always,
      ];
    default:
      return [always];
  }
}

/** What the data holds none of. */
function beyondData({ dataset: { provenance } }: Manifest): string[] {
  if (provenance === 'captured') return ['Whether any row of the data came late is not recorded.'];
  const { lagMs, disorderMs } = provenance.parameters;
  const late =
    lagMs === undefined || disorderMs === undefined
      ? 'Whether any row came late is not recorded.'
      : disorderMs < lagMs - 1
        ? `No row was late: rows lie at most ${duration(disorderMs)} out of order under a lag of ${duration(lagMs)}, so ` +
          'that the engines’ rules for late rows were not tried.'
        : undefined;
  return [
    ...(late === undefined ? [] : [late]),
    ...(provenance.profile === 'nexmark'
      ? [
          'Nulls, integers near the ends of int64, odd Unicode and times before the epoch: this profile has none of ' +
            'them (profile extremes has).',
        ]
      : []),
  ];
}

function beyondSetting({ schedule, dataset }: Manifest, results: readonly QueryResult[]): string[] {
  const partitions = dataset.provenance === 'captured' ? undefined : dataset.provenance.parameters.partitions;
  const independent = results.filter(({ pairs }) => pairs.length === 0).length;
  return [
    `Parallelism other than ${schedule.parallelism}${partitions === 1 ? ', more than one partition' : ''}, and transports ` +
      `other than ${schedule.transport}.`,
    ...(independent === 0
      ? []
      : [
          `In ${counted(independent, 'query', 'queries')} no two engines were compared: there the oracle is the only ` +
            'witness, and a mistake of its own would not show.',
        ]),
    'Speed: seconds are one measurement on one machine, and nothing was decided by them.',
  ];
}

function isComparison(kind: string): boolean {
  return kind === 'agree' || kind === 'diverge';
}
