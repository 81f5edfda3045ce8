import type { Capture } from '../model/outcome.ts';
import type { Row } from '../model/value.ts';
import type { CanonicalRow, Layout } from './canonical-row.ts';
import { type CorruptVisitor, eachCapturedLine } from './decode/captured-lines.ts';
import { giveBackDecoder, takeDecoder } from './decode/idle-decoders.ts';
import type { LineMeaning } from './decode/line-decoder.ts';
import { RecordLineDecoder } from './decode/record-line.ts';
import { LatestRows, type RowPlace } from './latest-rows.ts';
import type { WordHash } from './murmur3.ts';
import { eachEncoded, type Side } from './side.ts';

/** How a side is reduced, and who is told of what does not fit. */
export interface Reduction {
  readonly layout: Layout;
  readonly hash: WordHash;
  readonly onCorrupt: CorruptVisitor;
  /** Takes a row whose declared key another live row has: two broker keys that should have been one. */
  readonly onRepeated: (row: RowPlace) => void;
}

/**
 * The final state of a materialised output, by its declared key (semantics §6).
 *
 * - `rows`: a line writes its key.
 * - `changelog`: +I and +U write the key, −U and −D withdraw it, which is legal also where it is absent.
 * - `retract`: +I and +U add a row, whose key must not be live; −U and −D remove one, which must be live as it is. A
 *   line that does otherwise is corrupt (semantics §7).
 * - `records`: the broker key tells rows apart, the file's order is that of writing; a null value withdraws the
 *   key, which is legal also where it is absent; a null key is corrupt.
 *
 * @throws Error when rows given as such, a truth, hold a key twice.
 */
export async function finalState(side: Side, reduction: Reduction): Promise<LatestRows> {
  if ('rows' in side) return stateOf(side.rows, reduction);
  const state = await stateOfCapture(side.capture, reduction);
  eachEncoded(side.plus ?? [], reduction.layout, (row) => {
    state.put(row.words, 0, row.length, row.keyLength);
  });
  return state;
}

/**
 * Calls `onRow` with each row of the final state, and once more with each row whose declared key was there before:
 * with all that a reader of the output holds in the end. Returns their number.
 */
export async function eachFinalRow(
  side: Side,
  reduction: Omit<Reduction, 'onRepeated'>,
  onRow: (row: RowPlace) => void,
): Promise<number> {
  if ('capture' in side && side.capture.format === 'records' && !side.plus?.length) {
    const topic = await latestRecords(side.capture, reduction);
    eachRecordRow(topic, reduction.layout, onRow);
    return topic.size;
  }
  const repeated: RowPlace[] = [];
  const state = await finalState(side, { ...reduction, onRepeated: (row) => repeated.push(row) });
  state.each(onRow);
  repeated.forEach(onRow);
  return state.size + repeated.length;
}

function stateOfCapture(capture: Capture, reduction: Reduction): Promise<LatestRows> {
  if (capture.format === 'records') return stateOfTopic(capture, reduction);
  const change = capture.format === 'retract' ? addOrRemove : writeOrWithdraw;
  return stateOfChanges(capture, change, reduction);
}

function stateOf(rows: readonly Row[], { layout, hash }: Reduction): LatestRows {
  const state = new LatestRows(hash, rows.length);
  eachEncoded(rows, layout, (row) => {
    state.put(row.words, 0, row.length, row.keyLength);
  });
  if (state.size !== rows.length) throw new Error('two rows of the truth have the same key');
  return state;
}

/** What a line does to the state; or what is wrong with it. */
type Change = (state: LatestRows, row: CanonicalRow, meaning: LineMeaning) => string | undefined;

async function stateOfChanges(
  capture: Capture,
  change: Change,
  { layout, hash, onCorrupt }: Reduction,
): Promise<LatestRows> {
  const state = new LatestRows(hash);
  const decoder = takeDecoder(capture.format, layout);
  const { row } = decoder;
  await eachCapturedLine(capture, decoder, (meaning) => change(state, row, meaning), onCorrupt);
  giveBackDecoder(capture.format, layout, decoder);
  return state;
}

const writeOrWithdraw: Change = (state, row, meaning) => {
  if (meaning === 'withdraw') state.remove(row.words, row.keyLength);
  else state.put(row.words, 0, row.length, row.keyLength);
  return undefined;
};

/** What is wrong with a line that adds a row where it is there already, as one that was written twice. */
export const ADDS_LIVE_ROW = 'adds a row whose key is live';

const addOrRemove: Change = (state, row, meaning) => {
  const live = state.find(row.words, 0, row.keyLength);
  if (meaning === 'withdraw') {
    if (live === null || !isSame(live, row)) return 'removes a row that is not there';
  } else if (live !== null) return ADDS_LIVE_ROW;
  return writeOrWithdraw(state, row, meaning);
};

function isSame(live: RowPlace, { words, length }: CanonicalRow): boolean {
  if (live.length !== length) return false;
  for (let index = 0; index < length; index++) {
    if (live.words[live.start + index] !== words[index]) return false;
  }
  return true;
}

async function stateOfTopic(capture: Capture, reduction: Reduction): Promise<LatestRows> {
  const topic = await latestRecords(capture, reduction);
  const state = new LatestRows(reduction.hash, topic.size, topic.used);
  eachRecordRow(topic, reduction.layout, (row) => {
    if (state.find(row.words, row.start, row.keyLength) !== null) reduction.onRepeated(row);
    else state.put(row.words, row.start, row.length, row.keyLength);
  });
  return state;
}

/** The last record of each broker key: the words of that key, then those of the row. */
async function latestRecords(
  capture: Capture,
  { layout, hash, onCorrupt }: Omit<Reduction, 'onRepeated'>,
): Promise<LatestRows> {
  const topic = new LatestRows(hash);
  const decoder = new RecordLineDecoder(layout);
  const { row } = decoder;
  let joined = new Int32Array(256);
  await eachCapturedLine(
    capture,
    decoder,
    (meaning) => {
      const { keyWords, keyLength } = decoder;
      if (keyLength === 0) return 'a record without a key';
      if (meaning === 'withdraw') {
        topic.remove(keyWords, keyLength);
        return undefined;
      }
      const length = keyLength + row.length;
      if (joined.length < length) joined = new Int32Array(2 * length);
      for (let index = 0; index < keyLength; index++) joined[index] = keyWords[index]!;
      for (let index = 0; index < row.length; index++) joined[keyLength + index] = row.words[index]!;
      topic.put(joined, 0, length, keyLength);
      return undefined;
    },
    onCorrupt,
  );
  return topic;
}

/** Calls `onRow` with the row of each record, under its declared key. */
function eachRecordRow(topic: LatestRows, layout: Layout, onRow: (row: RowPlace) => void): void {
  topic.each(({ row, words, start: from, length: all, keyLength: broker }) => {
    const start = from + broker;
    const keyLength = layout.prefixLength(words, start, layout.keyColumns);
    onRow({ row, words, start, length: all - broker, keyLength });
  });
}
