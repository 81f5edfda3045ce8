import type { Manifest } from '../campaign/manifest.ts';
import type { QueryResult, ShortVerdict, Summary } from '../campaign/summary.ts';

/**
 * A run as JUnit XML, for continuous integration: a suite a query, a case an engine and a pair. A divergence is a
 * failure; what could not be judged, and a query that was not run, is an error, since it is no pass either.
 *
 * `summary`: undefined where the run ended before its first query did.
 */
export function junitXml(summary: Summary | undefined, manifest: Manifest): string {
  const suites = manifest.queries.map(({ name }) =>
    suiteOf(name, casesOf(summary?.queries.find(({ query }) => query === name)), manifest),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name: 'tidemark' })}>\n${suites.join('')}</testsuites>\n`;
}

interface TestCase {
  readonly name: string;
  readonly seconds: number;
  readonly verdict: ShortVerdict;
  readonly skipped: boolean;
}

const NOT_RUN: TestCase = {
  name: 'run',
  seconds: 0,
  verdict: { kind: 'not-gated', reason: 'the run ended before this query did' },
  skipped: false,
};

function casesOf(result: QueryResult | undefined): readonly TestCase[] {
  if (result === undefined) return [NOT_RUN];
  return [
    ...result.engines.map(({ engine, ...rest }) => ({ name: engine, ...rest })),
    ...result.pairs.map(({ engines, verdict }) => ({
      name: engines.join(' against '),
      seconds: 0,
      verdict,
      skipped: false,
    })),
  ];
}

function suiteOf(name: string, cases: readonly TestCase[], manifest: Manifest): string {
  const of = (outcome: ReturnType<typeof outcomeOf>) =>
    cases.filter((each) => outcomeOf(each) === outcome).length;
  const suite = attributes({
    name,
    tests: cases.length,
    failures: of('failure'),
    errors: of('error'),
    skipped: of('skipped'),
    time: cases.reduce((sum, each) => sum + each.seconds, 0).toFixed(3),
  });
  const properties = Object.entries(propertiesOf(manifest)).map(
    ([key, value]) => `      <property${attributes({ name: key, value })}/>\n`,
  );
  return `  <testsuite${suite}>\n    <properties>\n${properties.join('')}    </properties>\n${cases
    .map((each) => caseXml(name, each))
    .join('')}  </testsuite>\n`;
}

function caseXml(classname: string, each: TestCase): string {
  const head = `    <testcase${attributes({ classname, name: each.name, time: each.seconds.toFixed(3) })}`;
  const outcome = outcomeOf(each);
  if (outcome === 'passed') return `${head}/>\n`;
  const message = each.verdict.reason ?? each.verdict.kind;
  const type = outcome === 'skipped' ? {} : { type: each.verdict.kind };
  return `${head}>\n      <${outcome}${attributes({ message, ...type })}/>\n    </testcase>\n`;
}

function outcomeOf({ skipped, verdict }: TestCase): 'passed' | 'failure' | 'error' | 'skipped' {
  if (skipped) return 'skipped';
  switch (verdict.kind) {
    case 'agree':
      return 'passed';
    case 'diverge':
      return 'failure';
    default:
      return 'error';
  }
}

/** What the run is a function of, so that a stored result says what it is the result of. */
function propertiesOf({ tidemark, dataset, schedule, engines }: Manifest): Record<string, string> {
  const { provenance } = dataset;
  return {
    tidemark,
    dataset: dataset.sha256,
    ...(provenance === 'captured' ? {} : { seed: provenance.seed, profile: provenance.profile }),
    transport: schedule.transport,
    parallelism: String(schedule.parallelism),
    stop: schedule.stop,
    ...(schedule.delivery === undefined ? {} : { delivery: schedule.delivery }),
    ...Object.fromEntries(engines.map(({ name, version }) => [`engine ${name}`, version])),
  };
}

/** XML attributes of these values, each with a blank before it. */
export function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('');
}

/** All that XML 1.0 has no character for. */
const NO_CHARACTER = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

function escapeAttribute(text: string): string {
  return text.replaceAll(NO_CHARACTER, '').replaceAll(/[&<>"\t\n\r]/g, (character) => ENTITIES[character]!);
}
