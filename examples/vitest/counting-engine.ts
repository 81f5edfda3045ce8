import { build, type Case, neutralTraits, type QueryDefinition, type StreamSchema } from 'tidemark';
import { inProcessSession } from 'tidemark/vitest';

/** Clicks on pages, as a user's own topic holds them. */
export const click: StreamSchema = {
  name: 'click',
  columns: [
    { name: 'page', type: 'STRING', nullable: true },
    { name: 'at', type: 'TIMESTAMP(3)', nullable: false },
  ],
  eventTime: 'at',
  unique: [],
};

export const clicksPerPage: QueryDefinition = {
  version: 1,
  name: 'clicks-per-page',
  title: 'Clicks on each page in every ten seconds',
  plan: build.from('click').window(build.tumble(10_000)).perWindow(['page'], { clicks: build.count() }).plan,
  declaration: {
    class: 'append',
    reason: 'a window without allowed lateness fires once',
    keys: ['window_start', 'page'],
    fire: { column: 'window_end' },
  },
  premises: [],
};

/**
 * The engine under test: it counts rows in tumbling windows, and knows nothing else. `roundTime` says in which window a
 * time lies; a mistake there is what the properties are to find.
 */
export function countingEngine(roundTime: (at: number, sizeMs: number) => number) {
  return inProcessSession({
    name: 'counting',
    version: '1.0.0',
    traits: { ...neutralTraits, stops: ['drain'], transports: ['files'], splitsFiles: true },
    run: (testCase) => ({ format: 'rows', lines: count(testCase, roundTime) }),
  });
}

function count({ query, dataset }: Case, roundTime: (at: number, sizeMs: number) => number): string[] {
  const { plan } = query;
  if (plan.op !== 'aggregate' || plan.input.op !== 'window' || plan.input.window.kind !== 'tumble') return [];
  const { sizeMs, offsetMs } = plan.input.window;
  const counts = new Map<string, number>();
  for (const { row } of dataset.streams[0]!.partitions.flat()) {
    const [page, at] = row as [string | null, number];
    const start = roundTime(at - offsetMs, sizeMs) + offsetMs;
    const pane = JSON.stringify({ window_start: start, window_end: start + sizeMs, page });
    counts.set(pane, (counts.get(pane) ?? 0) + 1);
  }
  return [...counts].map(([pane, clicks]) => `${pane.slice(0, -1)},"clicks":${clicks}}`);
}
