/** Some equal rows that have no partner yet, by their values in the columns that have a tolerance. */
export interface Unmatched {
  readonly values: readonly (number | null)[];
  count: number;
}

/**
 * True when two values of a tolerance column pass for equal: they differ by at most `relative` times the greater
 * magnitude (semantics §6). NULL, NaN and the infinities equal only themselves; −0.0 equals 0.0.
 */
export function within(a: number | null, b: number | null, relative: number): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (Number.isNaN(a) && Number.isNaN(b)) return true;
  if (!Number.isFinite(a) || !Number.isFinite(b)) return false;
  return Math.abs(a - b) <= relative * Math.max(Math.abs(a), Math.abs(b));
}

/** True when rows pass for equal in all of their tolerance columns. */
export function allWithin(
  a: readonly (number | null)[],
  b: readonly (number | null)[],
  relative: number,
): boolean {
  return a.every((value, index) => within(value, b[index]!, relative));
}

/**
 * Finds partners within tolerance for as many rows as can have one, and takes them off the counts. Being within
 * tolerance is not transitive, so that taking the first partner that fits could leave a row without.
 */
export function matchWithin(left: readonly Unmatched[], right: readonly Unmatched[], relative: number): void {
  const sortedLeft = left.toSorted(byFirstValue);
  const sortedRight = right.toSorted(byFirstValue);
  if ((left[0] ?? right[0])?.values.length === 1) matchInOrder(sortedLeft, sortedRight, relative);
  else matchByFlow(sortedLeft, sortedRight, relative);
}

/** With one column, partners of greater values are greater: the least that fits is never needed later. */
function matchInOrder(left: readonly Unmatched[], right: readonly Unmatched[], relative: number): void {
  let l = 0;
  let r = 0;
  while (l < left.length && r < right.length) {
    const a = left[l]!;
    const b = right[r]!;
    if (within(a.values[0]!, b.values[0]!, relative)) {
      const count = Math.min(a.count, b.count);
      a.count -= count;
      b.count -= count;
      if (a.count === 0) l++;
      if (b.count === 0) r++;
    } else if (byFirstValue(a, b) < 0) {
      l++;
    } else {
      r++;
    }
  }
}

interface Edge {
  readonly left: number;
  readonly right: number;
  flow: number;
}

/** A maximum flow from left to right, one augmenting path after another (Edmonds and Karp). */
function matchByFlow(left: readonly Unmatched[], right: readonly Unmatched[], relative: number): void {
  const fromLeft: Edge[][] = left.map(() => []);
  const fromRight: Edge[][] = right.map(() => []);
  let first = 0;
  for (const [l, a] of left.entries()) {
    const near = (r: number) => within(a.values[0]!, right[r]!.values[0]!, relative);
    while (first < right.length && byFirstValue(right[first]!, a) < 0 && !near(first)) first++;
    for (let r = first; r < right.length && (near(r) || byFirstValue(right[r]!, a) < 0); r++) {
      if (!allWithin(a.values, right[r]!.values, relative)) continue;
      const edge = { left: l, right: r, flow: 0 };
      fromLeft[l]!.push(edge);
      fromRight[r]!.push(edge);
    }
  }
  for (const [l, a] of left.entries()) {
    while (a.count > 0 && augment(l)) {}
  }

  function augment(source: number): boolean {
    // The edge by which each node was first reached, from the source on.
    const toRight = new Map<number, Edge>();
    const toLeft = new Map<number, Edge | undefined>([[source, undefined]]);
    for (const l of toLeft.keys()) {
      for (const edge of fromLeft[l]!) {
        if (toRight.has(edge.right)) continue;
        toRight.set(edge.right, edge);
        if (right[edge.right]!.count > 0) {
          push(edge);
          return true;
        }
        for (const back of fromRight[edge.right]!) {
          if (back.flow > 0 && !toLeft.has(back.left)) toLeft.set(back.left, back);
        }
      }
    }
    return false;

    function push(last: Edge): void {
      const forward = [last];
      const backward: Edge[] = [];
      for (let back = toLeft.get(last.left); back !== undefined; ) {
        backward.push(back);
        const edge = toRight.get(back.right)!;
        forward.push(edge);
        back = toLeft.get(edge.left);
      }
      const count = Math.min(
        left[source]!.count,
        right[last.right]!.count,
        ...backward.map((edge) => edge.flow),
      );
      for (const edge of forward) edge.flow += count;
      for (const edge of backward) edge.flow -= count;
      left[source]!.count -= count;
      right[last.right]!.count -= count;
    }
  }
}

/** NULL, then NaN, then by value. */
function byFirstValue(a: Unmatched, b: Unmatched): number {
  const x = a.values[0]!;
  const y = b.values[0]!;
  return kind(x) - kind(y) || (kind(x) === 2 && x !== y ? (x! < y! ? -1 : 1) : 0);
}

function kind(value: number | null): number {
  return value === null ? 0 : Number.isNaN(value) ? 1 : 2;
}
