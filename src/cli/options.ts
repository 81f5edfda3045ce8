import { InvalidArgumentError } from 'commander';
import { profiles } from '../../generators/nexmark/index.ts';
import type { Until } from '../../oracles/truth.ts';
import { parseEngine } from '../engines/index.ts';
import { InputError } from '../model/errors.ts';
import { neutralTraits, type Traits } from '../model/traits.ts';

/** A whole number of at least `least`; underscores may part its digits. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const digits = text.replaceAll('_', '');
    const value = /^-?\d+$/.test(digits) ? Number(digits) : Number.NaN;
    if (!Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(`expected a whole number of at least ${least}.`);
    }
    return value;
  };
}

/** `settled`, `drained`, or a watermark in epoch milliseconds. */
export function until(text: string): Until {
  if (text === 'settled' || text === 'drained') return text;
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError('expected settled, drained, or epoch milliseconds.');
}

/** Names separated by commas, at least one. */
export function list(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('expected names separated by commas.');
  return names;
}

/** The name of a generator profile. */
export function profile(text: string): string {
  const names = profiles.map(({ name }) => name);
  if (!names.includes(text)) throw new InvalidArgumentError(`expected one of ${names.join(', ')}.`);
  return text;
}

/** The traits of an engine, over Kafka where it reads it, or the law's own without one. @throws InputError when there is no such engine. */
export function traitsOf(engine: string | undefined): Traits {
  if (engine === undefined) return neutralTraits;
  const { traits, name } = parseEngine(engine).engine;
  const known = traits?.kafka ?? traits?.files;
  if (known === undefined) throw new InputError(`what ${name} promises, only a run of it can tell`);
  return known;
}
