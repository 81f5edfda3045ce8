import { execa } from 'execa';

/** Builds once before any test: the command line is tested as it is shipped. `TIDEMARK_BUILT=1` where it is new. */
export default async function build(): Promise<void> {
  if (process.env.TIDEMARK_BUILT === '1') return;
  await execa('npm', ['run', 'build'], { cwd: new URL('../..', import.meta.url), timeout: 120_000 });
}
