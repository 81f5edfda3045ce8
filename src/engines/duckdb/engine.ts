import { version } from '@duckdb/node-api';
import { type Engine, EngineError } from '../engine.ts';
import { openDuckdb } from './session.ts';
import { duckdbTraits } from './traits.ts';

/** DuckDB, embedded: an SQL engine that shares nothing with any stream engine. It comes with the package. */
export const duckdb: Engine = {
  name: 'duckdb',
  description: 'DuckDB, embedded: an unrelated SQL engine as referee of complete answers (batch)',
  traits: { files: duckdbTraits },
  async status() {
    return { kind: 'ready', version: duckdbVersion() };
  },
  async install() {
    // It is a dependency of this package.
  },
  async open({ directory, variant }) {
    const here = duckdbVersion();
    if (variant !== undefined && variant !== here) {
      throw new EngineError('bad-variant', `duckdb is ${here} here, and no other version can be chosen`);
    }
    return openDuckdb(directory, here);
  },
};

/** `1.5.6`. */
function duckdbVersion(): string {
  return version().replace(/^v/, '');
}
