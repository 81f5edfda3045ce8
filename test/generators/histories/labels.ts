import { shortValues } from '../../../generators/histories/values.ts';
import { historyTruth } from '../../../oracles/history/truth.ts';
import {
  type History,
  isOutOfLine,
  rowKey,
  type Step,
  type TableImage,
} from '../../../src/model/history/index.ts';

/** Changes of one transaction from which on it counts as oversized: more than 64 kB in the memory for decoding. */
const OVERSIZED = 300;

/** What a history reaches of what the profiles aim at. */
export function labelsOf(history: History): ReadonlySet<string> {
  const labels = new Set<string>();
  const truth = historyTruth(history);
  const is = (label: string, holds: boolean) => {
    if (holds) labels.add(label);
  };
  const { steps, tables, publications, subscribed } = history;

  const begun = new Map<number, number>();
  const names = new Map<number, string[]>();
  const rowsOfOpen = new Map<number, number>();
  const since = new Map<number, Set<Step['do']>>();
  const commitsInOrder: number[] = [];
  for (const [number, step] of steps.entries()) {
    const { connection } = step;
    const isOpen = begun.has(connection);
    const kinds = since.get(connection);
    const before = steps[number - 1];
    kinds?.add(step.do);
    is(step.do, true);
    is('interleaved', isOpen && begun.size > 1);
    is('bare-message-outside', step.do === 'message' && !step.transactional && !isOpen);
    is('message-before-commit', step.do === 'commit' && before?.do === 'message' && !before.transactional);
    is('adjacent-commits', step.do === 'commit' && before?.do === 'commit');
    is('added-in-transaction', step.do === 'add-column' && isOpen);
    is('truncate-several', step.do === 'truncate' && step.tables.length > 1);
    is('truncate-then-insert', step.do === 'insert' && kinds?.has('truncate') === true);
    if (step.do === 'begin') {
      begun.set(connection, number);
      names.set(connection, []);
      since.set(connection, new Set());
    } else if (step.do === 'insert' && isOpen) {
      rowsOfOpen.set(connection, (rowsOfOpen.get(connection) ?? 0) + step.rows.length);
    } else if (step.do === 'savepoint') {
      is('savepoint-shadowed', names.get(connection)!.includes(step.name));
      names.get(connection)!.push(step.name);
    } else if (step.do === 'rollback-to' || step.do === 'rollback') {
      const written = ['insert', 'update', 'delete'] as const;
      is(
        step.do === 'rollback' ? 'rolled-back' : 'savepoint-rolled-back',
        written.some((kind) => kinds?.has(kind)),
      );
      is('truncate-rolled-back', kinds?.has('truncate') === true);
      is('added-rolled-back', kinds?.has('add-column') === true);
      is('message-rolled-back', kinds?.has('message') === true);
      is('oversized-rolled-back', (rowsOfOpen.get(connection) ?? 0) >= OVERSIZED);
    } else if (step.do === 'release') {
      is('savepoint-released', true);
    }
    if (step.do === 'commit') commitsInOrder.push(begun.get(connection)!);
    if (step.do === 'commit' || step.do === 'rollback') {
      for (const map of [begun, rowsOfOpen, since, names]) map.delete(connection);
    }
  }
  is(
    'commit-order',
    commitsInOrder.some((at, index) => index > 0 && at < commitsInOrder[index - 1]!),
  );

  let state: ReadonlyMap<string, TableImage> = truth.start.published;
  const keysSeen = new Set<string>();
  const seenTables = new Set<string>();
  let committed = 0;
  for (const delivery of truth.deliveries) {
    if (delivery.kind === 'message') {
      const end = steps
        .slice(delivery.step)
        .find(
          ({ connection, do: what }) =>
            connection === steps[delivery.step]!.connection && (what === 'commit' || what === 'rollback'),
        );
      is('bare-message-survives', end?.do === 'rollback');
      continue;
    }
    is('oversized', delivery.changes.length >= OVERSIZED);
    is('only-messages', delivery.changes.length === 0);
    for (const { kind, added, dropped, identityChanged } of delivery.schemaChanges) {
      is('added-column', kind === 'additive' && added.length > 0);
      is('dropped-column', dropped.length > 0);
      is('identity-changed', identityChanged);
    }
    const deleted = new Set<string>();
    for (const { op, table, record, old, unchanged } of delivery.changes) {
      seenTables.add(table);
      const { table: definition } = truth.commits.at(-1)!.published.get(table)!;
      const { identity } = tables.find(({ name }) => name === table)!;
      is(`identity-${identity.kind}`, true);
      const image = state.get(table);
      const key = (row: Readonly<Record<string, string | null>>) =>
        JSON.stringify([table, ...rowKey(definition).map((name) => row[name])]);
      is('key-change', op === 'update' && old !== undefined && key(old) !== key(record!));
      is('index-key-change', op === 'update' && identity.kind === 'index' && old !== undefined);
      is(
        'toast-moved',
        op === 'update' && unchanged.length > 0 && old !== undefined && key(old) !== key(record!),
      );
      is('toast-unchanged', unchanged.length > 0);
      is('toast-full', unchanged.length > 0 && identity.kind === 'full');
      if (op === 'delete' && old !== undefined) deleted.add(key(old));
      if (record === null) continue;
      is('reinsert', op === 'insert' && deleted.has(key(record)));
      is('key-used-again', op === 'insert' && keysSeen.has(key(record)));
      is('composite-key', rowKey(definition).length > 1);
      keysSeen.add(key(record));
      const row = image?.rows.get(JSON.stringify(rowKey(definition).map((name) => (old ?? record)[name])));
      for (const column of definition.columns) {
        const text = record[column.name];
        is('null', text === null);
        is('odd-value', typeof text === 'string' && shortValues(column.type).indexOf(text) > 2);
        const was = row?.[column.name];
        if (op === 'update' && typeof was === 'string' && isOutOfLine(column, was) && text !== undefined) {
          is('toast-changed', text !== was);
          is('toast-same-value', text === was);
          is('toast-nulled', text === null);
        }
      }
    }
    while (committed < truth.commits.length && truth.commits[committed]!.step <= delivery.step) {
      state = truth.commits[committed++]!.published;
    }
  }
  is('several-tables', seenTables.size > 1);

  const source = truth.commits.flatMap(({ source }) => [...source.values()]);
  is(
    'changed-back',
    source.some(({ table }) => {
      const first = tables.find(({ name }) => name === table.name)!.identity;
      return JSON.stringify(table.identity) === JSON.stringify(first) && labels.has('set-identity');
    }),
  );
  is(
    'unseen-key-change',
    steps.some(
      (step) =>
        step.do === 'update' &&
        tables.some(
          ({ name, key, identity, indexes }) =>
            name === step.table &&
            identity.kind === 'index' &&
            key.some((column) => column in step.set) &&
            indexes.every(({ columns }) => columns.every((column) => !(column in step.set))),
        ),
    ),
  );
  is('two-publications', subscribed.filter((name) => name !== 'tide_partly').length > 1);
  const shown = new Set(
    publications.filter(({ name }) => subscribed.includes(name)).flatMap(({ tables }) => tables),
  );
  const written = steps.flatMap((step) => ('table' in step && step.do === 'insert' ? [step.table] : []));
  is(
    'hidden-table',
    written.some((name) => !shown.has(name)),
  );
  is('hidden-action', truth.hidden.size > 0 && shown.has('partly'));
  return labels;
}
