/**
 * Progress on stderr: a bar that is drawn over itself where a person looks on, else one plain line a step, so that a
 * log stays readable.
 */
export class Progress {
  readonly #stream: NodeJS.WriteStream;
  #drawn = false;
  #last = '';

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** `done` of `total` parts are done; `doing` names the one under way. */
  update(done: number, total: number, doing: string): void {
    if (this.#stream.isTTY) {
      const width = 24;
      const filled = total === 0 ? width : Math.round((done / total) * width);
      const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
      this.#stream.write(`\r\u001b[2K${bar} ${done}/${total} ${doing}`);
      this.#drawn = true;
      return;
    }
    const line = `${done}/${total} ${doing}`;
    if (line !== this.#last) this.#stream.write(`${line}\n`);
    this.#last = line;
  }

  /** One line for a person, above the bar. */
  note(line: string): void {
    this.clear();
    this.#stream.write(`${line}\n`);
  }

  clear(): void {
    if (this.#drawn) this.#stream.write('\r\u001b[2K');
    this.#drawn = false;
  }
}
