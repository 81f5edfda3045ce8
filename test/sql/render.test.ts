import { describe, expect, it } from 'vitest';
import { auctionStream, bidStream } from '../../generators/nexmark/index.ts';
import {
  asc,
  bigint,
  call,
  count,
  desc,
  double,
  from,
  hop,
  type PlanBuilder,
  session,
  text,
  tumble,
} from '../../src/model/build.ts';
import type { Expression } from '../../src/model/expression.ts';
import { checkQuery } from '../../src/model/query.ts';
import type { StreamSchema } from '../../src/model/schema.ts';
import { qualification } from '../../src/queries/index.ts';
import { dialects } from '../../src/sql/index.ts';
import { clickStream, queryOf, saleStream } from '../engines/cases.ts';

describe.each([...dialects.values()])('$name', (dialect) => {
  it('renders the qualification', async () => {
    const rendered = qualification.map((definition) => {
      const result = dialect.select(checkQuery(definition, [bidStream, auctionStream]));
      return `-- ${definition.name}: ${definition.title}\n${result.kind === 'sql' ? result.sql : result.reason}\n`;
    });
    await expect(rendered.join('\n')).toMatchFileSnapshot(`__snapshots__/${dialect.name}.sql`);
  });

  it('renders the same query twice alike', () => {
    const query = queryOf(
      from('click')
        .window(hop(4, 2))
        .perWindow(['k'], { n: count() })
        .filter(call('gt', 'n', bigint(1))),
    );
    expect(dialect.select(query)).toEqual(dialect.select(query));
  });

  it('merges a filter and a projection of columns into one SELECT', () => {
    const plan = from('click')
      .filter(call('gt', 'v', bigint(1)))
      .select('k', 'v')
      .filter(call('lt', 'v', bigint(9)));
    expect(sqlOf(dialect.name, plan)).toBe('SELECT k, v\nFROM click\nWHERE v > 1 AND v < 9');
  });

  it('does not repeat an expression that a filter reads', () => {
    const plan = from('click')
      .project({ twice: call('add', 'v', 'v') })
      .filter(call('gt', 'twice', bigint(1)));
    expect(sqlOf(dialect.name, plan)).toBe(
      'SELECT twice\nFROM (\n  SELECT v + v AS twice\n  FROM click\n) AS t1\nWHERE twice > 1',
    );
  });

  it('keeps a filter over a top-N apart from the condition that makes it one', () => {
    const plan = from('click')
      .top(2, ['k'], desc('seq'))
      .filter(call('gt', 'seq', bigint(1)));
    expect(sqlOf(dialect.name, plan)).toMatch(/WHERE _rank <= 2\n\) AS t2\nWHERE seq > 1$/);
  });

  it('quotes words that the grammar reserves', () => {
    const stream: StreamSchema = {
      name: 'order',
      columns: [
        { name: 'user', type: 'BIGINT', nullable: false },
        { name: 'made', type: 'TIMESTAMP(3)', nullable: false },
      ],
      eventTime: 'made',
      unique: [['user']],
    };
    const plan = from('order').top(1, ['user'], asc('made')).project({ select: 'user' });
    const sql = sqlOf(dialect.name, plan, [stream]);
    expect(dialect.name === 'flink' ? sql.replaceAll('`', '"') : sql).toBe(
      'SELECT "user" AS "select"\nFROM (\n' +
        '  SELECT *, ROW_NUMBER() OVER (PARTITION BY "user" ORDER BY made ASC) AS _rank\n  FROM "order"\n' +
        ') AS t1\nWHERE _rank <= 1',
    );
  });

  it.each<[string, Expression, string]>([
    ['a weaker operand', call('multiply', call('add', 'v', 'seq'), 'v'), '(v + seq) * v'],
    ['a stronger operand', call('add', 'v', call('multiply', 'seq', 'v')), 'v + seq * v'],
    ['an equal operand on the left', call('subtract', call('subtract', 'v', 'seq'), 'v'), 'v - seq - v'],
    ['an equal operand on the right', call('subtract', 'v', call('subtract', 'seq', 'v')), 'v - (seq - v)'],
  ])('sets brackets by precedence: %s', (_, expression, sql) => {
    expect(sqlOf(dialect.name, from('click').project({ x: expression }))).toBe(
      `SELECT ${sql} AS x\nFROM click`,
    );
  });

  it('sets OR under AND in brackets', () => {
    const either = call('or', call('gt', 'v', bigint(1)), call('is_null', 'v'));
    const plan = from('click').filter(either).filter(call('not', either)).select('v');
    expect(sqlOf(dialect.name, plan)).toBe(
      'SELECT v\nFROM click\nWHERE (v > 1 OR v IS NULL) AND NOT (v > 1 OR v IS NULL)',
    );
  });

  it('does not let a column that was left out stand in the way of a window’s', () => {
    const plan = from('click')
      .window(tumble(5))
      .perWindow(['k'], { n: count() })
      .filter(call('gt', 'n', bigint(0)))
      .project({ ended: 'window_end', n: 'n' })
      .window(tumble(10))
      .perWindow([], { n: count() });
    expect(dialect.select(queryOf(plan)).kind).toBe('sql');
  });

  it('has no text for U+0000', () => {
    const query = queryOf(from('click').project({ x: text('a\0b') }));
    expect(dialect.select(query)).toEqual({
      kind: 'unsupported',
      reason: 'a string literal that holds U+0000',
    });
  });
});

