export type { BinariesChoice } from './binaries.ts';
export { type Capture, type CaptureOptions, openCapture } from './capture.ts';
export type { Delivered, SpilledTransaction, TransactionItem } from './delivered.ts';
export { PostgresError, type PostgresErrorCode } from './error.ts';
export { createHistoryTables } from './history-tables.ts';
export {
  type IncrementalSnapshot,
  type IncrementalSnapshotOptions,
  openIncrementalSnapshot,
} from './incremental-snapshot.ts';
export {
  type InitialSnapshot,
  type InitialSnapshotOptions,
  openInitialSnapshot,
} from './initial-snapshot.ts';
export { type Lease, openLease, type Slot, type SlotWithSnapshot } from './lease.ts';
export { formatLsn, parseLsn } from './lsn.ts';
export { checkName, quoteName } from './names.ts';
export { PROTOCOLS, type ProtocolVersion } from './replication-stream.ts';
export { type PostgresOptions, type PostgresServer, startPostgres } from './server.ts';
export { openSession, type Session, type TextRow } from './session.ts';
export type { SnapshotChunk, SnapshotProgress } from './snapshot-chunk.ts';
export type { SnapshotTable } from './snapshot-table.ts';
export { checkSource, type SourceFacts, type SourceOptions } from './source.ts';
export { type WriteOptions, type WrittenCommit, type WrittenHistory, writeHistory } from './write-history.ts';
