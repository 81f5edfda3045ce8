import type { EngineStatus } from '../../src/engines/engine.ts';

/** An engine, or the broker. */
interface Installable {
  readonly name: string;
  status(): Promise<EngineStatus>;
}

/** What of these is not here and need not be, and the title of its tests, which says so where they are skipped. */
export async function neededBy(
  title: string,
  all: readonly Installable[],
): Promise<{ readonly title: string; readonly missing: readonly string[] }> {
  const required = (process.env.TIDEMARK_REQUIRE_ENGINES ?? '').split(',');
  const missing: string[] = [];
  for (const each of all) {
    if (!required.includes(each.name) && (await each.status()).kind !== 'ready') missing.push(each.name);
  }
  const names = missing.join(', ');
  return {
    title:
      missing.length === 0
        ? title
        : `${title} (skipped: not installed, run \`tidemark engines install\` for ${names})`,
    missing,
  };
}
