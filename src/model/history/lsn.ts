import { z } from 'zod';

/** A position in PostgreSQL's write-ahead log, in bytes. */
export type Lsn = bigint;

const TEXT = /^[0-9A-F]{16}$/;

/** The JSON form of a position: 16 upper-case hex digits, so that texts sort as positions do. */
export function lsnToText(lsn: Lsn): string {
  return lsn.toString(16).toUpperCase().padStart(16, '0');
}

export const lsnSchema = z.codec(z.string().regex(TEXT, 'expected 16 hex digits'), z.bigint().min(0n), {
  decode: (text) => BigInt(`0x${text}`),
  encode: lsnToText,
});
