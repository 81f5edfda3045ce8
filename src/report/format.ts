import { LosslessNumber } from 'lossless-json';
import type { Manifest } from '../campaign/manifest.ts';

const WHOLE = new Intl.NumberFormat('en-US');

/** `1,234,567`. */
export function count(number: number): string {
  return WHOLE.format(number);
}

/** `3 queries`, `1 query`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/** `12.3 s`, and below a tenth `0.02 s`. */
export function seconds(number: number): string {
  return `${number.toFixed(number < 0.1 ? 2 : 1)} s`;
}

/** `a, b and c`. */
export function listed(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** `0 ms`, `4 s`, `2 min`, `1 h`: in the greatest unit that leaves a whole number. */
export function duration(ms: number): string {
  const [unit, size] = (
    [
      ['h', 3_600_000],
      ['min', 60_000],
      ['s', 1_000],
    ] as const
  ).find(([, each]) => ms !== 0 && ms % each === 0) ?? ['ms', 1];
  return `${count(ms / size)} ${unit}`;
}

/**
 * How points of event time are told. Of generated data as times in UTC; of somebody's own data only how far they lie
 * from the first, since a time of it is a value of it.
 */
export function timeTeller(manifest: Manifest, from: number): (time: number) => string {
  if (manifest.dataset.provenance === 'captured') return (time) => `+${duration(time - from)}`;
  return (time) => {
    const date = new Date(time);
    // Beyond the range of dates there are still numbers.
    if (Number.isNaN(date.getTime())) return String(time);
    const text = date.toISOString().slice(-13, -1);
    return text.endsWith('.000') ? text.slice(0, -4) : text;
  };
}

/** The UTC day of a time, where times are told at all. */
export function dayOf(manifest: Manifest, time: number): string | undefined {
  const date = new Date(time);
  if (manifest.dataset.provenance === 'captured' || Number.isNaN(date.getTime())) return undefined;
  return date.toISOString().slice(0, -14);
}

const LONGEST_VALUE = 240;

/** A value of a sample as JSON, every digit of it; a long text is cut short, and says so. */
export function value(json: unknown): string {
  const text = json instanceof LosslessNumber ? json.value : (JSON.stringify(json) ?? 'absent');
  if (text.length <= LONGEST_VALUE) return text;
  return `${text.slice(0, LONGEST_VALUE)}… (${count(text.length)} characters)`;
}
