import { join } from 'node:path';
import type { Dataset } from '../model/dataset.ts';
import { stageFiles } from '../streams/stage-files.ts';

/** A dataset as files that engines read: the path of each stream's rows. */
export interface Staged {
  readonly dataset: Dataset;
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Keeps the files of the dataset in use, so that the queries of a set stage it once. The files of another one
 * take their place.
 */
export class Staging {
  readonly #directory: string;
  #current: Staged | undefined;

  constructor(directory: string) {
    this.#directory = join(directory, 'input');
  }

  /** The dataset's files. The same object as before, where it is the same dataset. */
  async stage(dataset: Dataset): Promise<Staged> {
    if (this.#current?.dataset === dataset) return this.#current;
    this.#current = undefined;
    this.#current = { dataset, files: await stageFiles(dataset, this.#directory) };
    return this.#current;
  }
}
