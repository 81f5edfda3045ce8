import { describe, expect, test } from 'vitest';
import {
  asc,
  avg,
  bigint,
  call,
  count,
  cumulate,
  desc,
  double,
  from,
  hop,
  type PlanBuilder,
  session,
  sum,
  text,
  tumble,
} from '../../src/model/build.ts';
import { PlanError } from '../../src/model/errors.ts';
import { checkPlan, planSchema } from '../../src/model/plan/index.ts';
import { clickStream } from '../support/clicks.ts';

function refusal(query: PlanBuilder): { code: string; path: string } {
  try {
    checkPlan(query.plan, [clickStream]);
  } catch (error) {
    if (error instanceof PlanError) return { code: error.code, path: error.path };
    throw error;
  }
  throw new Error('the plan was not refused');
}

const windowed = from('click').window(tumble(10));
const counts = windowed.perWindow(['k'], { n: count() });

describe('an ill-typed plan is refused with the path of the culprit', () => {
  test.each<[string, PlanBuilder, string, string]>([
    ['no such stream', from('tap'), 'unknown-stream', 'plan'],
    ['no such column', from('click').select('k', 'w'), 'unknown-column', 'plan.columns[1].value'],
    ['no such function', from('click').filter(call('likes', 'k')), 'unknown-function', 'plan.where'],
    ['a condition that is none', from('click').filter({ col: 'v' }), 'type-mismatch', 'plan.where'],
    [
      'types mixed deep inside',
      from('click')
        .project({ a: 'k' })
        .filter(call('not', call('eq', 'a', bigint(1)))),
      'type-mismatch',
      'plan.where.args[0].args[1]',
    ],
    [
      'no implicit cast',
      from('click').project({ a: call('multiply', 'v', double(1)) }),
      'type-mismatch',
      'plan.columns[0].value.args[1]',
    ],
    [
      'too few arguments',
      from('click').project({ a: call('replace', 'k') }),
      'wrong-arity',
      'plan.columns[0].value',
    ],
    [
      'case without an otherwise',
      from('click').project({ a: call('case', call('is_null', 'k'), 'v', call('is_null', 'k'), 'v') }),
      'wrong-arity',
      'plan.columns[0].value',
    ],
    [
      'a literal out of range',
      from('click').filter(call('eq', 'v', bigint(2n ** 63n))),
      'bad-literal',
      'plan.where.args[1]',
    ],
    [
      'a literal of another type',
      from('click').filter(call('eq', 'v', { lit: 'x', type: 'BIGINT' })),
      'bad-literal',
      'plan.where.args[1]',
    ],
    ['a column named twice', from('click').aggregate(['k'], { k: count() }), 'duplicate-column', 'plan'],
    ['a window in a window', windowed.window(tumble(10)), 'partial-window', 'plan'],
    [
      'a group by half a window',
      windowed.aggregate(['window_start'], { n: count() }),
      'partial-window',
      'plan.keys',
    ],
    ['a projection that loses the window', windowed.select('k'), 'partial-window', 'plan'],
    [
      'a step that does not divide the size',
      from('click').window(cumulate(3, 10)),
      'bad-parameter',
      'plan.window.stepMs',
    ],
    [
      'a session key that is not there',
      from('click').window(session(10, ['w'])),
      'unknown-column',
      'plan.window.keys[0]',
    ],
    [
      'a window over rows without event time',
      from('click').select('k').window(tumble(10)),
      'no-event-time',
      'plan',
    ],
    [
      'a window over updates',
      from('click').aggregate(['k', 'at'], { n: count() }).window(tumble(10)),
      'no-event-time',
      'plan',
    ],
    [
      'both sides of a join with one name',
      from('click').join(from('click'), { k: 'k' }),
      'duplicate-column',
      'plan',
    ],
    [
      'a join of two types',
      counts.select('k').join(from('click').project({ w: 'v' }), { k: 'w' }),
      'type-mismatch',
      'plan.equal[0]',
    ],
    [
      'a sum of an INT, a STRING',
      from('click').aggregate([], { s: sum('k') }),
      'type-mismatch',
      'plan.aggregates[0]',
    ],
    [
      'a sum of doubles that are not whole',
      from('click')
        .project({ d: call('multiply', double(0.5), call('to_double', 'v')) })
        .aggregate([], { s: sum('d') }),
      'order-dependent-result',
      'plan.aggregates[0]',
    ],
    [
      'an average of quotients',
      from('click')
        .project({ d: call('divide', double(1), call('to_double', 'v')) })
        .aggregate([], { a: avg('d') }),
      'order-dependent-result',
      'plan.aggregates[0]',
    ],
    ['an aggregate of nothing', from('click').aggregate([], {}), 'bad-parameter', 'plan'],
  ])('%s', (_, query, code, path) => {
    expect(refusal(query)).toEqual({ code, path });
  });
});

