import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../streams/free-ports.ts';
import { EngineError } from '../engine.ts';
import { Http } from './http.ts';
import { Jvm } from './jvm.ts';

/** Three JVMs on a machine that is busy take their time. */
const START_LIMIT_MS = 180_000;
const POLL_MS = 100;
/** A port found free can be taken before Flink has it. */
const ATTEMPTS = 3;

/** Subtasks that run at once; all operators of one share a slot. */
export const SLOTS = 16;

export interface ClusterOptions {
  /** Files go into a new directory below this one. */
  readonly directory: string;
  readonly java: string;
  /** The directory of Flink's jars. */
  readonly lib: string;
  readonly signal: AbortSignal;
  /** Default 180 s. */
  readonly startLimitMs?: number | undefined;
  /** More settings, over ours. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** A cluster of our own: a JobManager, a TaskManager and a SQL gateway on the loopback address. */
export interface Cluster extends AsyncDisposable {
  readonly jobs: Http;
  readonly gateway: Http;
  /** A directory that Flink can write savepoints into. */
  readonly savepoints: string;
  readonly processes: readonly Jvm[];
  /** False once one of the processes has ended. */
  readonly running: boolean;
}

/**
 * Starts a cluster and waits until a statement could be given to it.
 *
 * @throws EngineError `start-failed` with the last lines of the log of what did not start.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(options);
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === ATTEMPTS) throw error;
    }
  }
}

class PortTaken extends EngineError {}

async function start({
  directory,
  java,
  lib,
  signal,
  startLimitMs = START_LIMIT_MS,
  settings = {},
}: ClusterOptions): Promise<Cluster> {
  await mkdir(directory, { recursive: true });
  const home = await mkdtemp(join(resolve(directory), 'flink-'));
  const processes: Jvm[] = [];
  const dispose = async () => {
    await Promise.all(processes.map((process) => process.kill()));
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const [rest, gateway, rpc] = (await freePorts(3)) as [number, number, number];
    for (const part of ['conf', 'tmp', 'savepoints', 'plugins']) await mkdir(join(home, part));
    const all = { ...settingsOf(home, { rest, gateway, rpc }), ...settings };
    const lines = Object.entries(all).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    await writeFile(join(home, 'conf', 'config.yaml'), `${lines.join('\n')}\n`);
    await writeFile(join(home, 'conf', 'log4j.properties'), LOGGING);
    for (const role of ROLES) processes.push(await launch(role, { home, java, lib, signal }));
    const cluster = {
      jobs: new Http(`http://127.0.0.1:${rest}`),
      gateway: new Http(`http://127.0.0.1:${gateway}`),
      savepoints: join(home, 'savepoints'),
      processes,
      get running() {
        return processes.every((process) => process.running);
      },
      [Symbol.asyncDispose]: dispose,
    };
    await ready(cluster, startLimitMs, signal);
    return cluster;
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** A process of the cluster and the memory of its JVM. */
interface Role {
  readonly name: string;
  readonly main: string;
  readonly jvm: readonly string[];
  readonly args: readonly string[];
}

/** Megabytes of the TaskManager's memory; the JVM is given what Flink is told. */
const MEMORY = { framework: 128, tasks: 2944, offHeap: 192, network: 256, managedOfSlot: 32 };

/** Short-lived processes: the slower compiler would not pay. */
const QUICK = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:MaxMetaspaceSize=512m'];

const ROLES: readonly Role[] = [
  {
    name: 'jobmanager',
    main: 'org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint',
    jvm: ['-Xms64m', '-Xmx768m', ...QUICK],
    args: ['--configDir'],
  },
  {
    name: 'taskmanager',
    main: 'org.apache.flink.runtime.taskexecutor.TaskManagerRunner',
    jvm: [
      '-Xms256m',
      `-Xmx${MEMORY.framework + MEMORY.tasks}m`,
      `-XX:MaxDirectMemorySize=${MEMORY.offHeap + MEMORY.network}m`,
      '-XX:MaxMetaspaceSize=768m',
      '-XX:+UseG1GC',
    ],
    args: ['--configDir'],
  },
  {
    name: 'gateway',
    main: 'org.apache.flink.table.gateway.SqlGateway',
    jvm: ['-Xms64m', '-Xmx768m', ...QUICK],
    args: [],
  },
];

interface Ports {
  readonly rest: number;
  readonly gateway: number;
  readonly rpc: number;
}

function settingsOf(home: string, { rest, gateway, rpc }: Ports): Readonly<Record<string, string>> {
  const host = '127.0.0.1';
  return {
    'jobmanager.rpc.address': host,
    'jobmanager.bind-host': host,
    'jobmanager.rpc.port': String(rpc),
    'jobmanager.memory.heap.size': '768m',
    'jobmanager.memory.off-heap.size': '128m',
    'jobmanager.memory.jvm-metaspace.size': '512m',
    'jobmanager.memory.jvm-overhead.min': '192m',
    'jobmanager.memory.jvm-overhead.max': '192m',
    'rest.address': host,
    'rest.bind-address': host,
    'rest.port': String(rest),
    'taskmanager.host': host,
    'taskmanager.bind-host': host,
    'taskmanager.numberOfTaskSlots': String(SLOTS),
    'taskmanager.cpu.cores': '2.0',
    'taskmanager.memory.framework.heap.size': `${MEMORY.framework}m`,
    'taskmanager.memory.task.heap.size': `${MEMORY.tasks}m`,
    'taskmanager.memory.framework.off-heap.size': '128m',
    'taskmanager.memory.task.off-heap.size': `${MEMORY.offHeap - 128}m`,
    'taskmanager.memory.network.min': `${MEMORY.network}m`,
    'taskmanager.memory.network.max': `${MEMORY.network}m`,
    'taskmanager.memory.managed.size': `${SLOTS * MEMORY.managedOfSlot}m`,
    'taskmanager.memory.jvm-metaspace.size': '768m',
    'taskmanager.memory.jvm-overhead.min': '192m',
    'taskmanager.memory.jvm-overhead.max': '192m',
    'sql-gateway.endpoint.rest.address': host,
    'sql-gateway.endpoint.rest.bind-address': host,
    'sql-gateway.endpoint.rest.port': String(gateway),
    'state.backend.type': 'hashmap',
    'io.tmp.dirs': join(home, 'tmp'),
    // A busy machine is no reason to fail a job, and a failed one is a result: nothing restarts it.
    'pekko.ask.timeout': '120 s',
    'heartbeat.timeout': '300000',
    'taskmanager.slot.timeout': '120 s',
    'web.timeout': '120000',
    'restart-strategy.type': 'none',
    'jobmanager.execution.failover-strategy': 'full',
    // Whether a job has settled is read from its metrics.
    'metrics.fetcher.update-interval': '250',
    'web.refresh-interval': '100',
    'classloader.check-leaked-classloader': 'false',
  };
}

const LOGGING = `rootLogger.level = INFO
rootLogger.appenderRef.console.ref = Console
appender.console.name = Console
appender.console.type = Console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss,SSS} %-5p %c{1} %m%n
`;

/** Packages that Flink reaches into. */
const OPENS = [
  ...['rmi/sun.rmi.registry'].map((name) => `--add-exports=java.${name}=ALL-UNNAMED`),
  '--add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED',
  ...[
    'java.lang',
    'java.net',
    'java.io',
    'java.nio',
    'sun.nio.ch',
    'java.lang.reflect',
    'java.text',
    'java.time',
    'java.util',
    'java.util.concurrent',
    'java.util.concurrent.atomic',
    'java.util.concurrent.locks',
  ].map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`),
];

async function launch(
  role: Role,
  { home, java, lib, signal }: { home: string; java: string; lib: string; signal: AbortSignal },
): Promise<Jvm> {
  const conf = join(home, 'conf');
  return Jvm.start({
    name: role.name,
    home,
    java,
    args: [
      ...OPENS,
      ...role.jvm,
      '-XX:-UsePerfData',
      `-Djava.io.tmpdir=${join(home, 'tmp')}`,
      `-Dlog4j.configurationFile=file:${join(conf, 'log4j.properties')}`,
      '-cp',
      join(lib, '*'),
      role.main,
      ...role.args.flatMap((arg) => [arg, conf]),
    ],
    env: { FLINK_CONF_DIR: conf, FLINK_LIB_DIR: lib, FLINK_PLUGINS_DIR: join(home, 'plugins') },
    signal,
  });
}

/** Waits until the JobManager knows all slots and the gateway answers. */
async function ready(cluster: Cluster, limitMs: number, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + limitMs;
  const missing = new Set(['slots', 'gateway']);
  for (;;) {
    if (signal.aborted) throw new EngineError('start-failed', 'the start of flink was ended');
    const ended = cluster.processes.find((process) => !process.running);
    if (ended !== undefined) throw await notStarted(ended, 'ended while it started');
    if (missing.has('slots')) {
      const overview = await cluster.jobs.ask('/overview', signal);
      if ((overview as { 'slots-total'?: number } | undefined)?.['slots-total'] === SLOTS)
        missing.delete('slots');
    }
    if (missing.has('gateway') && (await cluster.gateway.ask('/v1/info', signal)) !== undefined) {
      missing.delete('gateway');
    }
    if (missing.size === 0) return;
    if (performance.now() > deadline) {
      const [late] = missing;
      const culprit = late === 'gateway' ? 'gateway' : 'taskmanager';
      const process = cluster.processes.find(({ name }) => name === culprit)!;
      throw await notStarted(process, `was not ready within ${limitMs / 1000} s`);
    }
    await sleep(POLL_MS);
  }
}

async function notStarted(process: Jvm, what: string): Promise<EngineError> {
  const tail = await process.logTail();
  const Failure = /Address already in use|BindException/.test(tail) ? PortTaken : EngineError;
  return new Failure('start-failed', `the ${process.name} of flink ${what}\n${tail}`);
}
