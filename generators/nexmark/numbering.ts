/** Consecutive events that hold the streams in exact proportion: 1 person, 3 auctions, 46 bids. */
export const EPOCH_EVENTS = 50;
export const EPOCH_PERSONS = 1;
export const EPOCH_AUCTIONS = 3;
const EPOCH_BIDS = EPOCH_EVENTS - EPOCH_PERSONS - EPOCH_AUCTIONS;

/** Ids of the first person and the first auction. */
export const FIRST_PERSON_ID = 1_000;
export const FIRST_AUCTION_ID = 1_000;

/** How many rows of each stream the first `events` events hold. */
export function rowCounts(events: number): {
  readonly person: number;
  readonly auction: number;
  readonly bid: number;
} {
  const epochs = Math.floor(events / EPOCH_EVENTS);
  const rest = events % EPOCH_EVENTS;
  const person = epochs * EPOCH_PERSONS + Math.min(rest, EPOCH_PERSONS);
  const auction = epochs * EPOCH_AUCTIONS + Math.max(0, Math.min(rest - EPOCH_PERSONS, EPOCH_AUCTIONS));
  return { person, auction, bid: events - person - auction };
}

/** The bid that is event `n`, counted from 0. */
export function bidNumber(n: number): number {
  const place = n % EPOCH_EVENTS;
  return ((n - place) / EPOCH_EVENTS) * EPOCH_BIDS + place - EPOCH_PERSONS - EPOCH_AUCTIONS;
}

/** The last person among the events up to `n`, counted from 0. There always is one: event 0. */
export function lastPerson(n: number): number {
  return Math.floor(n / EPOCH_EVENTS);
}

/** The last auction among the events up to `n`, counted from 0. At least 0: event 0 looks ahead to event 1. */
export function lastAuction(n: number): number {
  const place = n % EPOCH_EVENTS;
  const started = ((n - place) / EPOCH_EVENTS) * EPOCH_AUCTIONS + Math.min(place, EPOCH_AUCTIONS);
  return Math.max(0, started - 1);
}
