import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clink } from '../../src/engines/clink/engine.ts';
import { duckdb } from '../../src/engines/duckdb/engine.ts';
import type { Session } from '../../src/engines/engine.ts';
import {
  asc,
  avg,
  bigint,
  call,
  count,
  countDistinct,
  cumulate,
  desc,
  double,
  from,
  hop,
  max,
  min,
  type PlanBuilder,
  session,
  sum,
  text,
  tumble,
} from '../../src/model/build.ts';
import type { Dataset } from '../../src/model/dataset.ts';
import type { Expression } from '../../src/model/expression.ts';
import type { Row } from '../../src/model/value.ts';
import { answer, caseOf, dataset, never, sorted, temporaryDirectory, testedEngines } from './cases.ts';

/** A plan, its data, and what semantics §3 says, derived by hand. */
interface Example {
  readonly what: string;
  readonly plan: PlanBuilder;
  readonly data: Dataset;
  readonly rows: readonly Row[];
  /** Why Clink's dialect has no form for it. */
  readonly notOnClink?: string;
}

const click = from('click');
const counted = { n: count() };
const filtered = (condition: Expression) => click.filter(condition).select('seq');

const few = dataset([
  ['a', 1, 10],
  ['a', 5, 20],
  ['b', 7, 30],
  ['a', 12, 40],
]);
const nulls = dataset([
  ['a', 1, null],
  [null, 2, 1],
  ['b', 3, 5],
]);

