import { describe, expect, it } from 'vitest';
import { count, from, session, tumble } from '../../../src/model/build.ts';
import { answer, click, input, outcomeOf, rows } from './support.ts';

const tens = from('click').window(tumble(10)).perWindow(['k'], { n: count() });
const everything = from('click').select('k', 'at');
const three = input(0, click('t', 1), click('t', 12), click('t', 13));

describe('how a run ends (§5)', () => {
  it('drain fires everything', async () => {
    expect(await answer(tens, three, { stop: 'drain' })).toEqual(rows([0, 10, 't', 1], [10, 20, 't', 2]));
  });

  it('settle-cancel reads everything and fires nothing beyond the watermark', async () => {
    expect(await answer(tens, three, { stop: 'settle-cancel' })).toEqual(rows([0, 10, 't', 1]));
  });

  it('settle-cancel leaves a session open', async () => {
    const plan = from('click')
      .window(session(5, ['k']))
      .perWindow(['k'], { n: count() });
    expect(await answer(plan, three, { stop: 'settle-cancel' })).toEqual(rows([1, 6, 't', 1]));
  });

  it.each([
    [0, 0],
    [1, 0],
    [2, 1],
    [3, 1],
    [99, 1],
  ])('cancel after %d rows gives %d panes', async (cancelAfterRows, panes) => {
    expect(await answer(tens, three, { stop: 'cancel', cancelAfterRows })).toHaveLength(panes);
  });

  it('cancel counts the rows that were read', async () => {
    expect(await answer(everything, three, { stop: 'cancel', cancelAfterRows: 2 })).toEqual(
      rows(['t', 1], ['t', 12]),
    );
  });

  it('cancel comes with the first output, or with so much of it', async () => {
    expect(await answer(everything, three, { stop: 'cancel' })).toEqual(rows(['t', 1]));
    expect(await answer(everything, three, { stop: 'cancel', cancelAfterOutput: 2 })).toHaveLength(2);
  });

  it('has no kill', async () => {
    expect(await outcomeOf(tens, three, { stop: 'kill' })).toMatchObject({ kind: 'unsupported' });
  });
});
