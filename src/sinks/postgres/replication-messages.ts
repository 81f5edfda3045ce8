import type { Lsn } from '../../model/history/index.ts';
import { malformed } from './pgoutput/byte-reader.ts';

/** What a walsender says inside copy-both mode. */
export type ServerMessage =
  | {
      readonly kind: 'data';
      /** A view on what was given. */
      readonly payload: Buffer;
    }
  | { readonly kind: 'keepalive'; readonly replyNow: boolean };

const DATA_HEADER = 25;
const KEEPALIVE_BYTES = 18;

/** Takes one message out of its envelope, whose positions and times nobody needs. @throws PostgresError `malformed` */
export function decodeServerMessage(bytes: Buffer): ServerMessage {
  const tag = bytes.length === 0 ? '' : String.fromCharCode(bytes.readUInt8());
  if (tag === 'w' && bytes.length >= DATA_HEADER)
    return { kind: 'data', payload: bytes.subarray(DATA_HEADER) };
  if (tag === 'k' && bytes.length === KEEPALIVE_BYTES) {
    return { kind: 'keepalive', replyNow: bytes.readUInt8(KEEPALIVE_BYTES - 1) === 1 };
  }
  throw malformed('is in an envelope that cannot be read');
}

const STATUS_BYTES = 34;

/** A standby status update: everything before `lsn` is durable here. Its time, which nobody reads, is left out. */
export function encodeStatus(lsn: Lsn): Buffer {
  const bytes = Buffer.alloc(STATUS_BYTES);
  bytes.write('r', 0, 'latin1');
  // Written, flushed and applied: whoever receives more than it applied says so by saying less.
  bytes.writeBigUInt64BE(lsn, 1);
  bytes.writeBigUInt64BE(lsn, 9);
  bytes.writeBigUInt64BE(lsn, 17);
  return bytes;
}
