import {
  bidNumber,
  EPOCH_AUCTIONS,
  EPOCH_EVENTS,
  EPOCH_PERSONS,
  FIRST_AUCTION_ID,
  FIRST_PERSON_ID,
  lastAuction,
  lastPerson,
} from './numbering.ts';
import { type NexmarkOptions, type NexmarkParameters, profileNamed, resolveParameters } from './options.ts';
import type { Profile } from './profiles/profile.ts';
import { below, type Random, seededRandom } from './random.ts';
import { type Text, textOf } from './text.ts';
import { type Page, type Vocabulary, vocabularyOf } from './vocabulary.ts';

/** Events in one block, the unit in which generation is split. Its text stays within the cache of a core. */
export const BLOCK_EVENTS = 1_000;

// Calibrated on 500,000 events: 1.49 million panes of (auction, 10 s / 2 s hop) and 455,000 pairs of (bidder,
// auction) in 460,000 bids, while hot keys stand out.
const RECENT_AUCTIONS = 20_000;
const RECENT_PERSONS = 5_000;
const HOT_AUCTION_SHARE = 1 / 50;
const HOT_BIDDER_SHARE = 1 / 50;
const HOT_SELLER_SHARE = 1 / 4;
const HOT_CHANNEL_SHARE = 1 / 2;
/** A hot key stays hot until this many more of its kind have come. */
const HOT_SPAN = 500;
/** Half the bidders fall silent for this many events: 15 s at 1,000 a second, so that sessions end. */
const TURN_EVENTS = 15_000;
/** Bids may name an auction or a bidder that only comes a little later, as in nexmark. */
const ID_LEAD = 10;
const LATE_SHARE = 1 / 2;
const FIRST_CATEGORY = 10;
const CATEGORIES = 5;

/** A generator with its tables drawn: everything that its blocks share. */
export interface NexmarkGenerator {
  readonly seed: string;
  readonly profile: Profile;
  readonly parameters: NexmarkParameters;
  readonly vocabulary: Vocabulary;
}

/**
 * Prepares the generation of blocks.
 *
 * @throws InputError naming the option that is out of its range.
 */
export function nexmarkGenerator(options: NexmarkOptions): NexmarkGenerator {
  const profile = profileNamed(options.profile ?? 'nexmark');
  return {
    seed: options.seed,
    profile,
    parameters: resolveParameters(options, profile),
    vocabulary: vocabularyOf(options.seed),
  };
}

/** How many blocks hold the generator's events. The last may be shorter. */
export function blockCount(generator: NexmarkGenerator): number {
  return Math.ceil(generator.parameters.events / BLOCK_EVENTS);
}

/** Takes the events of a block in arrival order. Arguments after `arrival` are the columns in schema order. */
export interface BlockSink {
  person(
    partition: number,
    arrival: number,
    id: number,
    name: Text,
    email: Text,
    city: Text,
    state: Text,
    datetime: number,
  ): void;
  auction(
    partition: number,
    arrival: number,
    id: number,
    itemName: Text,
    category: number | null,
    seller: number | null,
    initialBid: number | null,
    reserve: number | null,
    datetime: number,
    expires: number | null,
  ): void;
  bid(
    partition: number,
    arrival: number,
    auction: number | null,
    bidder: number | null,
    price: number | bigint | null,
    channel: Text,
    url: Text,
    datetime: number,
    seq: number,
  ): void;
}

/**
 * Generates one block into a sink. A pure function of seed, profile, parameters and `block` (from 0), so that
 * any block can be made alone, in any process, with the same result.
 *
 * `arrival` is the number of the event among all events. Its time is `startMs + arrival / rate` less a delay
 * of at most `disorderMs`, so no row lies further than that behind an earlier one (semantics §4).
 */
