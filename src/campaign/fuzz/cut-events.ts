import type { Case } from '../../model/case.ts';
import type { Event } from '../../model/dataset.ts';
import type { Diverge } from '../../model/verdict.ts';
import { minimise } from '../../reduce/delta-debugging.ts';

/** Runs that cutting one case may take. */
const BUDGET = 300;

/** Cuts the events of a failing case to some of which none can be left out; the rest of it stays. */
export async function cutEvents(
  testCase: Case,
  verdict: Diverge,
  fails: (candidate: Case) => Promise<Diverge | undefined>,
): Promise<{ readonly testCase: Case; readonly verdict: Diverge }> {
  let least = { testCase, verdict };
  const events = testCase.dataset.streams.flatMap(({ partitions }) => partitions.flat());
  await minimise(
    events,
    async (kept) => {
      const candidate = withEvents(testCase, new Set(kept));
      const again = await fails(candidate);
      if (again === undefined) return false;
      least = { testCase: candidate, verdict: again };
      return true;
    },
    BUDGET,
  );
  return least;
}

function withEvents(testCase: Case, kept: ReadonlySet<Event>): Case {
  const { dataset } = testCase;
  const streams = dataset.streams.map(({ schema, partitions }) => ({
    schema,
    partitions: partitions.map((events) => events.filter((event) => kept.has(event))),
  }));
  return { ...testCase, dataset: { ...dataset, streams } };
}
