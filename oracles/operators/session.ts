import type { Row } from '../../src/model/value.ts';
import { Groups } from '../groups.ts';
import type { Lateness } from '../lateness.ts';
import { Windows } from '../windows.ts';
import { NEVER_LATE, type RowStream, type WindowedStream } from './stream.ts';
import type { TimeColumn } from './window.ts';

export interface SessionRule {
  readonly gapMs: number;
  /** Positions of the key columns. */
  readonly keys: readonly number[];
  /** Whether rows exactly a gap apart are one session. */
  readonly touching: 'merge' | 'separate';
  readonly fireEarlyMs: number;
}

/** A session while it is folded: the times of its first and last row, and its rows. */
export interface Session {
  first: number;
  last: number;
  readonly rows: Row[];
}

/** Receives each session once it has all its rows. */
export type SessionStream = (emit: (session: Session) => void) => void;

/**
 * Sessions fold in arrival order (semantics §3): a row merges with every session of its key that has not fired
 * and is at most the gap away; a session that has fired never merges; a row whose session would have fired before
 * it came is dropped. A session ends `gap` after its last row.
 *
 * Where every row is exact (§4) all sessions within its reach are open, so that arrival order does not matter.
 */
export function foldSessions(
  input: RowStream,
  rule: SessionRule,
  time: TimeColumn,
  lateness: Lateness,
): SessionStream {
  return (emit) => {
    const groups = new Groups(rule.keys);
    const sessionsByKey: Session[][] = [];
    input((row, _, before) => {
      const at = (row[time.index] as number) + time.shiftMs;
      const exact = lateness.exactInSessions(before, at, rule.fireEarlyMs);
      const key = groups.of(row);
      if (key === sessionsByKey.length) sessionsByKey.push([]);
      foldRow(sessionsByKey[key]!, row, at, rule, exact ? NEVER_LATE : before);
    });
    for (const sessions of sessionsByKey) for (const session of sessions) emit(session);
  };
}

/** The rows of sessions, each with the one it is in as its window. */
export function sessionWindow(sessions: SessionStream, gapMs: number): WindowedStream {
  return (emit) => {
    const windows = new Windows();
    sessions(({ first, last, rows }) => {
      const own = [windows.of(first, last + gapMs)];
      for (const row of rows) emit(row, own);
    });
  };
}

/** Takes a row at `at` into the sessions of its key, given the watermark when it comes; or drops it. */
export function foldRow(
  sessions: Session[],
  row: Row,
  at: number,
  rule: SessionRule,
  watermark: number,
): void {
  const own = mergeAround(at, sessions, rule, watermark);
  if (own !== undefined) {
    own.first = Math.min(own.first, at);
    own.last = Math.max(own.last, at);
    own.rows.push(row);
  } else if (isOpen(at, rule, watermark)) {
    sessions.push({ first: at, last: at, rows: [row] });
  }
}

/** Makes every open session within reach of a row at `at` one, and returns it; undefined when there is none. */
function mergeAround(
  at: number,
  sessions: Session[],
  rule: SessionRule,
  watermark: number,
): Session | undefined {
  let place: number | undefined;
  for (let index = sessions.length - 1; index >= 0; index--) {
    const session = sessions[index]!;
    if (!isWithinReach(at, session, rule) || !isOpen(session.last, rule, watermark)) continue;
    if (place !== undefined) {
      const [later] = sessions.splice(place, 1);
      sessions[index] = join(sessions[index]!, later!);
    }
    place = index;
  }
  return place === undefined ? undefined : sessions[place];
}

/** Whether a row at `at` belongs to a session, as long as that has not fired. */
export function isWithinReach(at: number, { first, last }: Session, rule: SessionRule): boolean {
  const distance = Math.max(first - at, at - last);
  return rule.touching === 'merge' ? distance <= rule.gapMs : distance < rule.gapMs;
}

/** Whether a session whose last row is at `last` has not fired. */
function isOpen(last: number, rule: SessionRule, watermark: number): boolean {
  return watermark < last + rule.gapMs - rule.fireEarlyMs;
}

/** Moves the rows of the smaller session into the greater one. */
function join(a: Session, b: Session): Session {
  const [greater, lesser] = a.rows.length >= b.rows.length ? [a, b] : [b, a];
  for (const row of lesser.rows) greater.rows.push(row);
  greater.first = Math.min(a.first, b.first);
  greater.last = Math.max(a.last, b.last);
  return greater;
}
