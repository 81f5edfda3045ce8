import { engines } from '../engines/index.ts';
import type { Transport } from '../model/traits.ts';

/** Engines of a run that names none: those that read its transport and are here, or can be had on this machine. */
export async function defaultEngines(
  transport: Transport,
  note: (line: string) => void,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const engine of engines.values()) {
    if (engine.traits?.[transport] === undefined || engine.onlyByName === true) continue;
    const status = await engine.status();
    if (status.kind === 'unavailable') note(`${engine.name} is left out: ${status.reason}`);
    else names.push(engine.name);
  }
  return names;
}
