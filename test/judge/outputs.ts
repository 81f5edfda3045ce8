import { Buffer } from 'node:buffer';
import type { Capture } from '../../src/model/outcome.ts';
import type { Column } from '../../src/model/schema.ts';

/** Columns of the outputs below: a key, and one of each kind that digits, text or a tolerance can touch. */
export const outputColumns: readonly Column[] = [
  { name: 'k', type: 'BIGINT', nullable: false },
  { name: 'd', type: 'DOUBLE', nullable: true },
  { name: 's', type: 'STRING', nullable: true },
  { name: 't', type: 'TIMESTAMP(3)', nullable: true },
];

/** Random outputs are written in these; `retract` has its own cases. */
export type Format = Exclude<Capture['format'], 'retract'>;

/** A field's name and the JSON text of its value. */
export type Field = readonly [name: string, json: string];

/** A line before it is written out; `fields` is null for a tombstone. */
export interface Line {
  readonly op: string;
  readonly brokerKey: string;
  readonly fields: readonly Field[] | null;
}

/** Draws a number from 0 to `bound` - 1. */
export type Draw = (bound: number) => number;

/** One of a list. */
export function drawFrom<T>(list: readonly T[], draw: Draw): T {
  return list[draw(list.length)]!;
}

const KEYS = ['1', '2', '3', '40', '9007199254740993', '-9007199254740992', '9223372036854775807'];
const DOUBLES = ['null', '3', '-7', '0', '2.5', '0.1', '1234.5678901234567', '-99.000000123', '100000'];
const STRINGS = ['null', '""', '"a"', '"é"', '"\\u00e9"', '"\\"\\\\"', '"\u{1f30a}"', '"null"', '"1"'];
const TIMES = ['null', '0', '1700000000000', '1700000000001', '-1'];

function fieldsOf(key: string, draw: Draw): readonly Field[] {
  return [
    ['k', key],
    ['d', drawFrom(DOUBLES, draw)],
    ['s', drawFrom(STRINGS, draw)],
    ['t', drawFrom(TIMES, draw)],
  ];
}

/** An append output, some of its rows equal. */
export function appendOutput(draw: Draw): Line[] {
  const lines: Line[] = [];
  for (let size = 1 + draw(6); size > 0; size--) {
    const isAgain = lines.length > 0 && draw(4) === 0;
    const fields = isAgain ? drawFrom(lines, draw).fields : fieldsOf(drawFrom(KEYS, draw), draw);
    lines.push({ op: '+I', brokerKey: `b${lines.length}`, fields });
  }
  return lines;
}

/** A history of a few keys. The last line writes a key of its own, so that the final state is not empty. */
export function materialisedOutput(format: Format, draw: Draw): Line[] {
  const lines: Line[] = [];
  const live = new Map<string, readonly Field[]>();
  for (let size = draw(8); size > 0; size--) {
    const key = drawFrom(KEYS.slice(0, 4), draw);
    const brokerKey = `key ${key}`;
    const old = live.get(key);
    if (format !== 'rows' && draw(3) === 0) {
      lines.push({ op: '-D', brokerKey, fields: format === 'records' ? null : (old ?? fieldsOf(key, draw)) });
      live.delete(key);
      continue;
    }
    if (format === 'changelog' && old !== undefined) lines.push({ op: '-U', brokerKey, fields: old });
    const fields = fieldsOf(key, draw);
    lines.push({ op: old === undefined ? '+I' : '+U', brokerKey, fields });
    live.set(key, fields);
  }
  return [...lines, { op: '+I', brokerKey: 'key 99', fields: fieldsOf('99', draw) }];
}

/** The text of a line, without its newline. */
export function textOf(format: Format, { op, brokerKey, fields }: Line): string {
  const row = fields === null ? null : `{${fields.map(([name, json]) => `"${name}":${json}`).join(',')}}`;
  const base64 = (text: string | null) =>
    text === null ? null : `"${Buffer.from(text).toString('base64')}"`;
  switch (format) {
    case 'rows':
      return String(row);
    case 'changelog':
      return `{"op":"${op}","row":${row}}`;
    case 'records':
      return `{"partition":0,"offset":0,"key":${base64(brokerKey)},"value":${base64(row)}}`;
  }
}
