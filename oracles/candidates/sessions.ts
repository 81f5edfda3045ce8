import { foldRow, isWithinReach, type Session, type SessionRule } from '../operators/session.ts';
import { NEVER_LATE } from '../operators/stream.ts';
import type { Arrived } from './arrived.ts';

/** Whether a session row is so late that sessions within its reach may have fired (semantics §4). */
export function mayMissSessions({ at, before }: Arrived, rule: SessionRule): boolean {
  return before >= at - rule.fireEarlyMs;
}

/**
 * Every way in which the rows of one key fold into sessions (semantics §3, §4). Rows that may miss sessions meet a
 * watermark that is anything up to that of their own partition: so each merges with all sessions within its reach, or
 * with those that end last, or stands alone, or is dropped.
 *
 * All other rows come first, in whatever order they are read: one that is read after the watermark has passed a session's
 * end lies beyond the session's reach, so that it changes nothing that has fired.
 */
export function sessionCandidates(
  rows: readonly Arrived[],
  rule: SessionRule,
): Generator<readonly Session[]> {
  const sessions: Session[] = [];
  for (const row of rows) {
    if (!mayMissSessions(row, rule)) foldRow(sessions, row.row, row.at, rule, NEVER_LATE);
  }
  return foldLate(
    rows.filter((row) => mayMissSessions(row, rule)),
    rule,
    sessions,
  );
}

function* foldLate(
  rows: readonly Arrived[],
  rule: SessionRule,
  sessions: readonly Session[],
): Generator<readonly Session[]> {
  const [row, ...others] = rows;
  if (row === undefined) {
    yield sessions;
    return;
  }
  for (const watermark of watermarksThatMatter(row, sessions, rule)) {
    const branch = sessions.map(({ first, last, rows }) => ({ first, last, rows: [...rows] }));
    foldRow(branch, row.row, row.at, rule, watermark);
    yield* foldLate(others, rule, branch);
  }
}

/** One watermark for each thing that can become of a row: none has fired, then one session more at a time. */
function watermarksThatMatter(
  { at, before }: Arrived,
  sessions: readonly Session[],
  rule: SessionRule,
): readonly number[] {
  const firesAt = (last: number) => last + rule.gapMs - rule.fireEarlyMs;
  const reached = sessions.filter((session) => isWithinReach(at, session, rule));
  const thresholds = new Set(reached.map(({ last }) => firesAt(last)));
  // Alone, the row is a session of its own, unless that would have fired as well.
  if (reached.every(({ last }) => last < at)) thresholds.add(firesAt(at));
  return [NEVER_LATE, ...[...thresholds].filter((watermark) => watermark <= before).sort((a, b) => a - b)];
}
