import type { Case } from '../model/case.ts';
import type { StreamData } from '../model/dataset.ts';
import type { Expression } from '../model/expression.ts';
import type { Plan } from '../model/plan/index.ts';
import { operatorsOf } from '../model/plan/rewrite.ts';
import type { Premise } from '../model/query.ts';
import { changed } from './candidate.ts';
import { columnsReadOf } from './columns-read.ts';
import { type Edit, follow, rebuild } from './rebuild.ts';

/**
 * The case under plain names: streams `s`, `s2`; their times `t`, `t2`; other columns `a`, `b` and so on in the order in
 * which the query uses them; computed columns `p`, results of aggregates `r`. Columns of two streams have two names.
 */
export function* plainNames(testCase: Case): Generator<Case | undefined> {
  const { query, dataset } = testCase;
  const read = columnsReadOf(query);
  const order = [...read.keys()];
  const names = new Map<string, ReadonlyMap<string, string>>();
  const streamName = (name: string) => `s${suffix(order.indexOf(name))}`;
  const streams = dataset.streams
    .map((stream): StreamData => {
      const { schema } = stream;
      const place = order.indexOf(schema.name);
      const used = [...(read.get(schema.name) ?? [])];
      const rank = (name: string) =>
        name === schema.eventTime ? -1 : used.includes(name) ? used.indexOf(name) : used.length;
      const positions = schema.columns
        .map((_, index) => index)
        .sort((a, b) => rank(schema.columns[a]!.name) - rank(schema.columns[b]!.name) || a - b);
      const own = new Map(
        positions.map((position, index) => {
          const { name } = schema.columns[position]!;
          return [
            name,
            name === schema.eventTime ? `t${suffix(place)}` : `${letter(index - 1)}${suffix(place)}`,
          ];
        }),
      );
      names.set(schema.name, own);
      return {
        schema: {
          name: streamName(schema.name),
          columns: positions.map((position) => {
            const column = schema.columns[position]!;
            return { ...column, name: own.get(column.name)! };
          }),
          eventTime: own.get(schema.eventTime)!,
          unique: schema.unique.map((set) => set.map((name) => own.get(name)!)),
        },
        partitions: stream.partitions.map((events) =>
          events.map(({ arrival, row }) => ({ arrival, row: positions.map((position) => row[position]!) })),
        ),
      };
    })
    .sort((a, b) => (a.schema.name < b.schema.name ? -1 : 1));
  const made = rebuild(query, new Map(renamings(testCase, names, streamName)));
  if (made === undefined) return;
  const premises = query.definition.premises.flatMap((premise): Premise[] => {
    const own = names.get(premise.stream);
    if (own === undefined) return [];
    const columns = premise.columns.flatMap((name) => own.get(name) ?? []);
    return columns.length < premise.columns.length
      ? []
      : [{ ...premise, stream: streamName(premise.stream), columns }];
  });
  yield changed(testCase, { plan: made.plan, streams, premises });
}

function renamings(
  { query }: Case,
  names: ReadonlyMap<string, ReadonlyMap<string, string>>,
  streamName: (name: string) => string,
): readonly (readonly [Plan, Edit])[] {
  let results = 0;
  let computed = 0;
  return operatorsOf(query.plan).flatMap((node): (readonly [Plan, Edit])[] => {
    switch (node.op) {
      case 'scan': {
        const own = names.get(node.stream);
        const of = (name: string): Expression | undefined => {
          const now = own?.get(name);
          return now === undefined ? undefined : { col: now };
        };
        return [[node, () => ({ plan: { op: 'scan', stream: streamName(node.stream) }, of })]];
      }
      case 'aggregate': {
        const now = new Map(node.aggregates.map(({ as }) => [as, `r${suffix(results++)}`]));
        return [
          [
            node,
            (inputs) => {
              const made = follow(
                query,
                { ...node, aggregates: node.aggregates.map((call) => ({ ...call, as: now.get(call.as)! })) },
                inputs,
              );
              return (
                made && {
                  plan: made.plan,
                  of: (name) => made.of(now.get(name) ?? name),
                }
              );
            },
          ],
        ];
      }
      case 'project': {
        const fresh = new Map(node.columns.map(({ as }) => [as, `p${suffix(computed++)}`]));
        return [
          [
            node,
            (inputs) => {
              const taken = new Set<string>();
              const now = new Map(
                node.columns.map(({ as, value }) => {
                  const own = 'col' in value ? inputs[0]!.of(value.col) : undefined;
                  const kept =
                    own !== undefined && 'col' in own && !taken.has(own.col) ? own.col : fresh.get(as)!;
                  taken.add(kept);
                  return [as, kept];
                }),
              );
              const made = follow(
                query,
                { ...node, columns: node.columns.map(({ as, value }) => ({ as: now.get(as)!, value })) },
                inputs,
              );
              return (
                made && {
                  plan: made.plan,
                  of: (name) => made.of(now.get(name) ?? name),
                }
              );
            },
          ],
        ];
      }
      default:
        return [];
    }
  });
}

function letter(index: number): string {
  return index < 15 ? String.fromCharCode(97 + index) : `c${index}`;
}

function suffix(place: number): string {
  return place === 0 ? '' : String(place + 1);
}
