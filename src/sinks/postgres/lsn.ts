import type { Lsn } from '../../model/history/index.ts';
import { PostgresError } from './error.ts';

const TEXT = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i;

/** Reads a position as PostgreSQL writes it, `16/B374D848`. @throws PostgresError `malformed` */
export function parseLsn(text: string | null | undefined): Lsn {
  const parts = TEXT.exec(text ?? '');
  if (parts === null) throw new PostgresError('malformed', 'a log position of the server cannot be read');
  return (BigInt(`0x${parts[1]}`) << 32n) | BigInt(`0x${parts[2]}`);
}

/** Writes a position as PostgreSQL reads it. */
export function formatLsn(lsn: Lsn): string {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase();
}
