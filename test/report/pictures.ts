import { agreesWithTruth } from '../../properties/agrees-with-truth.ts';
import type { Property } from '../../properties/property.ts';
import { checkShowing } from '../../src/campaign/repro/shown.ts';
import type { FaultName } from '../../src/engines/specimen/faults.ts';
import { openSpecimen } from '../../src/engines/specimen/session.ts';
import {
  asc,
  call,
  count,
  desc,
  from,
  max,
  type PlanBuilder,
  session,
  tumble,
} from '../../src/model/build.ts';
import type { Dataset } from '../../src/model/dataset.ts';
import { type Picture, pictureOf } from '../../src/report/picture/index.ts';
import { never } from '../engines/cases.ts';
import { faultCases } from '../engines/specimen/fault-cases.ts';
import { caseOf, click, input, type Run } from '../engines/specimen/support.ts';

/** What a fault of the specimen does to a case, as a picture. */
export async function pictured(
  fault: FaultName | undefined,
  plan: PlanBuilder,
  dataset: Dataset,
  { operator = 'aggregate', property = agreesWithTruth, ...run }: PictureSetting = {},
): Promise<Picture> {
  const testCase = caseOf(plan, dataset, run);
  const specimen = openSpecimen({ faults: fault === undefined ? [] : [fault] });
  const { verdict, shown } = await checkShowing(property, testCase, [specimen], never);
  return pictureOf({
    repro: {
      engine: { name: fault === undefined ? 'specimen' : `specimen@${fault}`, version: specimen.version },
      property: property.name,
      signature: `${specimen.name}: ${property.name}, ${operator}: ${verdict.kind}`,
      testCase,
      confirmed: { k: 3, n: 3 },
      data: 'generated',
      firstDivergence: undefined,
    },
    property,
    verdict,
    shown,
    traits: specimen.traits,
    replay: 'tidemark replay fuzz/1-1/repro.json',
  });
}

export interface PictureSetting extends Run {
  readonly operator?: string;
  readonly property?: Property;
}

/** The case by hand of a fault. */
export function ofFault(fault: FaultName, setting: PictureSetting = {}): Promise<Picture> {
  const { plan, dataset, run } = faultCases[fault]!;
  return pictured(fault, plan, dataset, { ...run, ...setting });
}

/** Texts that are not as wide as they are long, not to be seen, or too long to be shown whole. */
export const ODD_TEXTS = [
  '日本語のとても長い題名です、まだ続きます',
  'e\u0301te\u0301',
  '👩‍👩‍👧',
  '\u202egnp.exe',
  '<img src=x>',
];

/** Pictures of what a picture may have to show, by name. */
export const pictures: Readonly<Record<string, () => Promise<Picture>>> = {
  'a lost hop pane': () => ofFault('hop-loses-uneven-pane', { operator: 'hop window' }),
  'sessions of two keys': () =>
    pictured(
      'touching-sessions-separate',
      from('click')
        .window(session(10_000, ['k']))
        .perWindow(['k'], { n: count(), best: max('v') }),
      input(
        5_000,
        click('red', 0, 3),
        click('blue', 4_000, 1),
        click('red', 10_000, 7),
        click('red', 40_000, 2),
      ),
      { operator: 'session window' },
    ),
  'a late row in one of two partitions': () =>
    pictured(
      'watermark-of-greatest-partition',
      from('click').window(tumble(10_000)).perWindow(['k'], { n: count() }),
      input(
        2_000,
        click('a', 1_700_000_005_000),
        click('a', 1_700_000_011_999),
        click('b', 1_700_000_001_000, null, 1),
        click('a', 1_700_000_019_000),
        click('a', 1_700_000_013_000),
        click('b', 1_700_000_012_000, null, 1),
      ),
      { stop: 'settle-cancel', operator: 'tumble window' },
    ),
  'a restart': () => ofFault('source-skips-row-at-restore', { operator: 'scan' }),
  'a row of a top-N': () => ofFault('null-order-by-direction', { operator: 'rank' }),
  'many columns and odd texts': () =>
    pictured(
      'null-order-by-direction',
      from('click')
        .project({
          k: { col: 'k' },
          again: { col: 'k' },
          at: { col: 'at' },
          v: { col: 'v' },
          seq: { col: 'seq' },
          twice: call('add', { col: 'seq' }, { col: 'seq' }),
        })
        .top(1, ['k'], desc('v', 'last'), asc('seq')),
      input(0, ...ODD_TEXTS.flatMap((text, index) => [click(text, index), click(text, index + 10, 1)])),
      { operator: 'rank', keys: ['k'] },
    ),
  'nothing wrong': () => pictured(undefined, from('click').select('k', 'at'), input(0, click('a', 1))),
};
