import type { Row } from '../../src/model/value.ts';
import { Groups } from '../groups.ts';
import type { Lateness } from '../lateness.ts';
import { NEVER_LATE, type RowStream } from './stream.ts';
import type { TimeColumn } from './window.ts';

export interface SessionRule {
  readonly gapMs: number;
  /** Positions of the key columns. */
  readonly keys: readonly number[];
  /** Whether rows exactly a gap apart are one session. */
  readonly touching: 'merge' | 'separate';
  readonly fireEarlyMs: number;
}

interface Session {
  first: number;
  last: number;
  members: { readonly row: Row; readonly fire: number }[];
}

/**
 * Sessions fold in arrival order (semantics §3): a row merges with every session of its key that has not fired
 * and is at most the gap away; a session that has fired never merges; a row whose session would have fired before
 * it came is dropped. A session ends `gap` after its last row.
 *
 * Where every row is exact (§4) all sessions within its reach are open, so that arrival order does not matter.
 */
export function sessionWindow(
  input: RowStream,
  rule: SessionRule,
  time: TimeColumn,
  lateness: Lateness,
): RowStream {
  return (emit) => {
    const sessionsByKey = new Groups<Session[]>(rule.keys.length);
    input((row, fire, before) => {
      const at = (row[time.index] as number) + time.shiftMs;
      const sessions = sessionsByKey.get(
        rule.keys.map((index) => row[index]!),
        () => [],
      );
      const exact = lateness.exactInSessions(before, at, rule.fireEarlyMs);
      const member = { row, fire };
      const merged = absorb(
        sessions,
        { first: at, last: at, members: [member] },
        rule,
        exact ? NEVER_LATE : before,
      );
      const fired = !exact && before >= merged.last + rule.gapMs - rule.fireEarlyMs;
      if (!fired) sessions.push(merged);
    });
    sessionsByKey.forEach((sessions) => {
      for (const { first, last, members } of sessions) {
        for (const { row, fire } of members) emit([...row, first, last + rule.gapMs], fire, NEVER_LATE);
      }
    });
  };
}

/** Takes every open session within reach of `row` out of `sessions`, and returns them all as one. */
function absorb(sessions: Session[], row: Session, rule: SessionRule, watermark: number): Session {
  let merged = row;
  for (let index = sessions.length - 1; index >= 0; index--) {
    const session = sessions[index]!;
    const distance = Math.max(session.first - row.last, row.first - session.last);
    const near = rule.touching === 'merge' ? distance <= rule.gapMs : distance < rule.gapMs;
    const open = watermark < session.last + rule.gapMs - rule.fireEarlyMs;
    if (!near || !open) continue;
    sessions.splice(index, 1);
    merged = join(session, merged);
  }
  return merged;
}

function join(a: Session, b: Session): Session {
  const [greater, lesser] = a.members.length >= b.members.length ? [a, b] : [b, a];
  for (const member of lesser.members) greater.members.push(member);
  greater.first = Math.min(a.first, b.first);
  greater.last = Math.max(a.last, b.last);
  return greater;
}
