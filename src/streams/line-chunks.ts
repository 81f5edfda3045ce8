/** Text is handed on in pieces of about this many characters: enough to make a write cheap, and little memory. */
const CHUNK_CHARACTERS = 1 << 16;

/** Lines, each given its newline, as encoded chunks that end at a line's end. */
export function* lineChunks<T>(items: Iterable<T>, lineOf: (item: T) => string): Generator<Uint8Array> {
  let text = '';
  for (const item of items) {
    text += `${lineOf(item)}\n`;
    if (text.length >= CHUNK_CHARACTERS) {
      yield Buffer.from(text);
      text = '';
    }
  }
  if (text !== '') yield Buffer.from(text);
}
