import { type Engine, EngineError } from '../engine.ts';
import { duckdbTraits } from './traits.ts';

/** DuckDB, embedded: an SQL engine that shares nothing with any stream engine. It comes with the package. */
export const duckdb: Engine = {
  name: 'duckdb',
  description: 'DuckDB, embedded: an unrelated SQL engine as referee of complete answers (batch)',
  traits: { files: duckdbTraits },
  async status() {
    return { kind: 'ready', version: await duckdbVersion() };
  },
  async install() {
    // It is a dependency of this package.
  },
  async open({ directory, variant }) {
    const here = await duckdbVersion();
    if (variant !== undefined && variant !== here) {
      throw new EngineError('bad-variant', `duckdb is ${here} here, and no other version can be chosen`);
    }
    const { openDuckdb } = await import('./session.ts');
    return openDuckdb(directory, here);
  },
};

/** `1.5.6`. The library takes long to load, and most commands do without it. */
async function duckdbVersion(): Promise<string> {
  const { version } = await import('@duckdb/node-api');
  return version().replace(/^v/, '');
}
