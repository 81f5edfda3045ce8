export {
  type CapturedMessage,
  capturedMessageSchema,
  type StandaloneMessage,
  standaloneMessageSchema,
} from './captured-message.ts';
export { type CapturedTransaction, capturedTransactionSchema } from './captured-transaction.ts';
export { type Change, type ChangeOp, changeSchema } from './change.ts';
export { COLUMN_TYPES, type ColumnType, columnTypeSchema } from './column-type.ts';
export type { AddColumnStep, DropColumnStep, SetIdentityStep } from './ddl-step.ts';
export {
  DELIVERY_MODES,
  type DeliveryMode,
  deliveryModeSchema,
  type Guarantee,
  guarantees,
} from './delivery-mode.ts';
export { HISTORY_VERSION, type History, historySchema } from './history.ts';
export { type Lsn, lsnSchema, lsnToText } from './lsn.ts';
export type { MessageStep } from './message-step.ts';
export { type PgRecord, type PgText, pgNameSchema, pgRecordSchema, pgTextSchema } from './pg-text.ts';
export {
  PUBLISHED_ACTIONS,
  type Publication,
  type PublishedAction,
  publicationSchema,
  replicationNameSchema,
} from './publication.ts';
export type { DeleteStep, InsertStep, TruncateStep, UpdateStep } from './row-step.ts';
export type { LedgerEntry, SinkRun } from './sink-run.ts';
export { type Statement, type Step, stepSchema } from './step.ts';
export {
  isOutOfLine,
  type ReplicaIdentity,
  replicaIdentitySchema,
  rowKey,
  type Table,
  type TableColumn,
  TOAST_CHARACTERS,
  tableColumnSchema,
  tableSchema,
  type UniqueIndex,
} from './table.ts';
export { messageToken, TOKEN_COLUMN, TOKEN_END } from './token.ts';
export type { BoundaryStep, SavepointStep } from './transaction-step.ts';
export {
  type CommittedState,
  type Delivery,
  type ExpectedMessage,
  type ExpectedStandaloneMessage,
  type ExpectedTransaction,
  type HistoryTruth,
  keyText,
  type SchemaChange,
  type TableImage,
} from './truth.ts';
