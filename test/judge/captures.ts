import { Buffer } from 'node:buffer';
import type { ByteSource, Capture } from '../../src/model/outcome.ts';

/** Bytes in memory, yielded in chunks of `chunk` bytes (default: all at once). */
export function bytesOf(content: string | Uint8Array, chunk = Number.POSITIVE_INFINITY): ByteSource {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    async *open() {
      for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
    },
  };
}

/** A side whose capture is this content. */
export function captured(
  content: string | Uint8Array,
  format: Capture['format'] = 'rows',
  chunk?: number,
): { capture: Capture } {
  return { capture: { format, bytes: bytesOf(content, chunk) } };
}

/** A capture of these lines, each with its newline. */
export function lines(...texts: readonly string[]): { capture: Capture } {
  return captured(texts.map((text) => `${text}\n`).join(''));
}

/** A line of a `changelog` capture. */
export function change(op: string, row: string): string {
  return `{"op":"${op}","row":${row}}\n`;
}

const base64 = (text: string | null) =>
  text === null ? 'null' : `"${Buffer.from(text).toString('base64')}"`;

/** A line of a `records` capture. */
export function record(key: string | null, value: string | null, offset = 0, partition = 0): string {
  return `{"partition":${partition},"offset":${offset},"key":${base64(key)},"value":${base64(value)}}\n`;
}
