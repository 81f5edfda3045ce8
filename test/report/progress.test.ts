import { describe, expect, test } from 'vitest';
import { Progress } from '../../src/report/progress.ts';

/** A stream that keeps what is written to it. */
function stream(isTTY: boolean, columns = 80) {
  let text = '';
  return {
    isTTY,
    columns,
    write: (part: string | Uint8Array) => {
      text += String(part);
      return true;
    },
    get text() {
      return text;
    },
  };
}

/** What a terminal shows in the end: it knows the few sequences that are used. */
function screen(text: string): string[] {
  const lines = [''];
  let row = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is told by escape sequences.
  for (const part of text.split(/(\r|\n|\u001b\[\d*[AJ])/)) {
    if (part === '\n') {
      row += 1;
      lines[row] ??= '';
    } else if (/A$/.test(part) && part.startsWith('\u001b')) row -= Number(part.slice(2, -1));
    else if (part === '\u001b[J') lines.splice(row, lines.length, '');
    else if (part !== '\r') lines[row] += part;
  }
  return lines;
}

describe('on a terminal', () => {
  test('a bar is drawn over itself, below what is known', () => {
    const terminal = stream(true);
    const progress = new Progress(terminal);
    progress.update(0, 2, 'q0 on clink');
    progress.known(['query  verdict', 'q0     agree'], 'q0: agree');
    progress.update(1, 2, 'q1 on clink');
    expect(screen(terminal.text)).toEqual([
      'query  verdict',
      'q0     agree',
      `${'█'.repeat(12)}${'░'.repeat(12)} 1/2 q1 on clink`,
    ]);
    progress.clear();
    expect(screen(terminal.text)).toEqual(['']);
  });

  test('a note stays above what is drawn next', () => {
    const terminal = stream(true);
    const progress = new Progress(terminal);
    progress.update(0, 1, 'a');
    progress.note('installing');
    progress.update(1, 1, 'b');
    expect(screen(terminal.text)).toEqual(['installing', `${'█'.repeat(24)} 1/1 b`]);
  });

  test('what would be wrapped is cut, or left out', () => {
    const terminal = stream(true, 30);
    const progress = new Progress(terminal);
    progress.known(['short', 'x'.repeat(30)], '');
    progress.update(0, 1, 'a long name');
    expect(screen(terminal.text)).toEqual(['short', `${'░'.repeat(24)} 0/1 `]);
  });
});

test('a log gets a line for every tenth, and one for each result', () => {
  const log = stream(false);
  const progress = new Progress(log);
  for (let done = 1; done <= 1_000; done++) progress.update(done, 1_000, 'generate');
  progress.known(['the table'], 'q0: agree');
  progress.update(0, 3, 'q0');
  progress.update(1, 3, 'q1');
  progress.update(1, 3, 'q1');
  const lines = log.text.trimEnd().split('\n');
  expect(lines.slice(0, 3)).toEqual(['1/1000 generate', '100/1000 generate', '200/1000 generate']);
  expect(lines.slice(-4)).toEqual(['1000/1000 generate', 'q0: agree', '0/3 q0', '1/3 q1']);
});
