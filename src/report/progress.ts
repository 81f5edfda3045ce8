/** A pipe gets a line for every tenth of one and the same work. */
const PARTS_OF_A_LOG = 10;

const BAR_WIDTH = 24;

/** A terminal, or a pipe or file that is no terminal: what of a stream is written to here. */
export type ProgressStream = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;

/**
 * Progress on stderr: a bar that is drawn over itself where a person looks on, with what is known so far above it; else
 * plain lines, so that a log stays readable.
 */
export class Progress {
  readonly #stream: ProgressStream;
  /** Lines on the screen that are drawn over the next time. */
  #drawn = 0;
  #above: readonly string[] = [];
  #bar = '';
  #last = '';

  constructor(stream: ProgressStream) {
    this.#stream = stream;
  }

  /** `done` of `total` parts are done; `doing` names the one under way. */
  update(done: number, total: number, doing: string): void {
    if (this.#stream.isTTY) {
      const filled = total === 0 ? BAR_WIDTH : Math.round((done / total) * BAR_WIDTH);
      this.#bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${done}/${total} ${doing}`;
      this.#draw();
      return;
    }
    const part = total === 0 ? 0 : Math.floor((done / total) * PARTS_OF_A_LOG);
    const sign = `${doing} ${total > PARTS_OF_A_LOG ? part : done}`;
    if (sign !== this.#last) this.#stream.write(`${done}/${total} ${doing}\n`);
    this.#last = sign;
  }

  /** What is known so far, drawn above the bar in place of what was known before; `news` alone goes to a log. */
  known(lines: readonly string[], news: string): void {
    if (!this.#stream.isTTY) {
      this.#stream.write(`${news}\n`);
      return;
    }
    this.#above = lines;
    this.#draw();
  }

  /** One line for a person that stays. */
  note(line: string): void {
    this.#erase();
    this.#stream.write(`${line}\n`);
  }

  /** Takes away what was drawn. */
  clear(): void {
    this.#erase();
    this.#above = [];
  }

  #draw(): void {
    this.#erase();
    // A line that is wrapped would take more rows than are erased.
    const width = Math.max(1, (this.#stream.columns ?? 80) - 1);
    const lines = [
      ...this.#above.filter((line) => stripped(line).length <= width),
      this.#bar.slice(0, width),
    ];
    this.#stream.write(lines.join('\n'));
    this.#drawn = lines.length;
  }

  #erase(): void {
    if (this.#drawn === 0) return;
    const up = this.#drawn === 1 ? '' : `\u001b[${this.#drawn - 1}A`;
    this.#stream.write(`\r${up}\u001b[J`);
    this.#drawn = 0;
  }
}

/** A line as it takes room: without its colours. */
function stripped(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences.
  return line.replaceAll(/\u001b\[[0-9;]*m/g, '');
}
