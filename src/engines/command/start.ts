import type { Transport } from '../../model/traits.ts';
import { dialects } from '../../sql/index.ts';
import { EngineError } from '../engine.ts';
import { Child, type NoLine } from './child.ts';
import type { CommandConfig } from './config.ts';
import { type Hello, helloSchema, oneLine, PROTOCOL_VERSION, parseMessage, problemOf } from './messages.ts';

/** Starting may mean a virtual machine or a cluster. */
const START_LIMIT_MS = 60_000;

/** A process that has said hello. */
export interface Started {
  readonly child: Child;
  readonly hello: Hello;
}

/** @throws EngineError when it does not start, does not keep to the protocol, or does not read the transport. */
export async function start(
  config: CommandConfig,
  transport: Transport,
  signal: AbortSignal,
): Promise<Started> {
  const child = new Child(config);
  try {
    child.send({ id: 0, m: 'hello', protocol: PROTOCOL_VERSION, transport });
    const line = await child.nextLine({ deadlineMs: performance.now() + START_LIMIT_MS, signal });
    if (typeof line === 'string') {
      await child.kill();
      // No row was given to it yet, so its own words can be shown.
      const why = oneLine(child.takeLastWords()) || REASONS[line];
      throw new EngineError('start-failed', `${config.command[0]} says no hello: ${why}`);
    }
    const hello = readHello(line, config.command[0]!);
    if (!hello.traits.transports.includes(transport)) {
      throw new EngineError('start-failed', `${hello.name} does not read ${transport}`);
    }
    if (hello.dialects.some((dialect) => !dialects.has(dialect))) {
      const known = [...dialects.keys()].join(', ');
      throw new EngineError('start-failed', `${hello.name} wants a dialect that is not one of ${known}`);
    }
    child.takeLastWords();
    return { child, hello };
  } catch (error) {
    await child.kill();
    throw error;
  }
}

const REASONS: Readonly<Record<NoLine, string>> = {
  exited: 'its process ended',
  timeout: `nothing came in ${START_LIMIT_MS / 1000} s`,
  aborted: 'the run was aborted',
  'too-long': 'its line is too long',
};

function readHello(line: Uint8Array, program: string): Hello {
  const message = parseMessage(line);
  const hello = helloSchema.safeParse(message);
  if (hello.success) return hello.data;
  const problem = message === undefined ? 'no JSON object in UTF-8' : problemOf(hello.error);
  throw new EngineError('start-failed', `the hello of ${program} is not of the protocol: ${problem}`);
}
