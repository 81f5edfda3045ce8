import type { Declaration } from '../../src/model/declaration.ts';

/** An append declaration with these keys; tolerance columns get 1e-6. */
export function append(keys: readonly string[], tolerance: readonly string[] = []): Declaration {
  return declared('append', keys, tolerance);
}

/** A materialised declaration with these keys; tolerance columns get 1e-6. */
export function materialised(keys: readonly string[], tolerance: readonly string[] = []): Declaration {
  return declared('materialised', keys, tolerance);
}

function declared(
  kind: Declaration['class'],
  keys: readonly string[],
  columns: readonly string[],
): Declaration {
  return {
    class: kind,
    reason: 'test',
    keys,
    fire: 'unknown',
    ...(columns.length > 0 && { tolerance: { columns, relative: 1e-6, reason: 'test' } }),
  };
}