describe('duckdb', () => {
  it.each<[string, Expression, string]>([
    ['DOUBLE with an exponent', double(0.908), '0.908e0'],
    ['DOUBLE that has one already', double(1e-7), '1e-7'],
    ['negative zero', double(-0), '-0e0'],
    ['a text with quotes and line feeds', text("it's\n\\"), "E'it''s\\n\\\\'"],
    ['NULL', { lit: null, type: 'STRING' }, 'CAST(NULL AS VARCHAR)'],
    ['DECIMAL', { lit: '1.50', type: 'DECIMAL(10,2)' }, "CAST('1.50' AS DECIMAL(10,2))"],
    ['arithmetic of literals', call('multiply', bigint(2), bigint(3)), 'CAST(2 AS BIGINT) * 3'],
    ['integer division', call('divide', 'v', bigint(2)), 'v // 2'],
    ['DOUBLE division', call('divide', double(1), double(2)), '1e0 / 2e0'],
  ])('writes %s', (_, expression, sql) => {
    expect(sqlOf('duckdb', from('click').project({ x: expression }))).toBe(`SELECT ${sql} AS x\nFROM click`);
  });
});

describe('clink', () => {
  it.each<[string, Expression, string]>([
    ['DOUBLE from text', double(0.908), "CAST('0.908' AS DOUBLE PRECISION)"],
    ['BIGINT beyond 32 bits from text', bigint(3_000_000_000), "CAST('3000000000' AS BIGINT)"],
    ['a condition as a value', call('gt', 'seq', bigint(1)), 'CASE WHEN seq > 1 THEN TRUE ELSE FALSE END'],
  ])('writes %s', (_, expression, sql) => {
    expect(sqlOf('clink', from('click').project({ x: expression }))).toBe(`SELECT ${sql} AS x\nFROM click`);
  });

  it('writes a duration of whole seconds as an INTERVAL, else in milliseconds', () => {
    const plan = from('click').window(hop(2_500, 1_000)).perWindow(['k'], { n: count() });
    expect(sqlOf('clink', plan)).toContain(", 2500, INTERVAL '1' SECOND)");
  });

  it('joins on one pair and leaves the rest to WHERE', () => {
    const plan = from('click')
      .join(from('sale'), { k: 'item', v: 'price' }, call('gt', 'seq', bigint(1)))
      .select('seq');
    expect(sqlOf('clink', plan)).toBe(
      'SELECT t1.seq\nFROM click AS t1\nJOIN sale AS t2 ON t1.k = t2.item\nWHERE t1.v = t2.price AND t1.seq > 1',
    );
  });

  it.each<[string, PlanBuilder]>([
    ['a window with an offset', from('click').window(tumble(10, 3)).perWindow([], { n: count() })],
    ['an aggregate without keys over all rows', from('click').aggregate([], { n: count() })],
    ['GROUP BY without an aggregate', from('click').aggregate(['k'], {})],
    [
      'FILTER of an aggregate',
      from('click').aggregate(['k'], { n: { fn: 'count', where: call('is_null', 'v') } }),
    ],
    ['DISTINCT in SUM', from('click').aggregate(['k'], { n: { fn: 'sum', arg: 'v', distinct: true } })],
    [
      'a session window whose key is projected away',
      from('click')
        .window(session(5, ['k']))
        .project({ window_start: 'window_start', window_end: 'window_end', x: call('add', 'v', 'v') })
        .perWindow([], { n: count() }),
    ],
    [
      'an expression over the bounds of a window before its aggregate',
      from('click')
        .window(tumble(5))
        .project({
          window_start: 'window_start',
          window_end: 'window_end',
          x: call('to_bigint', 'window_end'),
        })
        .perWindow(['x'], { n: count() }),
    ],
  ])('has no form for %s', (reason, plan) => {
    expect(dialects.get('clink')!.select(queryOf(plan))).toEqual({ kind: 'unsupported', reason });
  });
});

