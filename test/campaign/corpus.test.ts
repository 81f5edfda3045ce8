import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/campaign/corpus/finding.ts';
import { findingsFor, KnownRows, type Setting } from '../../src/campaign/corpus/known-rows.ts';
import { readCorpus } from '../../src/campaign/corpus/read-corpus.ts';
import { type JudgeOptions, judge, type Side } from '../../src/judge/judge.ts';
import { bigint, call, from, text } from '../../src/model/build.ts';
import type { Case } from '../../src/model/case.ts';
import type { Expression } from '../../src/model/expression.ts';
import { checkQuery } from '../../src/model/query.ts';
import type { Row } from '../../src/model/value.ts';
import { captured, lines } from '../judge/captures.ts';
import { finding, findingFile } from './findings.ts';

describe('a corpus', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tidemark-corpus-test-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const write = (content: unknown, name = 'great-values.json') =>
    writeFileSync(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
  const named = (name: string) => ({ ...findingFile(), name });

  it('is read with its cases', async () => {
    write(findingFile());
    write('not a finding', 'README.md');
    const { findings } = await readCorpus(directory);
    expect(findings.map(({ name }) => name)).toEqual(['great-values']);
    const { testCase } = findings[0]!;
    expect(testCase.query.columns.map(({ name }) => name)).toEqual(['seq', 'v']);
    expect(testCase.dataset.streams[0]!.partitions).toEqual([
      [
        { arrival: 0, row: [0, 1, 100] },
        { arrival: 1, row: [1, 2, 1] },
      ],
    ]);
  });

  it('keeps every digit of a BIGINT', async () => {
    write(JSON.stringify(findingFile()).replace('"v":100', '"v":9007199254740993'));
    const { findings } = await readCorpus(directory);
    expect(findings[0]!.testCase.dataset.streams[0]!.partitions[0]![0]!.row[2]).toBe(9007199254740993n);
  });

  it('repeats a row', async () => {
    const file = findingFile();
    file.case.dataset.streams[0]!.partitions = [
      [
        { arrival: 4, repeat: 3, row: { seq: 7, at: 1, v: 1 } },
        { arrival: 7, row: { seq: 8, at: 1, v: 1 } },
      ],
    ];
    write(file);
    const { findings } = await readCorpus(directory);
    const [events] = findings[0]!.testCase.dataset.streams[0]!.partitions;
    expect(events!.map(({ arrival, row }) => [arrival, row[0]])).toEqual([
      [4, 7],
      [5, 7],
      [6, 7],
      [7, 8],
    ]);
  });

  it('has a hash over names and bytes, in whatever order they were written', async () => {
    write(named('a'), 'a.json');
    write(named('b'), 'b.json');
    const { findings, sha256 } = await readCorpus(directory);
    expect(findings.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);

    rmSync(join(directory, 'a.json'));
    rmSync(join(directory, 'b.json'));
    write(named('b'), 'b.json');
    write(named('a'), 'a.json');
    expect((await readCorpus(directory)).sha256).toBe(sha256);

    write(`${JSON.stringify(named('a'))} `, 'a.json');
    expect((await readCorpus(directory)).sha256).not.toBe(sha256);
  });

  const at = (...path: (string | number)[]) => ({
    set: (value: unknown) => {
      const file: unknown = findingFile();
      const last = path.pop()!;
      const inner = path.reduce((object, key) => (object as Record<string, unknown>)[key], file);
      (inner as Record<string | number, unknown>)[last] = value;
      return file;
    },
  });
  const partition = ['case', 'dataset', 'streams', 0, 'partitions', 0] as const;
  const secret = 987_654_321;

  it.each<[string, unknown, string]>([
    [
      'a newer version',
      at('version').set(2),
      'field version: version 2 is newer than this program reads (up to 1)',
    ],
    ['an unknown version', at('version').set(0), 'field version: Invalid input: expected 1'],
    ['another name', at('name').set('other'), 'field name: the file is called great-values'],
    ['a field too many', at('extra').set(1), 'Unrecognized key: "extra"'],
    ['corrupt lines', at('signature', 'kind').set('corrupt'), 'field signature.kind: '],
    [
      'no range',
      at('signature', 'versions').set('new'),
      'field signature.versions: expected a range of versions',
    ],
    [
      'a column that is not there',
      at('signature', 'columns').set(['w']),
      'field signature.columns: the query’s output has no column w',
    ],
    [
      'a property of other runs',
      at('signature', 'property').set('interrupted-is-prefix'),
      'field signature.property: a run that ends in drain is not held to this',
    ],
    [
      'a predicate over no column',
      at('predicate').set(call('is_null', 'at')),
      'field predicate: predicate.args[0]: no column at here (unknown-column)',
    ],
    [
      'a predicate that is none',
      at('predicate').set(bigint(1)),
      'field predicate: predicate: expected BOOLEAN, not BIGINT (type-mismatch)',
    ],
    [
      'a plan that is ill-typed',
      at('case', 'query', 'plan').set(from('sale').plan),
      'field case.query: plan: no stream sale (unknown-stream)',
    ],
    [
      'a value of another type',
      at(...partition, 0, 'row', 'v').set(`${secret}`),
      'field case.dataset.streams.0.partitions.0.0.row.v: expected a BIGINT',
    ],
    [
      'arrivals that fall',
      at(...partition, 1, 'arrival').set(0),
      'field case.dataset.streams.0.partitions.0.1.arrival: arrival numbers must rise within a partition',
    ],
    [
      'arrivals that occur twice',
      at('case', 'dataset', 'streams', 0, 'partitions', 1).set([
        { arrival: 1, row: { seq: 2, at: 3, v: secret } },
      ]),
      'field case.dataset.streams.0.partitions.1.0.arrival: another row has this arrival number',
    ],
    [
      'a broken premise',
      at('case', 'query', 'premises').set([
        { kind: 'unique', stream: 'click', columns: ['w'], reason: 'ids' },
      ]),
      'field case.dataset: the data breaks the premise that (w) is unique in click: ids',
    ],
    ['no JSON', '{\n"version": 1,\n]', ':3: not a JSON value'],
  ])('refuses %s', async (_, file, message) => {
    write(file);
    const read = readCorpus(directory);
    await expect(read).rejects.toThrow(join(directory, 'great-values.json'));
    await expect(read).rejects.toThrow(message);
    await expect(read).rejects.not.toThrow(String(secret));
  });

  it('that is not there is refused', async () => {
    await expect(readCorpus(join(directory, 'none'))).rejects.toThrow('cannot read the directory (ENOENT)');
  });
});

