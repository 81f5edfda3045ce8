/** Writes a message of the replication protocol, part by part. */
export class Bytes {
  readonly #parts: Buffer[] = [];

  constructor(tag: string) {
    this.letter(tag);
  }

  letter(letter: string): this {
    return this.#add(Buffer.from(letter, 'latin1'));
  }

  byte(value: number): this {
    return this.#add(Buffer.of(value));
  }

  uint16(value: number): this {
    return this.#write(2, (bytes) => bytes.writeUInt16BE(value));
  }

  uint32(value: number): this {
    return this.#write(4, (bytes) => bytes.writeUInt32BE(value));
  }

  int32(value: number): this {
    return this.#write(4, (bytes) => bytes.writeInt32BE(value));
  }

  uint64(value: bigint): this {
    return this.#write(8, (bytes) => bytes.writeBigUInt64BE(value));
  }

  zeroEnded(text: string): this {
    return this.#add(Buffer.from(`${text}\0`));
  }

  /** A value told as text. */
  text(text: string): this {
    return this.letter('t').blob(Buffer.from(text));
  }

  blob(bytes: Iterable<number>): this {
    const content = Buffer.from([...bytes]);
    return this.uint32(content.length).#add(content);
  }

  buffer(): Buffer {
    return Buffer.concat(this.#parts);
  }

  #add(part: Buffer): this {
    this.#parts.push(part);
    return this;
  }

  #write(size: number, write: (bytes: Buffer) => void): this {
    const bytes = Buffer.alloc(size);
    write(bytes);
    return this.#add(bytes);
  }
}
