import type { Profile } from './profile.ts';

/** Plain data: no nulls, no odd values. Ten seconds before the hour 8, so that two hours of the day occur. */
export const nexmark: Profile = {
  name: 'nexmark',
  startMs: 1_704_095_990_000, // 2024-01-01 07:59:50 UTC
  eventsPerSecond: 1_000,
  integer: (_random, value) => value,
  price: (_random, value) => value,
  text: (_random, value) => value,
};
