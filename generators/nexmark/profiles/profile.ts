import type { Random } from '../random.ts';
import type { Text } from '../text.ts';

/**
 * What sets one kind of nexmark data apart: where event time starts, and what becomes of the plain values.
 *
 * The shape (who bids on what and when) is common to all profiles. A profile may replace a value of a
 * nullable column, drawing only from the `random` it is given.
 */
export interface Profile {
  readonly name: string;
  /** Default event time of the first event, in epoch milliseconds. */
  readonly startMs: number;
  /** Default events of all streams per second of event time. */
  readonly eventsPerSecond: number;
  /** A nullable BIGINT or TIMESTAMP(3) other than a price. */
  integer(random: Random, value: number): number | null;
  /** The price of a bid. */
  price(random: Random, value: number): number | bigint | null;
  /** Any STRING. */
  text(random: Random, value: Text): Text;
}
