/** The arrows of the design: data flows down this list, imports point up it. */
const layers = [
  '^src/model/',
  '^generators/',
  '^oracles/',
  '^src/queries/',
  '^src/sql/',
  '^src/streams/',
  '^src/engines/',
  '^src/judge/',
  '^src/reduce/',
  '^properties/',
  '^src/campaign/',
  '^src/sinks/',
  '^src/report/',
  '^src/cli/',
];

const upwardOnly = layers.map((layer, index) => ({
  name: `imports-point-up: ${layer}`,
  severity: 'error',
  from: { path: layer },
  to: { path: [...layers.slice(index + 1), '^test/', '^bench/'] },
}));

const pure = ['^oracles/', '^src/judge/', '^src/reduce/'];

module.exports = {
  forbidden: [
    ...upwardOnly.filter(({ to }) => to.path.length > 0),
    {
      name: 'the-oracle-stands-alone',
      comment: 'an oracle that shares code with what it judges agrees with its bugs',
      severity: 'error',
      from: { path: '^oracles/' },
      to: { pathNot: ['^oracles/', '^src/model/'] },
    },
    {
      name: 'the-judge-knows-no-engine',
      severity: 'error',
      from: { path: ['^src/judge/', '^src/reduce/'] },
      to: {
        path: ['^src/engines/', '^src/sql/', '^src/queries/', '^src/streams/', '^generators/', '^oracles/'],
      },
    },
    {
      name: 'engines-know-no-oracle-and-no-judge',
      severity: 'error',
      from: { path: ['^src/engines/', '^src/sql/', '^src/streams/'] },
      to: { path: ['^oracles/', '^src/judge/'] },
    },
    {
      name: 'model-is-representation-only',
      severity: 'error',
      from: { path: '^src/model/' },
      to: { pathNot: ['^src/model/', 'node_modules/(zod|lossless-json)/'] },
    },
    {
      name: 'no-io-no-clock-where-truth-is-made',
      severity: 'error',
      from: { path: pure },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'properties-do-not-know-their-runner',
      severity: 'error',
      from: { path: '^properties/' },
      to: { path: 'node_modules/(vitest|@fast-check)' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['^test/', '^bench/', '\\.d\\.ts$'] },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