describe('flink', () => {
  it.each<[string, Expression, string]>([
    ['DOUBLE with an exponent', double(0.908), '0.908E0'],
    ['DOUBLE that has one already', double(1e21), '1E21'],
    ['negative zero from text', double(-0), "CAST('-0.0' AS DOUBLE)"],
    ['the least BIGINT from text', bigint(-(2n ** 63n)), "CAST('-9223372036854775808' AS BIGINT)"],
    ['a small BIGINT as one', bigint(5), 'CAST(5 AS BIGINT)'],
    ['a text with quotes and line feeds', text("it's\n\\"), "U&'it''s\\000a\\\\'"],
    ['NULL', { lit: null, type: 'STRING' }, 'CAST(NULL AS STRING)'],
    ['DECIMAL', { lit: '1.50', type: 'DECIMAL(10,2)' }, "CAST('1.50' AS DECIMAL(10,2))"],
    ['arithmetic of literals', call('multiply', bigint(2), bigint(3)), 'CAST(2 AS BIGINT) * 3'],
    [
      'arithmetic of a CASE of literals',
      call('add', call('case', call('gt', 'v', bigint(1)), bigint(2), bigint(3)), bigint(4)),
      'CAST(CASE WHEN v > 1 THEN 2 ELSE 3 END AS BIGINT) + 4',
    ],
    ['integer division', call('divide', 'v', bigint(2)), 'v / 2'],
    ['REPLACE of a text', call('replace', 'k', text('a'), text('b')), "REPLACE(k, 'a', 'b')"],
    [
      'REPLACE of a column, which may be empty',
      call('replace', 'k', 'k', text('b')),
      "CASE WHEN k = '' THEN k ELSE REPLACE(k, k, 'b') END",
    ],
    ['SPLIT_INDEX of a later part', call('split_index', 'k', text('/'), bigint(1)), "SPLIT_INDEX(k, '/', 1)"],
    [
      'SPLIT_INDEX before the first part',
      call('split_index', 'k', text('/'), bigint(-1)),
      'CAST(NULL AS STRING)',
    ],
  ])('writes %s', (_, expression, sql) => {
    expect(sqlOf('flink', from('click').project({ x: expression }))).toBe(`SELECT ${sql} AS x\nFROM click`);
  });

  const counted = { n: count() };

  it.each<[number, string]>([
    [7, "INTERVAL '0.007' SECOND"],
    [99_000, "INTERVAL '99' SECOND"],
    [100_000, "INTERVAL '0 00:01:40' DAY(3) TO SECOND(3)"],
    [999 * 86_400_000 + 5_025_678, "INTERVAL '999 01:23:45.678' DAY(3) TO SECOND(3)"],
  ])('writes a duration of %d ms', (sizeMs, interval) => {
    expect(sqlOf('flink', from('click').window(tumble(sizeMs)).perWindow([], counted))).toContain(
      `DESCRIPTOR(_rowtime), ${interval})`,
    );
  });

  it('puts a window over a subquery with its time attribute', () => {
    const plan = from('click')
      .filter(call('gt', 'v', bigint(1)))
      .project({ key: 'k', at: 'at' })
      .window(hop(4, 2, 3))
      .perWindow(['key'], counted);
    expect(sqlOf('flink', plan)).toContain(
      'TABLE(HOP((\n    SELECT k AS key, `at`, _rowtime\n    FROM click\n    WHERE v > 1\n  ), ' +
        "DESCRIPTOR(_rowtime), INTERVAL '0.002' SECOND, INTERVAL '0.004' SECOND, INTERVAL '0.001' SECOND))",
    );
  });

  it('gives a window over windows the time attribute of the inner ones', () => {
    const plan = from('click')
      .window(tumble(5))
      .perWindow(['k'], counted)
      .project({ ended: 'window_end', n: 'n' })
      .window(tumble(10))
      .perWindow([], counted);
    expect(sqlOf('flink', plan)).toContain('GROUP BY window_start, window_end, k, window_time');
  });

  it('knows the keys of sessions under the names that a projection gives them', () => {
    const renamed = { window_start: 'window_start', window_end: 'window_end', a: 'k', b: 'k' };
    const plan = from('click')
      .window(session(5, ['k']))
      .filter(call('gt', 'v', bigint(1)))
      .project(renamed);
    for (const keys of [['a'], ['b'], ['a', 'b']]) {
      expect(sqlOf('flink', plan.perWindow(keys, counted))).toContain('PARTITION BY (k)');
    }
  });

  it('keeps the bounds of windows as they are until something else reads them', () => {
    const plan = from('click')
      .window(tumble(5))
      .perWindow(['k'], counted)
      .filter(call('gt', 'window_end', { lit: 7, type: 'TIMESTAMP(3)' }))
      .top(1, ['window_start', 'window_end'], desc('n'), asc('k', 'last'));
    const sql = sqlOf('flink', plan);
    expect(sql).toContain('PARTITION BY window_start, window_end ');
    expect(sql).toContain(
      'WHERE EXTRACT(EPOCH FROM window_end) * 1000 + EXTRACT(MILLISECOND FROM window_end) > 7',
    );
  });

  it.each<[string, PlanBuilder]>([
    ['a hop whose slide does not divide its size', from('click').window(hop(5, 2)).perWindow([], counted)],
    ['a duration of 1,000 days or more', from('click').window(tumble(86_400_000_000)).perWindow([], counted)],
    [
      'a session window whose key is projected away',
      from('click')
        .window(session(5, ['k']))
        .project({ window_start: 'window_start', window_end: 'window_end', x: call('add', 'v', 'v') })
        .perWindow([], counted),
    ],
    [
      'a session window whose keys are not those of its aggregate',
      from('click').window(session(5, [])).perWindow(['k'], counted),
    ],
    [
      'a window over a column window_time',
      from('click').project({ window_time: 'at' }).window(tumble(5)).perWindow([], counted),
    ],
  ])('has no form for %s', (reason, plan) => {
    expect(dialects.get('flink')!.select(queryOf(plan))).toEqual({ kind: 'unsupported', reason });
  });
});

function sqlOf(
  dialect: string,
  plan: PlanBuilder,
  streams: readonly StreamSchema[] = [clickStream, saleStream],
): string {
  const rendered = dialects.get(dialect)!.select(queryOf(plan, streams));
  if (rendered.kind !== 'sql') throw new Error(rendered.reason);
  return rendered.sql;
}
