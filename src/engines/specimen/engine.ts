import type { Engine } from '../engine.ts';
import { parseFaults } from './faults.ts';
import { openSpecimen, SPECIMEN_VERSION } from './session.ts';
import { specimenTraits } from './traits.ts';

/**
 * A small streaming engine of this project's own, made to be tested on: `specimen@late-row-reopens-pane` runs with that
 * fault switched on, several are joined by `+`. It is never a source of truth.
 */
export const specimen: Engine = {
  name: 'specimen',
  description: 'a small streaming engine to test Tidemark on, with faults to switch on by name',
  traits: { files: specimenTraits },
  onlyByName: true,
  async status(variant) {
    if (variant !== undefined) parseFaults(variant);
    return { kind: 'ready', version: SPECIMEN_VERSION };
  },
  async install() {
    // It is part of this package.
  },
  async open({ variant }) {
    return openSpecimen({ faults: variant === undefined ? [] : parseFaults(variant) });
  },
};
