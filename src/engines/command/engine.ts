import type { Engine } from '../engine.ts';
import { readCommandConfig } from './config.ts';
import { openCommand } from './session.ts';

/**
 * Any engine in any language, as a process that speaks the line-JSON protocol of docs/command-protocol.md.
 * `command@PATH` names the configuration that starts it; what it promises, it says itself once it runs.
 */
export const command: Engine = {
  name: 'command',
  description: 'an engine of your own behind a line-JSON protocol (command@PATH-TO-JSON)',
  traits: undefined,
  async status() {
    return { kind: 'unavailable', reason: 'it is yours to name: command@PATH-TO-JSON' };
  },
  async install() {
    // It is the user's own.
  },
  async open({ directory, variant, topics, limitMs, signal }) {
    return openCommand({ directory, config: await readCommandConfig(variant), topics, limitMs, signal });
  },
};
