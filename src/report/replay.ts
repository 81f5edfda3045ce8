import type { Manifest } from '../campaign/manifest.ts';

/** The command that makes this run again, seed and size said; its evidence goes to a directory of its own. */
export function replayCommand({ command, dataset: { provenance } }: Manifest): string {
  const words = withoutOption(command, '--out');
  const said = (flag: string) => words.some((word) => word === flag || word.startsWith(`${flag}=`));
  if (provenance !== 'captured' && !said('--data')) {
    const { events } = provenance.parameters;
    if (!said('--seed')) words.push('--seed', provenance.seed);
    if (events !== undefined && !said('--events')) words.push('--events', String(events));
  }
  return commandLine(words);
}

/** Words as a shell takes them. */
export function commandLine(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

function withoutOption(words: readonly string[], flag: string): string[] {
  return words.filter(
    (word, index) => word !== flag && words[index - 1] !== flag && !word.startsWith(`${flag}=`),
  );
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
