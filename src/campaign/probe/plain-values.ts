import { bigint, call, from } from '../../model/build.ts';
import type { Expression } from '../../model/expression.ts';
import { measured, NotMeasured, type Probe } from './probe.ts';
import { endOf } from './stops.ts';
import { type TinyCase, ticks } from './tiny-case.ts';

/** Two code points, three UTF-16 units, six bytes of UTF-8. */
const TEXT = 'é😀';

const quotients = new Map<unknown, string>([
  [-3, 'truncates'],
  [-4, 'floors'],
]);

const lengths = new Map<unknown, string>([
  [2, 'code-point'],
  [3, 'utf-16'],
  [6, 'byte'],
]);

export const integerDivision = valueProbe('integerDivision', {
  value: call('divide', 'v', bigint(2)),
  habits: quotients,
  how: 'the quotient of -7 and 2',
});

export const stringUnit = valueProbe('stringUnit', {
  value: call('char_length', 'k'),
  habits: lengths,
  how: `the length of ${TEXT}`,
});

interface Telling {
  /** Computed of the one row. */
  readonly value: Expression;
  /** What each result gives away. */
  readonly habits: ReadonlyMap<unknown, string>;
  readonly how: string;
}

function valueProbe(name: 'integerDivision' | 'stringUnit', { value, habits, how }: Telling): Probe {
  const tiny: TinyCase = {
    name: name.toLowerCase(),
    plan: from('tick').project({ value }),
    dataset: ticks(0, [[TEXT, 1, -7]]),
    parallelism: 1,
  };
  return {
    trait: `values.${name}`,
    declared: ({ values }) => values[name],
    async measure(bench) {
      const [row] = await bench.rows(tiny, await endOf(bench));
      const habit = habits.get(row?.[0]);
      if (habit === undefined) throw new NotMeasured(`${how} is none that is known of`);
      return measured(habit, how);
    },
  };
}
