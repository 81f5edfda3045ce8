import type { Case } from '../model/case.ts';
import type { Event } from '../model/dataset.ts';

const rowTexts = new WeakMap<Event, string>();

/** A text that two cases share exactly if they are one: of their query, data and schedule, not of where data came from. */
export function caseKey({ query, dataset, schedule }: Case): string {
  const { parallelism, stop, delivery, cancelAfterRows, cancelAfterOutput, steps = [] } = schedule;
  const { plan, declaration, premises, name, title } = query.definition;
  const streams = dataset.streams.map(({ schema, partitions }) => [
    JSON.stringify(schema),
    ...partitions.map((events) => events.map(eventText).join()),
  ]);
  return JSON.stringify([
    [name, title, sorted(plan), sorted(declaration), sorted(premises)],
    dataset.lagMs,
    streams,
    [
      parallelism,
      stop,
      delivery,
      cancelAfterRows,
      cancelAfterOutput,
      steps.map((step) => [step.after, step.do]),
    ],
  ]);
}

/** Plain data with the fields of its objects in one order, without those that are undefined. */
function sorted(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(sorted);
  if (typeof data !== 'object' || data === null) return data;
  const fields = Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, value]) => [name, sorted(value)]));
}

function eventText(event: Event): string {
  let text = rowTexts.get(event);
  if (text === undefined) {
    text = `${event.arrival}:${event.row.map(valueText).join('\u0001')}`;
    rowTexts.set(event, text);
  }
  return text;
}

function valueText(value: Event['row'][number]): string {
  if (typeof value === 'string') return `"${value}`;
  return Object.is(value, -0) ? '-0' : `${typeof value === 'bigint' ? 'n' : ''}${value}`;
}
