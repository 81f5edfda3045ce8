import type { Case } from '../../src/model/case.ts';
import { expressionsOf, operatorsOf, partsOf } from '../../src/model/plan/rewrite.ts';
import type { Column } from '../../src/model/schema.ts';
import type { Row } from '../../src/model/value.ts';
import { type Relation, relationProperty } from './relation.ts';
import { onceForQuery, uninterrupted } from './settings.ts';

/** Functions whose result changes otherwise than their time does. */
const OF_ABSOLUTE_TIME = new Set(['hour', 'to_bigint']);

/** Windows of some days' period would carry times out of what dates can be. */
const GREATEST_PERIOD_MS = 366 * 86_400_000;

const relation: Relation = {
  name: 'time-shift-shifts-results',
  statement: 'rows that are shifted by whole periods give the same results, shifted',
  coverage: ['before-the-epoch'],
  relate(testCase, traits) {
    const whole = uninterrupted(testCase, traits);
    const periodMs = periodOf(testCase.query, testCase.dataset);
    if (whole === undefined || periodMs === undefined) return undefined;
    const shiftMs = shiftOf(testCase, periodMs);
    const shifted = shiftedBy(whole, shiftMs);
    return {
      cases: [whole, shifted],
      claims: ([rows, actual]) => [
        {
          query: whole.query,
          expected: rows!.map((row) => shiftRow(row, whole.query.columns, shiftMs)),
          actual: actual!,
        },
      ],
    };
  },
};

/** The time after which all windows of a plan begin anew; undefined where it depends on more of a time than that. */
const periodOf = onceForQuery(({ plan }): number | undefined => {
  let periodMs = 1;
  for (const node of operatorsOf(plan)) {
    for (const part of expressionsOf(node).flatMap(partsOf)) {
      if ('fn' in part && OF_ABSOLUTE_TIME.has(part.fn)) return undefined;
      if ('lit' in part && part.type === 'TIMESTAMP(3)') return undefined;
    }
    if (node.op !== 'window' || node.window.kind === 'session') continue;
    const { window } = node;
    const ownMs = window.kind === 'hop' ? window.slideMs : window.sizeMs;
    periodMs = (periodMs / greatestDivisor(periodMs, ownMs)) * ownMs;
  }
  return periodMs <= GREATEST_PERIOD_MS ? periodMs : undefined;
});

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** To the other side of the epoch: data after it come to lie across, all others after it. */
function shiftOf({ dataset }: Case, periodMs: number): number {
  const { schema, partitions } = dataset.streams[0]!;
  const time = schema.columns.findIndex(({ name }) => name === schema.eventTime);
  const times = partitions.flatMap((events) => events.map(({ row }) => row[time] as number));
  const middle = times.length === 0 ? 0 : (Math.min(...times) + Math.max(...times)) / 2;
  const periods = Math.round(middle / periodMs);
  return (periods > 0 ? -periods : 1_000 - periods) * periodMs;
}

function shiftedBy(testCase: Case, shiftMs: number): Case {
  const { dataset } = testCase;
  const streams = dataset.streams.map(({ schema, partitions }) => ({
    schema,
    partitions: partitions.map((events) =>
      events.map(({ arrival, row }) => ({ arrival, row: shiftRow(row, schema.columns, shiftMs) })),
    ),
  }));
  return { ...testCase, dataset: { ...dataset, streams } };
}

function shiftRow(row: Row, columns: readonly Column[], shiftMs: number): Row {
  return row.map((value, index) =>
    columns[index]!.type === 'TIMESTAMP(3)' && typeof value === 'number' ? value + shiftMs : value,
  );
}

export const timeShiftShiftsResults = relationProperty(relation);
