import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clink } from '../../src/engines/clink/engine.ts';
import { duckdb } from '../../src/engines/duckdb/engine.ts';
import type { Session } from '../../src/engines/engine.ts';
import {
  asc,
  bigint,
  call,
  count,
  desc,
  double,
  from,
  type PlanBuilder,
  sum,
  text,
  tumble,
} from '../../src/model/build.ts';
import type { Dataset } from '../../src/model/dataset.ts';
import type { Row } from '../../src/model/value.ts';
import { answer, clinkRuns, clinkTitle, dataset, never, sorted, temporaryDirectory } from './cases.ts';

/*
 * Where Clink 0.12.2 departs from the law, each with its smallest input. The dialect hides none of them: they
 * are what the tool is to find. A test that fails here says that a release no longer departs.
 */

interface Departure {
  readonly what: string;
  readonly plan: PlanBuilder;
  readonly data: Dataset;
  /** By the law (semantics §1 and §3), derived by hand. */
  readonly law: readonly Row[];
  readonly answered: readonly Row[];
}

const click = from('click');
/** The first integer that a DOUBLE cannot hold lies between these two. */
const even = 2n ** 53n;
const odd = even + 1n;

const departures: readonly Departure[] = [
  {
    what: 'equality of BIGINT is that of DOUBLE',
    plan: click.filter(call('eq', 'v', bigint(odd))).select('v'),
    data: dataset([
      ['a', 1, even],
      ['a', 2, odd],
    ]),
    law: [[odd]],
    answered: [[even], [odd]],
  },
  {
    what: 'the order of BIGINT is that of DOUBLE',
    plan: click.filter(call('lt', 'v', bigint(odd))).select('v'),
    data: dataset([['a', 1, even]]),
    law: [[even]],
    answered: [],
  },
  {
    what: 'the order of BIGINT in a top-N is that of DOUBLE',
    plan: click.top(1, [], desc('v', 'last'), desc('seq')).select('v'),
    data: dataset([
      ['a', 1, odd],
      ['a', 2, even],
    ]),
    law: [[odd]],
    answered: [[even]],
  },
  {
    what: 'BIGINT becomes text by way of DOUBLE',
    plan: click.project({ digits: call('to_string', 'v') }),
    data: dataset([['a', 1, odd]]),
    law: [[odd.toString()]],
    answered: [[even.toString()]],
  },
  {
    what: 'CHAR_LENGTH counts bytes',
    plan: click.project({ length: call('char_length', 'k') }),
    data: dataset([['é', 1]]),
    law: [[1]],
    answered: [[2]],
  },
  {
    what: 'POSITION counts bytes',
    plan: click.project({ at: call('position', text('b'), 'k') }),
    data: dataset([['éb', 1]]),
    law: [[2]],
    answered: [[3]],
  },
  {
    what: 'a top-N takes no notice of NULLS FIRST',
    plan: click.top(1, [], desc('v', 'first'), asc('seq')).select('v'),
    data: dataset([
      ['a', 1, 1],
      ['a', 2, null],
    ]),
    law: [[null]],
    answered: [[1]],
  },
  {
    what: 'a top-N takes no notice of NULLS LAST',
    plan: click.top(1, [], asc('v', 'last'), asc('seq')).select('v'),
    data: dataset([
      ['a', 1, 1],
      ['a', 2, null],
    ]),
    law: [[1]],
    answered: [[null]],
  },
  {
    what: 'a filter over a top-N is left out',
    plan: click
      .top(1, [], desc('seq'))
      .filter(call('gt', 'v', bigint(5)))
      .select('v'),
    data: dataset([['a', 1, 1]]),
    law: [],
    answered: [[1]],
  },
  {
    what: 'a filter over an unbounded aggregate does not withdraw the row of a group that no longer passes',
    plan: click.aggregate(['k'], { n: count() }).filter(call('lt', 'n', bigint(2))),
    data: dataset([
      ['a', 1],
      ['a', 2],
    ]),
    law: [],
    answered: [['a', 1]],
  },
  {
    what: 'a top-N over an unbounded aggregate keeps the rows that were replaced',
    plan: click.aggregate(['k'], { n: count() }).top(1, [], asc('n'), asc('k', 'last')),
    data: dataset([
      ['a', 1],
      ['a', 2],
    ]),
    law: [['a', 2]],
    answered: [['a', 1]],
  },
  {
    what: 'a top-N over a top-N keeps the rows that were pushed out',
    plan: click.top(1, [], desc('seq')).top(1, [], asc('seq')).select('seq'),
    data: dataset([
      ['a', 1],
      ['a', 2],
    ]),
    law: [[1]],
    answered: [[0]],
  },
  {
    what: 'a DOUBLE divided by zero is NaN',
    plan: click.project({ x: call('divide', call('to_double', 'v'), double(0)) }),
    data: dataset([['a', 1, 1]]),
    law: [[Infinity]],
    answered: [[Number.NaN]],
  },
];

describe.skipIf(!clinkRuns)(`${clinkTitle} departs from the law`, () => {
  const directory = temporaryDirectory();
  let departing: Session;
  let referee: Session;
  beforeAll(async () => {
    departing = await clink.open({ directory: `${directory.path}/clink`, signal: never });
    referee = await duckdb.open({ directory: `${directory.path}/duckdb`, signal: never });
  });
  afterAll(async () => {
    await departing?.[Symbol.asyncDispose]();
    await referee?.[Symbol.asyncDispose]();
    directory.remove();
  });

  it.each(departures)('$what', async ({ plan, data, law, answered }) => {
    expect(await answer(referee, plan, data)).toEqual(sorted(law));
    expect(await answer(departing, plan, data)).toEqual(sorted(answered));
  });

  it('tells lateness once in 256 rows', async () => {
    const plan = click.window(tumble(10)).perWindow(['k'], { n: count(), total: sum('v') });
    const lateAfter = (rows: number): Dataset => ({
      ...dataset([['a', 1, 1], ...Array.from({ length: rows }, () => ['b', 100, 1] as const), ['a', 2, 1]]),
      lagMs: 0,
    });
    expect(await answer(departing, plan, lateAfter(254))).toContainEqual([0, 10, 'a', 2, 2]);
    expect(await answer(departing, plan, lateAfter(255))).toContainEqual([0, 10, 'a', 1, 1]);
  });
});
