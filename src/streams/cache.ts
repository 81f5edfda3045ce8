import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Where installed engines are kept: `$TIDEMARK_CACHE`, else `tidemark` below `$XDG_CACHE_HOME`, else
 * `~/.cache/tidemark`.
 */
export function cacheDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  const { TIDEMARK_CACHE, XDG_CACHE_HOME } = environment;
  if (TIDEMARK_CACHE) return TIDEMARK_CACHE;
  return join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'tidemark');
}
