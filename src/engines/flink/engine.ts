import { type Engine, EngineError } from '../engine.ts';
import { startCluster } from './cluster.ts';
import { checkTools, installation, installFlink, isInstalled } from './install.ts';
import { findJava } from './java.ts';
import { openFlink } from './session.ts';
import { flinkTraits } from './traits.ts';
import { DEFAULT_FLINK, FLINK_VERSIONS, type FlinkVersion } from './versions.ts';

/** Flink SQL on a cluster of our own, from Kafka topics to a Kafka topic. `flink@2.2` names the version. */
export const flink: Engine = {
  name: 'flink',
  description: 'Apache Flink SQL on a cluster of its own, over Kafka (needs Java 17)',
  traits: { kafka: flinkTraits },
  otherVersions: FLINK_VERSIONS.filter((version) => version !== DEFAULT_FLINK).map(({ name }) => name),
  async status(variant) {
    const chosen = flinkVersion(variant);
    const { release: version } = chosen;
    try {
      await findJava();
      if (await isInstalled(chosen)) return { kind: 'ready', version };
      await checkTools();
      return { kind: 'installable', version };
    } catch (error) {
      return { kind: 'unavailable', reason: (error as EngineError).message };
    }
  },
  install: async ({ variant, ...options }) => installFlink(flinkVersion(variant), options),
  async open({ directory, variant, topics, limitMs, signal }) {
    const version = flinkVersion(variant);
    if (!(await isInstalled(version))) {
      const name = variant === undefined ? 'flink' : `flink@${version.name}`;
      throw new EngineError(
        'not-installed',
        `${name} is not installed: run \`tidemark engines install ${name}\``,
      );
    }
    if (topics === undefined) {
      throw new EngineError('start-failed', 'flink reads Kafka topics only: run it with --transport kafka');
    }
    const java = await findJava();
    const { lib } = installation(version);
    const start = (startSignal: AbortSignal) => startCluster({ directory, java, lib, signal: startSignal });
    return openFlink({ flink: version, directory, topics, start, settleLimitMs: limitMs }, signal);
  },
};

/**
 * Reads what follows `flink@`: a version's name or its release.
 *
 * @throws EngineError `bad-variant` for any other.
 */
export function flinkVersion(variant: string | undefined): FlinkVersion {
  if (variant === undefined) return DEFAULT_FLINK;
  const found = FLINK_VERSIONS.find(({ name, release }) => variant === name || variant === release);
  if (found !== undefined) return found;
  const known = FLINK_VERSIONS.map(({ name }) => `flink@${name}`).join(', ');
  throw new EngineError('bad-variant', `flink ${variant} is not supported: there is ${known}`);
}
