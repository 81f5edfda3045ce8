import { bigint, call, double, from, type Operand, text } from '../../../src/model/build.ts';
import { conditions, sharedConditions } from './conditions.ts';
import { family } from './family.ts';

const whole: readonly Operand[] = [
  'amount',
  call('modulo', 'amount', bigint(3)),
  call('modulo', 'amount', bigint(-3)),
  call('divide', 'amount', bigint(2)),
  call('divide', 'amount', bigint(-4)),
  call('add', 'amount', call('to_bigint', 'grade')),
  call('subtract', 'amount', 'device'),
  call('multiply', 'amount', bigint(-3)),
  call('coalesce', 'amount', 'device', bigint(-1)),
  call('char_length', 'note'),
  call('position', text('r'), 'note'),
  call('hour', 'datetime'),
  call('to_bigint', 'datetime'),
  call('case', call('lt', 'amount', bigint(0)), call('subtract', bigint(0), 'amount'), 'amount'),
  call('modulo', call('to_bigint', 'datetime'), bigint(7)),
];

const textual: readonly Operand[] = [
  'note',
  call('lower', 'note'),
  call('upper', 'zone'),
  call('concat', 'zone', 'note'),
  call('replace', 'note', text('a'), text('bb')),
  call('split_index', 'note', text('-'), bigint(1)),
  call('to_string', 'amount'),
  call('coalesce', 'zone', 'note'),
  call('case', call('is_null', 'note'), text(''), call('eq', 'zone', 'note'), text('same'), 'note'),
];

const real: readonly Operand[] = [
  'level',
  call('multiply', 'level', double(0.5)),
  call('add', call('to_double', 'amount'), 'level'),
  call('divide', 'level', double(-4)),
  call('subtract', call('to_double', 'grade'), double(0.1)),
];

const small: readonly Operand[] = [
  'grade',
  call('modulo', 'grade', { lit: -2, type: 'INT' }),
  call('divide', 'grade', { lit: 3, type: 'INT' }),
];

/** A row for a row: every scalar function, over every type. */
export const expressions = family(
  'expressions',
  { whole, textual, real, small, condition: conditions },
  (p) => ({
    title: 'Readings with computed columns',
    plan: from('reading').project({
      device: 'device',
      whole: p.whole,
      textual: p.textual,
      real: p.real,
      small: p.small,
      holds: p.condition,
      datetime: 'datetime',
      seq: 'seq',
    }),
  }),
);

/** Every function that looks into a text, side by side: one text tells of them all. */
export const textFunctions = family(
  'text-functions',
  { of: ['note', 'zone'], needle: ['r', 'a', '-'] },
  (p) => ({
    title: 'What functions make of a text',
    plan: from('reading').project({
      length: call('char_length', p.of),
      place: call('position', text(p.needle), p.of),
      lowered: call('lower', p.of),
      raised: call('upper', p.of),
      replaced: call('replace', p.of, text(p.needle), text('bb')),
      part: call('split_index', p.of, text(p.needle), bigint(1)),
      joined: call('concat', p.of, 'note'),
      datetime: 'datetime',
      seq: 'seq',
    }),
  }),
);

/** Filters in three-valued logic, also of conditions computed before, and one after the other. */
export const filters = family(
  'filters',
  { where: conditions, negated: [false, true], also: [undefined, ...conditions] },
  ({ where, negated, also }) => {
    const first = from('reading').filter(negated ? call('not', where) : where);
    return {
      title: 'Readings that satisfy conditions',
      plan: (also === undefined ? first : first.filter(also)).select(
        'device',
        'zone',
        'amount',
        'datetime',
        'seq',
      ),
    };
  },
);

/** Rows that may repeat: their number is the answer. */
export const repeatable = family(
  'repeatable',
  { where: [undefined, ...sharedConditions], whole: [0, 1] },
  (p) => {
    const rows = p.where === undefined ? from('signal') : from('signal').filter(p.where);
    return {
      title: 'Signals, each as often as it came',
      plan:
        p.whole === 0
          ? rows.select('device', 'zone', 'amount', 'note', 'datetime')
          : rows.select('zone', 'amount'),
    };
  },
);
