import { Command } from 'commander';
import { EngineError } from '../engines/engine.ts';
import { engines, parseEngine } from '../engines/index.ts';
import { Progress } from '../report/progress.ts';
import { table } from '../report/table.ts';
import { kafkaBroker } from '../streams/kafka/index.ts';
import type { CliContext } from './context.ts';

export function enginesCommand({ stdout, stderr, signal }: CliContext): Command {
  const command = new Command('engines').description('what engines are here, and what can be had');
  command
    .command('list', { isDefault: true })
    .description('every engine with its state')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const states = await Promise.all(
        [...engines.values(), kafkaBroker].map(async (engine) => ({
          name: engine.name,
          description: engine.description,
          ...(await engine.status()),
        })),
      );
      if (options.json) {
        stdout.write(`${JSON.stringify(states)}\n`);
        return;
      }
      const rows = states.map((state) => [
        state.name,
        state.kind,
        'version' in state ? state.version : state.reason,
        state.description,
      ]);
      stdout.write(`${table(['engine', 'state', 'version', 'what it is'], rows).join('\n')}\n`);
    });
  command
    .command('install')
    .description('bring an engine into the cache')
    .argument('<name>', 'an engine of the list')
    .action(async (name: string) => {
      const engine = name === kafkaBroker.name ? kafkaBroker : parseEngine(name).engine;
      const progress = new Progress(stderr);
      await engine.install({ onProgress: (line) => progress.note(line), signal });
      const status = await engine.status();
      if (status.kind !== 'ready')
        throw new EngineError('install-failed', `${engine.name} is not ready after its installation`);
      stdout.write(`${engine.name} ${status.version} is ready\n`);
    });
  return command.addHelpText('after', '\nExample:\n  tidemark engines install clink');
}
