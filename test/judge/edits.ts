import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import {
  appendOutput,
  type Draw,
  drawFrom,
  type Field,
  type Format,
  type Line,
  materialisedOutput,
  textOf,
} from './outputs.ts';

/** An output and an edited copy of it. */
export interface EditedOutput {
  readonly class: 'append' | 'materialised';
  readonly format: Format;
  /** Whether `d` has a tolerance of 1e-6. */
  readonly tolerant: boolean;
  readonly edit: EditKind;
  readonly original: string;
  readonly edited: Uint8Array;
}

/** Changes one thing in an output. Returns its lines, or its bytes where no lines can say it. */
type Edit = (lines: readonly Line[], draw: Draw, format: Format) => readonly Line[] | Uint8Array;

/** Edits the fields of one line that has some. */
function ofFields(change: (fields: readonly Field[], draw: Draw) => readonly Field[]): Edit {
  return (lines, draw) => {
    const at = drawFrom(withFields(lines), draw);
    return lines.with(at, { ...lines[at]!, fields: change(lines[at]!.fields!, draw) });
  };
}

function withFields(lines: readonly Line[]): number[] {
  return [...lines.keys()].filter((at) => lines[at]!.fields !== null);
}

/** Edits the bytes of one line. */
function ofBytes(change: (line: Uint8Array, draw: Draw) => Uint8Array): Edit {
  return (lines, draw, format) => {
    const at = draw(lines.length);
    const bytes = lines.map((line, index) => {
      const text = Buffer.from(textOf(format, line));
      return Buffer.concat([index === at ? change(text, draw) : text, Buffer.from('\n')]);
    });
    return Buffer.concat(bytes);
  };
}

const INVALID_UTF8 = [
  [0xff],
  [0x80],
  [0xc0, 0xaf],
  [0xe0, 0x80, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
];

const edits = {
  'row dropped': (lines, draw) => lines.toSpliced(draw(lines.length), 1),
  'row doubled': (lines, draw) => {
    const at = draw(lines.length);
    return lines.toSpliced(at, 0, lines[at]!);
  },
  'digit changed': ofFields((fields, draw) => {
    const numbers = [...fields.keys()].filter((at) => /^-?\d/.test(fields[at]![1]));
    const at = drawFrom(numbers, draw);
    const [name, json] = fields[at]!;
    const digits = [...json.matchAll(/\d/g)].map((match) => match.index);
    const digit = drawFrom(digits, draw);
    const other = (Number(json[digit]) + 1 + draw(9)) % 10;
    return fields.with(at, [name, json.slice(0, digit) + other + json.slice(digit + 1)]);
  }),
  'values swapped': (lines, draw) => {
    const candidates = withFields(lines);
    const [a, b] = [drawFrom(candidates, draw), drawFrom(candidates, draw)];
    const column = draw(4);
    const swapped = (to: number, from: number) => ({
      ...lines[to]!,
      fields: lines[to]!.fields!.with(column, lines[from]!.fields![column]!),
    });
    return lines.with(a, swapped(a, b)).with(b, swapped(b, a));
  },
  'extra field': ofFields((fields, draw) => fields.toSpliced(draw(5), 0, ['x', '1'])),
  'missing field': ofFields((fields, draw) => fields.toSpliced(draw(4), 1)),
  'repeated field': ofFields((fields, draw) => [...fields, fields[draw(4)]!]),
  'line truncated': ofBytes((line, draw) => line.subarray(0, draw(line.length))),
  'invalid UTF-8': ofBytes((line, draw) => {
    // Never between the bytes of a character that is already there.
    const places = [...line.keys()].filter((at) => (line[at]! & 0xc0) !== 0x80);
    const at = drawFrom(places, draw);
    return Buffer.concat([
      line.subarray(0, at),
      Uint8Array.from(drawFrom(INVALID_UTF8, draw)),
      line.subarray(at),
    ]);
  }),
  'tombstone removed': (lines, draw) => {
    const tombstones = [...lines.keys()].filter((at) => lines[at]!.op === '-D');
    return tombstones.length === 0 ? lines : lines.toSpliced(drawFrom(tombstones, draw), 1);
  },
  'rows reordered': (lines, draw) => {
    const [a, b] = [draw(lines.length), draw(lines.length)];
    return lines.with(a, lines[b]!).with(b, lines[a]!);
  },
  'fields reordered': ofFields((fields, draw) => {
    const cut = 1 + draw(3);
    return [...fields.slice(cut), ...fields.slice(0, cut)];
  }),
  'fraction added': ofFields((fields, draw) => {
    const whole = [...fields.keys()].filter((at) => /^-?\d+$/.test(fields[at]![1]) && fields[at]![0] !== 't');
    const at = drawFrom(whole, draw);
    return fields.with(at, [fields[at]![0], `${fields[at]![1]}.0`]);
  }),
  'upsert repeated': (lines, draw) => [...lines, drawFrom(lines, draw)],
  emptied: () => [],
} satisfies Record<string, Edit>;

export type EditKind = keyof typeof edits;

export const editKinds = Object.keys(edits) as EditKind[];

function editedOutput(edit: EditKind, draw: Draw): EditedOutput {
  const isTombstone = edit === 'tombstone removed';
  const kind = isTombstone || draw(2) === 0 ? 'materialised' : 'append';
  const format = drawFrom<Format>(
    isTombstone ? ['changelog', 'records'] : ['rows', 'changelog', 'records'],
    draw,
  );
  const lines = kind === 'append' ? appendOutput(draw) : materialisedOutput(format, draw);
  const tolerant = draw(2) === 0;
  const write = (list: readonly Line[]) => list.map((line) => `${textOf(format, line)}\n`).join('');
  const edited = edits[edit](lines, draw, format);
  return {
    class: kind,
    format,
    tolerant,
    edit,
    original: write(lines),
    edited: edited instanceof Uint8Array ? edited : Buffer.from(write(edited)),
  };
}

/** An output with one random edit. */
export const editedOutputs: fc.Arbitrary<EditedOutput> = fc
  .tuple(fc.constantFrom(...editKinds), fc.array(fc.nat(), { minLength: 100, maxLength: 100, size: 'max' }))
  .map(([edit, numbers]) => {
    let at = 0;
    return editedOutput(edit, (bound) => numbers[at++ % numbers.length]! % bound);
  });
