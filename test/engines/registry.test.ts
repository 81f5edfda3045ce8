import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { engines, parseEngine } from '../../src/engines/index.ts';
import { cacheDirectory } from '../../src/streams/cache.ts';

describe('parseEngine', () => {
  it.each([...engines.values()])('knows $name', (engine) => {
    expect(parseEngine(engine.name)).toEqual({ engine });
  });

  it('takes a path that holds an @ as one variant', () => {
    expect(parseEngine('clink@/a@b/libclink.so')).toMatchObject({ variant: '/a@b/libclink.so' });
  });

  it('lists the known engines for an unknown one', () => {
    expect(() => parseEngine('link@1')).toThrow('unknown engine "link"; known are duckdb, clink,');
  });

  it('refuses an empty variant', () => {
    expect(() => parseEngine('clink@')).toThrow('clink@ must be followed by a version or a path');
  });
});

describe('cacheDirectory', () => {
  it.each([
    [{ TIDEMARK_CACHE: '/c', XDG_CACHE_HOME: '/x' }, '/c'],
    [{ XDG_CACHE_HOME: '/x' }, join('/x', 'tidemark')],
    [{ TIDEMARK_CACHE: '', XDG_CACHE_HOME: '' }, join(homedir(), '.cache', 'tidemark')],
  ])('of %o is %s', (environment, directory) => {
    expect(cacheDirectory(environment)).toBe(directory);
  });
});
