import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa, execaSync } from 'execa';
import {
  blockCount,
  blockEvents,
  type NexmarkGenerator,
  ndjsonBlocks,
  nexmarkGenerator,
} from '../generators/nexmark/index.ts';

const EVENTS = 500_000;
const ROUNDS = 7;
const PARTITIONS = 4;

/** Nanoseconds for {@link EVENTS} events on one thread, and the bytes of their JSON. */
interface Measurement {
  readonly objectsNs: number;
  readonly jsonNs: number;
  readonly bytes: number;
}

/**
 * Measures the nexmark generator on one thread, to objects and to NDJSON in memory, against the Rust crate
 * `nexmark` that makes structs and serialises them with serde_json. Prints the best of several rounds, ours
 * and the peer's taken in turn, and their ratios. Without cargo it says that the peer is missing.
 */
export async function benchGenerator(): Promise<void> {
  const peer = await buildPeer();
  const ours: Measurement[] = [];
  const peers: Measurement[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(measureOurs());
    if (peer.program !== undefined) peers.push(measurePeer(peer.program));
  }
  console.log(`nexmark generator, ${EVENTS} events, one thread, best of ${ROUNDS} rounds`);
  if (peer.missing !== undefined) console.log(`PEER MISSING: ${peer.missing}`);
  const our = bestOf(ours);
  const their = peers.length === 0 ? undefined : bestOf(peers);
  console.table({
    'objects, M events/s': row(perSecond(our.objectsNs), their && perSecond(their.objectsNs)),
    'NDJSON, M events/s': row(perSecond(our.jsonNs), their && perSecond(their.jsonNs)),
    'NDJSON, bytes/event': row(our.bytes / EVENTS, their && their.bytes / EVENTS),
    'NDJSON, MB/s': row((our.bytes * 1e3) / our.jsonNs, their && (their.bytes * 1e3) / their.jsonNs),
  });
}

function measureOurs(): Measurement {
  const generator = nexmarkGenerator({ seed: 'bench', events: EVENTS, partitions: PARTITIONS });
  const objectsNs = timed(() => {
    for (let block = 0; block < blockCount(generator); block++) blockEvents(generator, block);
  });
  let bytes = 0;
  const jsonNs = timed(() => {
    bytes = ndjsonBytes(generator);
  });
  return { objectsNs, jsonNs, bytes };
}

function ndjsonBytes(generator: NexmarkGenerator): number {
  const linesOf = ndjsonBlocks(generator);
  let bytes = 0;
  for (let block = 0; block < blockCount(generator); block++) {
    const { person, auction, bid } = linesOf(block);
    for (const partitions of [person, auction, bid]) {
      for (const lines of partitions) bytes += lines.bytes.length;
    }
  }
  return bytes;
}

function timed(work: () => void): number {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start);
}

type Peer =
  | { readonly program: string; readonly missing?: never }
  | { readonly missing: string; readonly program?: never };

/** Builds the peer into the user's cache, so that nothing built lies in the repository. */
async function buildPeer(): Promise<Peer> {
  const crate = fileURLToPath(new URL('./peers/nexmark', import.meta.url));
  const target = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tidemark', 'bench');
  const build = await execa('cargo', ['build', '--release', '--target-dir', target], {
    cwd: crate,
    reject: false,
  });
  if (!build.failed) return { program: join(target, 'release', 'nexmark-peer') };
  return {
    missing:
      build.code === 'ENOENT'
        ? 'cargo is not installed'
        : `cargo could not build it: ${build.stderr.trim().split('\n').at(-1)}`,
  };
}

function measurePeer(program: string): Measurement {
  const { events, structsNs, jsonNs, bytes } = JSON.parse(execaSync(program, [String(EVENTS)]).stdout);
  if (events !== EVENTS) throw new Error('the peer measured another number of events');
  return { objectsNs: structsNs, jsonNs, bytes };
}

function bestOf(rounds: readonly Measurement[]): Measurement {
  return {
    objectsNs: Math.min(...rounds.map(({ objectsNs }) => objectsNs)),
    jsonNs: Math.min(...rounds.map(({ jsonNs }) => jsonNs)),
    bytes: rounds[0]!.bytes,
  };
}

function perSecond(nanoseconds: number): number {
  return (EVENTS * 1e3) / nanoseconds;
}

function row(tidemark: number, peer: number | undefined): Record<string, string> {
  if (peer === undefined) return { tidemark: tidemark.toFixed(2), peer: 'missing', ratio: '' };
  return { tidemark: tidemark.toFixed(2), peer: peer.toFixed(2), ratio: (tidemark / peer).toFixed(2) };
}
