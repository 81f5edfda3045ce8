import type { ByteSource } from '../model/outcome.ts';

/** A small output's text as bytes in memory. */
export function memoryBytes(text: string): ByteSource {
  return new MemoryBytes(Buffer.from(text));
}

class MemoryBytes implements ByteSource {
  readonly whole: Uint8Array;

  constructor(whole: Uint8Array) {
    this.whole = whole;
  }

  async *open(): AsyncGenerator<Uint8Array> {
    yield this.whole;
  }
}
