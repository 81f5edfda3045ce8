import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReplayEngine } from '../campaign/corpus/replay.ts';
import { EngineError } from '../engines/engine.ts';
import { parseEngine } from '../engines/index.ts';
import { KafkaError, kafkaBroker, type RunTopics } from '../streams/kafka/index.ts';

export interface ReplaySetting {
  /** Sessions keep their files below it; the caller removes it. */
  readonly directory: string;
  /** Opened when a finding needs them. */
  readonly topics: () => Promise<RunTopics>;
  readonly signal: AbortSignal;
}

/** Engines to replay findings on. Unlike a run's they are not installed when they are not here. @throws InputError */
export function replayEngines(
  choices: readonly string[],
  { directory, topics, signal }: ReplaySetting,
): readonly ReplayEngine[] {
  return choices.map((name) => {
    const { engine, variant } = parseEngine(name);
    return {
      engine: engine.name,
      name,
      async open(transport) {
        try {
          if (transport === 'kafka') {
            const broker = await kafkaBroker.status();
            if (broker.kind !== 'ready') return absent(kafkaBroker.name, broker);
          }
          const status = await engine.status(variant);
          if (status.kind !== 'ready') return absent(name, status);
          return await engine.open({
            directory: await mkdtemp(join(directory, `${engine.name}-`)),
            variant,
            topics: transport === 'kafka' ? await topics() : undefined,
            signal,
          });
        } catch (error) {
          if (error instanceof EngineError || error instanceof KafkaError) return error.message;
          throw error;
        }
      },
    };
  });
}

function absent(name: string, status: { readonly kind: string; readonly reason?: string }): string {
  return status.reason ?? `${name} is not installed: run \`tidemark engines install ${name}\``;
}
