import {
  type MessageStep,
  messageToken,
  type Statement,
  type Step,
  TOKEN_COLUMN,
} from '../../src/model/history/index.ts';
import { InvalidHistory } from './invalid-history.ts';

/** A statement and its step's number. */
export interface NumberedStatement {
  readonly step: number;
  readonly statement: Statement;
}

/** A transaction at the step that commits it, with what survived of it. */
export interface Commit {
  readonly kind: 'commit';
  readonly step: number;
  readonly statements: readonly NumberedStatement[];
}

/** What becomes of a history's steps: commits, and messages of no transaction at their own steps. */
export type Happening =
  | Commit
  | { readonly kind: 'message'; readonly step: number; readonly message: MessageStep };

interface OpenTransaction {
  readonly statements: NumberedStatement[];
  /** Savepoints, each with the number of statements before it. */
  readonly savepoints: { readonly name: string; readonly at: number }[];
}

/**
 * What happened, in the order in which it takes effect (semantics §10), and the tokens of all that was rolled back.
 *
 * A statement survives when no savepoint before it was rolled back to and its transaction commits. A message that is not
 * transactional happens at once, whatever becomes of the transaction around it.
 *
 * @throws InvalidHistory for a step out of place and for a transaction that is never ended.
 */
export function happeningsOf(steps: readonly Step[]): {
  readonly happenings: readonly Happening[];
  readonly aborted: ReadonlySet<string>;
} {
  const happenings: Happening[] = [];
  const aborted = new Set<string>();
  const open = new Map<number, OpenTransaction>();
  const abort = (statements: readonly NumberedStatement[]) => {
    for (const token of statements.flatMap(({ statement }) => tokensOf(statement))) aborted.add(token);
  };

  for (const [number, step] of steps.entries()) {
    const transaction = open.get(step.connection);
    const opened = transaction ?? { statements: [], savepoints: [] };
    const needed = () => {
      if (transaction === undefined) throw new InvalidHistory('no-transaction', number);
      return transaction;
    };
    switch (step.do) {
      case 'begin':
        if (transaction !== undefined) throw new InvalidHistory('transaction-open', number);
        open.set(step.connection, opened);
        break;
      case 'commit':
        happenings.push({ kind: 'commit', step: number, statements: needed().statements });
        open.delete(step.connection);
        break;
      case 'rollback':
        abort(needed().statements);
        open.delete(step.connection);
        break;
      case 'savepoint':
        needed().savepoints.push({ name: step.name, at: opened.statements.length });
        break;
      case 'rollback-to':
      case 'release': {
        const place = needed().savepoints.findLastIndex(({ name }) => name === step.name);
        if (place < 0) throw new InvalidHistory('no-savepoint', number);
        const kept = step.do === 'release' ? place : place + 1;
        if (step.do === 'rollback-to') abort(opened.statements.splice(opened.savepoints[place]!.at));
        opened.savepoints.splice(kept);
        break;
      }
      case 'message':
        if (!step.transactional) {
          happenings.push({ kind: 'message', step: number, message: step });
          break;
        }
        run(number, step);
        break;
      default:
        run(number, step);
    }
  }
  if (open.size > 0) throw new InvalidHistory('never-ended', steps.length);
  return { happenings, aborted };

  function run(step: number, statement: Statement): void {
    const transaction = open.get(statement.connection);
    if (transaction !== undefined) transaction.statements.push({ step, statement });
    else happenings.push({ kind: 'commit', step, statements: [{ step, statement }] });
  }
}

/** The tokens a statement writes. */
export function tokensOf(statement: Statement): readonly string[] {
  const written =
    statement.do === 'insert'
      ? statement.rows.map((row) => row[TOKEN_COLUMN])
      : statement.do === 'update'
        ? [statement.set[TOKEN_COLUMN]]
        : statement.do === 'message'
          ? [messageToken(statement.content)]
          : [];
  return written.filter((token) => typeof token === 'string');
}
