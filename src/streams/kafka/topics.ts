import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, ITopicConfig } from 'kafkajs';
import type { Dataset } from '../../model/dataset.ts';
import { InputError } from '../../model/errors.ts';
import { bounded, refuseAborted } from './bounded.ts';
import { type Client, type ClientOptions, codeOf, type Ends, openClient, reasonOf } from './client.ts';
import { clientProperties } from './config.ts';
import { type DrainJob, drainTopic } from './drain.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { produceStreams } from './produce.ts';
import { type Drained, KafkaError, type RunTopics } from './run-topics.ts';

const MAX_LABEL = 100;
const LEADER_POLL_MS = 100;
const LEAVE_MS = 2_000;

export interface RunTopicsOptions extends ClientOptions {
  /** The run's id: 1 to 60 letters, digits and hyphens, one that no other run has. */
  readonly run: string;
  readonly limits?: Partial<Limits> | undefined;
}

/**
 * Reaches the brokers and gives a run its topics.
 *
 * @throws InputError for a run id that cannot stand in a topic's name, or brokers that are no `host:port`.
 * @throws KafkaError `broker-unreachable` within seconds where nobody answers.
 */
export async function openRunTopics(options: RunTopicsOptions): Promise<RunTopics> {
  if (!/^[A-Za-z0-9-]{1,60}$/.test(options.run)) {
    throw new InputError('a run id is 1 to 60 letters, digits and hyphens');
  }
  refuseBadBrokers(options.brokers);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const client = openClient(options);
  const admin = client.kafka.admin();
  try {
    await bounded(admin.connect(), {
      limitMs: limits.connectMs,
      atLimit: () => unreachable(options.brokers, 'no answer'),
    });
  } catch (error) {
    client.close();
    throw error instanceof KafkaError ? error : unreachable(options.brokers, codeOf(error));
  }
  return new BrokerTopics(options, limits, client, admin);
}

function refuseBadBrokers(brokers: string): void {
  const fine = brokers
    .split(',')
    .every((broker) => /^\s*[^\s:,]+:\d{1,5}\s*$|^\s*\[[0-9a-fA-F:]+\]:\d{1,5}\s*$/.test(broker));
  if (!fine) throw new InputError('brokers are given as host:port,host:port');
}

function unreachable(brokers: string, reason: string): KafkaError {
  const advice = reason.includes('SASL')
    ? 'do user and password of the Kafka config fit?'
    : 'is it running, is that the address it is reached by, and does the Kafka config fit (ssl, sasl)?';
  return new KafkaError('broker-unreachable', `no Kafka broker at ${brokers} (${reason}): ${advice}`);
}

class BrokerTopics implements RunTopics {
  readonly brokers: string;
  readonly clientProperties: Readonly<Record<string, string>>;
  readonly #options: RunTopicsOptions;
  readonly #limits: Limits;
  readonly #client: Client;
  /** Makes, lists and deletes topics, and is never asked about one. */
  readonly #admin: Admin;
  /** Told the ends of what is committed; made once somebody asks. */
  #committedClient: Client | undefined;
  /**
   * One for each topic whose offsets were asked for. An admin of the library keeps every topic that it was asked about
   * and fails at everything, the creation of others too, as long as one of them does not exist.
   */
  readonly #offsetAdmins = new Map<string, Promise<Admin>>();
  readonly #prefix: string;
  /** Every topic that we made, or may have made: the broker's answer can get lost. */
  readonly #ours = new Set<string>();
  readonly #produced = new WeakMap<Dataset, Promise<ReadonlyMap<string, string>>>();
  /** What goes on, so that it can be waited for at the end. */
  readonly #work = new Set<Promise<unknown>>();
  readonly #end = new AbortController();
  #names = 0;
  #drains = 0;

