import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { InputError } from '../model/errors.ts';
import type { ByteSource, Capture } from '../model/outcome.ts';
import type { Column } from '../model/schema.ts';
import type { Diverge } from '../model/verdict.ts';
import { makeDirectory, makeEmptyDirectory, orInputError } from '../streams/files.ts';
import { readJsonFile } from '../streams/json-file.ts';
import { divergenceToJson } from './difference-json.ts';
import { MANIFEST_VERSION, type Manifest, manifestSchema } from './manifest.ts';
import { REQUEST_VERSION, type RunRequest, requestSchema } from './request.ts';
import { SUMMARY_VERSION, type Summary, summarySchema } from './summary.ts';
import type { TimeLine } from './time-line.ts';

export const REQUEST_FILE = 'request.json';
export const MANIFEST_FILE = 'manifest.json';
export const SUMMARY_FILE = 'summary.json';
export const TIME_LINE_FILE = 'time-line.json';

/** Holds the process id of the run that is at work in a directory. */
const LOCK_FILE = 'lock';

/** What a run that was ended before it was through has left behind. */
export interface Interrupted {
  readonly directory: RunDirectory;
  readonly request: RunRequest;
  /** Undefined where the run had not come so far: nothing was run yet. */
  readonly manifest: Manifest | undefined;
  readonly summary: Summary | undefined;
}

/** A run's evidence on disk, written as it is made, so that whatever ends a run leaves what it found. */
export class RunDirectory implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** @throws InputError when the directory holds files already or cannot be written. */
  static async create(path: string, request: RunRequest): Promise<RunDirectory> {
    await makeEmptyDirectory(path);
    await lock(path);
    const directory = new RunDirectory(path);
    await directory.#replace(REQUEST_FILE, request);
    await makeDirectory(join(path, 'queries'));
    return directory;
  }

  /**
   * Takes up a run that was ended before it was through.
   *
   * @throws InputError when there is none, when it is still at work, or when a file of it was damaged.
   */
  static async resume(path: string): Promise<Interrupted> {
    const request = await readJsonFile(join(path, REQUEST_FILE), requestSchema, REQUEST_VERSION);
    await lock(path);
    const directory = new RunDirectory(path);
    try {
      const names = await readdir(path);
      const manifest = names.includes(MANIFEST_FILE) ? await directory.readManifest() : undefined;
      const summary = names.includes(SUMMARY_FILE)
        ? await readJsonFile(join(path, SUMMARY_FILE), summarySchema, SUMMARY_VERSION)
        : undefined;
      // Without a manifest the dataset may be half written.
      if (manifest === undefined) await rm(directory.datasetPath, { recursive: true, force: true });
      await makeDirectory(join(path, 'queries'));
      return { directory, request, manifest, summary };
    } catch (error) {
      await directory[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Gives the directory free for another process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await rm(join(this.path, LOCK_FILE), { force: true });
  }

  /** Where the run's dataset stands when the run made it. */
  get datasetPath(): string {
    return join(this.path, 'dataset');
  }

  writeManifest(manifest: Manifest): Promise<void> {
    return this.#replace(MANIFEST_FILE, manifest);
  }

  readManifest(): Promise<Manifest> {
    return readJsonFile(join(this.path, MANIFEST_FILE), manifestSchema, MANIFEST_VERSION);
  }

  writeSummary(summary: Summary): Promise<void> {
    return this.#replace(SUMMARY_FILE, summary);
  }

  async writeSql(query: string, engine: string, sql: string): Promise<void> {
    const path = join(await this.#queryPath(query), `${engine}.sql`);
    await orInputError(path, 'cannot write', () => writeFile(path, `${sql.trimEnd()}\n`));
  }

  async writeDivergence(
    query: string,
    name: string,
    columns: readonly Column[],
    verdict: Diverge,
    isPrivate: boolean,
  ): Promise<void> {
    const path = join(await this.#queryPath(query), `${name}.divergence.json`);
    const text = divergenceToJson(columns, verdict, isPrivate);
    await orInputError(path, 'cannot write', () => writeFile(path, text));
  }

  async writeTimeLine(query: string, line: TimeLine): Promise<void> {
    const path = join(await this.#queryPath(query), TIME_LINE_FILE);
    await orInputError(path, 'cannot write', () => writeFile(path, `${JSON.stringify(line)}\n`));
  }

  /** The engine's output as it was judged, gzipped: whole or not at all. */
  async writeOutput(query: string, engine: string, capture: Capture): Promise<void> {
    const path = join(await this.#queryPath(query), `${engine}.${capture.format}.ndjson.gz`);
    await orInputError(path, 'cannot write', async () => {
      await gzipInto(`${path}.part`, capture.bytes);
      await rename(`${path}.part`, path);
    });
  }

  async #queryPath(query: string): Promise<string> {
    const path = join(this.path, 'queries', query);
    await orInputError(path, 'cannot make the directory', () => mkdir(path, { recursive: true }));
    return path;
  }

  /** Whole or not at all, also when the run is killed meanwhile. */
  async #replace(name: string, json: unknown): Promise<void> {
    const path = join(this.path, name);
    await orInputError(path, 'cannot write', async () => {
      await writeFile(`${path}.part`, `${JSON.stringify(json, null, 2)}\n`);
      await rename(`${path}.part`, path);
    });
  }
}

async function gzipInto(path: string, bytes: ByteSource): Promise<void> {
  const gzip = createGzip({ level: 1 });
  const written = pipeline(gzip, createWriteStream(path));
  written.catch(() => {});
  try {
    // A chunk is taken whole before the next is asked for, which may lie in its place.
    for await (const chunk of bytes.open()) {
      await new Promise<void>((resolve, reject) =>
        gzip.write(chunk, (error) => (error ? reject(error) : resolve())),
      );
    }
    gzip.end();
  } catch (error) {
    gzip.destroy(error as Error);
  }
  await written;
}

/** Makes the directory this process's own; a lock whose process has ended is nobody's. */
async function lock(path: string): Promise<void> {
  const file = join(path, LOCK_FILE);
  for (;;) {
    try {
      const handle = await open(file, 'wx');
      try {
        await handle.writeFile(String(process.pid));
      } finally {
        await handle.close();
      }
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EEXIST') throw new InputError(`cannot write (${code})`, { file });
    }
    const holder = Number(await readFile(file, 'utf8').catch(() => ''));
    if (isAlive(holder)) throw new InputError(`a run is at work here, process ${holder}`, { file });
    await rm(file, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
