import type { History, Step } from '../../src/model/history/index.ts';
import { World } from './world.ts';

/**
 * A history without the steps of these numbers, and without those that cannot run any more: writes to rows that are not
 * there or are held by another transaction now, ends of transactions and savepoints that were not begun. Transactions
 * whose end is gone go on; what is still open at the end is rolled back.
 */
export function without(history: History, dropped: ReadonlySet<number>): History {
  const steps = runnable(
    history,
    history.steps.filter((_, number) => !dropped.has(number)),
  );
  return { ...history, steps };
}

/** As {@link without} for all steps that use a table, which then leaves its publications too; one table is always left. */
export function withoutTable(history: History, table: string): History {
  const tables = history.tables.filter(({ name }) => name !== table);
  if (tables.length === 0) return history;
  const publications = history.publications
    .map((publication) => ({ ...publication, tables: publication.tables.filter((name) => name !== table) }))
    .filter((publication) => publication.tables.length > 0);
  const subscribed = history.subscribed.filter((name) =>
    publications.some((publication) => publication.name === name),
  );
  // A stream of no publication is none.
  if (subscribed.length === 0) return history;
  const rest = history.steps.flatMap((step): Step[] => {
    if (step.do !== 'truncate') return 'table' in step && step.table === table ? [] : [step];
    const others = step.tables.filter((name) => name !== table);
    return others.length === 0 ? [] : [{ ...step, tables: others }];
  });
  const smaller = { ...history, tables, publications, subscribed };
  return { ...smaller, steps: runnable(smaller, rest) };
}

/** Those of the steps that can run, given that the others did not, and a rollback of what is still open then. */
function runnable(
  history: Pick<History, 'tables' | 'publications'>,
  steps: readonly Step[],
): readonly Step[] {
  const world = new World(history);
  const run: Step[] = [];
  for (const step of steps) {
    if (!world.admits(step)) continue;
    world.run(step);
    run.push(step);
  }
  const left = world.openConnections().map((connection): Step => ({ do: 'rollback', connection }));
  return [...run, ...left];
}
