import semver from 'semver';
import type { Engine, Session } from '../../engines/engine.ts';
import type { Case } from '../../model/case.ts';
import { streamsOf } from '../../model/plan/index.ts';

/** Inputs of so few rows are cut row by row from the first on. */
const MOST_ROWS_ONE_BY_ONE = 32;

/** A beginning of a case's input, by arrival, that fails as the whole does. */
export interface Prefix {
  readonly testCase: Case;
  readonly rows: number;
  readonly of: number;
  /**
   * Whether every shorter beginning was tried and did not fail. Else one row less did not fail, and others may: whether
   * more rows still fail is not settled by fewer ones, so that halving proves no more.
   */
  readonly shortest: boolean;
}

/**
 * The first rows of a case, by arrival, that are enough for it to fail. Few rows are added one by one; of many their
 * number is doubled until it fails, then halved between what did not and what did. The case itself is taken to fail.
 */
export async function failingPrefix(
  testCase: Case,
  fails: (candidate: Case) => Promise<boolean>,
  signal: AbortSignal,
): Promise<Prefix> {
  const arrivals = arrivalsOf(testCase);
  const of = arrivals.length;
  const at = (rows: number) => beginning(testCase, arrivals, rows);
  if (of <= MOST_ROWS_ONE_BY_ONE) {
    for (let rows = 0; rows < of && !signal.aborted; rows++) {
      const candidate = at(rows);
      if (await fails(candidate)) return { testCase: candidate, rows, of, shortest: true };
    }
    return { testCase, rows: of, of, shortest: !signal.aborted };
  }
  let passing = 0;
  let failing = of;
  let least = testCase;
  for (let rows = 1; rows < failing && !signal.aborted; rows *= 2) {
    const candidate = at(rows);
    if (await fails(candidate)) {
      failing = rows;
      least = candidate;
    } else passing = rows;
  }
  while (failing - passing > 1 && !signal.aborted) {
    const rows = Math.floor((passing + failing) / 2);
    const candidate = at(rows);
    if (await fails(candidate)) {
      failing = rows;
      least = candidate;
    } else passing = rows;
  }
  return { testCase: least, rows: failing, of, shortest: failing <= 1 };
}

function arrivalsOf({ query, dataset }: Case): readonly number[] {
  const reads = streamsOf(query.plan);
  return dataset.streams
    .filter(({ schema }) => reads.includes(schema.name))
    .flatMap(({ partitions }) => partitions.flatMap((events) => events.map(({ arrival }) => arrival)))
    .sort((a, b) => a - b);
}

/** The case with so many rows. A run that is cancelled after more of them is cancelled after the last. */
function beginning(testCase: Case, arrivals: readonly number[], rows: number): Case {
  const { dataset, schedule } = testCase;
  const end = arrivals[rows] ?? Number.POSITIVE_INFINITY;
  const streams = dataset.streams.map(({ schema, partitions }) => ({
    schema,
    partitions: partitions.map((events) => events.filter(({ arrival }) => arrival < end)),
  }));
  const { cancelAfterRows } = schedule;
  return {
    ...testCase,
    dataset: { ...dataset, streams },
    schedule:
      cancelAfterRows === undefined
        ? schedule
        : { ...schedule, cancelAfterRows: Math.max(1, Math.min(cancelAfterRows, rows)) },
  };
}

/** A version of an engine that is here. */
export interface InstalledVersion {
  /** As `--engine` takes it. */
  readonly name: string;
  readonly version: string;
}

/** The versions of an engine that are installed, the earliest first; none is installed for it. */
export async function installedVersions(
  engine: Pick<Engine, 'name' | 'otherVersions' | 'status'>,
): Promise<readonly InstalledVersion[]> {
  const found: InstalledVersion[] = [];
  for (const variant of [undefined, ...(engine.otherVersions ?? [])]) {
    const status = await engine.status(variant);
    if (status.kind !== 'ready') continue;
    const name = variant === undefined ? engine.name : `${engine.name}@${variant}`;
    if (!found.some(({ version }) => version === status.version))
      found.push({ name, version: status.version });
  }
  return found.sort((a, b) => compareVersions(a.version, b.version));
}

/** What is no version by the rules of them stands last, as it is written. */
function compareVersions(a: string, b: string): number {
  const [x, y] = [semver.coerce(a), semver.coerce(b)];
  if (x !== null && y !== null) return semver.compare(x, y);
  return x === null && y === null ? (a < b ? -1 : 1) : x === null ? 1 : -1;
}

/**
 * Which of these versions show a failure, in their order. `fails` is asked of one after another, and the session of
 * each is closed before the next one is opened.
 */
export async function failingVersions(
  versions: readonly InstalledVersion[],
  open: (name: string) => Promise<Session>,
  fails: (session: Session) => Promise<boolean>,
  signal: AbortSignal,
): Promise<readonly (InstalledVersion & { readonly fails: boolean })[]> {
  const told: (InstalledVersion & { readonly fails: boolean })[] = [];
  for (const version of versions) {
    if (signal.aborted) break;
    const session = await open(version.name);
    try {
      told.push({ ...version, fails: await fails(session) });
    } finally {
      await session[Symbol.asyncDispose]();
    }
  }
  return told;
}
