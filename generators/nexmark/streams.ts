import type { Column, StreamSchema } from '../../src/model/schema.ts';
import type { Type } from '../../src/model/type.ts';

const optional = (name: string, type: Type): Column => ({ name, type, nullable: true });
const required = (name: string, type: Type): Column => ({ name, type, nullable: false });

/** People who sell and bid, one in 50 events. */
export const personStream: StreamSchema = {
  name: 'person',
  columns: [
    required('id', 'BIGINT'),
    optional('name', 'STRING'),
    optional('email', 'STRING'),
    optional('city', 'STRING'),
    optional('state', 'STRING'),
    required('datetime', 'TIMESTAMP(3)'),
  ],
  eventTime: 'datetime',
  unique: [['id']],
};

/** Items put up for auction, three in 50 events. */
export const auctionStream: StreamSchema = {
  name: 'auction',
  columns: [
    required('id', 'BIGINT'),
    optional('item_name', 'STRING'),
    optional('category', 'BIGINT'),
    optional('seller', 'BIGINT'),
    optional('initial_bid', 'BIGINT'),
    optional('reserve', 'BIGINT'),
    required('datetime', 'TIMESTAMP(3)'),
    optional('expires', 'TIMESTAMP(3)'),
  ],
  eventTime: 'datetime',
  unique: [['id']],
};

/** Bids on items, 46 in 50 events. `seq` numbers them from 0 and is what makes a row unique. */
export const bidStream: StreamSchema = {
  name: 'bid',
  columns: [
    optional('auction', 'BIGINT'),
    optional('bidder', 'BIGINT'),
    optional('price', 'BIGINT'),
    optional('channel', 'STRING'),
    optional('url', 'STRING'),
    required('datetime', 'TIMESTAMP(3)'),
    required('seq', 'BIGINT'),
  ],
  eventTime: 'datetime',
  unique: [['seq']],
};

/**
 * The three nexmark streams (semantics §1): `person`, `auction` and `bid`, in the proportion 1 : 3 : 46.
 *
 * The profile `nexmark` produces no null; the columns are nullable so that other profiles can.
 */
export const nexmarkStreams: readonly StreamSchema[] = [personStream, auctionStream, bidStream];
