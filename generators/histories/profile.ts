import type { PublishedAction, ReplicaIdentity } from '../../src/model/history/index.ts';
import type { TableShape } from './table-shapes.ts';
import type { ValueShares } from './values.ts';

/**
 * What a connection does next. Where it cannot, it inserts instead, or does nothing.
 *
 * - `reinsert`: deletes a row and inserts one of the same key at once.
 * - `move`: updates a row's key or the columns of its unique index.
 * - `message-commit`: a message that is not transactional just before COMMIT.
 * - `commit-all`: every open transaction commits, one right after the other.
 */
export type StepKind =
  | 'begin'
  | 'commit'
  | 'commit-all'
  | 'rollback'
  | 'savepoint'
  | 'rollback-to'
  | 'release'
  | 'insert'
  | 'update'
  | 'move'
  | 'delete'
  | 'reinsert'
  | 'truncate'
  | 'message'
  | 'bare-message'
  | 'message-commit'
  | 'add-column'
  | 'drop-column'
  | 'set-identity';

/**
 * Who publishes what:
 *
 * - `all`: one publication of all tables.
 * - `two`: two that share a table, both subscribed.
 * - `one-of-two`: two, of which one is subscribed.
 */
export type PublicationLayout = 'all' | 'two' | 'one-of-two';

/** What kind of histories are made. All lists are choices: an entry repeated is an entry more often drawn. */
export interface HistoryProfile {
  readonly name: string;
  /** What breaks sinks there, in one sentence. */
  readonly aim: string;
  /** Labels of coverage that its histories must reach. */
  readonly covers: readonly string[];
  /** How often it is drawn in the default mix, against the others. */
  readonly weight: number;
  readonly maxSteps: number;
  /** Connections, at least one. */
  readonly connections: readonly number[];
  /** Sets of tables of which one is drawn. */
  readonly tables: readonly (readonly TableShape[])[];
  /** Replica identities; `index` where a table has one, else the default. */
  readonly identities: readonly ReplicaIdentity['kind'][];
  readonly publications: readonly PublicationLayout[];
  /** What of the table {@link partly} is published; others are published whole. */
  readonly partial: readonly (readonly PublishedAction[])[];
  readonly steps: readonly StepKind[];
  /** Rows of one INSERT. */
  readonly rows: readonly number[];
  /** How many keys of a table are used before new ones: few meet again. */
  readonly keys: number;
  readonly values: ValueShares;
  /** Of a hundred updates, how many assign each TOAST column. */
  readonly toastAssigned: number;
}
