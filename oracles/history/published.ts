import type {
  ChangeOp,
  History,
  Publication,
  PublishedAction,
  Table,
} from '../../src/model/history/index.ts';

/** What the publications of a history let through. */
export class Published {
  readonly #history: History;

  constructor(history: History) {
    this.#history = history;
  }

  /** Whether the subscribed publications, added up, show this action on this table. */
  shows(table: string, action: PublishedAction): boolean {
    const { publications, subscribed } = this.#history;
    return publications.some((each) => subscribed.includes(each.name) && isIn(each, table, action));
  }

  /** Whether the table is in any subscribed publication. */
  hasTable(table: string): boolean {
    const { publications, subscribed } = this.#history;
    return publications.some(({ name, tables }) => subscribed.includes(name) && tables.includes(table));
  }

  /**
   * Whether PostgreSQL refuses the change: the row could not be identified, and some publication of the database, be it
   * subscribed to or not, publishes the action.
   */
  refuses({ name, identity }: Table, op: ChangeOp): boolean {
    if (identity.kind !== 'nothing' || (op !== 'update' && op !== 'delete')) return false;
    return this.#history.publications.some((each) => isIn(each, name, op));
  }
}

function isIn({ tables, publish }: Publication, table: string, action: PublishedAction): boolean {
  return tables.includes(table) && publish.includes(action);
}
