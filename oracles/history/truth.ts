import {
  type Change,
  type CommittedState,
  type Delivery,
  type ExpectedMessage,
  type ExpectedTransaction,
  type History,
  type HistoryTruth,
  rowKey,
  type SchemaChange,
  type Statement,
  type Table,
  TOKEN_COLUMN,
} from '../../src/model/history/index.ts';
import { type Effect, execute } from './execute.ts';
import { type Commit, type Happening, happeningsOf, tokensOf } from './happenings.ts';
import { InvalidHistory } from './invalid-history.ts';
import { Published } from './published.ts';
import { schemaChange } from './schema-change.ts';
import { applyChange } from './sink-tables.ts';
import { Tables } from './tables.ts';

/** From where on a history is delivered. */
export interface DeliveryStart {
  /**
   * The step before which a snapshot of the published tables is taken; of what was committed or emitted before it only
   * the snapshot is delivered. By default 0: there is nothing yet.
   */
  readonly snapshotBefore?: number | undefined;
}

/**
 * What must be delivered of a history and what it leaves (semantics §10): its surviving statements, folded at each
 * commit. Says nothing of log positions, and reads nothing that was captured.
 *
 * @throws InvalidHistory when a step of it must have failed.
 */
export function historyTruth(history: History, { snapshotBefore = 0 }: DeliveryStart = {}): HistoryTruth {
  const { happenings, aborted } = happeningsOf(history.steps);
  const fold = new Fold(history);
  const before = happenings.filter(({ step }) => step < snapshotBefore);
  for (const happening of before) fold.runUnseen(happening);
  const start = fold.takeSnapshot(snapshotBefore - 1);
  const deliveries: Delivery[] = [];
  const commits: CommittedState[] = [];
  for (const happening of happenings.slice(before.length)) {
    if (happening.kind === 'message') {
      const { prefix, content } = happening.message;
      deliveries.push({ kind: 'message', step: happening.step, ordinal: 0, prefix, content });
      continue;
    }
    const transaction = fold.run(happening);
    if (transaction.changes.length + transaction.messages.length > 0) deliveries.push(transaction);
    commits.push(fold.state(happening.step));
  }
  return { start, deliveries, commits, aborted, hidden: fold.hidden };
}

/** The database and its sink, commit by commit. */
class Fold {
  readonly hidden = new Set<string>();
  readonly #published: Published;
  readonly #source: Tables;
  #sink: Tables;
  /** Each table as the snapshot or, since, the stream last showed it. */
  #shown = new Map<string, Table>();

  constructor(history: History) {
    this.#published = new Published(history);
    this.#source = Tables.empty(history);
    this.#sink = Tables.empty(history);
  }

  state(step: number): CommittedState {
    return { step, source: this.#source.state(), published: this.#sink.state() };
  }

  /** Runs what only the snapshot will show. */
  runUnseen(happening: Happening): void {
    if (happening.kind === 'message') {
      this.#hide(tokensOf(happening.message));
      return;
    }
    for (const { step, statement } of happening.statements) {
      this.#execute(statement, step);
      this.#hide(tokensOf(statement));
    }
  }

  /** Puts the published tables into the sink as they are. */
  takeSnapshot(step: number): CommittedState {
    this.#sink = this.#source.keyedBy(rowKey, (name) => this.#published.hasTable(name));
    const state = this.state(step);
    this.#shown = new Map([...state.source].map(([name, { table }]) => [name, table]));
    for (const { rows } of state.published.values()) {
      for (const row of rows.values()) this.hidden.delete(row[TOKEN_COLUMN]!);
    }
    return state;
  }

  run({ step, statements }: Commit): ExpectedTransaction {
    const changes: Change[] = [];
    const messages: ExpectedMessage[] = [];
    const schemaChanges: SchemaChange[] = [];
    for (const { step: at, statement } of statements) {
      const next = () => changes.length + messages.length;
      if (statement.do === 'message') {
        messages.push({ ordinal: next(), prefix: statement.prefix, content: statement.content });
      }
      for (const { change, table } of this.#execute(statement, at)) {
        if (!this.#published.shows(table.name, change.op)) {
          this.#hide(tokensOf(statement));
          continue;
        }
        const numbered = { ...change, ordinal: next() };
        const difference = schemaChange(this.#shown.get(table.name)!, table, numbered.ordinal);
        if (difference !== undefined) schemaChanges.push(difference);
        this.#shown.set(table.name, table);
        changes.push(numbered);
        applyChange(this.#sink, numbered, table);
      }
    }
    return { kind: 'transaction', step, changes, messages, schemaChanges };
  }

  #execute(statement: Statement, step: number): readonly Effect[] {
    const effects = execute(this.#source, statement, step);
    for (const { change, table } of effects) {
      if (this.#published.refuses(table, change.op)) throw new InvalidHistory('no-identity', step);
    }
    return effects;
  }

  #hide(tokens: readonly string[]): void {
    for (const token of tokens) this.hidden.add(token);
  }
}
