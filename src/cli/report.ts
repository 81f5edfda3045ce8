import { Command } from 'commander';
import { writeReport } from '../report/write-report.ts';
import type { CliContext } from './context.ts';

export function reportCommand({ stdout }: CliContext): Command {
  return new Command('report')
    .description('write report.html and junit.xml of a run again, from the evidence it left')
    .argument('<run>', 'the directory of a run, be it complete or not')
    .addHelpText('after', '\nExample:\n  tidemark report runs/1-50000-1')
    .action(async (run: string) => {
      stdout.write(`${await writeReport(run)}\n`);
    });
}