const examples: readonly Example[] = [
  {
    what: 'a filter over an aggregate',
    plan: click
      .window(tumble(10))
      .perWindow(['k'], counted)
      .filter(call('ge', 'n', bigint(2))),
    data: few,
    rows: [[0, 10, 'a', 2]],
  },
  {
    what: 'a window over the results of a window, which stand at window_end - 1',
    plan: click
      .window(tumble(5))
      .perWindow([], counted)
      .project({ ended: 'window_end', n: 'n' })
      .window(tumble(10))
      .perWindow([], { total: sum('n') }),
    data: few,
    // [0,5) 1, [5,10) 2 and [10,15) 1 stand at 4, 9 and 14.
    rows: [
      [0, 10, 3],
      [10, 20, 1],
    ],
  },
  {
    what: 'a window over the results of a window that keep their bounds beside new names',
    plan: click
      .window(tumble(5))
      .perWindow(['k'], counted)
      .project({ began: 'window_start', ended: 'window_end', k: 'k', n: 'n' })
      .window(hop(10, 5))
      .perWindow(['k'], { most: max('n'), least: min('began') }),
    data: few,
    // a: [0,5) 1 at 4, [5,10) 1 at 9, [10,15) 1 at 14; b: [5,10) 1 at 9.
    rows: [
      [-5, 5, 'a', 1, 0],
      [0, 10, 'a', 1, 0],
      [0, 10, 'b', 1, 5],
      [10, 20, 'a', 1, 10],
      [5, 15, 'a', 1, 5],
      [5, 15, 'b', 1, 5],
    ],
  },
  {
    what: 'a tumbling window before the epoch',
    plan: click.window(tumble(3)).perWindow([], counted),
    data: dataset([
      ['a', -4],
      ['a', -3],
      ['a', -1],
      ['a', 0],
      ['a', 2],
      ['a', 3],
    ]),
    rows: [
      [-3, 0, 2],
      [-6, -3, 1],
      [0, 3, 2],
      [3, 6, 1],
    ],
  },
  {
    what: 'a hop whose slide does not divide its size',
    plan: click.window(hop(7, 3)).perWindow([], counted),
    data: dataset([
      ['a', -1],
      ['a', 0],
      ['a', 8],
    ]),
    rows: [
      [-3, 4, 2],
      [-6, 1, 2],
      [0, 7, 1],
      [3, 10, 1],
      [6, 13, 1],
    ],
  },
  {
    what: 'a hop whose slide is greater than its size',
    plan: click.window(hop(2, 5)).perWindow([], counted),
    data: dataset([
      ['a', -5],
      ['a', -3],
      ['a', 1],
      ['a', 2],
    ]),
    rows: [
      [-5, -3, 1],
      [0, 2, 1],
    ],
    notOnClink: 'a hop whose slide is greater than its size',
  },
  {
    what: 'cumulate',
    plan: click.window(cumulate(2, 6)).perWindow([], counted),
    data: dataset([
      ['a', -1],
      ['a', 0],
      ['a', 3],
    ]),
    rows: [
      [-6, 0, 1],
      [0, 2, 1],
      [0, 4, 2],
      [0, 6, 2],
    ],
  },
  {
    what: 'sessions: touching ones merge, NULL is a key',
    plan: click.window(session(5, ['k'])).perWindow(['k'], counted),
    data: dataset([
      ['a', 0],
      ['a', 5],
      ['a', 11],
      [null, -2],
      [null, 3],
    ]),
    rows: [
      [-2, 8, null, 2],
      [0, 10, 'a', 2],
      [11, 16, 'a', 1],
    ],
  },
  {
    what: 'sessions over all rows, out of order',
    plan: click.window(session(5, [])).perWindow([], counted),
    data: dataset([
      ['a', 8],
      ['b', 0],
      ['c', 4],
      ['d', 14],
    ]),
    rows: [
      [0, 13, 3],
      [14, 19, 1],
    ],
  },
  {
    what: 'a session whose aggregate groups more finely',
    plan: click.window(session(5, [])).perWindow(['k'], counted),
    data: dataset([
      ['a', 0],
      ['b', 4],
      ['a', 8],
    ]),
    rows: [
      [0, 13, 'a', 2],
      [0, 13, 'b', 1],
    ],
    notOnClink: 'a session window whose keys are not those of its aggregate',
  },
  {
    what: 'a tumbling window with an offset',
    plan: click.window(tumble(10, -7)).perWindow([], counted),
    data: dataset([
      ['a', 2],
      ['a', 3],
      ['a', -8],
    ]),
    rows: [
      [-17, -7, 1],
      [-7, 3, 1],
      [3, 13, 1],
    ],
    notOnClink: 'a window with an offset',
  },
  {
    what: 'a hop with an offset',
    plan: click.window(hop(4, 2, 1)).perWindow([], counted),
    data: dataset([['a', 2]]),
    rows: [
      [-1, 3, 1],
      [1, 5, 1],
    ],
    notOnClink: 'a window with an offset',
  },
  {
    what: 'cumulate with an offset',
    plan: click.window(cumulate(2, 4, 1)).perWindow([], counted),
    data: dataset([
      ['a', 0],
      ['a', 1],
    ]),
    rows: [
      [-3, 1, 1],
      [1, 3, 1],
      [1, 5, 1],
    ],
    notOnClink: 'a window with an offset',
  },
  {
    what: 'an offset of a whole window is none',
    plan: click.window(tumble(10, 20)).perWindow([], counted),
    data: dataset([['a', 2]]),
    rows: [[0, 10, 1]],
  },
  {
    what: 'FILTER: a window all of whose rows it rejects counts 0 and sums to NULL',
    plan: from('click')
      .window(tumble(10))
      .aggregate(['window_start', 'window_end'], {
        n: { fn: 'count', where: call('gt', 'v', bigint(15)) },
        total: { fn: 'sum', arg: 'v', where: call('gt', 'v', bigint(35)) },
      }),
    data: few,
    rows: [
      [0, 10, 2, null],
      [10, 20, 1, 40],
    ],
    notOnClink: 'FILTER of an aggregate',
  },
  {
    what: 'aggregates skip NULL, and count it under *',
    plan: click
      .project({ k: 'k', v: 'v', d: call('to_double', 'v'), at: 'at' })
      .window(tumble(10))
      .perWindow([], {
        n: count(),
        values: count('v'),
        distinct: countDistinct('v'),
        total: sum('v'),
        mean: avg('d'),
        first: min('k'),
      }),
    data: dataset([
      ['b', 1, 3],
      ['a', 2, null],
      [null, 3, 3],
      ['c', 4, 5],
      ['c', 11, null],
    ]),
    rows: [
      [0, 10, 4, 3, 2, 11, 11 / 3, 'a'],
      [10, 20, 1, 0, 0, null, null, 'c'],
    ],
  },
  {
    what: 'between a window and its aggregate: a filter and an expression',
    plan: click
      .window(tumble(10))
      .filter(call('gt', 'v', bigint(10)))
      .project({
        window_start: 'window_start',
        window_end: 'window_end',
        parity: call('modulo', 'v', bigint(4)),
      })
      .perWindow(['parity'], counted),
    data: few,
    // 20 and 40 leave 0, 30 leaves 2.
    rows: [
      [0, 10, 0, 1],
      [0, 10, 2, 1],
      [10, 20, 0, 1],
    ],
  },
  {
    what: 'between a session window and its aggregate: an expression, and a key with a new name',
    plan: click
      .window(session(5, ['k']))
      .project({
        key: 'k',
        window_end: 'window_end',
        window_start: 'window_start',
        twice: call('multiply', 'v', bigint(2)),
      })
      .aggregate(['key', 'window_end', 'window_start'], { total: sum('twice') }),
    data: few,
    // a: 1 and 5 make [1,10), 12 makes [12,17); b: [7,12).
    rows: [
      ['a', 10, 1, 60],
      ['a', 17, 12, 80],
      ['b', 12, 7, 60],
    ],
  },
  {
    what: 'between a session window and its aggregate: a filter, which does not split a session',
    plan: click
      .window(session(5, ['k']))
      .filter(call('ne', 'v', bigint(2)))
      .perWindow(['k'], counted),
    data: dataset([
      ['a', 0, 1],
      ['a', 4, 2],
      ['a', 8, 3],
    ]),
    rows: [[0, 13, 'a', 2]],
    notOnClink: 'a filter between a session window and its aggregate',
  },
  {
    what: 'a filter by the bounds of a window',
    plan: click
      .window(hop(10, 5))
      .filter(call('ge', 'at', 'window_start'))
      .filter(call('gt', 'window_end', 'at'))
      .perWindow(['k'], counted),
    data: dataset([['a', 7]]),
    rows: [
      [0, 10, 'a', 1],
      [5, 15, 'a', 1],
    ],
    notOnClink: 'a filter by the bounds of a window before its aggregate',
  },
  {
    what: 'a join of two window aggregates',
    plan: click
      .window(tumble(10))
      .perWindow(['k'], counted)
      .join(
        from('sale')
          .window(tumble(10))
          .perWindow(['item'], { total: sum('price') })
          .project({ began: 'window_start', item: 'item', total: 'total' }),
        { k: 'item', window_start: 'began' },
        call('gt', 'total', 'n'),
      ),
    data: dataset(
      [
        ['a', 1],
        ['a', 5],
        ['b', 7],
        ['a', 12],
      ],
      [
        ['a', 2, 2],
        ['a', 3, 7],
        ['b', 3, 1],
        ['a', 19, 4],
        [null, 1, 9],
      ],
    ),
    // b's total of 1 is not greater than its count of 1.
    rows: [
      [0, 10, 'a', 2, 0, 'a', 9],
      [10, 20, 'a', 1, 10, 'a', 4],
    ],
  },
  {
    what: 'a join of two unbounded aggregates',
    plan: click
      .aggregate(['k'], counted)
      .join(from('sale').aggregate(['item'], { sales: count() }), { k: 'item' })
      .select('k', 'n', 'sales'),
    data: dataset(
      [
        ['a', 1],
        ['a', 5],
        ['b', 7],
      ],
      [
        ['a', 2],
        ['c', 2],
        ['a', 3],
      ],
    ),
    rows: [['a', 2, 2]],
  },
  {
    what: 'an aggregate of a join, in which NULL equals nothing',
    plan: click
      .join(from('sale').select('item', 'price'), { k: 'item' })
      .aggregate(['k'], { pairs: count(), total: sum('price') }),
    data: dataset(
      [
        ['a', 1],
        ['a', 2],
        [null, 3],
      ],
      [
        ['a', 1, 5],
        ['a', 1, 6],
        [null, 1, 7],
      ],
    ),
    rows: [['a', 4, 22]],
  },
  {
    what: 'a join with itself, filtered and projected',
    plan: click
      .select('k', 'seq')
      .join(
        click.project({ other_k: 'k', other: 'seq', v: 'v' }),
        { k: 'other_k' },
        call('lt', 'seq', 'other'),
      )
      .filter(call('ge', 'v', bigint(20)))
      .project({ seq: 'seq', next: call('add', 'other', bigint(1)) }),
    data: few,
    // a: 0 with 1 and 3, 1 with 3.
    rows: [
      [0, 2],
      [0, 4],
      [1, 4],
    ],
  },
  {
    what: 'columns that swap their names',
    plan: click
      .project({ v: 'seq', seq: 'v', k: 'k' })
      .filter(call('lt', 'v', bigint(3)))
      .aggregate(['v'], { seq: max('seq') }),
    data: few,
    rows: [
      [0, 10],
      [1, 20],
      [2, 30],
    ],
  },
  {
    what: 'the best rows of each partition',
    plan: click
      .filter(call('lt', 'v', bigint(40)))
      .top(2, ['k'], desc('v', 'last'), asc('seq'))
      .select('k', 'v', 'seq'),
    data: dataset([
      ['a', 1, 10],
      ['a', 2, 40],
      ['a', 3, 30],
      ['a', 4, 30],
      ['b', 5, null],
      ['b', 6, 20],
    ]),
    rows: [
      ['a', 30, 2],
      ['a', 30, 3],
      ['b', 20, 5],
    ],
  },
  {
    what: 'the best window aggregate',
    plan: click
      .window(tumble(10))
      .perWindow(['k'], counted)
      .top(1, ['window_start', 'window_end'], desc('n'), asc('k', 'last'))
      .select('window_start', 'window_end', 'k'),
    data: dataset([
      ['b', 1],
      ['a', 2],
      ['b', 13],
      ['a', 14],
      ['b', 15],
    ]),
    rows: [
      [0, 10, 'a'],
      [10, 20, 'b'],
    ],
  },
  {
    what: 'an aggregate without keys',
    plan: click.aggregate([], { n: count(), total: sum('v') }),
    data: few,
    rows: [[4, 100]],
    notOnClink: 'an aggregate without keys over all rows',
  },
  {
    what: 'an aggregate without keys over no rows: no row',
    plan: click.aggregate([], { n: count() }),
    data: dataset([]),
    rows: [],
    notOnClink: 'an aggregate without keys over all rows',
  },
  {
    what: 'no rows',
    plan: click.window(tumble(10)).perWindow(['k'], counted),
    data: dataset([]),
    rows: [],
  },
  {
    what: 'distinct values',
    plan: click.aggregate(['k'], {}),
    data: dataset([
      ['a', 1],
      [null, 2],
      ['a', 3],
      [null, 4],
    ]),
    rows: [['a'], [null]],
    notOnClink: 'GROUP BY without an aggregate',
  },
  { what: 'NOT of NULL', plan: filtered(call('not', call('gt', 'v', bigint(2)))), data: nulls, rows: [[1]] },
  {
    what: 'NOT of NULL AND false',
    plan: filtered(call('not', call('and', call('gt', 'v', bigint(2)), call('gt', 'seq', bigint(9))))),
    data: nulls,
    rows: [[0], [1], [2]],
  },
  {
    what: 'NULL OR true',
    plan: filtered(call('or', call('gt', 'v', bigint(2)), call('is_null', 'v'))),
    data: nulls,
    rows: [[0], [2]],
  },
  {
    what: 'IS NOT NULL',
    plan: filtered(call('and', call('not', call('is_null', 'k')), call('ne', 'seq', bigint(0)))),
    data: nulls,
    rows: [[2]],
  },
  {
    what: 'IS NULL of an expression',
    plan: filtered(call('is_null', call('lower', 'k'))),
    data: nulls,
    rows: [[1]],
    notOnClink: 'IS NULL of an expression that is no column',
  },
  {
    what: 'a condition as a value, and a value as a condition',
    plan: click
      .project({ seq: 'seq', great: call('gt', 'v', bigint(2)), missing: call('is_null', 'v') })
      .filter(call('or', 'great', 'missing', call('eq', 'great', { lit: false, type: 'BOOLEAN' }))),
    data: nulls,
    rows: [
      [0, null, true],
      [1, false, false],
      [2, true, false],
    ],
  },
  {
    what: 'CASE and COALESCE',
    plan: click.project({
      size: call(
        'case',
        call('gt', 'v', bigint(2)),
        text('great'),
        call('le', 'v', bigint(2)),
        text('small'),
        text('?'),
      ),
      k: call('coalesce', 'k', text("it's\n\\n")),
    }),
    data: nulls,
    rows: [
      ['?', 'a'],
      ['great', 'b'],
      ['small', "it's\n\\n"],
    ],
  },
  {
    what: 'integer division truncates toward zero, and the remainder has the dividend’s sign',
    plan: click.project({
      quotient: call('divide', 'v', bigint(2)),
      remainder: call('modulo', 'v', bigint(2)),
      grouped: call('subtract', 'v', call('subtract', bigint(1), 'v')),
      constant: call('multiply', bigint(2_000_000), bigint(2_000_000)),
    }),
    data: dataset([
      ['a', 1, -7],
      ['a', 2, 7],
    ]),
    rows: [
      [-3, -1, -15, 4_000_000_000_000],
      [3, 1, 13, 4_000_000_000_000],
    ],
  },
  {
    what: 'DOUBLE arithmetic',
    plan: click.project({
      third: call('divide', call('to_double', 'v'), double(3)),
      tiny: call('multiply', call('to_double', 'v'), double(1e-300)),
      sum: call('add', double(0.1), double(0.2)),
    }),
    data: dataset([['a', 1, 7]]),
    rows: [[7 / 3, 7e-300, 0.1 + 0.2]],
  },
  {
    what: 'the hour of day, also before the epoch',
    plan: click.project({ hour: call('hour', 'at') }),
    data: dataset([
      ['a', -1],
      ['a', -3_600_001],
      ['a', 3_600_000],
    ]),
    rows: [[1], [22], [23]],
  },
  {
    what: 'functions of strings',
    plan: click.project({
      upper: call('upper', 'k'),
      found: call('position', text('b'), 'k'),
      replaced: call('replace', 'k', text('b'), text('')),
      same: call('replace', 'k', text(''), text('x')),
      both: call('concat', 'k', text('!')),
      first: call('split_index', 'k', text('/'), bigint(0)),
      by_column: call('split_index', 'k', text('/'), 'v'),
      digits: call('to_string', 'v'),
    }),
    data: dataset([
      ['a/b/c', 1, 2],
      ['', 2, -2],
      ['abab', 3, 1],
      [null, 4, 0],
    ]),
    rows: [
      ['', 0, '', '', '!', '', null, '-2'],
      ['A/B/C', 3, 'a//c', 'a/b/c', 'a/b/c!', 'a', 'c', '2'],
      ['ABAB', 2, 'aa', 'abab', 'abab!', 'abab', null, '1'],
      [null, null, null, null, null, null, null, '0'],
    ],
  },
];

describe.each(testedEngines([duckdb, clink]))('$title composes', ({ engine, runs }) => {
  describe.skipIf(!runs)('operators', () => {
    const directory = temporaryDirectory();
    let opened: Session;
    beforeAll(async () => {
      opened = await engine.open({ directory: directory.path, signal: never });
    });
    afterAll(async () => {
      await opened?.[Symbol.asyncDispose]();
      directory.remove();
    });

    it.each(examples)('$what', async ({ plan, data, rows, notOnClink }) => {
      if (engine === clink && notOnClink !== undefined) {
        expect(await opened.run(caseOf(plan, data), never)).toEqual({
          kind: 'unsupported',
          reason: notOnClink,
        });
      } else {
        expect(await answer(opened, plan, data)).toEqual(sorted(rows));
      }
    });
  });
});
