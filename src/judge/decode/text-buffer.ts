const NOTHING = new Uint8Array(0);

/** Decoded text of one line, string after string, as UTF-8. Grows; is never shrunk. */
export class TextBuffer {
  bytes: Uint8Array = NOTHING;
  /** Bytes in use. */
  length = 0;

  /** Empties the buffer and makes room for `capacity` bytes, so that writers need not check. */
  clear(capacity: number): void {
    this.length = 0;
    if (this.bytes.length < capacity) this.bytes = new Uint8Array(2 * capacity);
  }
}
