import { type Engine, EngineError } from '../engine.ts';
import {
  CLINK_VERSION,
  findPython,
  installation,
  installClink,
  isInstalled,
  unsupportedPlatform,
} from './install.ts';
import { openClink } from './session.ts';
import { clinkTraits } from './traits.ts';
import { clinkVariant } from './variant.ts';

/** Clink in a resident Python process, from files to a collected result. `clink@PATH` runs a local build. */
export const clink: Engine = {
  name: 'clink',
  description: 'Clink, in a process of its own: a streaming SQL engine (pyclink from PyPI, or clink@PATH)',
  traits: { files: clinkTraits },
  async status() {
    const platform = unsupportedPlatform();
    if (platform !== undefined) return { kind: 'unavailable', reason: platform };
    if (await isInstalled()) return { kind: 'ready', version: CLINK_VERSION };
    try {
      await findPython();
      return { kind: 'installable', version: CLINK_VERSION };
    } catch (error) {
      return { kind: 'unavailable', reason: (error as EngineError).message };
    }
  },
  install: installClink,
  async open({ directory, variant, signal }) {
    const chosen = await clinkVariant(variant);
    if (!(await isInstalled())) {
      throw new EngineError('not-installed', 'clink is not installed: run `tidemark engines install clink`');
    }
    return openClink({ directory, python: installation().python, variant: chosen, signal });
  },
};
