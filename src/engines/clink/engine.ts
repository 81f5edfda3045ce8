import { type Engine, EngineError } from '../engine.ts';
import {
  CLINK_VERSION,
  findPython,
  installation,
  installClink,
  isInstalled,
  unsupportedPlatform,
} from './install.ts';
import { openClinkOverKafka } from './kafka-session.ts';
import { openClink } from './session.ts';
import { clinkKafkaTraits, clinkTraits } from './traits.ts';
import { clinkVariant } from './variant.ts';

/**
 * Clink in Python processes: from files to a collected result, or from topics to a topic. `clink@PATH` runs a local
 * build.
 */
export const clink: Engine = {
  name: 'clink',
  description: 'Clink, in a process of its own: a streaming SQL engine (pyclink from PyPI, or clink@PATH)',
  traits: { files: clinkTraits, kafka: clinkKafkaTraits },
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
  async open({ directory, variant, topics, limitMs, signal }) {
    const chosen = await clinkVariant(variant);
    if (!(await isInstalled())) {
      throw new EngineError('not-installed', 'clink is not installed: run `tidemark engines install clink`');
    }
    const options = { directory, python: installation().python, variant: chosen, signal };
    if (topics === undefined) return openClink({ ...options, limitMs });
    return openClinkOverKafka({ ...options, topics, settleLimitMs: limitMs });
  },
};
