/**
 * A least part of `items` with which the failure still shows, by delta debugging (ddmin): no single item of it can be
 * left out. Asks at most `budget` times, and then gives the least found so far. `items` themselves are taken to fail.
 */
export async function minimise<T>(
  items: readonly T[],
  stillFails: (items: readonly T[]) => Promise<boolean>,
  budget: number,
): Promise<{ readonly items: readonly T[]; readonly asked: number }> {
  let least = items;
  let parts = 2;
  let asked = 0;
  const fails = async (candidate: readonly T[]) => {
    asked += 1;
    return stillFails(candidate);
  };
  while (least.length > 1 && asked < budget) {
    const size = Math.ceil(least.length / parts);
    let smaller: readonly T[] | undefined;
    for (let start = 0; start < least.length && asked < budget; start += size) {
      const rest = [...least.slice(0, start), ...least.slice(start + size)];
      if (await fails(rest)) {
        smaller = rest;
        break;
      }
    }
    if (smaller !== undefined) {
      least = smaller;
      parts = Math.max(2, parts - 1);
    } else if (size === 1) break;
    else parts = Math.min(least.length, 2 * parts);
  }
  return { items: least, asked };
}
