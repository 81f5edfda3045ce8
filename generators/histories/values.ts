import type { ColumnType, PgText, TableColumn } from '../../src/model/history/index.ts';
import { longHex, longText } from './incompressible.ts';

/**
 * Values of each type, as PostgreSQL writes them: everyday ones first, then what breaks decoders. All are short, so that
 * a row without TOAST columns stays in line.
 */
const VALUES: Readonly<
  Record<ColumnType, { readonly plain: readonly string[]; readonly odd: readonly string[] }>
> = {
  int2: { plain: ['0', '1', '7'], odd: ['-32768', '32767'] },
  int4: { plain: ['0', '1', '42'], odd: ['-2147483648', '2147483647'] },
  int8: {
    plain: ['0', '1', '1000000'],
    odd: ['-9223372036854775808', '9223372036854775807', '9007199254740993', '-9007199254740993'],
  },
  numeric: {
    plain: ['0', '1.50', '12.25'],
    odd: [
      'NaN',
      'Infinity',
      '-Infinity',
      '1.500',
      '-0.000000000000000000000000000001',
      '123456789012345678901234567890.123456789',
      '0.00',
      `1${'0'.repeat(60)}`,
    ],
  },
  float8: {
    plain: ['0', '1.5', '-2.25'],
    odd: [
      'NaN',
      'Infinity',
      '-Infinity',
      '-0',
      '5e-324',
      '1.7976931348623157e+308',
      '0.1',
      '0.30000000000000004',
      '1e+15',
      '123456789012345.6',
    ],
  },
  text: {
    plain: ['a', 'b', 'clock'],
    odd: [
      '',
      ' ',
      'NULL',
      '\\N',
      'two\nlines',
      'it\'s "so"\\',
      '\t',
      '🚀e\u0301\ue010',
      '\u0001',
      '{a,b}',
      '$1',
      '--',
      '\ufeff',
    ],
  },
  bool: { plain: ['t', 'f'], odd: [] },
  timestamp: {
    plain: ['2024-01-01 00:00:00', '2024-01-01 12:30:00.5'],
    odd: [
      'infinity',
      '-infinity',
      '2024-02-29 23:59:59.999999',
      '4714-11-24 00:00:00 BC',
      '294276-12-31 23:59:59.999999',
      '1969-12-31 23:59:59.999999',
      '0001-01-01 00:00:00',
    ],
  },
  timestamptz: {
    plain: ['2024-01-01 00:00:00+00', '2024-01-01 12:30:00.5+00'],
    odd: [
      'infinity',
      '-infinity',
      '2024-03-31 01:59:59.000001+00',
      '4714-11-24 00:00:00+00 BC',
      '294276-12-31 23:59:59.999999+00',
    ],
  },
  date: {
    plain: ['2024-01-01', '2024-02-29'],
    odd: ['infinity', '-infinity', '4714-11-24 BC', '5874897-12-31', '0001-01-01 BC', '0001-01-01'],
  },
  uuid: {
    plain: ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'],
    odd: ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  },
  bytea: { plain: ['\\x00', '\\x0102'], odd: ['\\x', '\\xff', '\\x5c786465', '\\xc328', '\\x00ff00'] },
  'int4[]': {
    plain: ['{1}', '{1,2,3}'],
    odd: ['{}', '{NULL}', '{-2147483648,NULL,2147483647}', '{{1,2},{3,4}}', '[0:1]={7,8}'],
  },
  'text[]': {
    plain: ['{a}', '{a,b}'],
    odd: [
      '{}',
      '{""}',
      '{NULL,"NULL"}',
      '{"a,b","{c}","\\"q\\"","back\\\\slash"}',
      '{{a},{b}}',
      '{"two\nlines"," "}',
    ],
  },
  jsonb: {
    plain: ['{"a": 1}', '[1, 2]'],
    odd: [
      'null',
      '{}',
      '""',
      '12345678901234567890.10',
      '{"": null, "b": [true, false], "aa": {"c": "é\\n"}}',
      '"\\u0001\\""',
      '1.0',
      `1${'0'.repeat(40)}`,
    ],
  },
};

/** How often columns hold what is not everyday. */
export interface ValueShares {
  /** Of a hundred values of nullable columns, how many are null. */
  readonly nulls: number;
  /** Of a hundred values, how many are odd. */
  readonly odd: number;
  /** Of a hundred values of TOAST columns, how many are long. */
  readonly long: number;
}

/** The value of a column that a draw stands for, 0 for the first of everyday. */
export function columnValue(column: TableColumn, draw: number, shares: ValueShares): PgText {
  const percent = draw % 100;
  const rest = Math.floor(draw / 100);
  if (column.toast && percent >= 100 - shares.long) return longValue(column.type, rest);
  if (column.nullable && percent >= 100 - shares.long - shares.nulls) return null;
  const { plain, odd } = VALUES[column.type];
  const isOdd = odd.length > 0 && Math.floor(rest / 100) % 100 >= 100 - shares.odd;
  const values = isOdd ? odd : plain;
  return values[rest % values.length]!;
}

function longValue(type: ColumnType, seed: number): string {
  switch (type) {
    case 'bytea':
      return longHex(seed);
    case 'jsonb':
      return `{"long": "${longText(seed)}"}`;
    default:
      return longText(seed);
  }
}

/** Every value that is drawn but the long ones. */
export function shortValues(type: ColumnType): readonly string[] {
  return [...VALUES[type].plain, ...VALUES[type].odd];
}

/**
 * The value with which a key column of this type tells row `index` from all others. Some rows have odd keys.
 *
 * @throws Error for a type that no key has.
 */
export function keyValue(type: ColumnType, index: number): string {
  const odd = ODD_KEYS[type]?.[index - 3];
  if (odd !== undefined) return odd;
  switch (type) {
    case 'int2':
    case 'int4':
    case 'int8':
      return String(index);
    case 'text':
      return `k${index}`;
    case 'uuid':
      return `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
    default:
      throw new Error(`no keys of type ${type}`);
  }
}

/** Keys of the rows from 3 on, so that the first are plain. */
const ODD_KEYS: Partial<Record<ColumnType, readonly string[]>> = {
  int4: ['-2147483648', '2147483647', '-1'],
  int8: ['9007199254740993', '9007199254740992', '-9223372036854775808'],
  text: ['', ' ', 'K1', '🚀', "o'k"],
  uuid: ['ffffffff-ffff-ffff-ffff-ffffffffffff'],
};
