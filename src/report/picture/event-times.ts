const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** Tells points of event time in one way for a whole picture. */
export interface TimeTeller {
  tell(time: number): string;
  /** What is the same for all of them, as the day; undefined where each is told whole. */
  readonly shared: string | undefined;
}

/**
 * Times within a second of the epoch in milliseconds, within a day of it in seconds, all others as dates in UTC: the
 * day apart where it is one for all.
 */
export function timeTeller(times: readonly number[]): TimeTeller {
  const finite = times.filter((time) => Number.isFinite(time));
  const greatest = finite.reduce((most, time) => Math.max(most, Math.abs(time)), 0);
  const whole = (tell: (time: number) => string): TimeTeller => ({ tell: ended(tell), shared: undefined });
  if (greatest < SECOND_MS) return whole((time) => `${time} ms`);
  if (greatest <= DAY_MS) return whole((time) => `${(time / SECOND_MS).toFixed(3)} s`);
  // Beyond the range of dates there are still numbers.
  if (finite.some((time) => Number.isNaN(new Date(time).getTime()))) return whole((time) => `${time} ms`);
  const days = new Set(finite.map((time) => new Date(time).toISOString().split('T')[0]!));
  const clock = (time: number) => new Date(time).toISOString().split('T')[1]!.slice(0, -1);
  if (days.size === 1) return { tell: ended(clock), shared: `${[...days][0]!}, UTC` };
  return whole((time) => new Date(time).toISOString());
}

function ended(tell: (time: number) => string): (time: number) => string {
  return (time) => {
    if (Number.isFinite(time)) return tell(time);
    return time < 0 ? '−∞' : '+∞';
  };
}
