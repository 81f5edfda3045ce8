import { PostgresError } from '../error.ts';

/** Reads a message of the protocol from its beginning. Every read is checked against the end. */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#take(1));
  }

  /** A byte as the character it stands for. */
  letter(): string {
    return String.fromCharCode(this.byte());
  }

  uint16(): number {
    return this.#bytes.readUInt16BE(this.#take(2));
  }

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#take(4));
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#take(4));
  }

  uint64(): bigint {
    return this.#bytes.readBigUInt64BE(this.#take(8));
  }

  /** Text up to a zero byte. */
  zeroEnded(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end < 0) throw truncated();
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  /** Text of a length told before it. */
  text(): string {
    const length = this.uint32();
    const start = this.#take(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  /** Bytes of a length told before them, as a copy. */
  blob(): Uint8Array {
    const length = this.uint32();
    const start = this.#take(length);
    return new Uint8Array(this.#bytes.subarray(start, start + length));
  }

  /** @throws PostgresError `malformed` unless everything was read. */
  end(): void {
    if (this.left !== 0) throw malformed('is longer than it should be');
  }

  #take(length: number): number {
    if (length > this.left) throw truncated();
    const start = this.#at;
    this.#at += length;
    return start;
  }
}

/** An error about a message, by what is wrong with it and never by what it holds. */
export function malformed(problem: string): PostgresError {
  return new PostgresError('malformed', `a pgoutput message ${problem}`);
}

function truncated(): PostgresError {
  return malformed('ends too early');
}
