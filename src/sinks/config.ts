import { z } from 'zod';
import { deliveryModeSchema } from '../model/history/index.ts';
import { PROTOCOLS, type ProtocolVersion } from './postgres/index.ts';
import type { SinkUnderTest } from './sink.ts';

/** The version of the form below. A greater one is refused. */
export const SINK_CONFIG_VERSION = 1;

/**
 * What `tidemark sink` is given: the sink, and how it is tried.
 *
 * - `batchSize`: most transactions of a batch, default 3.
 * - `chunkRows`: most rows of a snapshot's chunk, default 3.
 * - `limitMs`: how long one call of the sink may take, default 30 000.
 * - `profiles`: of histories, by name; default all.
 * - `protocols`: of pgoutput, by which the source is read, 1, 2 or 4; default all that the server knows.
 * - `pipeline`: a slot and publications of a pipeline of the user's that must be there on the server at `--url`. They are
 *   looked for and never read, changed or dropped.
 */
export interface SinkConfig {
  readonly version: typeof SINK_CONFIG_VERSION;
  readonly sink: SinkUnderTest;
  readonly batchSize?: number | undefined;
  readonly chunkRows?: number | undefined;
  readonly limitMs?: number | undefined;
  readonly profiles?: readonly string[] | undefined;
  readonly protocols?: readonly ProtocolVersion[] | undefined;
  readonly pipeline?:
    | { readonly slot?: string | undefined; readonly publications: readonly string[] }
    | undefined;
}

const sinkSchema: z.ZodType<SinkUnderTest> = z.looseObject({
  name: z.string().min(1),
  modes: z.array(deliveryModeSchema).min(1),
  takesMessages: z.boolean(),
  prepare: z.custom<SinkUnderTest['prepare']>((given) => typeof given === 'function', 'expected a function'),
});

const rest = {
  version: z.literal(SINK_CONFIG_VERSION),
  batchSize: z.int().min(1).optional(),
  chunkRows: z.int().min(1).optional(),
  limitMs: z.int().min(1).optional(),
  profiles: z.array(z.string()).min(1).optional(),
  protocols: z.array(z.literal(PROTOCOLS)).min(1).optional(),
  pipeline: z
    .strictObject({ slot: z.string().optional(), publications: z.array(z.string()).min(1) })
    .optional(),
};

/** The form of what a module exports as `config`. */
export const sinkConfigSchema: z.ZodType<SinkConfig> = z.strictObject({ ...rest, sink: sinkSchema });

/** The form of a JSON file, in which `sink` is the path of a module, from the file's directory, that exports `sink`. */
export const sinkConfigFileSchema = z.strictObject({ ...rest, sink: z.string().min(1) });

export { sinkSchema };