  constructor(options: RunTopicsOptions, limits: Limits, client: Client, admin: Admin) {
    this.brokers = options.brokers.replaceAll(/\s/g, '');
    this.clientProperties = clientProperties(options.config);
    this.#options = options;
    this.#limits = limits;
    this.#client = client;
    this.#admin = admin;
    this.#prefix = `tidemark-${options.run}-`;
    // Every query of a run listens.
    setMaxListeners(0, this.#end.signal);
  }

  produce(dataset: Dataset, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const earlier = this.#produced.get(dataset);
    if (earlier !== undefined) return earlier;
    const producing = this.#track(this.#produce(dataset, AbortSignal.any([signal, this.#end.signal])));
    this.#produced.set(dataset, producing);
    // What failed may be tried again, into other topics.
    producing.catch(() => this.#produced.delete(dataset));
    return producing;
  }

  async #produce(dataset: Dataset, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const streams = dataset.streams.map((stream) => ({
      stream,
      topic: this.#name(`in-${stream.schema.name}`),
    }));
    await this.#create(
      streams.map(({ stream, topic }) => ({ topic, partitions: stream.partitions.length })),
      {},
      signal,
    );
    await produceStreams(streams, { client: this.#options, limits: this.#limits, signal });
    for (const { stream, topic } of streams) {
      const ends = await this.#offsets(topic, 'produce-failed');
      for (const [partition, { length }] of stream.partitions.entries()) {
        const end = ends.find((each) => each.partition === partition)?.high;
        if (end !== BigInt(length)) {
          throw new KafkaError(
            'produce-failed',
            `partition ${partition} of ${topic} holds ${end ?? 'no'} records where ${length} were produced`,
          );
        }
      }
    }
    return new Map(streams.map(({ stream, topic }) => [stream.schema.name, topic]));
  }

  async createSink(label: string): Promise<string> {
    const topic = this.#name(`out-${label}`);
    // Our client reads no compression but gzip; the broker unpacks what an engine packed.
    await this.#create([{ topic, partitions: 1 }], { 'compression.type': 'uncompressed' }, this.#end.signal);
    return topic;
  }

  async endOffset(topic: string): Promise<bigint> {
    return this.#sinkEnds(topic).then(({ high }) => high);
  }

  async committedEnd(topic: string): Promise<bigint> {
    return this.#sinkEnds(topic, 'committed').then(({ high }) => high);
  }

  async drain(topic: string, endOffset: bigint, file: string, signal: AbortSignal): Promise<Drained> {
    const { low, high } = await this.#sinkEnds(topic);
    if (low > 0n) throw new KafkaError('drain-failed', `${topic} no longer holds its first ${low} records`);
    if (high < endOffset) {
      throw new KafkaError(
        'drain-failed',
        `${topic} ends at ${high}, before the end ${endOffset} that was asked for`,
      );
    }
    const both = AbortSignal.any([signal, this.#end.signal]);
    const group = `${topic}-drain-${++this.#drains}`;
    return this.#track(this.#drain({ topic, endOffset, file, group }, both));
  }

  async #drain(job: DrainJob, signal: AbortSignal): Promise<Drained> {
    try {
      return await drainTopic(job, { client: this.#options, limits: this.#limits, signal });
    } finally {
      if (job.endOffset > 0n) {
        await this.#bounded(this.#admin.deleteGroups([job.group]), LEAVE_MS).catch(() => {});
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#end.signal.aborted) return;
    this.#end.abort();
    try {
      await this.#bounded(this.#deleteOurs(), this.#limits.disposeMs);
    } catch {
      const left = [...this.#ours].join(', ');
      this.#options.log?.(`kafka: could not delete all topics of this run; delete by hand: ${left}`);
    } finally {
      await this.#bounded(this.#admin.disconnect(), LEAVE_MS).catch(() => {});
      this.#client.close();
      this.#committedClient?.close();
    }
  }

  async #deleteOurs(): Promise<void> {
    // What is being made now would otherwise appear after we looked.
    await Promise.allSettled(this.#work);
    if (this.#ours.size === 0) return;
    const present = new Set(await this.#admin.listTopics());
    const topics = [...this.#ours].filter((topic) => present.has(topic) && topic.startsWith(this.#prefix));
    if (topics.length > 0) await this.#admin.deleteTopics({ topics, timeout: this.#limits.topicMs });
    this.#ours.clear();
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#work.add(work);
    const done = () => this.#work.delete(work);
    work.then(done, done);
    return work;
  }

  #name(label: string): string {
    const plain = label.replaceAll(/[^A-Za-z0-9-]+/g, '-').slice(0, MAX_LABEL);
    return `${this.#prefix}${++this.#names}-${plain}`;
  }

  /** Makes topics and waits until each partition's leader answers. */
  async #create(
    topics: readonly { readonly topic: string; readonly partitions: number }[],
    entries: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void> {
    refuseAborted(signal);
    // Whatever the brokers do by default, a run loses no record.
    const kept = { 'cleanup.policy': 'delete', 'retention.ms': '-1', 'retention.bytes': '-1', ...entries };
    const configEntries = Object.entries(kept).map(([name, value]) => ({ name, value }));
    const creating = topics.map(async ({ topic, partitions }) => {
      await this.#createOne({ topic, numPartitions: partitions, configEntries });
      await this.#leaders(topic, partitions, signal);
    });
    for (const each of creating) this.#track(each);
    await this.#bounded(Promise.all(creating), this.#limits.topicMs, signal);
  }

  async #createOne(topic: ITopicConfig): Promise<void> {
    const { replicationFactor = -1 } = this.#options.config ?? {};
    const timeout = this.#limits.topicMs;
    this.#ours.add(topic.topic);
    let made: boolean;
    try {
      const topics = [{ ...topic, replicationFactor }];
      made = await this.#admin.createTopics({ topics, timeout, waitForLeaders: false });
    } catch (error) {
      throw new KafkaError('topic-failed', `could not create ${topic.topic} (${reasonOf(error)})`);
    }
    if (made) return;
    // It is another run's.
    this.#ours.delete(topic.topic);
    throw new KafkaError('topic-failed', `${topic.topic} exists already: give each run an id of its own`);
  }

  async #leaders(topic: string, partitions: number, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + this.#limits.topicMs;
    for (;;) {
      let reason: string;
      try {
        const { length } = await (await this.#offsetAdmin(topic, 'all')).fetchTopicOffsets(topic);
        if (length === partitions) return;
        reason = `${length} of ${partitions} partitions`;
      } catch (error) {
        reason = reasonOf(error);
      }
      refuseAborted(signal);
      if (performance.now() > deadline)
        throw new KafkaError('topic-failed', `${topic} did not come up (${reason})`);
      await sleep(LEADER_POLL_MS);
    }
  }

  async #sinkEnds(
    topic: string,
    ends: Ends = 'all',
  ): Promise<{ readonly low: bigint; readonly high: bigint }> {
    const [only] = await this.#offsets(topic, 'topic-failed', ends);
    if (only === undefined) throw new KafkaError('topic-failed', `${topic} has no partition`);
    return only;
  }

  async #offsets(topic: string, code: KafkaError['code'], ends: Ends = 'all') {
    try {
      const admin = await this.#offsetAdmin(topic, ends);
      const offsets = await this.#bounded(admin.fetchTopicOffsets(topic));
      return offsets.map(({ partition, low, high }) => ({ partition, low: BigInt(low), high: BigInt(high) }));
    } catch (error) {
      if (error instanceof KafkaError) throw error;
      throw new KafkaError(code, `could not read the offsets of ${topic} (${reasonOf(error)})`);
    }
  }

  #offsetAdmin(topic: string, ends: Ends): Promise<Admin> {
    const key = `${ends} ${topic}`;
    const earlier = this.#offsetAdmins.get(key);
    if (earlier !== undefined) return earlier;
    const admin = this.#clientOf(ends).kafka.admin();
    const connected = this.#bounded(admin.connect()).then(() => admin);
    this.#offsetAdmins.set(key, connected);
    connected.catch(() => this.#offsetAdmins.delete(key));
    return connected;
  }

  #clientOf(ends: Ends): Client {
    if (ends === 'all') return this.#client;
    this.#committedClient ??= openClient(this.#options, 'committed');
    return this.#committedClient;
  }

  #bounded<T>(work: Promise<T>, limitMs: number = this.#limits.topicMs, signal?: AbortSignal): Promise<T> {
    const atLimit = () =>
      new KafkaError('timeout', `no answer from ${this.brokers} within ${limitMs / 1_000} s`);
    return bounded(work, { limitMs, signal, atLimit });
  }
}
