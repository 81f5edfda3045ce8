import { propertyOf } from '../../campaign/fuzz/replay.ts';
import type { Repro } from '../../campaign/fuzz/repro.ts';
import { parseEngine } from '../../engines/index.ts';
import { InputError } from '../../model/errors.ts';
import { neutralTraits, type Traits } from '../../model/traits.ts';
import { commandLine } from '../replay.ts';
import { type Picture, pictureOf } from './picture.ts';

/** The picture of a repro as its file tells it: nothing is run. */
export function storedPicture(file: string, repro: Repro): Picture {
  return pictureOf({
    repro,
    property: propertyOf(repro),
    verdict: repro.verdict,
    shown: repro.shown,
    traits: traitsOf(repro),
    replay: commandLine(['tidemark', 'replay', file]),
  });
}

/** What the engine promises, as far as it is known without a session of it. */
function traitsOf({ engine: { name } }: Repro): Traits {
  try {
    return parseEngine(name.split(' and ')[0]!).engine.traits?.files ?? neutralTraits;
  } catch (error) {
    // An engine of a user's own, under test in vitest.
    if (error instanceof InputError) return neutralTraits;
    throw error;
  }
}