describe('the findings for a run', () => {
  const setting: Setting = {
    engine: 'ours',
    version: '1.3.0',
    transport: 'files',
    property: 'agrees-with-truth',
  };
  const fits = (signature: Partial<Finding['signature']>, other: Partial<Setting> = {}) =>
    findingsFor([finding(signature)], { ...setting, ...other }).length === 1;

  it('are those of its engine, in any build of a version in range', () => {
    expect(fits({})).toBe(true);
    expect(fits({}, { engine: 'ours@build' })).toBe(true);
    expect(fits({}, { version: '1.2.0' })).toBe(true);
    expect(fits({}, { transport: 'kafka' })).toBe(true);
    expect(fits({ transport: 'kafka' }, { transport: 'kafka' })).toBe(true);
  });

  it.each<[string, Partial<Finding['signature']>, Partial<Setting>]>([
    ['another engine', {}, { engine: 'theirs' }],
    ['an engine whose name goes on', {}, { engine: 'ourselves' }],
    ['an older version', {}, { version: '1.1.9' }],
    ['a newer version', {}, { version: '1.4.0' }],
    ['an engine that did not start', {}, { version: 'not started' }],
    ['another transport', { transport: 'kafka' }, {}],
    ['another property', {}, { property: 'interrupted-is-prefix' }],
  ])('are not those of %s', (_, signature, other) => {
    expect(fits(signature, other)).toBe(false);
  });
});

