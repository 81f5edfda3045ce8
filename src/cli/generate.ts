import { Command } from 'commander';
import { Progress } from '../report/progress.ts';
import { writeNexmark } from '../streams/dataset-files.ts';
import type { CliContext } from './context.ts';
import { profile, wholeNumber } from './options.ts';

interface GenerateOptions {
  seed: string;
  events: number;
  profile: string;
  partitions: number;
  out: string;
  json?: boolean;
}

export function generateCommand({ stdout, stderr }: CliContext): Command {
  return new Command('generate')
    .description('write a dataset of persons, auctions and bids in proportion 1 : 3 : 46')
    .requiredOption('--seed <seed>', 'any text; it and the other options fix every byte')
    .requiredOption('--events <n>', 'events of all streams together', wholeNumber(1))
    .option('--profile <name>', 'shape of the data', profile, 'nexmark')
    .option('--partitions <k>', 'partitions of each stream', wholeNumber(1), 1)
    .requiredOption('--out <dir>', 'a directory that is empty or not there yet')
    .option('--json', 'tell what was written as JSON')
    .addHelpText('after', '\nExample:\n  tidemark generate --seed 7 --events 50000 --partitions 4 --out data')
    .action(async (options: GenerateOptions) => {
      const progress = new Progress(stderr);
      await writeNexmark(options, options.out, ({ events, ofEvents }) =>
        progress.update(events, ofEvents, 'events'),
      );
      progress.clear();
      const { seed, events, partitions, out } = options;
      stdout.write(
        options.json
          ? `${JSON.stringify({ directory: out, seed, profile: options.profile, events, partitions })}\n`
          : `${events} events in ${out}\n`,
      );
    });
}
