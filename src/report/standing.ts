import type { QueryResult, ShortVerdict } from '../campaign/summary.ts';

/** The oracle, as a side beside the engines. No engine has a name with a space in it. */
export const TRUTH = 'the truth';

/**
 * How the sides of a query, the truth among them, stand to each other:
 *
 * - `together`: all agree.
 * - `alone`: one side disagrees with all others, and they agree among themselves.
 * - `apart`: anything else; `groups` are those that agree.
 * - `too-few`: fewer than three sides were judged, so that a majority means nothing.
 */
export type Standing =
  | { readonly kind: 'together'; readonly sides: readonly string[] }
  | { readonly kind: 'alone'; readonly side: string; readonly others: readonly string[] }
  | { readonly kind: 'apart'; readonly groups: readonly (readonly string[])[] }
  | { readonly kind: 'too-few' };

/** Who stands alone: a majority proves nothing, but says where to look first. */
export function standingOf({ engines, pairs }: QueryResult): Standing {
  const judged = engines.filter(({ verdict }) => isComparison(verdict));
  const sides = [TRUTH, ...judged.map(({ engine }) => engine)];
  if (sides.length < 3) return { kind: 'too-few' };
  const agreements: (readonly [string, string])[] = [
    ...judged.filter(({ verdict }) => verdict.kind === 'agree').map(({ engine }) => [TRUTH, engine] as const),
    ...pairs.filter(({ verdict }) => verdict.kind === 'agree').map((pair) => pair.engines),
  ];
  const groups = groupsOf(sides, agreements);
  if (groups.length === 1) return { kind: 'together', sides };
  const single = groups.find(({ length }) => length === 1);
  const others = groups.find((group) => group !== single);
  if (groups.length === 2 && single !== undefined && others !== undefined) {
    return { kind: 'alone', side: single[0]!, others };
  }
  return { kind: 'apart', groups };
}

function isComparison({ kind }: ShortVerdict): boolean {
  return kind === 'agree' || kind === 'diverge';
}

/** Sides that agree, directly or through others, in the order in which the sides are given. */
function groupsOf(sides: readonly string[], agreements: readonly (readonly [string, string])[]): string[][] {
  const groups: string[][] = [];
  for (const side of sides) {
    if (groups.some((group) => group.includes(side))) continue;
    const group = [side];
    for (const member of group) {
      for (const pair of agreements) {
        const other = pair[0] === member ? pair[1] : pair[1] === member ? pair[0] : undefined;
        if (other !== undefined && sides.includes(other) && !group.includes(other)) group.push(other);
      }
    }
    groups.push(group);
  }
  return groups;
}
