import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { generateNexmark, nexmarkStreams } from '../../generators/nexmark/index.ts';
import { commandConfigSchema, readCommandConfig } from '../../src/engines/command/config.ts';
import { command } from '../../src/engines/command/engine.ts';
import { answerSchemaOf, helloSchema } from '../../src/engines/command/messages.ts';
import { type CommandSession, openCommand } from '../../src/engines/command/session.ts';
import { duckdb } from '../../src/engines/duckdb/engine.ts';
import type { Session } from '../../src/engines/engine.ts';
import { judge } from '../../src/judge/judge.ts';
import { from } from '../../src/model/build.ts';
import type { Case } from '../../src/model/case.ts';
import type { Dataset } from '../../src/model/dataset.ts';
import { checkQuery } from '../../src/model/query.ts';
import { parseExactJson, rowFromObject } from '../../src/model/row-json.ts';
import { neutralTraits } from '../../src/model/traits.ts';
import type { Row } from '../../src/model/value.ts';
import { queries } from '../../src/queries/index.ts';
import { bytesOf, captureOf, caseOf, dataset, datasetOf, never, temporaryDirectory } from './cases.ts';

const directory = temporaryDirectory();
const open: Session[] = [];
afterEach(async () => {
  for (const session of open.splice(0)) await session[Symbol.asyncDispose]();
});
afterAll(directory.remove);

const everything = from('click').select('k', 'at', 'v', 'seq');
const few = dataset([['a', 1, 1]]);
const aCase = caseOf(everything, few);

const HELLO = {
  ok: true,
  protocol: 1,
  name: 'scripted',
  version: '1',
  traits: { ...neutralTraits, stops: ['drain'], transports: ['files'] },
};

/** The path of a configuration that starts a Node program, in a directory of its own. */
function programOf(code: string): string {
  const home = mkdtempSync(join(directory.path, 'engine-'));
  writeFileSync(join(home, 'engine.cjs'), code);
  const config = join(home, 'engine.json');
  writeFileSync(config, JSON.stringify({ version: 1, command: [process.execPath, 'engine.cjs'] }));
  return config;
}

/** An engine that says hello, and runs `code` for each message `m` after it. `say` writes one. */
function scripted(code: string, hello: object = HELLO): string {
  return programOf(`
    const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
    const { writeFileSync } = require('node:fs');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const m = JSON.parse(line);
      if (m.m === 'hello') return say({ id: m.id, ...${JSON.stringify(hello)} });
      ${code}
    });`);
}

async function session(config: string, limitMs = 20_000): Promise<CommandSession> {
  const opened = await openCommand({
    directory: mkdtempSync(join(directory.path, 'session-')),
    config: await readCommandConfig(config),
    signal: never,
    limitMs,
  });
  open.push(opened);
  return opened;
}

const answering = (code: string, limitMs?: number) => session(scripted(code), limitMs);

const row = '{"k":"a","at":1,"v":1,"seq":0}\n';
const writes = `writeFileSync(m.output, ${JSON.stringify(row)}); say({ id: m.id, ok: true, format: 'rows' });`;

