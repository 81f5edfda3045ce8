import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { InputError } from '../model/errors.ts';
import { parseExactJson } from '../model/row-json.ts';
import { orInputError } from './files.ts';

/**
 * Reads a JSON file of a published, versioned form.
 *
 * @throws InputError naming file and field when the file is missing, no JSON, newer than `version`, or malformed.
 * The message holds no value of the file but its version.
 */
export async function readJsonFile<T>(
  file: string,
  schema: z.ZodType<T>,
  version: number,
  { exact = false }: Pick<JsonForm<T>, 'exact'> = {},
): Promise<T> {
  const bytes = await orInputError(file, 'cannot read', () => readFile(file));
  return parseJsonFile(bytes, { file, schema, version, exact });
}

/**
 * What a file of a published form must be. `exact`: it holds rows, whose numbers keep all of their digits. `line`: the
 * bytes are that line of it alone.
 */
export interface JsonForm<T> {
  readonly file: string;
  readonly schema: z.ZodType<T>;
  readonly version: number;
  readonly exact?: boolean;
  readonly line?: number;
}

/** The same of bytes that were read from the file. @throws InputError */
export function parseJsonFile<T>(bytes: Buffer, form: JsonForm<T>): T {
  const { schema, version, exact = false } = form;
  const place = form.line === undefined ? { file: form.file } : { file: form.file, line: form.line };
  if (!isUtf8(bytes)) throw new InputError('not UTF-8', place);
  const text = bytes.toString();
  const plain = parse(text, place);
  const json = exact ? parseExactJson(text) : plain;
  const given = (json as { version?: unknown } | null)?.version;
  if (typeof given === 'number' && given > version) {
    const problem = `version ${given} is newer than this program reads (up to ${version})`;
    throw new InputError(problem, { ...place, field: 'version' });
  }
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  throw issueError(result.error.issues[0]!, [], place);
}

/** A file, or one line of it. */
interface Place {
  readonly file: string;
  readonly line?: number;
}

function parse(text: string, place: Place): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The parser's own message quotes the text; only the position is told.
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
    throw new InputError('not a JSON value', line === undefined ? place : { line, ...place });
  }
}

type Issue = z.core.$ZodIssue;

/** The deepest issue of a union's likeliest branch, which names the culprit better than "invalid input". */
function issueError(issue: Issue, path: readonly PropertyKey[], place: Place): InputError {
  const here = [...path, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const depth = (issues: Issue[]) => Math.max(0, ...issues.map((each) => each.path.length));
    const likeliest = issue.errors.reduce((best, each) => (depth(each) > depth(best) ? each : best));
    if (likeliest.length > 0) return issueError(likeliest[0]!, here, place);
  }
  return new InputError(issue.message, { ...place, field: here.map(String).join('.') });
}
