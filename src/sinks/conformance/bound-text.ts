import { type DeliveryMode, guarantees } from '../../model/history/index.ts';

/** What a mode promises in few characters; nothing may be lost in any. */
export function boundOf(mode: DeliveryMode, batchSize: number): string {
  const { unit, dupUnits } = guarantees[mode];
  if (dupUnits === 'any') return 'dup any';
  if (dupUnits === 0) return 'dup = 0';
  return unit === 'batch' ? `dup ≤ ${batchSize * dupUnits} transactions` : `dup ≤ ${dupUnits} ${unit}`;
}
