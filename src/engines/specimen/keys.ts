import type { Row, Value } from '../../model/value.ts';
import type { Faults } from './faults.ts';

/** What stands for the values of some columns as the key of a map: equal exactly when the values are. NULL is one value. */
export type Key = Value;

/** Reads the key of a row from these positions. */
export function keyReader(positions: readonly number[], faults: Faults): (row: Row) => Key {
  const part = keyPart(faults);
  if (positions.length === 1) {
    const only = positions[0]!;
    return part === undefined ? (row) => row[only]! : (row) => part(row[only]!);
  }
  return (row) => {
    let key = '';
    for (const position of positions) {
      const value = part === undefined ? row[position]! : part(row[position]!);
      // The length tells where a string ends, so that no two lists of values read alike.
      key += typeof value === 'string' ? `"${value.length}:${value}` : `${value},`;
    }
    return key;
  };
}

/** Values of one column as keys of their own. */
export function valueKey(faults: Faults): (value: Value) => Key {
  return keyPart(faults) ?? ((value) => value);
}

function keyPart(faults: Faults): ((value: Value) => Value) | undefined {
  if (faults.has('keys-collide')) {
    return (value) =>
      typeof value === 'bigint' || Number.isInteger(value)
        ? Number(BigInt.asIntN(32, BigInt(value as number | bigint)))
        : value;
  }
  if (faults.has('keys-composed')) {
    return (value) => (typeof value === 'string' ? value.normalize('NFC') : value);
  }
  return undefined;
}

/** A whole number from 0 for each key, the same on every run and machine. */
export function hashOf(key: Key): number {
  const text = String(key);
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 15)) >>> 0;
}
