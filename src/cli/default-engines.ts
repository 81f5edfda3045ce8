import { engines } from '../engines/index.ts';

/** Engines of a run that names none: those that need no server and are here, or can be had on this machine. */
export async function defaultEngines(note: (line: string) => void): Promise<readonly string[]> {
  const names: string[] = [];
  for (const engine of engines.values()) {
    const status = await engine.status();
    if (status.kind === 'unavailable') note(`${engine.name} is left out: ${status.reason}`);
    else names.push(engine.name);
  }
  return names;
}
