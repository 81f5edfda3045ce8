import { columnsRead } from '../model/expression.ts';
import type { Plan } from '../model/plan/index.ts';
import { expressionsOf } from '../model/plan/rewrite.ts';
import type { CheckedQuery } from '../model/query.ts';

/** The columns of each stream that a query reads, in the order of their first use from the streams on. */
export function columnsReadOf(query: CheckedQuery): ReadonlyMap<string, ReadonlySet<string>> {
  const read = new Map<string, Set<string>>();
  const need = (node: Plan, names: readonly string[]): void => {
    const own = [...expressionsOf(node).flatMap(columnsRead)];
    switch (node.op) {
      case 'scan': {
        const known = read.get(node.stream) ?? new Set();
        read.set(node.stream, known);
        const { columns } = query.relationOf(node);
        for (const name of names) if (columns.some((column) => column.name === name)) known.add(name);
        return;
      }
      case 'filter':
        need(node.input, [...own, ...names]);
        return;
      case 'project':
        need(node.input, own);
        return;
      case 'window':
        need(node.input, [...(node.window.kind === 'session' ? node.window.keys : []), ...names]);
        return;
      case 'aggregate':
        need(node.input, [...node.keys, ...node.aggregates.flatMap(({ arg }) => arg ?? []), ...own]);
        return;
      case 'rank':
        need(node.input, [...node.partitionBy, ...node.orderBy.map(({ column }) => column), ...names]);
        return;
      case 'join': {
        const all = [...own, ...names];
        need(node.left, [...node.equal.map(({ left }) => left), ...all]);
        need(node.right, [...node.equal.map(({ right }) => right), ...all]);
        return;
      }
    }
  };
  need(
    query.plan,
    query.columns.map(({ name }) => name),
  );
  return read;
}
