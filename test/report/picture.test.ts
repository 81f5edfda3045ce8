import { describe, expect, test } from 'vitest';
import { restartChangesNothing } from '../../properties/relations/restart.ts';
import { from } from '../../src/model/build.ts';
import { LEAST_COLUMNS, pictureLines } from '../../src/report/picture/terminal.ts';
import { fitted, shortened, textWidth, wrapped } from '../../src/report/text-width.ts';
import { click, input } from '../engines/specimen/support.ts';
import { ofFault, pictured, pictures } from './pictures.ts';

describe.each(Object.entries(pictures))('the picture of %s', (_, make) => {
  test.each([80, 140])('in %i columns', async (columns) => {
    const lines = pictureLines(await make(), { columns, colours: false });
    expect(`\n${lines.join('\n')}\n`).toMatchSnapshot();
  });
});

describe('the sentence', () => {
  test.each([
    [
      'hop-loses-uneven-pane',
      'hop window',
      'In a hop window, specimen@hop-loses-uneven-pane loses the pane that ends at 5 ms.',
    ],
    [
      'hop-gains-uneven-pane',
      'hop window',
      'In a hop window, specimen@hop-gains-uneven-pane shows a pane that ends at 5 ms that is not true.',
    ],
    [
      'fires-one-ms-early',
      'tumble window',
      'In a tumble window, specimen@fires-one-ms-early shows the pane that ends at 10 ms before the watermark is there.',
    ],
    [
      'pane-fires-twice',
      'tumble window',
      'In a tumble window, specimen@pane-fires-twice shows the pane that ends at 10 ms more often than it is true.',
    ],
    [
      'tumble-end-inclusive',
      'tumble window',
      'In a tumble window, specimen@tumble-end-inclusive gives the pane that ends at 10 ms instead of the pane that ends at 20 ms.',
    ],
    [
      'late-row-opens-session',
      'session window',
      'In a session window, specimen@late-row-opens-session shows a session of k "a" that ends at 15 ms that is not true.',
    ],
    [
      'null-order-by-direction',
      'rank',
      'In a top-N, specimen@null-order-by-direction gives v = NULL instead of 3 and seq = 0 instead of 1 for the row of k "a".',
    ],
    [
      'negative-time-truncates',
      'tumble window',
      'In a tumble window, specimen@negative-time-truncates loses the pane that ends at -10.000 s, and 2 more rows are wrong.',
    ],
  ] as const)('of %s', async (fault, operator, sentence) => {
    expect((await ofFault(fault, { operator })).sentence).toBe(sentence);
  });

  test('names the claim where it is not the truth', async () => {
    const { sentence } = await ofFault('source-skips-row-at-restore', {
      operator: 'scan',
      property: restartChangesNothing,
    });
    expect(sentence).toBe(
      'In a scan, specimen@source-skips-row-at-restore loses the row of at 2 ms, against the claim that what a job gives ' +
        'that was restarted from its checkpoint is what it gives without.',
    );
  });

  test('says of what agrees that nothing differs', async () => {
    expect((await pictures['nothing wrong']!()).sentence).toBe(
      'specimen gives what it has to give: nothing differs.',
    );
  });
});

describe('lines of a terminal', () => {
  test('are as wide as they may be, but for what is there to be pasted', async () => {
    for (const make of Object.values(pictures)) {
      const picture = await make();
      const pasted = new Set([...picture.sql.flatMap(({ text }) => text.split('\n')), picture.replay]);
      const lines = pictureLines(picture, { columns: 80, colours: false });
      expect(lines.filter((line) => !pasted.has(line) && columnsByHand(line) > 80)).toEqual([]);
    }
  });

  test('are not narrower than a time line can be read in', async () => {
    const picture = await pictures['a lost hop pane']!();
    const narrow = pictureLines(picture, { columns: 20, colours: false });
    expect(narrow).toEqual(pictureLines(picture, { columns: LEAST_COLUMNS, colours: false }));
  });

  test('have colours only where they are asked for', async () => {
    const picture = await pictures['a lost hop pane']!();
    expect(pictureLines(picture, { columns: 80, colours: false }).join('\n')).not.toContain('\u001b');
    expect(pictureLines(picture, { columns: 80, colours: true }).join('\n')).toContain('\u001b[31m');
  });

  test('show no character that is not seen, or turns the text behind it', async () => {
    const picture = await pictures['many columns and odd texts']!();
    const text = pictureLines(picture, { columns: 140, colours: false }).join('\n');
    expect(text).not.toContain('\u202e');
    expect(text).toContain('\\u202egnp.exe');
  });

  test('say how much of many rows is left out', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => click('a', index));
    const picture = await pictured(undefined, from('click').select('k', 'seq'), input(0, ...rows));
    const text = pictureLines(picture, { columns: 80, colours: false }).join('\n');
    expect(text.match(/… and 60 more (events|rows)/g)).toHaveLength(3);
  });
});

/** Columns of what the test's own texts hold: Chinese and Japanese and emoji two, marks and joiners none. */
function columnsByHand(line: string): number {
  const wide = line.match(/[\u3001-\u9fff]|👩‍👩‍👧/gu)?.length ?? 0;
  const narrow = line.replaceAll(/[\u3001-\u9fff]|👩‍👩‍👧|\u0301/gu, '');
  return 2 * wide + [...narrow].length;
}

describe('the width of a text', () => {
  test.each([
    ['abc', 3],
    ['日本', 4],
    ['ｱ', 1],
    ['Ａ', 2],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['❤', 1],
    ['❤\ufe0f', 2],
    ['한글', 4],
    ['\u200b', 0],
    ['−∞…●', 4],
    ['', 0],
  ])('of %j is %i columns', (text, columns) => {
    expect(textWidth(text)).toBe(columns);
  });

  test('what is cut ends in an ellipsis, and never within a letter', () => {
    expect(shortened('日本語', 4)).toBe('日…');
    expect(shortened('日本語', 6)).toBe('日本語');
    expect(shortened('e\u0301te\u0301', 2)).toBe('e\u0301…');
    expect(fitted('日本語', 4)).toBe('日… ');
    expect(shortened('abc', 0)).toBe('');
  });

  test('words are wrapped, and a word that is too long is cut', () => {
    expect(wrapped('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapped('incomprehensible', 6)).toEqual(['incom…']);
  });
});
