import type { Case } from '../../src/model/case.ts';
import type { Dataset, StreamData } from '../../src/model/dataset.ts';
import type { Expression } from '../../src/model/expression.ts';
import { string } from '../../src/model/functions/string.ts';
import type { Plan } from '../../src/model/plan/index.ts';
import { WINDOW_END, WINDOW_START } from '../../src/model/plan/relation.ts';
import {
  expressionsOf,
  operatorsOf,
  partsOf,
  rewriteLeaves,
  rewritePlan,
} from '../../src/model/plan/rewrite.ts';
import { type CheckedQuery, checkedOver, type QueryDefinition } from '../../src/model/query.ts';
import type { Column, StreamSchema } from '../../src/model/schema.ts';
import type { Row } from '../../src/model/value.ts';
import { type Relation, relationProperty } from './relation.ts';
import { onceForQuery, uninterrupted } from './settings.ts';

/** Functions that look into a text, or make one. */
const OF_TEXT = new Set([...Object.keys(string), 'to_string']);

/** Put before every name and every text, it keeps which are equal and which comes first. */
const TENANT = 'tenant_';

const relation: Relation = {
  name: 'renaming-changes-names-only',
  statement: 'renamed streams, columns and texts give the same rows under the new names',
  coverage: ['null', 'tie'],
  relate(testCase, traits) {
    const whole = uninterrupted(testCase, traits);
    if (whole === undefined) return undefined;
    const query = queryRenamed(whole.query, whole.dataset);
    if (query === undefined) return undefined;
    const dataset = renamedDataset(whole.dataset);
    const renamed: Case = { ...whole, query, dataset };
    return {
      cases: [whole, renamed],
      claims: ([rows, actual]) => [
        { query, expected: rows!.map((row) => renamedRow(row, whole.query.columns)), actual: actual! },
      ],
    };
  },
};

/** Undefined where the query looks into texts, which are renamed with it. */
const queryRenamed = onceForQuery(({ definition }, dataset): CheckedQuery | undefined => {
  if (looksIntoTexts(definition.plan)) return undefined;
  const streams = dataset.streams.map(({ schema }) => ({ schema: renamedSchema(schema), partitions: [] }));
  return checkedOver(renamedQuery(definition), { ...dataset, streams });
});

function looksIntoTexts(plan: Plan): boolean {
  return operatorsOf(plan)
    .flatMap(expressionsOf)
    .flatMap(partsOf)
    .some((part) => ('fn' in part && OF_TEXT.has(part.fn)) || ('lit' in part && part.type === 'STRING'));
}

const renamed = (name: string) => (name === WINDOW_START || name === WINDOW_END ? name : `${TENANT}${name}`);

function renamedRow(row: Row, columns: readonly Column[]): Row {
  return row.map((value, index) =>
    columns[index]!.type === 'STRING' && typeof value === 'string' ? `${TENANT}${value}` : value,
  );
}

function renamedDataset(dataset: Dataset): Dataset {
  const stream = ({ schema, partitions }: StreamData): StreamData => ({
    schema: renamedSchema(schema),
    partitions: partitions.map((events) =>
      events.map(({ arrival, row }) => ({ arrival, row: renamedRow(row, schema.columns) })),
    ),
  });
  return { ...dataset, streams: dataset.streams.map(stream) };
}

/** By the schema that was renamed: streams of many datasets share it. */
const renamedSchemas = new WeakMap<StreamSchema, StreamSchema>();

function renamedSchema(schema: StreamSchema): StreamSchema {
  const before = renamedSchemas.get(schema);
  if (before !== undefined) return before;
  const after: StreamSchema = {
    name: renamed(schema.name),
    columns: schema.columns.map((column) => ({ ...column, name: renamed(column.name) })),
    eventTime: renamed(schema.eventTime),
    unique: schema.unique.map((set) => set.map(renamed)),
  };
  renamedSchemas.set(schema, after);
  return after;
}

function renamedQuery(definition: QueryDefinition): QueryDefinition {
  const { declaration, plan, premises } = definition;
  const { tolerance, fire } = declaration;
  return {
    ...definition,
    plan: rewritePlan(plan, renamedNode),
    declaration: {
      ...declaration,
      keys: declaration.keys.map(renamed),
      tolerance: tolerance && { ...tolerance, columns: tolerance.columns.map(renamed) },
      fire: typeof fire === 'object' ? { column: renamed(fire.column) } : fire,
    },
    premises: premises.map((premise) => ({
      ...premise,
      stream: renamed(premise.stream),
      columns: premise.columns.map(renamed),
    })),
  };
}

function renamedNode(node: Plan): Plan {
  switch (node.op) {
    case 'scan':
      return { ...node, stream: renamed(node.stream) };
    case 'filter':
      return { ...node, where: renamedExpression(node.where) };
    case 'project':
      return {
        ...node,
        columns: node.columns.map(({ as, value }) => ({ as: renamed(as), value: renamedExpression(value) })),
      };
    case 'window':
      return node.window.kind === 'session'
        ? { ...node, window: { ...node.window, keys: node.window.keys.map(renamed) } }
        : node;
    case 'aggregate':
      return {
        ...node,
        keys: node.keys.map(renamed),
        aggregates: node.aggregates.map((call) => ({
          ...call,
          as: renamed(call.as),
          ...(call.arg === undefined ? {} : { arg: renamed(call.arg) }),
          ...(call.where === undefined ? {} : { where: renamedExpression(call.where) }),
        })),
      };
    case 'rank':
      return {
        ...node,
        partitionBy: node.partitionBy.map(renamed),
        orderBy: node.orderBy.map((key) => ({ ...key, column: renamed(key.column) })),
      };
    case 'join':
      return {
        ...node,
        equal: node.equal.map(({ left, right }) => ({ left: renamed(left), right: renamed(right) })),
        ...(node.where === undefined ? {} : { where: renamedExpression(node.where) }),
      };
  }
}

function renamedExpression(expression: Expression): Expression {
  return rewriteLeaves(expression, (leaf) => ('col' in leaf ? { col: renamed(leaf.col) } : leaf));
}

export const renamingChangesNamesOnly = relationProperty(relation);
