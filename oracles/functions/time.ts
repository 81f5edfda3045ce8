import { type Implementation, unary } from './implementation.ts';

const HOUR_MS = 3_600_000;

export const time: Readonly<Record<string, Implementation>> = {
  // Floor, so that the hours before the epoch count up as well.
  hour: unary((at) => {
    const hours = Math.floor((at as number) / HOUR_MS);
    return hours - Math.floor(hours / 24) * 24;
  }),
};
