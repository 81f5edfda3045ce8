import { z } from 'zod';
import { deliveries, stopModes, transports } from '../model/traits.ts';

export const REQUEST_VERSION = 1;

/** `request.json`: what a run was asked for, with every default filled in, so that it can be resumed. */
export const requestSchema = z.strictObject({
  version: z.literal(REQUEST_VERSION),
  /** The words of the command line, as they were given. */
  command: z.array(z.string()),
  engines: z.array(z.string()).min(1),
  /** The set, or `queries`: names, and the paths of JSON files. */
  set: z.string(),
  queries: z.array(z.string()).optional(),
  seed: z.string(),
  events: z.int(),
  profile: z.string(),
  partitions: z.int(),
  /** The directory of a dataset of the user's. */
  data: z.string().optional(),
  parallelism: z.int(),
  transport: z.enum(transports),
  stop: z.enum(stopModes),
  delivery: z.enum(deliveries).optional(),
  /** Seconds that a job may take to settle or to end. */
  limit: z.int().optional(),
  brokers: z.string().optional(),
  kafkaConfig: z.string().optional(),
  campaign: z.string().optional(),
  known: z.string().optional(),
});
export type RunRequest = z.infer<typeof requestSchema>;
