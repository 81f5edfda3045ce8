import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { DIVERGENCE_VERSION, divergenceSchema } from '../campaign/difference-json.ts';
import { propertyOf } from '../campaign/fuzz/replay.ts';
import { type Repro, readRepro } from '../campaign/fuzz/repro.ts';
import { MANIFEST_VERSION, type Manifest, manifestSchema } from '../campaign/manifest.ts';
import { SUMMARY_VERSION, type Summary, summarySchema } from '../campaign/summary.ts';
import { TIME_LINE_VERSION, type TimeLine, timeLineSchema } from '../campaign/time-line.ts';
import { InputError } from '../model/errors.ts';
import { parseExactJson } from '../model/row-json.ts';
import { readJsonFile } from '../streams/json-file.ts';

export type Divergence = z.infer<typeof divergenceSchema>;

/** What a run left in its directory, as far as it came. */
export interface RunEvidence {
  readonly manifest: Manifest;
  /** Absent where the run ended before its first query did. */
  readonly summary: Summary | undefined;
  readonly queries: ReadonlyMap<string, QueryEvidence>;
  /** Files that are there and cannot be read, each with what is wrong. */
  readonly unreadable: readonly string[];
}

/** What a run left of one query. `divergences` go by the name of an engine, or of a pair `A-B`; so do `repros`. */
export interface QueryEvidence {
  readonly sql: ReadonlyMap<string, string>;
  readonly divergences: ReadonlyMap<string, Divergence>;
  readonly timeLine: TimeLine | undefined;
  /** What was made of divergences since, by the path of the file. */
  readonly repros?: ReadonlyMap<string, Repro> | undefined;
}

const SQL = '.sql';
const DIVERGENCE = '.divergence.json';
const TIME_LINE = 'time-line.json';
const REPRO = '.repro.json';

/**
 * Reads a run's directory. A run that was killed leaves files out, or one cut short; that is no error.
 *
 * @throws InputError naming the file where there is no manifest, which every run begins with, or none of ours.
 */
export async function readRunEvidence(runPath: string): Promise<RunEvidence> {
  const manifest = await readJsonFile(join(runPath, 'manifest.json'), manifestSchema, MANIFEST_VERSION);
  const held = await namesIn(runPath);
  const summary = held.includes('summary.json')
    ? await readJsonFile(join(runPath, 'summary.json'), summarySchema, SUMMARY_VERSION)
    : undefined;
  const unreadable: string[] = [];
  const queries = new Map<string, QueryEvidence>();
  for (const query of await namesIn(join(runPath, 'queries'))) {
    queries.set(query, await readQuery(join(runPath, 'queries', query), unreadable));
  }
  return { manifest, summary, queries, unreadable };
}

async function readQuery(path: string, unreadable: string[]): Promise<QueryEvidence> {
  const sql = new Map<string, string>();
  const divergences = new Map<string, Divergence>();
  const repros = new Map<string, Repro>();
  let timeLine: TimeLine | undefined;
  for (const name of await namesIn(path)) {
    const file = join(path, name);
    try {
      if (name.endsWith(SQL)) sql.set(name.slice(0, -SQL.length), await readFile(file, 'utf8'));
      else if (name === TIME_LINE) timeLine = await readJsonFile(file, timeLineSchema, TIME_LINE_VERSION);
      else if (name.endsWith(REPRO)) repros.set(file, await readKnownRepro(file));
      else if (name.endsWith(DIVERGENCE))
        divergences.set(name.slice(0, -DIVERGENCE.length), await readDivergence(file));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      unreadable.push(error.message);
    }
  }
  return { sql, divergences, timeLine, repros };
}

/** @throws InputError also where it is of a property that there is not. */
async function readKnownRepro(file: string): Promise<Repro> {
  const repro = await readRepro(file);
  propertyOf(repro);
  return repro;
}

/** A divergence with every digit of its samples: a BIGINT may be greater than a JSON parser's numbers. */
async function readDivergence(file: string): Promise<Divergence> {
  const checked = await readJsonFile(file, divergenceSchema, DIVERGENCE_VERSION);
  const { samples } = parseExactJson(await readFile(file, 'utf8')) as Divergence;
  return { ...checked, samples };
}

/** What a directory holds, in the order of names; nothing where there is none. */
async function namesIn(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