describe('an order that is not total is refused (semantics §3, Totality)', () => {
  const latest = (...order: Parameters<PlanBuilder['top']>[2][]) => from('click').top(1, ['k'], ...order);

  test('ties without a winner, naming what would break them', () => {
    const query = latest(desc('at'));
    expect(refusal(query)).toEqual({ code: 'order-not-total', path: 'plan.orderBy' });
    expect(() => checkPlan(query.plan, [clickStream])).toThrow('add seq');
    expect(() => checkPlan(latest(desc('at'), desc('seq')).plan, [clickStream])).not.toThrow();
  });

  test('nulls without a place', () => {
    expect(refusal(latest(desc('v'), desc('seq')))).toEqual({
      code: 'order-not-total',
      path: 'plan.orderBy[0]',
    });
    expect(() => checkPlan(latest(desc('v', 'last'), desc('seq')).plan, [clickStream])).not.toThrow();
  });

  test.each<[string, PlanBuilder, boolean]>([
    ['group keys are unique', counts.top(1, ['window_start', 'window_end'], asc('k', 'last')), true],
    ['part of the group keys is not', counts.top(1, ['window_start'], asc('n')), false],
    ['a filter keeps uniqueness', from('click').filter(call('is_null', 'v')).top(1, ['k'], asc('seq')), true],
    [
      'so does a renaming',
      from('click').project({ k: 'k', number: 'seq' }).top(1, ['k'], asc('number')),
      true,
    ],
    [
      'a computed column does not',
      from('click')
        .project({ k: 'k', seq: call('add', 'seq', bigint(1)) })
        .top(1, ['k'], asc('seq')),
      false,
    ],
    [
      'a row repeated by a hop is told apart by its window only',
      from('click').window(hop(10, 5)).perWindow(['seq'], { n: count() }).top(1, [], asc('seq')),
      false,
    ],
    [
      'a join with a unique key keeps the left one',
      from('click')
        .project({ k: 'k', id: 'seq', ref: 'v' })
        .join(from('click').select('seq'), { ref: 'seq' })
        .top(1, [], asc('id')),
      true,
    ],
    [
      'a join with many matches does not',
      from('click')
        .project({ id: 'seq', ref: 'k' })
        .join(from('click').select('k', 'seq'), { ref: 'k' })
        .top(1, [], asc('id')),
      false,
    ],
  ])('%s', (_, query, total) => {
    if (total) expect(() => checkPlan(query.plan, [clickStream])).not.toThrow();
    else expect(refusal(query).code).toBe('order-not-total');
  });
});

describe('relations', () => {
  test('know types, nullability and whether rows are updated', () => {
    const { output } = checkPlan(counts.filter(call('eq', 'k', text('a'))).plan, [clickStream]);
    expect(output.columns.map(({ name, type, nullable }) => [name, type, nullable])).toEqual([
      ['window_start', 'TIMESTAMP(3)', false],
      ['window_end', 'TIMESTAMP(3)', false],
      ['k', 'STRING', true],
      ['n', 'BIGINT', false],
    ]);
    expect(output.updating).toBe(false);
    expect(output.eventTime).toEqual({ column: 'window_end', shiftMs: -1 });
    expect(
      checkPlan(counts.top(1, ['window_start'], asc('window_end'), asc('k', 'last')).plan, [clickStream])
        .output.updating,
    ).toBe(true);
  });
});

describe('JSON form', () => {
  test('round trip', () => {
    const { plan } = counts.join(
      from('click').project({ key: 'k', id: 'seq' }),
      { k: 'key' },
      call('gt', 'n', bigint(2n ** 60n)),
    );
    expect(planSchema.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  });

  test.each([
    [
      'an untyped literal',
      { op: 'filter', input: { op: 'scan', stream: 'click' }, where: { lit: 3 } },
      'where',
    ],
    ['an unknown operator', { op: 'sort', input: { op: 'scan', stream: 'click' } }, 'op'],
    [
      'a window of no size',
      { op: 'window', input: { op: 'scan', stream: 'click' }, window: { kind: 'tumble', sizeMs: 0 } },
      'window',
    ],
    ['a surplus field', { op: 'scan', stream: 'click', limit: 3 }, ''],
  ])('refuses %s', (_, json, field) => {
    const result = planSchema.safeParse(json);
    expect(result.success).toBe(false);
    expect(result.error!.issues[0]!.path.join('.')).toContain(field);
  });
});
