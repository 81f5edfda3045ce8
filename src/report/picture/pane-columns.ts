import type { Plan } from '../../model/plan/index.ts';
import { WINDOW_END, WINDOW_START } from '../../model/plan/relation.ts';
import { operatorsOf } from '../../model/plan/rewrite.ts';
import type { WindowKind } from '../../model/plan/window.ts';

/** Where a plan's output shows the bounds of its outermost window. */
export interface PaneColumns {
  readonly window: WindowKind;
  readonly start: string | undefined;
  readonly end: string | undefined;
}

/** Follows the bounds of a window through what is made of its rows; undefined where there is no window, or two. */
export function paneColumns(plan: Plan): PaneColumns | undefined {
  switch (plan.op) {
    case 'scan':
      return undefined;
    case 'window':
      return { window: plan.window, start: WINDOW_START, end: WINDOW_END };
    case 'filter':
    case 'rank':
      return paneColumns(plan.input);
    case 'join': {
      const [left, right] = [paneColumns(plan.left), paneColumns(plan.right)];
      return left !== undefined && right !== undefined ? undefined : (left ?? right);
    }
    case 'aggregate': {
      const inner = paneColumns(plan.input);
      const kept = (name: string | undefined) =>
        name !== undefined && plan.keys.includes(name) ? name : undefined;
      return inner && { window: inner.window, start: kept(inner.start), end: kept(inner.end) };
    }
    case 'project': {
      const inner = paneColumns(plan.input);
      const shownAs = (name: string | undefined) =>
        name === undefined
          ? undefined
          : plan.columns.find(({ value }) => 'col' in value && value.col === name)?.as;
      return inner && { window: inner.window, start: shownAs(inner.start), end: shownAs(inner.end) };
    }
  }
}

/** `session`, or `pane` of any other window. */
export function paneWord({ kind }: WindowKind): 'session' | 'pane' {
  return kind === 'session' ? 'session' : 'pane';
}

/** The same of a whole plan's last window; `pane` where it has none. */
export function paneNoun(plan: Plan): 'session' | 'pane' {
  const node = operatorsOf(plan).findLast(({ op }) => op === 'window');
  return node?.op === 'window' ? paneWord(node.window) : 'pane';
}

/** Start of the windows that end there, where their length is fixed. */
export function startOf(window: WindowKind, end: number): number | undefined {
  return window.kind === 'tumble' || window.kind === 'hop' ? end - window.sizeMs : undefined;
}
