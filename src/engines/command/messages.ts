import { z } from 'zod';
import { traitsSchema } from '../../model/traits.ts';

/*
 * What an engine behind the protocol says. docs/command-protocol.md is the contract; unknown fields are refused, so
 * that a misspelt one is noticed.
 */

export const PROTOCOL_VERSION = 1;

const id = z.int().min(0);
/** Shown in terminals and reports: one line, printable. */
const label = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._+-]{0,63}$/u);

/** The first answer: who the engine is and what it promises over the transport it was asked about. */
export const helloSchema = z.strictObject({
  id,
  ok: z.literal(true),
  protocol: z.literal(PROTOCOL_VERSION),
  name: label,
  version: label,
  traits: traitsSchema,
  /** Dialects in which it wants each query as SQL, too. */
  dialects: z.array(z.string()).default([]),
});

export type Hello = z.infer<typeof helloSchema>;

const doneSchema = z.strictObject({
  id,
  ok: z.literal(true),
  format: z.enum(['rows', 'changelog', 'retract', 'records']),
  /** Absolute path of the output; absent for the path that was offered. */
  file: z.string().startsWith('/').optional(),
  /** The output follows as so many lines, verbatim. */
  lines: z.int().min(0).optional(),
  /** What it ran, for the evidence. */
  sql: z.string().optional(),
  cpuSeconds: z.number().min(0).optional(),
});

const failedSchema = z.strictObject({
  id,
  ok: z.literal(false),
  step: z.enum(['submit', 'run', 'settle', 'drain']),
  code: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
  message: z.string().optional(),
  /** The engine's word that `message` holds no value of a row. Without it the message is not shown. */
  valueFree: z.boolean().default(false),
});

const unsupportedSchema = z.strictObject({ id, unsupported: z.string().min(1) });

/** Over Kafka: all input is read and the output is quiet, and the engine waits to be stopped. */
const settledSchema = z.strictObject({ id, settled: z.literal(true) });

export type Done = z.infer<typeof doneSchema>;
export type Answer =
  | Done
  | z.infer<typeof failedSchema>
  | z.infer<typeof unsupportedSchema>
  | z.infer<typeof settledSchema>;

/** The form of an answer is told by its fields, so that a problem is told of the form that was meant. */
export function answerSchemaOf(message: object): z.ZodType<Answer> {
  if ('unsupported' in message) return unsupportedSchema;
  if ('settled' in message) return settledSchema;
  return 'ok' in message && message.ok === false ? failedSchema : doneSchema;
}

/** What is wrong with a message, as the field and the rule it breaks. Never what it holds. */
export function problemOf(error: z.ZodError): string {
  const { path, code } = error.issues[0]!;
  return `${path.length === 0 ? 'the message' : `field ${path.join('.')}`}: ${code.replaceAll('_', ' ')}`;
}

/** A line as a JSON object; undefined where it is none, or no UTF-8. */
export function parseMessage(line: Uint8Array): object | undefined {
  try {
    const message: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line));
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

const MOST_TEXT = 500;

/** Text of an engine's as one printable line of bounded length. */
export function oneLine(text: string): string {
  return text
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, MOST_TEXT);
}
