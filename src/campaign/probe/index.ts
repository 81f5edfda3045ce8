import type { Session } from '../../engines/engine.ts';
import type { Traits } from '../../model/traits.ts';
import { Bench } from './bench.ts';
import { divisionByZero, integerOverflow, sumOverflow } from './edge-values.ts';
import { firePoint } from './fire-point.ts';
import { mode, modeOf } from './mode.ts';
import { nullOrder } from './null-order.ts';
import { integerDivision, stringUnit } from './plain-values.ts';
import { NotMeasured, type Probe, type Reading, type TraitValue, withoutMeaning } from './probe.ts';
import { sessionTouching } from './session-touching.ts';
import { stops } from './stops.ts';
import { subtaskWithoutPartition } from './subtask-without-partition.ts';
import { transports } from './transports.ts';
import { watermarkEmission } from './watermark-emission.ts';
import { watermarkScope } from './watermark-scope.ts';

const probes: readonly Probe[] = [
  mode,
  firePoint,
  watermarkScope,
  watermarkEmission,
  sessionTouching,
  subtaskWithoutPartition,
  integerDivision,
  divisionByZero,
  integerOverflow,
  sumOverflow,
  nullOrder,
  stringUnit,
  stops,
  transports,
];

/** What is declared of a trait beside what was seen of it. */
export interface TraitResult {
  readonly trait: string;
  readonly declared: string;
  /** Absent where nothing was measured. */
  readonly measured?: string;
  readonly how: string;
  readonly verdict: 'as-declared' | 'differs' | 'unmeasured' | 'without-meaning';
}

/** What was seen of each trait, by its name. It depends on the engine alone, whatever is declared. */
export type Readings = ReadonlyMap<string, Reading>;

/** Measures an engine by tiny streams. A probe that fails leaves its own trait unmeasured. @throws once aborted */
export async function measureTraits(session: Session, signal: AbortSignal): Promise<Readings> {
  const bench = new Bench(session, signal);
  const readings = await Promise.all(
    probes.map(async (probe) => [probe.trait, await readingOf(probe, bench)] as const),
  );
  return new Map(readings);
}

/** Holds a declaration against what was measured. */
export function compareTraits(readings: Readings, declared: Traits): readonly TraitResult[] {
  return probes.map((probe) => {
    const reading = readings.get(probe.trait)!;
    const result = { trait: probe.trait, declared: textOf(probe.declared(declared)), how: reading.how };
    if (reading.kind !== 'measured') return { ...result, verdict: reading.kind };
    const seen = textOf(reading.value);
    return { ...result, measured: seen, verdict: seen === result.declared ? 'as-declared' : 'differs' };
  });
}

async function readingOf(probe: Probe, bench: Bench): Promise<Reading> {
  try {
    if (probe.ofWatermarks && (await modeOf(bench)).value === 'batch') {
      return withoutMeaning('a batch engine has no watermark');
    }
    return await probe.measure(bench);
  } catch (error) {
    if (!(error instanceof NotMeasured)) throw error;
    return { kind: 'unmeasured', how: error.message };
  }
}

/** A list is a set. */
function textOf(value: TraitValue): string {
  return typeof value === 'object' ? value.toSorted().join(', ') : String(value);
}
