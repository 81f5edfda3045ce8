import { createHash } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { type Declaration, declarationSchema } from '../model/declaration.ts';
import { InputError } from '../model/errors.ts';
import type { QueryDefinition } from '../model/query.ts';
import { makeDirectory, orInputError } from '../streams/files.ts';
import { parseJsonFile } from '../streams/json-file.ts';
import { hashQuery } from './manifest.ts';
import { MANIFEST_FILE } from './run-directory.ts';
import { type QueryResult, shortVerdictSchema } from './summary.ts';

export const LEDGER_VERSION = 1;

/** The name of a campaign's ledger in its directory. */
export const LEDGER_FILE = 'ledger.ndjson';

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * One line of the ledger.
 *
 * - `run`: a run began, with the hash of its manifest as it then was.
 * - `verdict`: what came of one query, under which declaration.
 */
export const ledgerLineSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    version: z.literal(LEDGER_VERSION),
    kind: z.literal('run'),
    directory: z.string(),
    manifestSha256: sha256Schema,
  }),
  z.strictObject({
    version: z.literal(LEDGER_VERSION),
    kind: z.literal('verdict'),
    query: z.string(),
    planSha256: sha256Schema,
    declaration: declarationSchema,
    premises: z.array(z.string()),
    verdict: shortVerdictSchema,
  }),
]);
type LedgerLine = z.infer<typeof ledgerLineSchema>;
type VerdictLine = Extract<LedgerLine, { kind: 'verdict' }>;

/**
 * The declarations and verdicts of all runs of one campaign, a line each, by the hash of the plan (semantics §6): a
 * query that diverged and was then judged more leniently makes the campaign inconclusive, whatever it says since.
 */
export class Ledger {
  readonly #directory: string;
  readonly #lines: LedgerLine[];

  private constructor(directory: string, lines: LedgerLine[]) {
    this.#directory = directory;
    this.#lines = lines;
  }

  /** Reads the ledger of a campaign, which begins where there is none. @throws InputError with file and line. */
  static async open(directory: string): Promise<Ledger> {
    await makeDirectory(directory);
    const file = join(directory, LEDGER_FILE);
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw new InputError(`cannot be read (${error.code})`, { file });
    });
    const lines = text.split('\n');
    // A run that was killed while it wrote leaves half a line at the end, of which nothing is known.
    lines.pop();
    return new Ledger(
      directory,
      lines.map((line, index) =>
        parseJsonFile(Buffer.from(line), {
          ...{ file, line: index + 1 },
          ...{ schema: ledgerLineSchema, version: LEDGER_VERSION },
        }),
      ),
    );
  }

  /**
   * Why nothing in this campaign can pass any more, given what is now to be judged: a declaration that was weakened
   * after a divergence, or a manifest that is not what it was.
   */
  async objections(queries: readonly QueryDefinition[]): Promise<readonly string[]> {
    const verdicts = this.#lines.filter((line): line is VerdictLine => line.kind === 'verdict');
    const now = queries.map((definition) => verdictLine(definition, { kind: 'inconclusive' }));
    const found = new Set<string>();
    const all = [...verdicts, ...now];
    for (const [index, later] of all.entries()) {
      for (const earlier of all.slice(0, index)) {
        if (earlier.planSha256 !== later.planSha256 || earlier.verdict.kind !== 'diverge') continue;
        const weakened = weakening(earlier, later);
        if (weakened !== undefined) {
          found.add(`the declaration of ${later.query} was weakened (${weakened}) after the query diverged`);
        }
      }
    }
    for (const line of this.#lines) {
      if (line.kind !== 'run') continue;
      const sha256 = await sha256OfFile(join(line.directory, MANIFEST_FILE)).catch(() => undefined);
      if (sha256 !== line.manifestSha256) {
        found.add(
          `the manifest of ${line.directory} is ${sha256 === undefined ? 'gone' : 'not what it was'}`,
        );
      }
    }
    return [...found];
  }

  /** Enters a run of this campaign, once its manifest is written; one that is resumed is there already. */
  async enterRun(directory: string): Promise<void> {
    const path = resolve(directory);
    if (this.#lines.some((line) => line.kind === 'run' && line.directory === path)) return;
    const manifestSha256 = await sha256OfFile(join(path, MANIFEST_FILE));
    await this.#append({ version: LEDGER_VERSION, kind: 'run', directory: path, manifestSha256 });
  }

  /** Enters what came of a query. */
  async enterVerdict(definition: QueryDefinition, { verdict }: QueryResult): Promise<void> {
    await this.#append(verdictLine(definition, verdict));
  }

  async #append(line: LedgerLine): Promise<void> {
    const file = join(this.#directory, LEDGER_FILE);
    await orInputError(file, 'cannot write', () => appendFile(file, `${JSON.stringify(line)}\n`));
    this.#lines.push(line);
  }
}

function verdictLine(definition: QueryDefinition, verdict: VerdictLine['verdict']): VerdictLine {
  const { name, declaration, premises } = definition;
  const { planSha256 } = hashQuery(definition);
  return {
    version: LEDGER_VERSION,
    kind: 'verdict',
    query: name,
    planSha256,
    declaration: declarationSchema.parse(declaration),
    premises: premises.map((premise) => JSON.stringify(premise)),
    verdict,
  };
}

/** In what a later judgement forgives more than an earlier one; undefined where in nothing. */
function weakening(earlier: VerdictLine, later: VerdictLine): string | undefined {
  const [before, now]: [Declaration, Declaration] = [earlier.declaration, later.declaration];
  if (before.class === 'append' && now.class === 'materialised') return 'class';
  if (now.class === 'materialised' && !sameNames(before.keys, now.keys)) return 'keys';
  if (now.tolerance !== undefined) {
    const { columns, relative } = now.tolerance;
    const forgiven = before.tolerance;
    if (forgiven === undefined || relative > forgiven.relative) return 'tolerance';
    if (columns.some((column) => !forgiven.columns.includes(column))) return 'tolerance';
  }
  if (typeof before.fire === 'object' && typeof now.fire !== 'object') return 'fire';
  if (later.premises.some((premise) => !earlier.premises.includes(premise))) return 'premises';
  return undefined;
}

function sameNames(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name) => others.includes(name));
}

async function sha256OfFile(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
