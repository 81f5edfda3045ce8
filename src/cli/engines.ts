import { Command } from 'commander';
import { type Engine, EngineError } from '../engines/engine.ts';
import { engines, parseEngine } from '../engines/index.ts';
import { Progress } from '../report/progress.ts';
import { table } from '../report/table.ts';
import { kafkaBroker } from '../streams/kafka/index.ts';
import type { CliContext } from './context.ts';
import { probeCommand } from './probe.ts';

/** Something of the list. */
interface Chosen {
  readonly engine: Engine | typeof kafkaBroker;
  readonly variant?: string | undefined;
}

const nameOf = ({ engine, variant }: Chosen) =>
  variant === undefined ? engine.name : `${engine.name}@${variant}`;

export function enginesCommand(context: CliContext): Command {
  const { stdout, stderr, signal } = context;
  const command = new Command('engines').description('what engines are here, and what can be had');
  command
    .command('list', { isDefault: true })
    .description('every engine with its state')
    .option('--json', 'as JSON')
    .action(async (options: { json?: boolean }) => {
      const listed: readonly Chosen[] = [
        ...[...engines.values()].flatMap((engine) =>
          [undefined, ...(engine.otherVersions ?? [])].map((variant) => ({ engine, variant })),
        ),
        { engine: kafkaBroker },
      ];
      const states = await Promise.all(
        listed.map(async ({ engine, variant }) => ({
          name: nameOf({ engine, variant }),
          description: engine.description,
          ...(await engine.status(variant)),
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
      const chosen: Chosen = name === kafkaBroker.name ? { engine: kafkaBroker } : parseEngine(name);
      const { engine, variant } = chosen;
      const progress = new Progress(stderr);
      await engine.install({ variant, onProgress: (line) => progress.note(line), signal });
      const status = await engine.status(variant);
      if (status.kind !== 'ready')
        throw new EngineError('install-failed', `${nameOf(chosen)} is not ready after its installation`);
      stdout.write(`${engine.name} ${status.version} is ready\n`);
    });
  command.addCommand(probeCommand(context));
  return command.addHelpText('after', '\nExample:\n  tidemark engines install clink');
}
