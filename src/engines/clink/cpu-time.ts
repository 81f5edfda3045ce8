import { readFile } from 'node:fs/promises';

/** Linux counts in these, whatever the machine. */
const TICKS_A_SECOND = 100;

/** CPU time of a process so far, in seconds; undefined where there is no `/proc`, or no such process. */
export async function cpuSecondsOf(pid: number): Promise<number | undefined> {
  try {
    // The name, in parentheses, may hold anything; the fields that follow it are plain.
    const fields = (await readFile(`/proc/${pid}/stat`, 'latin1')).replace(/^.*\)\s/s, '').split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  } catch {
    return undefined;
  }
}
