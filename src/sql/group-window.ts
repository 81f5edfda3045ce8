import { WINDOW_END, WINDOW_START } from '../model/plan/relation.ts';
import type { Build } from './dialect.ts';
import { column } from './fragment.ts';
import { type GroupWindow, type Item, itemOf, type Select } from './select.ts';
import { UnsupportedForm } from './unsupported.ts';

/*
 * In some dialects a window is a call in GROUP BY. What a plan does between the window and its aggregate then
 * has to go below the window, where that means the same.
 */

/** Name of the column that carries event time. No column of a user's can have it: names start with a letter. */
export const TIME = '_time';

function isBound(item: Item): boolean {
  return item.value.text === WINDOW_START || item.value.text === WINDOW_END;
}

/** Refuses a filter that reads what only the window gives, or that would change the window. */
export function checkFilterUnderWindow(select: Select, window: GroupWindow, reads: readonly string[]): void {
  if (window.sessionKeys !== undefined) {
    throw new UnsupportedForm('a filter between a session window and its aggregate');
  }
  if (reads.some((name) => isBound(itemOf(select, name)))) {
    throw new UnsupportedForm('a filter by the bounds of a window before its aggregate');
  }
}

/** A column of a projection, and the input columns it reads. */
export interface Projected extends Item {
  readonly reads: readonly string[];
}

/** The projection of rows in a window: the expressions in a subquery below it, the bounds above. */
export function projectUnderWindow(
  select: Select,
  window: GroupWindow,
  columns: readonly Projected[],
  build: Build,
): Select {
  if (columns.every(({ value }) => value.column)) return { ...select, items: columns };
  const below = columns.filter((projected) => !isBound(projected));
  if (below.some(({ reads }) => reads.some((name) => isBound(itemOf(select, name))))) {
    throw new UnsupportedForm('an expression over the bounds of a window before its aggregate');
  }
  const { groupWindow: _, ...rows } = select;
  const derived = build.derived({ ...rows, items: [...below, { name: TIME, value: window.time }] });
  const sessionKeys = window.sessionKeys?.map((key) => {
    const kept = below.find(({ value }) => value.text === key);
    if (kept === undefined) throw new UnsupportedForm('a session window whose key is projected away');
    return itemOf(derived, kept.name).value.text;
  });
  return {
    ...derived,
    items: columns.map((item) =>
      isBound(item) ? { name: item.name, value: column(item.value.text) } : itemOf(derived, item.name),
    ),
    groupWindow: {
      ...window,
      time: itemOf(derived, TIME).value,
      ...(sessionKeys === undefined ? {} : { sessionKeys }),
    },
  };
}

/** The GROUP BY of an aggregate over rows in a window: the window, and the keys that are not its bounds. */
export function groupByWindow(window: GroupWindow, keys: readonly Item[]): readonly string[] {
  const others = keys.filter((key) => !isBound(key)).map(({ value }) => value.text);
  const { sessionKeys } = window;
  if (
    sessionKeys !== undefined &&
    !(sessionKeys.every((key) => others.includes(key)) && others.every((key) => sessionKeys.includes(key)))
  ) {
    throw new UnsupportedForm('a session window whose keys are not those of its aggregate');
  }
  return [window.call(window.time.text), ...others];
}
