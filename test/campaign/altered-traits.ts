import type { Traits } from '../../src/model/traits.ts';

/** A declaration with one trait altered, and the name under which a probe has to tell it. */
export interface Alteration {
  readonly trait: string;
  readonly what: string;
  readonly traits: Traits;
}

/** Every trait altered, one at a time. */
export function alterations(declared: Traits): readonly Alteration[] {
  const { fireEarlyMs, watermarkDelayMs, values } = declared;
  const ahead = 'fireEarlyMs.window − watermarkDelayMs';
  const other = <T>(value: T, one: T, another: T): T => (value === one ? another : one);
  const changes: readonly (readonly [trait: string, change: Partial<Traits>])[] = [
    ['mode', { mode: other(declared.mode, 'batch', 'streaming') }],
    [ahead, { fireEarlyMs: { window: fireEarlyMs.window + 1 } }],
    [ahead, { watermarkDelayMs: watermarkDelayMs + 1 }],
    ['watermarkScope', { watermarkScope: other(declared.watermarkScope, 'reader', 'partition') }],
    ['watermarkEmission', { watermarkEmission: other(declared.watermarkEmission, 'every-row', 'periodic') }],
    ['sessionTouching', { sessionTouching: other(declared.sessionTouching, 'separate', 'merge') }],
    [
      'subtaskWithoutPartition',
      { subtaskWithoutPartition: other(declared.subtaskWithoutPartition, 'ignored', 'holds') },
    ],
    ['stops', { stops: [...declared.stops, 'kill'] }],
    ['stops', { stops: declared.stops.slice(1) }],
    ['transports', { transports: declared.transports.includes('kafka') ? ['files'] : ['kafka'] }],
    ['transports', { transports: ['files', 'kafka'] }],
    ...(
      [
        { integerDivision: other(values.integerDivision, 'floors', 'truncates') },
        { divisionByZero: other(values.divisionByZero, 'fails', 'null') },
        { integerOverflow: other(values.integerOverflow, 'wraps', 'null') },
        { sumOverflow: other(values.sumOverflow, 'wraps', 'null') },
        { nullOrder: other(values.nullOrder, 'as-asked', 'least') },
        { stringUnit: other(values.stringUnit, 'byte', 'code-point') },
      ] satisfies Partial<Traits['values']>[]
    ).map((change) => [`values.${Object.keys(change)[0]}`, { values: { ...values, ...change } }] as const),
  ];
  return changes.map(([trait, change]) => ({
    trait,
    what: JSON.stringify(change.values === undefined ? change : changed(values, change.values)),
    traits: { ...declared, ...change },
  }));
}

const changed = (values: Traits['values'], others: Traits['values']) =>
  Object.fromEntries(Object.entries(others).filter(([name, value]) => Reflect.get(values, name) !== value));
