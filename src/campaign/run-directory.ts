import { createWriteStream } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Capture } from '../model/outcome.ts';
import type { Column } from '../model/schema.ts';
import type { Diverge } from '../model/verdict.ts';
import { makeDirectory, makeEmptyDirectory } from '../streams/files.ts';
import { divergenceToJson } from './difference-json.ts';
import type { Manifest } from './manifest.ts';
import type { Summary } from './summary.ts';

/** A run's evidence on disk, written as it is made, so that whatever ends a run leaves what it found. */
export class RunDirectory {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** @throws InputError when the directory holds files already or cannot be written. */
  static async create(path: string): Promise<RunDirectory> {
    await makeEmptyDirectory(path);
    await makeDirectory(join(path, 'queries'));
    return new RunDirectory(path);
  }

  /** Where the run's dataset stands when the run made it. */
  get datasetPath(): string {
    return join(this.path, 'dataset');
  }

  writeManifest(manifest: Manifest): Promise<void> {
    return this.#replace('manifest.json', manifest);
  }

  writeSummary(summary: Summary): Promise<void> {
    return this.#replace('summary.json', summary);
  }

  async writeSql(query: string, engine: string, sql: string): Promise<void> {
    await writeFile(join(await this.#queryPath(query), `${engine}.sql`), `${sql.trimEnd()}\n`);
  }

  async writeDivergence(
    query: string,
    name: string,
    columns: readonly Column[],
    verdict: Diverge,
    isPrivate: boolean,
  ): Promise<void> {
    const path = join(await this.#queryPath(query), `${name}.divergence.json`);
    await writeFile(path, divergenceToJson(columns, verdict, isPrivate));
  }

  /** The engine's output as it was judged, gzipped. */
  async writeOutput(query: string, engine: string, capture: Capture): Promise<void> {
    const path = join(await this.#queryPath(query), `${engine}.${capture.format}.ndjson.gz`);
    await pipeline(Readable.from(capture.bytes.open()), createGzip({ level: 1 }), createWriteStream(path));
  }

  async #queryPath(query: string): Promise<string> {
    const path = join(this.path, 'queries', query);
    await mkdir(path, { recursive: true });
    return path;
  }

  /** Whole or not at all, also when the run is killed meanwhile. */
  async #replace(name: string, json: unknown): Promise<void> {
    const path = join(this.path, name);
    await writeFile(`${path}.part`, `${JSON.stringify(json, null, 2)}\n`);
    await rename(`${path}.part`, path);
  }
}
