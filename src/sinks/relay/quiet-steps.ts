import type { History } from '../../model/history/index.ts';

/** Whether no transaction is open after this step. */
export function isQuietAfter(history: Pick<History, 'steps'>, step: number): boolean {
  return quietSteps(history).includes(step + 1);
}

/** The numbers of steps before which something has been done and no transaction is open; the end may be one. */
export function quietSteps({ steps }: Pick<History, 'steps'>): readonly number[] {
  const open = new Set<number>();
  const quiet: number[] = [];
  for (const [index, step] of steps.entries()) {
    if (step.do === 'begin') open.add(step.connection);
    if (step.do === 'commit' || step.do === 'rollback') open.delete(step.connection);
    if (open.size === 0) quiet.push(index + 1);
  }
  return quiet;
}