export function generateBlock(generator: NexmarkGenerator, block: number, sink: BlockSink): void {
  const { profile, vocabulary } = generator;
  const { events, partitions, disorderMs, eventsPerSecond, startMs } = generator.parameters;
  const random = seededRandom(generator.seed, profile.name, block);
  const end = Math.min(events, (block + 1) * BLOCK_EVENTS);
  // Half the bids on an auction come before it expires.
  const expirySpanMs = Math.floor(
    (1_000 * RECENT_AUCTIONS * EPOCH_EVENTS) / EPOCH_AUCTIONS / eventsPerSecond,
  );
  for (let n = block * BLOCK_EVENTS; n < end; n++) {
    // Drawn whatever the number of partitions is, so that the rows do not depend on it.
    const partition = below(random, partitions);
    const onTime = startMs + Math.floor((n * 1_000) / eventsPerSecond);
    const datetime = random() < LATE_SHARE ? onTime - below(random, disorderMs + 1) : onTime;
    const place = n % EPOCH_EVENTS;
    if (place < EPOCH_PERSONS) {
      const person = lastPerson(n);
      sink.person(
        partition,
        n,
        FIRST_PERSON_ID + person,
        profile.text(random, oneOf(random, vocabulary.names)),
        profile.text(random, textOf(`person${person}@example.com`)),
        profile.text(random, oneOf(random, vocabulary.cities)),
        profile.text(random, oneOf(random, vocabulary.states)),
        datetime,
      );
    } else if (place < EPOCH_PERSONS + EPOCH_AUCTIONS) {
      const initialBid = drawPrice(random);
      sink.auction(
        partition,
        n,
        FIRST_AUCTION_ID + lastAuction(n),
        profile.text(random, oneOf(random, vocabulary.items)),
        profile.integer(random, FIRST_CATEGORY + below(random, CATEGORIES)),
        profile.integer(random, FIRST_PERSON_ID + drawSeller(random, n)),
        profile.integer(random, initialBid),
        profile.integer(random, initialBid + drawPrice(random)),
        datetime,
        profile.integer(random, datetime + 1 + below(random, expirySpanMs)),
      );
    } else {
      const page = drawPage(random, vocabulary);
      sink.bid(
        partition,
        n,
        profile.integer(random, FIRST_AUCTION_ID + drawAuction(random, n)),
        profile.integer(random, FIRST_PERSON_ID + drawBidder(random, n)),
        profile.price(random, drawPrice(random)),
        profile.text(random, page.channel),
        profile.text(random, page.url),
        datetime,
        bidNumber(n),
      );
    }
  }
}

function oneOf<T>(random: Random, table: readonly T[]): T {
  return table[below(random, table.length)]!;
}

function drawPage(random: Random, vocabulary: Vocabulary): Page {
  return oneOf(random, random() < HOT_CHANNEL_SHARE ? vocabulary.hotPages : vocabulary.pages);
}

/** Many low prices and few high ones, in cents. */
function drawPrice(random: Random): number {
  const share = random();
  return 100 + Math.floor(share * share * share * 100_000_000);
}

function drawAuction(random: Random, n: number): number {
  return drawRecent(random, lastAuction(n), RECENT_AUCTIONS, HOT_AUCTION_SHARE, 0);
}

function drawSeller(random: Random, n: number): number {
  return drawRecent(random, lastPerson(n), RECENT_PERSONS, HOT_SELLER_SHARE, 0);
}

/** Persons of even and of odd number bid in turn. The hot bidders are the two after the hot seller. */
function drawBidder(random: Random, n: number): number {
  const turn = Math.floor(n / TURN_EVENTS) % 2;
  const person = drawRecent(random, lastPerson(n), RECENT_PERSONS, HOT_BIDDER_SHARE, 2);
  return person % 2 === turn ? person : person + 1 - 2 * (person % 2);
}

function drawRecent(random: Random, last: number, pool: number, hotShare: number, hotPlace: number): number {
  if (random() < hotShare) return last - (last % HOT_SPAN) + hotPlace;
  const oldest = Math.max(0, last + 1 - pool);
  return oldest + below(random, last + 1 - oldest + ID_LEAD);
}
