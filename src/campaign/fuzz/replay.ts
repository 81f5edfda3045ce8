import { properties } from '../../../properties/index.ts';
import type { Property } from '../../../properties/property.ts';
import type { Session } from '../../engines/engine.ts';
import { InputError } from '../../model/errors.ts';
import { checkShowing, type ShownVerdict } from '../repro/shown.ts';
import type { Repro } from './repro.ts';

/** The property that a repro breaks. @throws InputError where there is none of that name. */
export function propertyOf({ property: name }: Pick<Repro, 'property'>): Property {
  const found = properties.find((property) => property.name === name);
  if (found === undefined) throw new InputError(`there is no property ${name}`, { field: 'property' });
  return found;
}

/** Runs a repro so many times, and gives each verdict with the rows that it is about. */
export async function replayRepro(
  repro: Pick<Repro, 'property' | 'testCase'>,
  sessions: readonly Session[],
  times: number,
  signal: AbortSignal,
): Promise<readonly ShownVerdict[]> {
  const property = propertyOf(repro);
  const runs: ShownVerdict[] = [];
  for (let run = 0; run < times && !signal.aborted; run++) {
    runs.push(await checkShowing(property, repro.testCase, sessions, signal));
  }
  return runs;
}