describe('an answer', () => {
  it('gives the rows in the file that was offered', async () => {
    const opened = await answering(writes);
    const outcome = await opened.run(aCase, never);
    expect(captureOf(outcome).format).toBe('rows');
    expect((await bytesOf(captureOf(outcome))).toString()).toBe(row);
    expect(outcome).toMatchObject({ evidence: { engine: 'scripted', version: '1' } });
  });

  it('gives a changelog in a file of the engine’s choice, with what it ran', async () => {
    const file = join(directory.path, 'elsewhere.ndjson');
    const line = `{"op":"+I","row":${row.trim()}}\n`;
    writeFileSync(file, line);
    const opened = await answering(
      `say({ id: m.id, ok: true, format: 'changelog', file: ${JSON.stringify(file)}, sql: 'SELECT 1', cpuSeconds: 2 });`,
    );
    const outcome = await opened.run(aCase, never);
    expect(captureOf(outcome).format).toBe('changelog');
    expect((await bytesOf(captureOf(outcome))).toString()).toBe(line);
    expect(outcome).toMatchObject({ evidence: { sql: 'SELECT 1', cpuSeconds: 2 } });
  });

  it('is followed by its lines, which are kept byte for byte', async () => {
    const opened = await answering(`
      say({ id: m.id, ok: true, format: 'rows', lines: 3 });
      process.stdout.write('{"v":9007199254740993}\\n\\n');
      process.stdout.write(Buffer.from([0x22, 0xff, 0xc3, 0x22, 0x0d, 0x0a]));`);
    const bytes = await bytesOf(captureOf(await opened.run(aCase, never)));
    expect(bytes.toString('latin1')).toBe('{"v":9007199254740993}\n\n"\xff\xc3"\r\n');
    // The lines were all of it: the next answer is read as one.
    expect(captureOf(await opened.run(aCase, never)).format).toBe('rows');
  });

  it('says why the engine is not made for a case', async () => {
    const opened = await answering(`say({ id: m.id, unsupported: 'no\\u001b[1m joins\\n' });`);
    expect(await opened.run(aCase, never)).toEqual({ kind: 'unsupported', reason: 'no [1m joins' });
  });

  it.each([
    [`message: 'no state left', valueFree: true`, 'the engine says out-of-memory: no state left'],
    [`message: 'row 42 is too great'`, 'the engine says out-of-memory'],
    [``, 'the engine says out-of-memory'],
  ])('tells a failure with {%s}', async (fields, message) => {
    const opened = await answering(
      `say({ id: m.id, ok: false, step: 'run', code: 'out-of-memory', ${fields} });`,
    );
    const { pid } = opened;
    expect(await opened.run(aCase, never)).toEqual({
      kind: 'failed',
      step: 'run',
      code: 'out-of-memory',
      message,
    });
    expect(opened.pid).toBe(pid);
  });

  it('without the file it speaks of is a failure', async () => {
    const opened = await answering(`say({ id: m.id, ok: true, format: 'rows' });`);
    expect(await opened.run(aCase, never)).toMatchObject({ kind: 'failed', code: 'no-output' });
  });

  it.each([
    ['no JSON', `process.stdout.write('secret 4711\\n')`, 'no JSON object in UTF-8'],
    ['no object', `say('secret 4711')`, 'no JSON object in UTF-8'],
    ['another case’s', `say({ id: m.id + 1, ok: true, format: 'rows' })`, 'field id: not that of the case'],
    ['without a form', `say({ id: m.id, ok: true, format: 'csv' })`, 'field format: invalid value'],
    ['misspelt', `say({ id: m.id, ok: true, format: 'rows', secret: 1 })`, 'the message: unrecognized keys'],
    ['of no step', `say({ id: m.id, ok: false, step: 'think', code: 'x' })`, 'field step: invalid value'],
    [
      'with a code in words',
      `say({ id: m.id, ok: false, step: 'run', code: 'Row 1!' })`,
      'field code: invalid format',
    ],
    ['settled over files', `say({ id: m.id, settled: true })`, 'settled, over files'],
    ['endless', `process.stdout.write('x'.repeat(17 << 20))`, 'longer than a line may be'],
  ])('that is %s fails the case at its line, and ends the process', async (_, code, problem) => {
    const opened = await answering(code);
    const pid = opened.pid!;
    const outcome = await opened.run(aCase, never);
    expect(outcome).toMatchObject({ kind: 'failed', step: 'decode', code: 'bad-answer' });
    expect(outcome).toHaveProperty(
      'message',
      expect.stringMatching(/^line [12] of the engine's stdout is not/),
    );
    expect(outcome).toHaveProperty('message', expect.stringContaining(problem));
    expect(JSON.stringify(outcome)).not.toContain('secret');
    expect(isRunning(pid)).toBe(false);
  });
});

describe('a message to the engine', () => {
  async function told(hello: object = HELLO): Promise<{ readonly [field: string]: unknown }> {
    const file = join(mkdtempSync(join(directory.path, 'told-')), 'message.json');
    const opened = await session(
      scripted(
        `writeFileSync(${JSON.stringify(file)}, line); say({ id: m.id, unsupported: 'anything' });`,
        hello,
      ),
    );
    await opened.run(aCase, never);
    return JSON.parse(readFileSync(file, 'utf8'));
  }

  it('holds the definition, the columns, the schedule and where the rows are', async () => {
    const message = await told();
    expect(message).toMatchObject({
      id: 1,
      m: 'run',
      query: JSON.parse(JSON.stringify(aCase.query.definition)),
      columns: aCase.query.columns,
      schedule: { parallelism: 1, stop: 'drain' },
      limitMs: 20_000,
    });
    expect(message).not.toHaveProperty('sql');
    const { streams } = message.dataset as { streams: { schema: { name: string }; file: string }[] };
    expect(streams.map(({ schema }) => schema.name)).toEqual(['click', 'sale']);
    expect(readFileSync(streams[0]!.file, 'utf8')).toBe(row);
  });

  it('holds SQL in the dialects that the engine asks for', async () => {
    const message = await told({ ...HELLO, dialects: ['duckdb', 'clink'] });
    const sql = 'SELECT k, "at", v, seq\nFROM click';
    expect(message.sql).toEqual({ duckdb: sql, clink: sql });
  });
});

describe('a process', () => {
  it('that crashes fails the case, and another one runs the next', async () => {
    const opened = await answering(`if (m.id === 1) process.exit(3); ${writes}`);
    expect(await opened.run(aCase, never)).toEqual({
      kind: 'failed',
      step: 'run',
      code: 'engine-crashed',
      message: 'the process of the engine ended while it ran the case',
    });
    expect(captureOf(await opened.run(aCase, never)).format).toBe('rows');
  });

  it('is ended at the time limit', async () => {
    const opened = await answering(`if (m.id === 1) return; ${writes}`, 300);
    const pid = opened.pid!;
    expect(await opened.run(aCase, never)).toEqual({
      kind: 'failed',
      step: 'run',
      code: 'timeout',
      message: 'the case was still running after 0.3 s',
    });
    expect(isRunning(pid)).toBe(false);
  });

  it('is killed with all it started when a run is aborted', async () => {
    const file = join(directory.path, 'grandchild');
    const opened = await answering(`
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      writeFileSync(${JSON.stringify(file)}, String(child.pid));`);
    const abort = new AbortController();
    const running = opened.run(aCase, abort.signal);
    const grandchild = await vi.waitFor(() => Number(readFileSync(file, 'utf8')) || Promise.reject());
    expect(isRunning(grandchild)).toBe(true);
    abort.abort();
    expect(await running).toMatchObject({ kind: 'failed', step: 'run', code: 'aborted' });
    await vi.waitUntil(() => !isRunning(grandchild));
    expect(isRunning(opened.pid!)).toBe(false);
  });

  it('leaves nothing it started behind when it ends by itself', async () => {
    const file = join(directory.path, 'orphan');
    const opened = await answering(`
      const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
      writeFileSync(${JSON.stringify(file)}, String(child.pid));
      child.unref();
      process.exit(0);`);
    expect(await opened.run(aCase, never)).toMatchObject({ code: 'engine-crashed' });
    await vi.waitUntil(() => !isRunning(Number(readFileSync(file, 'utf8'))));
  });

  it('may write to stderr without end, and nothing of it is shown', async () => {
    const opened = await answering(`process.stderr.write('secret '.repeat(1 << 20)); ${writes}`);
    expect(JSON.stringify(await opened.run(aCase, never))).not.toContain('secret');
  });

  it('is not asked for a run that was aborted before it began', async () => {
    const opened = await answering(`process.exit(1);`);
    expect(await opened.run(aCase, AbortSignal.abort())).toMatchObject({ code: 'aborted' });
    expect(isRunning(opened.pid!)).toBe(true);
  });

  it('ends when the session does', async () => {
    const opened = await answering(writes);
    const pid = opened.pid!;
    await opened[Symbol.asyncDispose]();
    expect(isRunning(pid)).toBe(false);
  });

  it('that does not end with its stdin is killed', async () => {
    const opened = await session(scripted(`setInterval(() => {}, 1000); ${writes}`));
    await opened.run(aCase, never);
    const pid = opened.pid!;
    await opened[Symbol.asyncDispose]();
    expect(isRunning(pid)).toBe(false);
  });

  it('that is another engine when it starts again fails the case', async () => {
    const count = join(directory.path, 'starts');
    writeFileSync(count, '');
    const config = programOf(`
      const { appendFileSync, readFileSync } = require('node:fs');
      appendFileSync(${JSON.stringify(count)}, 'x');
      const version = String(readFileSync(${JSON.stringify(count)}).length);
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, m } = JSON.parse(line);
        if (m === 'run') process.exit();
        console.log(JSON.stringify({ id, ...${JSON.stringify(HELLO)}, version }));
      });`);
    const opened = await session(config);
    await opened.run(aCase, never);
    expect(await opened.run(aCase, never)).toMatchObject({
      kind: 'failed',
      step: 'open',
      code: 'start-failed',
    });
  });

  it('is not run for a stop that it does not know', async () => {
    const opened = await answering(writes);
    const cut: Case = { ...aCase, schedule: { parallelism: 1, stop: 'cancel' } };
    expect(await opened.run(cut, never)).toEqual({
      kind: 'unsupported',
      reason: 'scripted 1 has no stop cancel',
    });
  });
});

describe('opening', () => {
  const opening = (variant: string | undefined) =>
    command.open({ directory: join(directory.path, 'opening'), variant, signal: never });

  it.each<[string, string | undefined, string | RegExp]>([
    ['no path', undefined, 'command needs a configuration: command@PATH-TO-JSON'],
    ['a path where there is nothing', '/nowhere/engine.json', /engine\.json: cannot read \(ENOENT\)$/],
  ])('refuses %s', async (_, variant, message) => {
    await expect(opening(variant)).rejects.toMatchObject({ name: 'EngineError', code: 'bad-variant' });
    await expect(opening(variant)).rejects.toThrow(message);
  });

  it.each([
    ['no command', { version: 1, command: [] }, 'field command'],
    ['an unknown field', { version: 1, command: ['x'], shell: true }, 'shell'],
    [
      'a newer version',
      { version: 2, command: ['x'] },
      'version 2 is newer than this program reads (up to 1)',
    ],
  ])('refuses a configuration with %s', async (_, config, message) => {
    const path = join(mkdtempSync(join(directory.path, 'bad-')), 'engine.json');
    writeFileSync(path, JSON.stringify(config));
    await expect(opening(path)).rejects.toThrow(message);
  });

  it('says what a program that does not start wrote last', async () => {
    const config = programOf(`console.error('first\\nno licence found'); process.exit(1);`);
    await expect(opening(config)).rejects.toThrow(/says no hello: no licence found$/);
  });

  it('says that there is no such program', async () => {
    const path = join(directory.path, 'none.json');
    writeFileSync(path, JSON.stringify({ version: 1, command: ['no-such-program'] }));
    await expect(opening(path)).rejects.toThrow('no-such-program says no hello: its process ended');
  });

  it.each([
    ['another protocol', { ...HELLO, protocol: 2 }, 'field protocol: invalid value'],
    ['traits that are none', { ...HELLO, traits: { mode: 'fast' } }, 'field traits.mode: invalid value'],
    [
      'another transport',
      { ...HELLO, traits: { ...HELLO.traits, transports: ['kafka'] } },
      'scripted does not read files',
    ],
    [
      'a dialect that there is not',
      { ...HELLO, dialects: ['latin'] },
      /wants a dialect that is not one of duckdb/,
    ],
  ])('refuses a hello of %s, and leaves no process', async (_, hello, message) => {
    await expect(opening(scripted('', hello))).rejects.toThrow(message);
  });

  it('starts the program in the directory it names, with the environment it adds', async () => {
    const home = mkdtempSync(join(directory.path, 'home-'));
    mkdirSync(join(home, 'bin'));
    const says = `console.error(process.cwd(), process.env.ADDED); process.exit(1)`;
    const config = { version: 1, command: [process.execPath, '-e', says], cwd: 'bin', env: { ADDED: 'yes' } };
    writeFileSync(join(home, 'engine.json'), JSON.stringify(config));
    await expect(opening(join(home, 'engine.json'))).rejects.toThrow(/\/bin yes$/);
  });

  it('hashes the configuration and the files it names', async () => {
    const config = scripted(writes);
    const before = await readCommandConfig(config);
    expect(before.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect((await readCommandConfig(config)).sha256).toBe(before.sha256);
    writeFileSync(join(config, '..', 'engine.cjs'), '// another');
    expect((await readCommandConfig(config)).sha256).not.toBe(before.sha256);
  });

  it('is not possible by name alone, which the list of engines says', async () => {
    expect(await command.status()).toMatchObject({ kind: 'unavailable' });
  });
});

describe('the document of the protocol', () => {
  const text = readFileSync(new URL('../../docs/command-protocol.md', import.meta.url), 'utf8');
  const lines = [...text.matchAll(/^```json\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
    block!.trim().split('\n'),
  );
  const messages = lines.map((line) => JSON.parse(line) as Record<string, unknown>);

  it('shows a configuration that is one', () => {
    const [config] = messages.filter((message) => 'command' in message);
    expect(commandConfigSchema.safeParse(config).success).toBe(true);
  });

  it('shows a hello and answers that are of the protocol', () => {
    const [hello, ...others] = messages.filter((message) => 'traits' in message);
    expect(helloSchema.safeParse(hello).success).toBe(true);
    expect(others).toEqual([]);
    const answers = messages.filter((message) => 'id' in message && !('m' in message) && message !== hello);
    expect(answers.length).toBeGreaterThanOrEqual(4);
    for (const answer of answers) expect(answerSchemaOf(answer).safeParse(answer).success).toBe(true);
  });
});

const hasPython = !(await execa('python3', ['--version'], { reject: false })).failed;

describe.skipIf(!hasPython)(`the worked example${hasPython ? '' : ' (skipped: there is no python3)'}`, () => {
  const config = fileURLToPath(new URL('../../examples/command-engine/engine.json', import.meta.url));
  const bid = nexmarkStreams.find(({ name }) => name === 'bid')!;
  const queryCase = (name: string, data: Dataset): Case => ({
    query: checkQuery(
      queries.get(name)!,
      data.streams.map(({ schema }) => schema),
    ),
    dataset: data,
    schedule: { parallelism: 1, stop: 'drain' },
  });

  // auction, bidder, price, channel, url, datetime, seq
  const bids: readonly Row[] = [
    [246, 1, 2_000_000, 'Apple', 'https://a.example/x/y/z', 10 * 3_600_000, 0],
    [-123, 2, 9_007_199_254_740_993n, 'ch-1', 'http://c.cc/d?channel_id=77', -1, 1],
    [7, null, null, null, null, 3 * 3_600_000, 2],
    [0, 4, 1_200_000, 'ÉCOLE😀', 'ccc', 19 * 3_600_000, 3],
  ];
  const answers: Readonly<Record<string, readonly Row[]>> = {
    q0: bids,
    // 0.908 times 9007199254740992, the double nearest to the price, is 8178536923304820.736: doubles are whole there.
    q1: [
      [246, 1, 1_816_000, 36_000_000, 0],
      [-123, 2, 8_178_536_923_304_821, -1, 1],
      [7, null, null, 10_800_000, 2],
      [0, 4, 1_089_600, 68_400_000, 3],
    ],
    q2: [
      [246, 2_000_000, 0],
      [-123, 9_007_199_254_740_993n, 1],
      [0, 1_200_000, 3],
    ],
    // 10 h is day; 19 h is neither; the second price is above 50,000,000, the third unknown.
    q14: [
      [246, 1, 1_816_000, 'dayTime', 36_000_000, 0, 0],
      [0, 4, 1_089_600, 'otherTime', 68_400_000, 3, 3],
    ],
    // Only a channel of the four great ones, or a url that says it, has a number.
    q21: [
      [246, 1, 2_000_000, 'Apple', '0', 0],
      [-123, 2, 9_007_199_254_740_993n, 'ch-1', '77', 1],
    ],
    q22: [
      [246, 1, 2_000_000, 'Apple', 'x', 'y', 'z', 0],
      [-123, 2, 9_007_199_254_740_993n, 'ch-1', 'd?channel_id=77', null, null, 1],
      [7, null, null, null, null, null, null, 2],
      [0, 4, 1_200_000, 'ÉCOLE😀', null, null, null, 3],
    ],
  };

  it.each(Object.entries(answers))('answers %s as derived by hand', async (name, rows) => {
    const opened = await session(config);
    const testCase = queryCase(name, datasetOf([bid, bids]));
    const text = (await bytesOf(captureOf(await opened.run(testCase, never)))).toString();
    const lines = text.trim().split('\n').map(parseExactJson);
    expect(lines.map((line) => rowFromObject(testCase.query.columns, line))).toEqual(rows);
  });

  it('agrees with DuckDB on generated bids', async () => {
    const data = generateNexmark({ seed: 'x', events: 2_000 });
    const example = await command.open({
      directory: join(directory.path, 'example'),
      variant: config,
      signal: never,
    });
    open.push(example);
    const referee = await duckdb.open({ directory: join(directory.path, 'referee'), signal: never });
    open.push(referee);
    for (const name of Object.keys(answers)) {
      const testCase = queryCase(name, data);
      const verdict = await judge({
        columns: testCase.query.columns,
        declaration: testCase.query.definition.declaration,
        expected: { capture: captureOf(await referee.run(testCase, never)) },
        actual: { capture: captureOf(await example.run(testCase, never)) },
      });
      expect([name, verdict.kind]).toEqual([name, 'agree']);
    }
  });

  it.each([
    ['q12', 'the operator aggregate'],
    ['q20', 'the operator join'],
    ['q18', 'the operator rank'],
  ])('is not made for %s, and says why', async (name, reason) => {
    const opened = await session(config);
    const testCase = queryCase(name, generateNexmark({ seed: 'command', events: 50 }));
    expect(await opened.run(testCase, never)).toEqual({ kind: 'unsupported', reason });
  });
});

/** False also for a process that has ended and that nobody has waited for. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return !existsSync(stat) || !/\) Z /.test(readFileSync(stat, 'latin1'));
  } catch {
    return false;
  }
}
