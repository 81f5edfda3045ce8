import type { Dataset, Event, Provenance } from '../../src/model/dataset.ts';
import {
  type BlockSink,
  blockCount,
  generateBlock,
  type NexmarkGenerator,
  nexmarkGenerator,
} from './block.ts';
import type { NexmarkOptions } from './options.ts';
import { auctionStream, bidStream, personStream } from './streams.ts';

/** The events of one block: for each stream those of each partition, in arrival order. */
export interface BlockEvents {
  readonly person: readonly Event[][];
  readonly auction: readonly Event[][];
  readonly bid: readonly Event[][];
}

/**
 * Nexmark data in memory (semantics §1): the streams `person`, `auction` and `bid`.
 *
 * @throws InputError naming the option that is out of its range.
 */
export function generateNexmark(options: NexmarkOptions): Dataset {
  const generator = nexmarkGenerator(options);
  const events = noEvents(generator.parameters.partitions);
  const sink = eventSink(events);
  for (let block = 0; block < blockCount(generator); block++) generateBlock(generator, block, sink);
  return {
    lagMs: generator.parameters.lagMs,
    provenance: nexmarkProvenance(generator),
    streams: [
      { schema: personStream, partitions: events.person },
      { schema: auctionStream, partitions: events.auction },
      { schema: bidStream, partitions: events.bid },
    ],
  };
}

/** The events of one block (from 0) alone. */
export function blockEvents(generator: NexmarkGenerator, block: number): BlockEvents {
  const events = noEvents(generator.parameters.partitions);
  generateBlock(generator, block, eventSink(events));
  return events;
}

/** All that fixes the bytes of a generated dataset. */
export function nexmarkProvenance(generator: NexmarkGenerator): Exclude<Provenance, 'captured'> {
  const { seed, profile, parameters } = generator;
  return { seed, profile: profile.name, parameters: { ...parameters } };
}

function noEvents(partitions: number): BlockEvents {
  const empty = () => Array.from({ length: partitions }, (): Event[] => []);
  return { person: empty(), auction: empty(), bid: empty() };
}

function eventSink(events: BlockEvents): BlockSink {
  return {
    person(partition, arrival, id, name, email, city, state, datetime) {
      const row = [id, name.value, email.value, city.value, state.value, datetime];
      events.person[partition]!.push({ arrival, row });
    },
    auction(partition, arrival, id, itemName, category, seller, initialBid, reserve, datetime, expires) {
      const row = [id, itemName.value, category, seller, initialBid, reserve, datetime, expires];
      events.auction[partition]!.push({ arrival, row });
    },
    bid(partition, arrival, auction, bidder, price, channel, url, datetime, seq) {
      const row = [auction, bidder, price, channel.value, url.value, datetime, seq];
      events.bid[partition]!.push({ arrival, row });
    },
  };
}
