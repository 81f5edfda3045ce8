import type { Column } from '../../src/model/schema.ts';
import { type BlockSink, generateBlock, type NexmarkGenerator } from './block.ts';
import { JsonLines } from './json-lines.ts';
import { auctionStream, bidStream, personStream } from './streams.ts';
import { encodeUtf8 } from './text.ts';

/** The lines of one partition in UTF-8, every line ended. */
export interface PartitionLines {
  readonly bytes: Uint8Array;
  readonly rows: number;
}

/** The text of one block: for each stream the lines of each partition, as a dataset's files hold them. */
export interface BlockLines {
  readonly person: readonly PartitionLines[];
  readonly auction: readonly PartitionLines[];
  readonly bid: readonly PartitionLines[];
}

/**
 * Makes blocks (from 0) as NDJSON of `{"arrival":…,"row":{…}}`. Concatenated over blocks this
 * is a dataset's partition files, byte for byte as the general writer makes them from rows.
 *
 * The bytes of one block are overwritten by the next: most of the time would otherwise go into fresh memory.
 */
export function ndjsonBlocks(generator: NexmarkGenerator): (block: number) => BlockLines {
  const empty = () => Array.from({ length: generator.parameters.partitions }, () => new JsonLines());
  const [person, auction, bid] = [empty(), empty(), empty()];
  const sink = lineSink(person, auction, bid);
  const written = (lines: JsonLines): PartitionLines => ({ bytes: lines.bytes(), rows: lines.lines });
  return (block) => {
    for (const lines of [...person, ...auction, ...bid]) lines.clear();
    generateBlock(generator, block, sink);
    return { person: person.map(written), auction: auction.map(written), bid: bid.map(written) };
  };
}

/** One block alone, see {@link ndjsonBlocks}. */
export function blockNdjson(generator: NexmarkGenerator, block: number): BlockLines {
  return ndjsonBlocks(generator)(block);
}

/** What stands before the arrival number and before each column. */
function piecesOf(columns: readonly Column[]): Uint8Array[] {
  const before = columns.map(({ name }, index) => `${index === 0 ? ',"row":{' : ','}"${name}":`);
  return ['{"arrival":', ...before].map(encodeUtf8);
}

const personPieces = piecesOf(personStream.columns);
const auctionPieces = piecesOf(auctionStream.columns);
const bidPieces = piecesOf(bidStream.columns);

/** Writes each line straight from the drawn values: going through rows takes several times as long. */
function lineSink(persons: JsonLines[], auctions: JsonLines[], bids: JsonLines[]): BlockSink {
  return {
    person(partition, arrival, id, name, email, city, state, datetime) {
      const lines = persons[partition]!;
      lines.raw(personPieces[0]!);
      lines.integer(arrival);
      lines.raw(personPieces[1]!);
      lines.integer(id);
      lines.raw(personPieces[2]!);
      lines.raw(name.json);
      lines.raw(personPieces[3]!);
      lines.raw(email.json);
      lines.raw(personPieces[4]!);
      lines.raw(city.json);
      lines.raw(personPieces[5]!);
      lines.raw(state.json);
      lines.raw(personPieces[6]!);
      lines.integer(datetime);
      lines.endLine();
    },
    auction(partition, arrival, id, itemName, category, seller, initialBid, reserve, datetime, expires) {
      const lines = auctions[partition]!;
      lines.raw(auctionPieces[0]!);
      lines.integer(arrival);
      lines.raw(auctionPieces[1]!);
      lines.integer(id);
      lines.raw(auctionPieces[2]!);
      lines.raw(itemName.json);
      lines.raw(auctionPieces[3]!);
      lines.integer(category);
      lines.raw(auctionPieces[4]!);
      lines.integer(seller);
      lines.raw(auctionPieces[5]!);
      lines.integer(initialBid);
      lines.raw(auctionPieces[6]!);
      lines.integer(reserve);
      lines.raw(auctionPieces[7]!);
      lines.integer(datetime);
      lines.raw(auctionPieces[8]!);
      lines.integer(expires);
      lines.endLine();
    },
    bid(partition, arrival, auction, bidder, price, channel, url, datetime, seq) {
      const lines = bids[partition]!;
      lines.raw(bidPieces[0]!);
      lines.integer(arrival);
      lines.raw(bidPieces[1]!);
      lines.integer(auction);
      lines.raw(bidPieces[2]!);
      lines.integer(bidder);
      lines.raw(bidPieces[3]!);
      lines.integer(price);
      lines.raw(bidPieces[4]!);
      lines.raw(channel.json);
      lines.raw(bidPieces[5]!);
      lines.raw(url.json);
      lines.raw(bidPieces[6]!);
      lines.integer(datetime);
      lines.raw(bidPieces[7]!);
      lines.integer(seq);
      lines.endLine();
    },
  };
}
