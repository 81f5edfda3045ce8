import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { once } from '../bounded.ts';
import { freePorts } from '../free-ports.ts';
import { startWatched, tailOf } from '../watched-program.ts';
import { aborted, bounded } from './bounded.ts';
import { openClient } from './client.ts';
import { brokerClassPath } from './install.ts';
import { findJava } from './java.ts';
import { KafkaError } from './run-topics.ts';

const START_MS = 60_000;
const FORMAT_MS = 60_000;
const POLL_MS = 200;
const ASK_MS = 3_000;
const STOP_MS = 5_000;
/** A port found free can be taken before the broker has it. */
const ATTEMPTS = 3;

/** The last keeps the JVM from leaving a file in the system's temporary directory. */
const QUICK_START = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-XX:-UsePerfData'] as const;

/** A Kafka broker that is ours alone: one node, on the loopback address. */
export interface Broker extends AsyncDisposable {
  /** `127.0.0.1:PORT` */
  readonly brokers: string;
  /** The process id of its JVM. */
  readonly pid: number;
  /** What it says; gone once it is stopped. */
  readonly logFile: string;
  /** Ends it and removes its files. Once is enough, twice does no harm. */
  stop(): Promise<void>;
}

export interface BrokerOptions {
  /** Its files go into a new directory below this one. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/**
 * Starts a broker and waits until it answers.
 *
 * It ends with {@link Broker.stop}, and also when this process does, however that is: a shell that holds the other
 * end of a pipe sees it close, ends the JVM and removes the files.
 *
 * @throws KafkaError `missing-java`, `not-installed`, `start-failed` with the last lines of its log, or `aborted`.
 */
export async function startBroker({ directory, signal }: BrokerOptions): Promise<Broker> {
  const java = await findJava();
  const classPath = await brokerClassPath();
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(java, classPath, directory, signal);
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === ATTEMPTS) throw error;
    }
  }
}

class PortTaken extends KafkaError {}

async function start(
  java: string,
  classPath: string,
  directory: string,
  signal: AbortSignal,
): Promise<Broker> {
  if (signal.aborted) throw aborted();
  await mkdir(directory, { recursive: true });
  const home = await mkdtemp(join(resolve(directory), 'kafka-'));
  const remove = () => rm(home, { recursive: true, force: true, maxRetries: 3 });
  try {
    const [port, controllerPort] = (await freePorts(2)) as [number, number];
    const properties = join(home, 'server.properties');
    await mkdir(join(home, 'tmp'));
    await writeFile(properties, serverProperties(home, port, controllerPort));
    await format(java, classPath, properties, signal);
    return await launch({ java, classPath, home, properties, port, signal, remove });
  } catch (error) {
    await remove();
    throw error;
  }
}

function serverProperties(home: string, port: number, controllerPort: number): string {
  return `${[
    'process.roles=broker,controller',
    'node.id=1',
    `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names=CONTROLLER',
    'inter.broker.listener.name=PLAINTEXT',
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    `log.dirs=${join(home, 'data').replaceAll('\\', '\\\\')}`,
    'auto.create.topics.enable=false',
    'offsets.topic.replication.factor=1',
    'offsets.topic.num.partitions=1',
    'transaction.state.log.replication.factor=1',
    'transaction.state.log.min.isr=1',
    'transaction.state.log.num.partitions=1',
    'transaction.max.timeout.ms=3600000',
    'group.initial.rebalance.delay.ms=0',
    'log.retention.ms=-1',
    'log.cleaner.dedupe.buffer.size=4194304',
    'log.index.size.max.bytes=1048576',
    'file.delete.delay.ms=1000',
    'message.max.bytes=10485760',
    'replica.fetch.max.bytes=10485760',
    'num.network.threads=2',
    'num.io.threads=4',
    'background.threads=2',
    'controlled.shutdown.enable=false',
  ].join('\n')}\n`;
}

async function format(
  java: string,
  classPath: string,
  properties: string,
  signal: AbortSignal,
): Promise<void> {
  // Kafka takes no identifier that begins with a hyphen.
  const cluster = `T${randomBytes(16).toString('base64url').slice(1)}`;
  const tool = ['kafka.tools.StorageTool', 'format', '-t', cluster, '-c', properties];
  const options = [
    '-XX:TieredStopAtLevel=1',
    '-XX:-UsePerfData',
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
  ];
  const done = await execa(java, [...options, '-cp', classPath, ...tool], {
    reject: false,
    all: true,
    timeout: FORMAT_MS,
    cancelSignal: signal,
  });
  if (done.isCanceled) throw aborted();
  if (done.failed) {
    throw new KafkaError('start-failed', `the broker's storage could not be made\n${tailOf(done.all ?? '')}`);
  }
}

interface Launch {
  readonly java: string;
  readonly classPath: string;
  readonly home: string;
  readonly properties: string;
  readonly port: number;
  readonly signal: AbortSignal;
  readonly remove: () => Promise<void>;
}

async function launch({ java, classPath, home, properties, port, signal, remove }: Launch): Promise<Broker> {
  const logFile = join(home, 'kafka.log');
  const jvm = [
    '-Xms128m',
    '-Xmx768m',
    // A broker lives for minutes: half of the time it takes to start is the compiler's, and it is fast enough without.
    ...QUICK_START,
    `-Djava.io.tmpdir=${join(home, 'tmp')}`,
    '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
    '-cp',
    classPath,
    'kafka.Kafka',
    properties,
  ];
  const program = await startWatched({
    role: 'broker',
    program: java,
    arguments: jvm,
    home,
    logFile,
    stopMs: STOP_MS,
    signal,
    failure: (message) => new KafkaError('start-failed', message),
    aborted,
  });
  const stop = once(async () => {
    await program.stop('SIGTERM');
    await remove();
  });
  try {
    const brokers = `127.0.0.1:${port}`;
    const deadline = performance.now() + START_MS;
    for (;;) {
      if (signal.aborted) throw aborted();
      if (program.ended()) {
        const said = await program.tail();
        const Failure = /Address already in use|BindException/.test(said) ? PortTaken : KafkaError;
        throw new Failure('start-failed', `the broker ended while it started\n${said}`);
      }
      if (await answers(brokers, signal)) break;
      if (performance.now() > deadline) {
        throw new KafkaError(
          'start-failed',
          `the broker did not answer within ${START_MS / 1_000} s\n${await program.tail()}`,
        );
      }
      await sleep(POLL_MS);
    }
    return { brokers, pid: program.pid, logFile, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function answers(brokers: string, signal: AbortSignal): Promise<boolean> {
  const client = openClient({ brokers });
  const admin = client.kafka.admin({ retry: { retries: 0 } });
  const asking = async () => {
    await admin.connect();
    const { brokers: nodes, controller } = await admin.describeCluster();
    await admin.disconnect();
    return nodes.length > 0 && controller !== null;
  };
  try {
    return await bounded(asking(), { limitMs: ASK_MS, signal, atLimit: () => new Error('no answer') });
  } catch {
    return false;
  } finally {
    client.close();
  }
}
