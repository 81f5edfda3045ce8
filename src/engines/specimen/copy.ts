/** A copy of plain data that shares nothing with it: objects, lists and maps of values. */
export function copyOf<T>(data: T): T {
  return copied(data) as T;
}

// Written out because checkpoints are many and small: `structuredClone` takes several times as long.
function copied(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data;
  if (Array.isArray(data)) return data.map(copied);
  if (data instanceof Map) {
    const copy = new Map<unknown, unknown>();
    for (const [key, value] of data) copy.set(key, copied(value));
    return copy;
  }
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(data)) copy[name] = copied((data as Record<string, unknown>)[name]);
  return copy;
}
