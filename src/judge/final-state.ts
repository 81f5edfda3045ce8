import type { Capture } from '../model/outcome.ts';
import type { Row } from '../model/value.ts';
import type { CanonicalRow, Layout } from './canonical-row.ts';
import { type CorruptVisitor, eachCapturedLine } from './decode/captured-lines.ts';
import { ChangelogLineDecoder } from './decode/changelog-line.ts';
import type { LineDecoder, LineMeaning } from './decode/line-decoder.ts';
import { RecordLineDecoder } from './decode/record-line.ts';
import { RowLineDecoder } from './decode/row-line.ts';
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

function stateOfCapture(capture: Capture, reduction: Reduction): Promise<LatestRows> {
  if (capture.format === 'records') return stateOfTopic(capture, reduction);
  const { layout } = reduction;
  const decoder = capture.format === 'rows' ? new RowLineDecoder(layout) : new ChangelogLineDecoder(layout);
  const change = capture.format === 'retract' ? addOrRemove : writeOrWithdraw;
  return stateOfChanges(capture, decoder, change, reduction);
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
  decoder: LineDecoder,
  change: Change,
  { hash, onCorrupt }: Reduction,
): Promise<LatestRows> {
  const state = new LatestRows(hash);
  const { row } = decoder;
  await eachCapturedLine(capture, decoder, (meaning) => change(state, row, meaning), onCorrupt);
  return state;
}

const writeOrWithdraw: Change = (state, row, meaning) => {
  if (meaning === 'withdraw') state.remove(row.words, row.keyLength);
  else state.put(row.words, 0, row.length, row.keyLength);
  return undefined;
};

const addOrRemove: Change = (state, row, meaning) => {
  const live = state.find(row.words, 0, row.keyLength);
  if (meaning === 'withdraw') {
    if (live === null || !isSame(live, row)) return 'removes a row that is not there';
  } else if (live !== null) return 'adds a row whose key is live';
  return writeOrWithdraw(state, row, meaning);
};

function isSame(live: RowPlace, { words, length }: CanonicalRow): boolean {
  if (live.length !== length) return false;
  for (let index = 0; index < length; index++) {
    if (live.words[live.start + index] !== words[index]) return false;
  }
  return true;
}

async function stateOfTopic(
  capture: Capture,
  { layout, hash, onCorrupt, onRepeated }: Reduction,
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
  const state = new LatestRows(hash, topic.size, topic.used);
  topic.each((record) => {
    const { words } = record;
    const start = record.start + record.keyLength;
    const length = record.length - record.keyLength;
    const keyLength = layout.prefixLength(words, start, layout.keyColumns);
    if (state.find(words, start, keyLength) === null) state.put(words, start, length, keyLength);
    else onRepeated({ words, start, length, keyLength });
  });
  return state;
}
