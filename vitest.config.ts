import { defineConfig } from 'vitest/config';
import LongestFirst from './test/support/longest-first.ts';

const report = process.env.TIDEMARK_TEST_REPORT;

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores: an engine under test runs beside one other file at most.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    ...(report === undefined ? {} : { reporters: ['default', 'json'], outputFile: { json: report } }),
    projects: [
      { extends: true, test: { name: 'library', include: ['test/**/*.test.ts'], exclude: ['test/cli/**'] } },
      {
        // What runs against the package as it is built.
        extends: true,
        test: {
          name: 'cli',
          include: ['test/cli/**/*.test.ts', 'examples/**/*.test.ts'],
          globalSetup: ['test/support/build.ts'],
        },
      },
    ],
  },
});
