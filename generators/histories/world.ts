import { type History, keyText, type Publication, type Step } from '../../src/model/history/index.ts';
import { TableState } from './table-state.ts';

interface OpenTransaction {
  /** What takes back each of its statements, in order. */
  readonly undo: (() => void)[];
  readonly savepoints: { readonly name: string; readonly undone: number }[];
}

/** What a history begins with. */
export type Beginnings = Pick<History, 'tables' | 'publications'>;

/**
 * A database while the steps of a history run, one after another. It tells which steps succeed without waiting: locks of
 * rows and tables are held until their transaction ends, also where PostgreSQL lets go of them at a savepoint.
 *
 * Tables are shown as their last writer sees them: since nobody else may touch what an open transaction has touched,
 * that is also what each connection sees of what it may touch.
 */
export class World {
  readonly tables: readonly TableState[];
  readonly #publications: readonly Publication[];
  readonly #open = new Map<number, OpenTransaction>();

  constructor({ tables, publications }: Beginnings) {
    this.tables = tables.map((table) => new TableState(table));
    this.#publications = publications;
  }

  table(name: string): TableState {
    const found = this.tables.find((table) => table.definition.name === name);
    if (found === undefined) throw new Error('no such table');
    return found;
  }

  isOpen(connection: number): boolean {
    return this.#open.has(connection);
  }

  /** The connections with an open transaction, in the order in which they began it. */
  openConnections(): readonly number[] {
    return [...this.#open.keys()];
  }

  savepoints(connection: number): readonly string[] {
    return this.#open.get(connection)?.savepoints.map(({ name }) => name) ?? [];
  }

  /** Whether the step succeeds at once. */
  admits(step: Step): boolean {
    const { connection } = step;
    switch (step.do) {
      case 'begin':
        return !this.isOpen(connection);
      case 'commit':
      case 'rollback':
      case 'savepoint':
        return this.isOpen(connection);
      case 'rollback-to':
      case 'release':
        return this.savepoints(connection).includes(step.name);
      case 'message':
        return true;
      case 'insert': {
        const table = this.table(step.table);
        const keys = step.rows.flatMap((row) => table.uniqueTexts(row));
        return (
          table.isShareable(connection) &&
          step.rows.every((row) => table.fits(row)) &&
          new Set(keys).size === keys.length &&
          keys.every((key) => !table.isTaken(key) && table.isFree(key, connection))
        );
      }
      case 'update': {
        const table = this.table(step.table);
        const row = table.rows.get(keyText(step.key, table.definition.key));
        if (row === undefined || !table.isShareable(connection) || this.#isRefused(table, 'update'))
          return false;
        const after = { ...row, ...step.set };
        const before = table.uniqueTexts(row);
        return (
          table.fits(after) &&
          before.every((key) => table.isFree(key, connection)) &&
          table
            .uniqueTexts(after)
            .every((key) => before.includes(key) || (!table.isTaken(key) && table.isFree(key, connection)))
        );
      }
      case 'delete': {
        const table = this.table(step.table);
        const row = table.rows.get(keyText(step.key, table.definition.key));
        return (
          row !== undefined &&
          table.isShareable(connection) &&
          !this.#isRefused(table, 'delete') &&
          table.uniqueTexts(row).every((key) => table.isFree(key, connection))
        );
      }
      case 'truncate':
        return (
          new Set(step.tables).size === step.tables.length &&
          step.tables.every((name) => this.table(name).isLockable(connection))
        );
      case 'add-column': {
        const table = this.table(step.table);
        return table.isLockable(connection) && step.column.nullable && table.isNewName(step.column.name);
      }
      case 'drop-column': {
        const table = this.table(step.table);
        return table.isLockable(connection) && table.isDroppable(step.column);
      }
      case 'set-identity': {
        const table = this.table(step.table);
        const { identity } = step;
        return (
          table.isLockable(connection) &&
          (identity.kind !== 'index' || table.definition.indexes.some(({ name }) => name === identity.index))
        );
      }
    }
  }

  /** Runs a step that is admitted. */
  run(step: Step): void {
    const { connection } = step;
    const transaction = this.#open.get(connection);
    switch (step.do) {
      case 'begin':
        this.#open.set(connection, { undo: [], savepoints: [] });
        return;
      case 'rollback':
        takeBack(transaction!, 0);
        this.#end(connection);
        return;
      case 'commit':
        this.#end(connection);
        return;
      case 'savepoint':
        transaction!.savepoints.push({ name: step.name, undone: transaction!.undo.length });
        return;
      case 'rollback-to':
      case 'release': {
        const { savepoints } = transaction!;
        const place = savepoints.findLastIndex(({ name }) => name === step.name);
        if (step.do === 'rollback-to') takeBack(transaction!, savepoints[place]!.undone);
        savepoints.splice(step.do === 'release' ? place : place + 1);
        return;
      }
      case 'message':
        return;
      default: {
        const names = step.do === 'truncate' ? step.tables : [step.table];
        for (const name of names) {
          const table = this.table(name);
          const undo = table.change(step, transaction === undefined ? undefined : connection);
          transaction?.undo.push(undo);
        }
      }
    }
  }

  #end(connection: number): void {
    this.#open.delete(connection);
    for (const table of this.tables) table.unlock(connection);
  }

  /** Without a replica identity, rows cannot be changed where any publication of the database shows it. */
  #isRefused({ definition }: TableState, action: 'update' | 'delete'): boolean {
    return (
      definition.identity.kind === 'nothing' &&
      this.#publications.some(
        ({ tables, publish }) => tables.includes(definition.name) && publish.includes(action),
      )
    );
  }
}

function takeBack({ undo }: OpenTransaction, from: number): void {
  for (const back of undo.splice(from).reverse()) back();
}
