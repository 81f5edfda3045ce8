/** What a sink author needs: the interface of a sink that is put to the test, and how it says that it halts. */
export type {
  CapturedMessage,
  CapturedTransaction,
  Change,
  ChangeOp,
  DeliveryMode,
  Guarantee,
  Lsn,
  PgRecord,
  PgText,
  StandaloneMessage,
} from '../model/history/index.ts';
export { DELIVERY_MODES, guarantees, lsnToText, messageToken, TOKEN_COLUMN } from '../model/history/index.ts';
export { SINK_CONFIG_VERSION, type SinkConfig } from './config.ts';
export { type HaltReason, SinkHalt } from './halt.ts';
export type { TransactionItem } from './postgres/delivered.ts';
export type {
  Applied,
  FailPoint,
  Greeting,
  RelationChange,
  Sink,
  SinkColumn,
  SinkEffect,
  SinkHome,
  SinkRelation,
  SinkSetting,
  SinkUnderTest,
  SnapshotChunk,
  SnapshotEnd,
  SpilledDelivery,
} from './sink.ts';
