import { execa } from 'execa';

/** Builds once before any test: the command line is tested as it is shipped. */
export default async function build(): Promise<void> {
  await execa('npm', ['run', 'build'], { cwd: new URL('../..', import.meta.url), timeout: 120_000 });
}