describe('known rows', () => {
  const { testCase } = finding();

  /** Judges an output of the case against rows of `seq` and `v`; the findings that explain all that differs. */
  async function explained(
    findings: readonly Finding[],
    truth: readonly Row[],
    actual: Side,
    options: Partial<JudgeOptions> = {},
    of: Case = testCase,
  ): Promise<readonly string[]> {
    const known = new KnownRows(findings, of);
    const { columns, definition } = of.query;
    const verdict = await judge({
      columns,
      declaration: definition.declaration,
      expected: { rows: truth },
      actual,
      onDifference: known.onDifference,
      ...options,
    });
    expect(verdict.kind).toBe('diverge');
    return known.explain(verdict);
  }
  const rows = (...list: readonly Row[]) => lines(...list.map(([seq, v]) => `{"seq":${seq},"v":${v}}`));

  it('are known where all of them satisfy the predicate', async () => {
    const truth = Array.from({ length: 200 }, (_, seq): Row => [seq, seq]);
    expect(await explained([finding()], truth, rows(...truth.slice(0, 100)))).toEqual(['lost-filter']);
    expect(await explained([finding()], truth, rows(...truth.slice(0, 100)), { maxSamples: 1 })).toEqual([
      'lost-filter',
    ]);
  });

  it('are not known where a single one does not, be it sampled or not', async () => {
    const truth = Array.from({ length: 200 }, (_, seq): Row => [seq, seq]);
    const actual = rows(...truth.slice(0, 99));
    expect(await explained([finding()], truth, actual)).toEqual([]);
    const late = [...truth.slice(100), [200, 99]] as const;
    expect(await explained([finding()], late, rows([1, 1]), { maxSamples: 1 })).toEqual([]);
  });

  it('count as often as they occur', async () => {
    const row: Row = [1, 100];
    expect(await explained([finding()], [row, row, row], rows(row))).toEqual(['lost-filter']);
    expect(await explained([finding()], [row, row, [2, 1], [2, 1]], rows(row, [2, 1]))).toEqual([]);
  });

  it('are not known where the predicate is NULL or has no value', async () => {
    expect(await explained([finding()], [[1, null]], rows([2, 2]))).toEqual([]);
    const overflow = call('gt', call('divide', 'v', bigint(0)), bigint(1));
    expect(await explained([finding({}, overflow)], [[1, 100]], rows())).toEqual([]);
  });

  it('are not known of another kind', async () => {
    const extra = rows([1, 1], [2, 100]);
    expect(await explained([finding()], [[1, 1]], extra)).toEqual([]);
    expect(await explained([finding({ kind: 'extra' })], [[1, 1]], extra)).toEqual(['extra-filter']);
    const beyond: readonly Row[] = [[2, 100]];
    expect(await explained([finding({ kind: 'extra' })], [[1, 1]], extra, { beyond })).toEqual([]);
    expect(await explained([finding({ kind: 'premature' })], [[1, 1]], extra, { beyond })).toEqual([
      'premature-filter',
    ]);
  });

  it('are known by several findings together, each named', async () => {
    const both = [finding(), finding({ kind: 'extra' }), finding({ kind: 'premature' })];
    expect(await explained(both, [[1, 100]], rows([2, 100]))).toEqual(['extra-filter', 'lost-filter']);
    expect(await explained([both[0]!], [[1, 100]], rows([2, 100]))).toEqual([]);
  });

  it('are known by the true row where they were altered, in the columns named', async () => {
    const altered = finding({ kind: 'altered', columns: ['v'] });
    expect(await explained([altered], [[1, 100]], rows([1, 1]))).toEqual(['altered-filter']);
    expect(await explained([altered], [[1, 1]], rows([1, 100]))).toEqual([]);
    const elsewhere = finding({ kind: 'altered', columns: ['seq'] });
    expect(await explained([elsewhere], [[1, 100]], rows([1, 1]))).toEqual([]);
  });

  it('are known by several findings between whose columns all that is altered lies', async () => {
    const { definition } = testCase.query;
    const plan = from('click')
      .filter(call('gt', 'v', bigint(0)))
      .project({ seq: 'seq', v: 'v', w: 'v' }).plan;
    const query = checkQuery(
      { ...definition, plan },
      testCase.dataset.streams.map(({ schema }) => schema),
    );
    const wide = { ...testCase, query };
    const inV = finding({ kind: 'altered', columns: ['v'] });
    const inW: Finding = {
      ...inV,
      signature: { ...inV.signature, columns: ['w'] },
      predicate: call('ge', 'w', bigint(100)),
    };
    const named = (one: Finding, name: string): Finding => ({ ...one, name });
    const both = [named(inV, 'of-v'), named(inW, 'of-w')];
    const truth: readonly Row[] = [[1, 100, 100]];
    const actual = lines('{"seq":1,"v":1,"w":1}');
    expect(await explained(both, truth, actual, {}, wide)).toEqual(['of-v', 'of-w']);
    expect(await explained([both[0]!], truth, actual, {}, wide)).toEqual([]);
    // The second does not hold of this row, whose v alone is as the first would have it.
    expect(await explained(both, [[1, 100, 99]], actual, {}, wide)).toEqual([]);
    const all = [...both, named(finding({ kind: 'altered' }), 'of-all')];
    expect(await explained(all, truth, actual, {}, wide)).toEqual(['of-all']);
  });

  it('of a final state are known too', async () => {
    const { definition } = testCase.query;
    const declaration = { ...definition.declaration, class: 'materialised' as const };
    const altered = finding({ kind: 'altered' });
    const truth: readonly Row[] = [
      [1, 100],
      [2, 2],
      [3, 200],
    ];
    expect(await explained([altered], truth, rows([1, 1], [2, 2], [3, 3]), { declaration })).toEqual([
      'altered-filter',
    ]);
    expect(await explained([altered], truth, rows([1, 1], [2, 3], [3, 3]), { declaration })).toEqual([]);
    expect(await explained([altered], truth, rows([1, 1], [2, 2]), { declaration })).toEqual([]);
  });

  it('never hold a corrupt line', async () => {
    const always: Expression = { lit: true, type: 'BOOLEAN' };
    const all = (['lost', 'premature', 'altered', 'extra'] as const).map((kind) => finding({ kind }, always));
    expect(await explained(all, [[1, 100]], rows())).toEqual(['lost-filter']);
    expect(await explained(all, [[1, 100]], captured('{'))).toEqual([]);
  });

  it('are not known where rows of one key do not fit memory', async () => {
    const truth = Array.from({ length: 300 }, (_, index): Row => [1, 100 + index]);
    const few = { maxSamples: 5 };
    expect(await explained([finding()], truth, rows(), few)).toEqual(['lost-filter']);
    expect(await explained([finding()], truth, rows(), { ...few, heldBytes: 1000 })).toEqual([]);
  });

  it('are not known where the plan has no such operator', async () => {
    expect(await explained([finding({ operator: 'rank' })], [[1, 100]], rows())).toEqual([]);
  });

  it('are not known where another operator feeds the one that is wrong', async () => {
    // The filter stands over a scan.
    expect(await explained([finding({ over: 'aggregate' })], [[1, 100]], rows())).toEqual([]);
    expect(await explained([finding({ over: 'scan' })], [[1, 100]], rows())).toEqual(['lost-filter']);
  });

  it('may be of several kinds', async () => {
    const several = finding({ kind: ['lost', 'extra'] });
    expect(await explained([several], [[1, 100]], rows([2, 100]))).toEqual([several.name]);
    expect(await explained([several], [[1, 100]], rows([1, 101]))).toEqual([]);
  });

  it.each([
    ['desc', 'first', 'first', true],
    ['asc', 'last', 'last', true],
    ['asc', 'first', 'first', false],
    ['desc', 'last', 'last', false],
    ['desc', 'first', 'last', false],
  ] as const)(
    'of a rank by v %s nulls %s are known by one of nulls %s: %s',
    async (direction, nulls, told, known) => {
      const { definition } = testCase.query;
      const plan = from('click')
        .top(1, [], { column: 'v', direction, nulls }, { column: 'seq', direction: 'asc' })
        .select('seq', 'v').plan;
      const declaration = { ...definition.declaration, class: 'materialised' as const };
      const schemas = testCase.dataset.streams.map(({ schema }) => schema);
      const query = checkQuery({ ...definition, plan, declaration }, schemas);
      const ranked = finding({ operator: 'rank', nulls: told });
      expect(await explained([ranked], [[1, 100]], rows(), {}, { ...testCase, query })).toEqual(
        known ? ['lost-rank'] : [],
      );
    },
  );

  it('are not known where a subtask reads one partition, and it takes several', async () => {
    const crowded = finding({ subtasks: 'fewer-than-partitions' });
    const { dataset } = testCase;
    const [stream] = dataset.streams;
    const parted = { ...testCase, dataset: { ...dataset, streams: [{ ...stream!, partitions: [[], []] }] } };
    expect(await explained([crowded], [[1, 100]], rows())).toEqual([]);
    expect(await explained([crowded], [[1, 100]], rows(), {}, parted)).toEqual(['lost-filter']);
  });

  it('are not known of an output that lacks a column, or has it of another type', () => {
    const { definition } = testCase.query;
    const schemas = testCase.dataset.streams.map(({ schema }) => schema);
    const of = (columns: Parameters<ReturnType<typeof from>['project']>[0]): Case => {
      const plan = from('click')
        .filter(call('gt', 'v', bigint(0)))
        .project(columns).plan;
      return { ...testCase, query: checkQuery({ ...definition, plan }, schemas) };
    };
    const asks = (signature: Partial<Finding['signature']>, holds: Expression, testCase: Case) =>
      new KnownRows([finding(signature, holds)], testCase).onDifference !== undefined;
    const great = call('ge', 'v', bigint(100));
    expect(asks({}, great, of({ seq: 'seq', v: 'v' }))).toBe(true);
    expect(asks({}, great, of({ seq: 'seq', w: 'v' }))).toBe(false);
    expect(asks({}, great, of({ seq: 'seq', v: text('v') }))).toBe(false);
    const always: Expression = { lit: true, type: 'BOOLEAN' };
    expect(asks({}, always, of({ seq: 'seq' }))).toBe(true);
    expect(asks({ columns: ['v'] }, always, of({ seq: 'seq' }))).toBe(false);
  });

  it('are none of a verdict that is no divergence', async () => {
    const known = new KnownRows([finding()], testCase);
    expect(known.explain({ kind: 'agree', rows: 1 })).toEqual([]);
    expect(known.explain({ kind: 'inconclusive', reason: 'both-empty', message: '' })).toEqual([]);
  });
});
