import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { summarySchema } from '../../src/campaign/summary.ts';
import { engines } from '../../src/engines/index.ts';
import { tidemark } from '../support/tidemark.ts';

const required = (process.env.TIDEMARK_REQUIRE_ENGINES ?? '').split(',');
const isMissing = !required.includes('clink') && (await engines.get('clink')!.status()).kind !== 'ready';

const RUN_LIMIT_MS = 110_000;

let directory: string;
let temporary: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
  temporary = join(directory, 'tmp');
  mkdirSync(temporary);
});
afterAll(() => rmSync(directory, { recursive: true }));

async function runOver(name: string, ...args: string[]) {
  const out = join(directory, name);
  const command = ['run', '--transport', 'kafka', '--out', out, '--json', ...args];
  const { exitCode, stdout, stderr } = await tidemark(command, { TMPDIR: temporary }, RUN_LIMIT_MS);
  return { exitCode, stderr, summary: stdout === '' ? undefined : summarySchema.parse(JSON.parse(stdout)) };
}

describe.skipIf(isMissing)('without a broker nothing is gated, and the message says what to do', () => {
  const notGated = async (name: string, brokers: string) => {
    const args = ['--engines', 'clink', '--queries', 'q0', '--events', '500', '--brokers', brokers];
    const { exitCode, summary } = await runOver(name, ...args);
    expect(exitCode).toBe(3);
    const [query] = summary!.queries;
    expect(query!.verdict.kind).toBe('not-gated');
    return query!.verdict.reason;
  };

  test('nobody listens', { timeout: 120_000 }, async () => {
    expect(await notGated('absent', '127.0.0.1:1')).toMatch(/no Kafka broker at 127\.0\.0\.1:1/);
  });

  test('somebody listens who is no broker', { timeout: 120_000 }, async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    try {
      expect(await notGated('refusing', `127.0.0.1:${port}`)).toMatch(/no Kafka broker at/);
    } finally {
      server.close();
    }
  });

  test('no Java for a broker of our own', { timeout: 120_000 }, async () => {
    const { exitCode, stdout } = await tidemark(
      [
        ...['run', '--transport', 'kafka', '--engines', 'clink', '--queries', 'q0', '--events', '500'],
        ...['--out', join(directory, 'no-java')],
      ],
      { PATH: directory, JAVA_HOME: join(directory, 'no-java-here') },
    );
    expect(exitCode).toBe(3);
    expect(stdout).toMatch(/not-gated.*Java/s);
  });
});
