import { z } from 'zod';
import { messageToken } from './token.ts';

/**
 * Emits a logical decoding message. A transactional one belongs to its transaction; any other is sent at once and
 * survives a rollback.
 *
 * `content`: its bytes in base64, which begin with the message's token (see {@link messageToken}).
 */
export interface MessageStep {
  readonly do: 'message';
  readonly connection: number;
  readonly transactional: boolean;
  readonly prefix: string;
  readonly content: string;
}

export const messageStepSchema = z.strictObject({
  do: z.literal('message'),
  connection: z.int().min(0),
  transactional: z.boolean(),
  prefix: z.string(),
  content: z.base64().refine((content) => messageToken(content) !== undefined, 'content without a token'),
});
