import { InputError } from '../../src/model/errors.ts';
import { profiles } from './profiles/index.ts';
import type { Profile } from './profiles/profile.ts';

/** What to generate. The seed, the profile and the parameters fix every byte. */
export interface NexmarkOptions {
  readonly seed: string;
  /** Events of all three streams together, at least 1. */
  readonly events: number;
  /** `nexmark` (default) or `extremes`. */
  readonly profile?: string | undefined;
  /** Partitions of each stream, default 1. They share the rows out at random; the rows do not depend on it. */
  readonly partitions?: number | undefined;
  /** The lag `L` of semantics §2 in milliseconds, default 4,000. */
  readonly lagMs?: number | undefined;
  /**
   * How far a row may lie behind the latest one before it, in milliseconds. The default, `lagMs - 2` and at
   * least 0, is the most that leaves no row whose fate is open (semantics §4).
   */
  readonly disorderMs?: number | undefined;
  /** Events of all streams per second of event time; by default the profile's. */
  readonly eventsPerSecond?: number | undefined;
  /** Event time of the first event before disorder, in epoch milliseconds; by default the profile's. */
  readonly startMs?: number | undefined;
}

/** The numbers that go into a dataset's provenance: {@link NexmarkOptions} with every default filled in. */
export interface NexmarkParameters {
  readonly events: number;
  readonly partitions: number;
  readonly lagMs: number;
  readonly disorderMs: number;
  readonly eventsPerSecond: number;
  readonly startMs: number;
}

/** Lag of a generated dataset when none is asked for, in milliseconds. */
export const DEFAULT_LAG_MS = 4_000;

/** @throws InputError naming the profile field when there is none of that name. */
export function profileNamed(name: string): Profile {
  const profile = profiles.find((candidate) => candidate.name === name);
  if (profile === undefined) {
    const known = profiles.map((candidate) => candidate.name).join(', ');
    throw new InputError(`no such profile; there are ${known}`, { field: 'profile' });
  }
  return profile;
}

/** @throws InputError naming the option that is out of its range. */
export function resolveParameters(options: NexmarkOptions, profile: Profile): NexmarkParameters {
  const lagMs = whole('lagMs', options.lagMs ?? DEFAULT_LAG_MS, 0);
  const eventsPerSecond = options.eventsPerSecond ?? profile.eventsPerSecond;
  if (!(eventsPerSecond > 0 && Number.isFinite(eventsPerSecond))) {
    throw new InputError('expected a number above 0', { field: 'eventsPerSecond' });
  }
  return {
    events: whole('events', options.events, 1),
    partitions: whole('partitions', options.partitions ?? 1, 1),
    lagMs,
    disorderMs: whole('disorderMs', options.disorderMs ?? Math.max(0, lagMs - 2), 0),
    eventsPerSecond,
    startMs: whole('startMs', options.startMs ?? profile.startMs, Number.MIN_SAFE_INTEGER),
  };
}

function whole(field: string, value: number, least: number): number {
  if (!Number.isSafeInteger(value) || value < least) {
    const range = least === Number.MIN_SAFE_INTEGER ? '' : ` of at least ${least}`;
    throw new InputError(`expected a whole number${range}`, { field });
  }
  return value;
}
