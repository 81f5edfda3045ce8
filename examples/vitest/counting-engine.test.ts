import { properties, testProperty } from 'tidemark/vitest';
import { describe } from 'vitest';
import { click, clicksPerPage, countingEngine } from './counting-engine.ts';

/** Also right before 1970, where a remainder is negative. */
const roundDown = (at: number, sizeMs: number) => Math.floor(at / sizeMs) * sizeMs;

describe('the counting engine', () => {
  for (const property of properties) {
    if (!['agrees-with-truth', 'partitions-change-nothing', 'one-row-per-pane'].includes(property.name))
      continue;
    testProperty(property, {
      engine: () => countingEngine(roundDown),
      queries: [clicksPerPage],
      streams: [click],
      profiles: ['everyday', 'ties', 'windows', 'before-the-epoch', 'partitions'],
      coverage: ['rows', 'tie', 'before-the-epoch', 'several-partitions'],
    });
  }
});
