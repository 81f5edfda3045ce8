import type { z } from 'zod';
import type { Finding, Signature } from '../../src/campaign/corpus/finding.ts';
import { findingOf, findingSchema } from '../../src/campaign/corpus/finding.ts';
import { bigint, call, from } from '../../src/model/build.ts';
import type { Expression } from '../../src/model/expression.ts';

type FindingFile = z.input<typeof findingSchema>;

const schema = {
  name: 'click',
  columns: [
    { name: 'seq', type: 'BIGINT', nullable: false },
    { name: 'at', type: 'TIMESTAMP(3)', nullable: false },
    { name: 'v', type: 'BIGINT', nullable: true },
  ],
  eventTime: 'at',
  unique: [['seq']],
} as const;

/** Holds for the rows that are lost. */
export const predicate: Expression = call('ge', 'v', bigint(100));

/** A file of a corpus: an engine of ours that loses rows in a filter. */
export function findingFile(): FindingFile {
  return {
    version: 1,
    name: 'great-values',
    title: 'great values are lost',
    ruling: 'derived by hand',
    signature: {
      engine: 'ours',
      versions: '>=1.2 <1.4',
      property: 'agrees-with-truth',
      operator: 'filter',
      kind: 'lost',
    },
    predicate,
    case: {
      query: {
        version: 1,
        name: 'great-values',
        title: 'great values',
        plan: from('click')
          .filter(call('gt', 'v', bigint(0)))
          .select('seq', 'v').plan,
        declaration: { class: 'append', reason: 'a row for a row', keys: ['seq'], fire: 'immediate' },
      },
      dataset: {
        lagMs: 5,
        streams: [
          {
            schema: structuredClone(
              schema,
            ) as unknown as FindingFile['case']['dataset']['streams'][0]['schema'],
            partitions: [
              [
                { arrival: 0, row: { seq: 0, at: 1, v: 100 } },
                { arrival: 1, row: { seq: 1, at: 2, v: 1 } },
              ],
            ],
          },
        ],
      },
      schedule: { parallelism: 1, stop: 'drain' },
    },
  };
}

/** The finding of {@link findingFile} with another signature and predicate. */
export function finding(signature: Partial<Signature> = {}, holds: Expression = predicate): Finding {
  const file = findingSchema.parse(findingFile());
  const name = `${signature.kind ?? 'lost'}-${signature.operator ?? 'filter'}`;
  return findingOf({ ...file, name, signature: { ...file.signature, ...signature }, predicate: holds });
}
