import { randomUUID } from 'node:crypto';
import {
  type Broker,
  kafkaBroker,
  openRunTopics,
  type RunTopics,
  readKafkaConfig,
  startBroker,
} from '../streams/kafka/index.ts';

export interface TopicsOptions {
  /** Brokers of the user's; without, one of our own is started. */
  readonly brokers?: string | undefined;
  /** How to reach them, in a JSON file. */
  readonly kafkaConfig?: string | undefined;
  /** Files of a broker of our own go below it. */
  readonly directory: string;
  readonly signal: AbortSignal;
  readonly note: (line: string) => void;
}

/** The topics of one run, and the broker if it is ours: opened on first use, and gone at the end. */
export class LazyTopics implements AsyncDisposable {
  readonly #options: TopicsOptions;
  #opening: Promise<RunTopics> | undefined;
  #broker: Broker | undefined;

  constructor(options: TopicsOptions) {
    this.#options = options;
  }

  /** The same topics for every engine. @throws KafkaError where no broker can be had. */
  open(): Promise<RunTopics> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<RunTopics> {
    const { brokers, kafkaConfig, directory, signal, note } = this.#options;
    const config = kafkaConfig === undefined ? undefined : await readKafkaConfig(kafkaConfig);
    // Names of topics are no part of what a run is a function of; no two runs may share one.
    const run = randomUUID().slice(0, 8);
    if (brokers !== undefined) return openRunTopics({ brokers, config, run, log: note });
    if ((await kafkaBroker.status()).kind !== 'ready')
      await kafkaBroker.install({ onProgress: note, signal });
    this.#broker = await startBroker({ directory, signal });
    return openRunTopics({ brokers: this.#broker.brokers, config, run });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      const topics = await this.#opening?.catch(() => undefined);
      await topics?.[Symbol.asyncDispose]();
    } finally {
      await this.#broker?.stop();
    }
  }
}
