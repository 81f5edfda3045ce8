/** A STRING value beside the bytes of its JSON form, so that a value drawn from a table is encoded only once. */
export interface Text {
  readonly value: string | null;
  readonly json: Uint8Array;
}

/** The text of a value. */
export function textOf(value: string | null): Text {
  return { value, json: encodeUtf8(JSON.stringify(value)) };
}

const encoder = new TextEncoder();

/** UTF-8 as a plain array: one shape of array in all the copying loops keeps them fast, a Buffer would be another. */
export function encodeUtf8(text: string): Uint8Array {
  return new Uint8Array(encoder.encode(text));
}
