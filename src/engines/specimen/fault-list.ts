/**
 * What a fault gets wrong:
 *
 * | kind | subject |
 * |---|---|
 * | F01 | which windows a time lies in |
 * | F02 | when a window fires |
 * | F03 | late rows |
 * | F04 | watermarks of partitions and channels |
 * | F05 | sessions |
 * | F06 | checkpoint and restore |
 * | F07 | joins |
 * | F08 | groups and aggregates |
 * | F09 | updates |
 * | F10 | top-N |
 * | F11 | values and functions |
 * | F12 | what the sink writes |
 * | F13 | stop and parallelism |
 */
export type FaultKind =
  `F${'01' | '02' | '03' | '04' | '05' | '06' | '07' | '08' | '09' | '10' | '11' | '12' | '13'}`;

/** One mistake that the specimen can be told to make. `about` says what it does and where that shows. */
export interface Fault<Name extends string = FaultName> {
  readonly name: Name;
  readonly kind: FaultKind;
  readonly title: string;
  readonly about: string;
}

export type FaultName = (typeof list)[number]['name'];

function fault<const Name extends string>(
  name: Name,
  kind: FaultKind,
  title: string,
  about: string,
): Fault<Name> {
  return { name, kind, title, about };
}

const list = [
  fault(
    'negative-time-truncates',
    'F01',
    'Remainder toward zero before the epoch',
    'Windows start at t − (t − offset + size) % size: wrong for times at least one window before the epoch.',
  ),
  fault(
    'first-pane-clamped',
    'F01',
    'Hop panes that start before the epoch are dropped',
    'The first pane of a row is clamped to zero: rows of the first window width lose panes.',
  ),
  fault(
    'hop-loses-uneven-pane',
    'F01',
    'The number of panes of a row is rounded down',
    'Where the slide does not divide the size, a row that lies in one pane more loses its earliest.',
  ),
  fault(
    'hop-gains-uneven-pane',
    'F01',
    'The number of panes of a row is rounded up',
    'Where the slide does not divide the size, a row is also put into a pane that ended before it.',
  ),
  fault(
    'window-offset-ignored',
    'F01',
    'Windows are aligned to the epoch whatever their offset',
    'The offset of a window is taken for zero.',
  ),
  fault(
    'tumble-end-inclusive',
    'F01',
    'A row on the edge belongs to the window that ends there',
    'Tumbling windows are (start, end] instead of [start, end).',
  ),
  fault(
    'cumulate-loses-last-step',
    'F01',
    'The pane of a whole cumulation is missing',
    'A cumulating window ends one step early, so that its greatest pane never fires.',
  ),
  fault(
    'cumulate-loses-first-step',
    'F01',
    'A row is missing in the first pane it lies in',
    'The row of the newest step is counted from the second pane on only, unless there is one step alone.',
  ),
  fault(
    'unaligned-pane-misses-last-rows',
    'F02',
    'A pane with an offset fires before its buffer was flushed',
    'Buffers are flushed on the grid of the epoch: rows after its last line within the window are not in the pane.',
  ),
  fault(
    'fires-one-ms-late',
    'F02',
    'A pane waits for a watermark beyond its last millisecond',
    '`<` for `<=` at the watermark: shows where a watermark stops, or a late row comes, exactly there.',
  ),
  fault(
    'fires-one-ms-early',
    'F02',
    'A pane fires a millisecond before its time',
    'Shows where a watermark stops, or a row comes, exactly there.',
  ),
  fault(
    'pane-fires-twice',
    'F02',
    'A pane that fires on the millisecond is not removed',
    'It fires again with the next watermark.',
  ),
  fault(
    'late-row-reopens-pane',
    'F03',
    'A late row opens an emitted pane again',
    'Nothing compares a row with the watermark: a second pane of the late rows alone is emitted.',
  ),
  fault(
    'late-row-misses-open-panes',
    'F03',
    'A row that is late for one pane is dropped from all',
    'Of hop and cumulate windows: the panes of the row that are still open lose it.',
  ),
  fault(
    'late-by-row-time',
    'F03',
    'A row behind the watermark is late though its pane is open',
    'The time of the row itself, not the end of its window, is compared with the watermark.',
  ),
  fault(
    'late-test-off-by-one',
    'F03',
    'A row for a pane fired on the very watermark is not late',
    'Lateness is tested with `<` where firing is tested with `<=`: the pane is emitted again.',
  ),
  fault(
    'batch-takes-late-rows',
    'F03',
    'Lateness is judged by the watermark before the batch',
    'Within a batch of 256 rows the task does not see the watermark move: panes fired meanwhile open again.',
  ),
  fault(
    'watermark-of-greatest-partition',
    'F04',
    'A source takes the greatest watermark of its partitions',
    'Rows of slower partitions become late.',
  ),
  fault(
    'empty-partition-is-idle',
    'F04',
    'A partition that has not begun is left out',
    'The watermark does not wait for its first row, so that its early rows are late.',
  ),
  fault(
    'empty-partition-holds-the-end',
    'F04',
    'A partition without rows holds the watermark at the end of input',
    'The drain waits for a partition that never spoke: its panes are lost.',
  ),
  fault(
    'watermark-of-fastest-channel',
    'F04',
    'A task follows the greatest watermark of its channels',
    'From two subtasks on, rows of the slower ones become late.',
  ),
  fault(
    'idle-subtask-holds',
    'F04',
    'A source subtask without a partition holds the watermark',
    'With more subtasks than partitions no pane fires before the drain.',
  ),
  fault(
    'watermark-one-ms-behind',
    'F04',
    'The watermark is a millisecond less',
    'Watermarks are m − L − 1: shows where a pane ends exactly there.',
  ),
  fault(
    'sessions-merge-across-keys',
    'F05',
    'Sessions merge whatever their key',
    'One map of sessions serves all keys of a subtask.',
  ),
  fault(
    'merged-session-kept',
    'F05',
    'A session that was merged into another is not removed',
    'Its rows are delivered in both.',
  ),
  fault(
    'bridge-merges-one-session',
    'F05',
    'A row between two sessions merges with the first alone',
    'The second stays apart though its distance is within the gap.',
  ),
  fault(
    'touching-sessions-separate',
    'F05',
    'Rows exactly the gap apart are two sessions',
    '`<` for `<=` at the gap.',
  ),
  fault(
    'session-start-fixed',
    'F05',
    'A session starts with the first row that arrived',
    'An earlier row joins it without moving its start.',
  ),
  fault(
    'late-row-opens-session',
    'F05',
    'A late row becomes a session of its own',
    'Nothing compares it with the watermark: a session of the late row alone is emitted.',
  ),
  fault(
    'late-row-misses-live-session',
    'F05',
    'A late row is dropped though it reaches an open session',
    'Lateness is judged before the row was merged.',
  ),
  fault(
    'drain-loses-sessions',
    'F05',
    'Sessions that are open at the end of input are lost',
    'The last watermark closes them without firing.',
  ),
  fault(
    'open-panes-lost-at-restore',
    'F06',
    'Panes that were open at the checkpoint are lost',
    'Open panes are kept in memory only, while the source does not read their rows again.',
  ),
  fault(
    'open-sessions-lost-at-restore',
    'F06',
    'Sessions that were open at the checkpoint are lost',
    'Open sessions are kept in memory only, while the source does not read their rows again.',
  ),
  fault(
    'groups-lost-at-restore',
    'F06',
    'Groups start anew after a restore',
    'The state of an unbounded aggregate is not in the checkpoint.',
  ),
  fault(
    'distinct-lost-at-restore',
    'F06',
    'Distinct values are counted again after a restore',
    'The numbers are in the checkpoint, the values already seen are not.',
  ),
  fault(
    'timers-lost-at-restore',
    'F06',
    'Panes from before the checkpoint never fire',
    'Their state is restored and their timers are not.',
  ),
  fault(
    'progress-lost-at-restore',
    'F06',
    'After a restore nothing is late',
    'Watermarks are not in the checkpoint: until each channel speaks anew a late row opens an emitted pane again.',
  ),
  fault(
    'join-side-lost-at-restore',
    'F06',
    'The right side of a join is empty after a restore',
    'Only the left side is in the checkpoint.',
  ),
  fault(
    'top-n-cut-lost-at-restore',
    'F06',
    'Only the visible rows of a top-N are restored',
    'When one of them is withdrawn later, nothing takes its place.',
  ),
  fault(
    'source-skips-row-at-restore',
    'F06',
    'The source continues one row too far',
    'The first row after the checkpoint is lost.',
  ),
  fault(
    'source-repeats-row-at-restore',
    'F06',
    'The source continues one row too early',
    'The last row before the checkpoint counts twice.',
  ),
  fault(
    'output-repeated-at-restore',
    'F06',
    'What was written since the checkpoint stays',
    'The sink is not cut back, so that these rows are written twice.',
  ),
  fault(
    'join-probes-one-side',
    'F07',
    'Left rows do not look for right ones that came before',
    'Pairs whose right row came first are lost.',
  ),
  fault(
    'null-join-keys-match',
    'F07',
    'NULL equals NULL in a join',
    'Rows whose join keys are NULL are paired.',
  ),
  fault(
    'join-loses-duplicates',
    'F07',
    'Equal rows of a join’s side are kept once',
    'State is a set of rows: the multiplicity of duplicates is lost.',
  ),
  fault(
    'join-condition-one-sided',
    'F07',
    'A right row is paired without the further condition',
    'Only left rows are checked against what the join asks besides equality.',
  ),
  fault(
    'join-withdraws-one-pair',
    'F07',
    'A withdrawn row takes one of its pairs back',
    'Further pairs of an updated row stay.',
  ),
  fault(
    'null-group-lost',
    'F08',
    'The group of NULL is lost',
    'Rows whose grouping key is NULL are dropped.',
  ),
  fault(
    'count-takes-nulls',
    'F08',
    'COUNT of a column counts its nulls',
    'COUNT(column) is answered as COUNT(*).',
  ),
  fault('avg-counts-nulls', 'F08', 'AVG divides by all rows', 'Nulls count in the divisor.'),
  fault('min-takes-nulls', 'F08', 'MIN takes NULL for the least', 'A NULL makes the minimum NULL.'),
  fault(
    'sum-of-nothing-is-zero',
    'F08',
    'A sum over no value is 0',
    'SUM gives 0 where it has to give NULL.',
  ),
  fault(
    'avg-truncates',
    'F08',
    'AVG divides whole numbers',
    'The average of whole numbers is cut to a whole one.',
  ),
  fault(
    'distinct-aggregates-share-values',
    'F08',
    'Two COUNT(DISTINCT) share what they have seen',
    'A value that one of them has counted counts as seen for the other.',
  ),
  fault(
    'filter-ignored-with-distinct',
    'F08',
    'FILTER is ignored beside DISTINCT',
    'A distinct aggregate counts the rows that its filter rejects.',
  ),
  fault('sum-through-double', 'F08', 'SUM of BIGINT adds doubles', 'Sums beyond 2^53 are rounded.'),
  fault(
    'hot-keys-evicted',
    'F08',
    'Groups beyond a cache of 16 keys are forgotten',
    'A subtask forgets the oldest group of an unbounded aggregate, which starts anew with its next row.',
  ),
  fault(
    'keys-collide',
    'F08',
    'Keys are told apart by their low 32 bits',
    'Numbers that are equal modulo 2^32 share a group, a partition or a join key.',
  ),
  fault(
    'keys-composed',
    'F08',
    'Keys are told apart after Unicode normalisation',
    'A composed and a decomposed letter share a group.',
  ),
  fault(
    'updates-count-twice',
    'F09',
    'An aggregate takes every update for another row',
    'Withdrawn rows stay in aggregates over updated rows.',
  ),
  fault(
    'update-before-not-sent',
    'F09',
    'An aggregate does not withdraw the row it updates',
    'Only the new row is sent, so that what comes after counts both.',
  ),
  fault(
    'having-keeps-ghost',
    'F09',
    'A group stays though its condition turned false',
    'A filter does not pass on the withdrawal of a row whose update it rejects.',
  ),
  fault(
    'key-change-leaves-old-row',
    'F09',
    'An update that changes the key leaves the old row',
    'The sink writes a withdrawal only if the update after it has the same key.',
  ),
  fault(
    'ghost-in-top-n',
    'F10',
    'A row withdrawn below the cut comes back',
    'A top-N forgets to remove rows that are not visible, and shows them once a place is free.',
  ),
  fault(
    'top-n-forgets-cut-rows',
    'F10',
    'Rows below the cut are forgotten',
    'When a visible row is withdrawn, nothing takes its place.',
  ),
  fault(
    'top-n-one-too-many',
    'F10',
    'A top-N shows one row more',
    'Shows where a partition has more rows than asked for.',
  ),
  fault(
    'top-n-keeps-pushed-out-row',
    'F10',
    'A row that was pushed out is not withdrawn',
    'The better row is shown beside it.',
  ),
  fault(
    'null-order-by-direction',
    'F10',
    'NULL stands where the direction puts it',
    'NULL is taken for the greatest value, wherever it was asked to stand.',
  ),
  fault(
    'tie-breaker-ignored',
    'F10',
    'Ties of the first sort column are broken by arrival',
    'Further sort columns are not looked at: of equal times the first row stays.',
  ),
  fault(
    'bigint-read-as-double',
    'F11',
    'BIGINT is read as a double',
    'Values beyond 2^53 are rounded at the source.',
  ),
  fault(
    'empty-string-is-null',
    'F11',
    'The empty string is NULL',
    'The source reads an empty string as NULL.',
  ),
  fault(
    'position-in-bytes',
    'F11',
    'POSITION counts bytes',
    'Shows behind a character that takes more than one byte.',
  ),
  fault('length-in-utf16', 'F11', 'CHAR_LENGTH counts UTF-16 units', 'Shows for characters beyond the BMP.'),
  fault(
    'strings-by-utf16-order',
    'F11',
    'Strings compare by UTF-16 units',
    'Shows between characters beyond the BMP and U+E000 to U+FFFF.',
  ),
  fault(
    'division-floors',
    'F11',
    'Integer division rounds down',
    'Shows for negative quotients that are not whole.',
  ),
  fault('modulo-never-negative', 'F11', 'The remainder is never negative', 'Shows for negative dividends.'),
  fault('not-null-is-true', 'F11', 'NOT NULL is true', 'Two-valued logic under NOT.'),
  fault(
    'or-with-null-is-null',
    'F11',
    'TRUE OR NULL is NULL',
    'A null operand makes the whole disjunction null.',
  ),
  fault('else-lost', 'F11', 'CASE without a true condition is NULL', 'The ELSE branch is lost.'),
  fault(
    'hour-truncates',
    'F11',
    'The hour before the epoch is negative',
    'The time of day is a remainder toward zero.',
  ),
  fault(
    'replace-once',
    'F11',
    'REPLACE replaces the first occurrence only',
    'Shows from two occurrences on.',
  ),
  fault(
    'split-skips-empty-parts',
    'F11',
    'Empty parts of a split are not counted',
    'Shows behind two separators in a row.',
  ),
  fault('case-of-ascii-only', 'F11', 'LOWER and UPPER know ASCII only', 'Other letters keep their case.'),
  fault(
    'internal-column-written',
    'F12',
    'The sink writes a column that was projected away',
    'The end of its window stands in each line of a query that dropped it.',
  ),
  fault(
    'computed-column-misnamed',
    'F12',
    'A computed column is written under a name of the planner’s',
    'The columns of the last projection that are no plain columns are called EXPR$n.',
  ),
  fault(
    'quotes-not-escaped',
    'F12',
    'The sink writes quotes and backslashes as they are',
    'Lines with such a string are no JSON.',
  ),
  fault(
    'batch-loses-last-row',
    'F12',
    'The row that fills a batch is lost',
    'Each 32nd row that a source subtask reads does not go on.',
  ),
  fault(
    'cancel-flushes-panes',
    'F13',
    'Cancel fires the open panes and sessions',
    'Tasks take the close of a cancelled job for the end of input.',
  ),
  fault(
    'cancel-flushes-one-subtask',
    'F13',
    'Cancel fires what is open on the last subtask',
    'From two subtasks on: the last one does not see the reason why its input closed.',
  ),
  fault(
    'group-not-exchanged',
    'F13',
    'Each subtask answers for a group by itself',
    'From two subtasks on: rows are aggregated where they were read.',
  ),
] as const;

/** Every fault of the specimen. */
export const faults: readonly Fault[] = list;
