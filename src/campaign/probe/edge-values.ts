import { bigint, call, from, type PlanBuilder, sum, tumble } from '../../model/build.ts';
import { BIGINT_MAX, BIGINT_MIN } from '../../model/value.ts';
import { type Bench, whyNoRows } from './bench.ts';
import { measured, NotMeasured, type Probe, type Reading } from './probe.ts';
import { endOf } from './stops.ts';
import { type Tick, type TinyCase, ticks } from './tiny-case.ts';

/** A computation, a row of the key `plain` whose result any engine has, and rows of the key `edge`. */
interface EdgeCase {
  readonly name: 'divisionByZero' | 'integerOverflow' | 'sumOverflow';
  /** Gives the key, then the result. */
  readonly plan: PlanBuilder;
  readonly edge: readonly Tick[];
  readonly how: string;
}

/** Fires the panes of the others, and is in none itself. */
const END: Tick = ['end', 1_000, 1];

export const divisionByZero = edgeProbe({
  name: 'divisionByZero',
  plan: from('tick').project({ k: 'k', x: call('divide', bigint(1), 'v') }),
  edge: [['edge', 2, 0]],
  how: 'the quotient of 1 and 0',
});

export const integerOverflow = edgeProbe({
  name: 'integerOverflow',
  plan: from('tick').project({ k: 'k', x: call('add', 'v', bigint(1)) }),
  edge: [['edge', 2, BIGINT_MAX]],
  how: '2^63 - 1 and 1 added',
});

export const sumOverflow = edgeProbe({
  name: 'sumOverflow',
  plan: from('tick')
    .window(tumble(10))
    .perWindow(['k'], { x: sum('v') })
    .select('k', 'x'),
  edge: [
    ['edge', 2, BIGINT_MAX],
    ['edge', 3, 1],
  ],
  how: 'the sum of 2^63 - 1 and 1',
});

function edgeProbe({ name, plan, edge, how }: EdgeCase): Probe {
  const plain: Tick = ['plain', 1, 1];
  const withEdge: TinyCase = {
    name: name.toLowerCase(),
    plan,
    dataset: ticks(0, [plain, ...edge, END]),
    parallelism: 1,
  };
  const without: TinyCase = { ...withEdge, name: `${withEdge.name}-none`, dataset: ticks(0, [plain, END]) };
  return {
    trait: `values.${name}`,
    declared: ({ values }) => values[name],
    async measure(bench) {
      const end = await endOf(bench);
      const answer = await bench.ask(withEdge, end);
      switch (answer.kind) {
        case 'rows':
          return measured(habitOf(answer.rows.find(([k]) => k === 'edge')), how);
        case 'corrupt':
          return onlyWithEdge(bench, without, end, measured('widens', `${how} came as no BIGINT`));
        case 'failed':
          if (answer.step !== 'run') throw new NotMeasured(whyNoRows(answer));
          return onlyWithEdge(bench, without, end, measured('fails', `${how} failed the run`));
        case 'unsupported':
          throw new NotMeasured(whyNoRows(answer));
      }
    },
  };
}

function habitOf(row: readonly unknown[] | undefined): string {
  if (row === undefined) throw new NotMeasured('the row at the edge is missing');
  if (row[1] === null) return 'null';
  if (row[1] === BIGINT_MIN) return 'wraps';
  throw new NotMeasured('the result at the edge is none that is known of');
}

/** What went wrong is laid to the edge only if the computation works without. */
async function onlyWithEdge(
  bench: Bench,
  without: TinyCase,
  end: 'drain' | 'settle-cancel',
  reading: Reading,
): Promise<Reading> {
  await bench.rows(without, end);
  return reading;
}
