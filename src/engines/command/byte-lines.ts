const NEWLINE = 10;

/** A line was longer than its limit. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
}

/**
 * The lines of a stream without their newlines, as bytes: nothing is decoded, so nothing is repaired. A last line
 * that was not ended is dropped.
 *
 * @throws LineTooLong
 */
export async function* byteLines(
  chunks: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const rest = chunk.subarray(start, end);
      if (heldBytes + rest.length > mostBytes) throw new LineTooLong();
      yield heldBytes === 0 ? rest : Buffer.concat([...held, rest]);
      [held, heldBytes, start] = [[], 0, end + 1];
    }
    if (start < chunk.length) {
      held.push(chunk.subarray(start));
      heldBytes += chunk.length - start;
      if (heldBytes > mostBytes) throw new LineTooLong();
    }
  }
}
