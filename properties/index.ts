import { agreesWithTruth } from './agrees-with-truth.ts';
import { changelogFoldsToBatchResult } from './changelog-folds.ts';
import { columnsAreThoseDeclared } from './declared-columns.ts';
import { interruptedIsPrefix } from './interrupted-is-prefix.ts';
import { oneRowPerPane } from './one-row-per-pane.ts';
import type { Property } from './property.ts';
import { aggregatesAloneEqualThoseInCompany } from './relations/aggregates-alone.ts';
import { filtersPartTheRows } from './relations/filter-partition.ts';
import { interleavingChangesNothing } from './relations/interleaving.ts';
import { orderWithinLagChangesNothing } from './relations/order.ts';
import { parallelismChangesNothing } from './relations/parallelism.ts';
import { partitionsChangeNothing } from './relations/partitions.ts';
import { renamingChangesNamesOnly } from './relations/renaming.ts';
import { restartChangesNothing } from './relations/restart.ts';
import { sessionsConserveRows } from './relations/session-conservation.ts';
import { timeShiftShiftsResults } from './relations/time-shift.ts';
import { hopIsTumbleIsCumulate } from './relations/window-kinds.ts';
import { sessionsAgree } from './sessions-agree.ts';

/** Every property, those first that are held to the oracle. */
export const properties: readonly Property[] = [
  agreesWithTruth,
  interruptedIsPrefix,
  changelogFoldsToBatchResult,
  sessionsAgree,
  restartChangesNothing,
  interleavingChangesNothing,
  orderWithinLagChangesNothing,
  partitionsChangeNothing,
  parallelismChangesNothing,
  timeShiftShiftsResults,
  hopIsTumbleIsCumulate,
  sessionsConserveRows,
  filtersPartTheRows,
  aggregatesAloneEqualThoseInCompany,
  oneRowPerPane,
  columnsAreThoseDeclared,
  renamingChangesNamesOnly,
];
