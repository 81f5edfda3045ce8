import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sha256OfFile } from '../../streams/file-hash.ts';
import { EngineError } from '../engine.ts';
import { CLINK_VERSION } from './install.ts';

const LIBRARY = process.platform === 'darwin' ? 'libclink.dylib' : 'libclink.so';

/** Which Clink to run: the installed release, or a local build of its library. */
export type ClinkVariant =
  | { readonly kind: 'release' }
  | { readonly kind: 'local'; readonly library: string; readonly sha256: string };

/**
 * Reads what follows `clink@`: the version that is supported, the path of a libclink.so, or of a directory
 * that holds one.
 *
 * @throws EngineError `bad-variant` for another version, or a path where there is none.
 */
export async function clinkVariant(variant: string | undefined): Promise<ClinkVariant> {
  if (variant === undefined || variant === CLINK_VERSION) return { kind: 'release' };
  if (/^\d+(\.\d+)*$/.test(variant)) {
    throw new EngineError(
      'bad-variant',
      `clink ${variant} is not supported: there is ${CLINK_VERSION}, or clink@PATH`,
    );
  }
  const path = resolve(variant);
  const library = (await kindOf(path)) === 'directory' ? join(path, LIBRARY) : path;
  if ((await kindOf(library)) !== 'file') {
    throw new EngineError('bad-variant', `${variant} is neither ${LIBRARY} nor a directory that holds one`);
  }
  return { kind: 'local', library, sha256: await sha256OfFile(library) };
}

async function kindOf(path: string): Promise<'file' | 'directory' | undefined> {
  try {
    const found = await stat(path);
    return found.isDirectory() ? 'directory' : found.isFile() ? 'file' : undefined;
  } catch {
    return undefined;
  }
}
