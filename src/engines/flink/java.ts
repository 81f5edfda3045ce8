import { join } from 'node:path';
import { execa } from 'execa';
import { EngineError } from '../engine.ts';

const OLDEST_JAVA = 17;
const ASK_LIMIT_MS = 60_000;

/**
 * The Java to run Flink with: that of `$JAVA_HOME`, else `java` on the PATH.
 *
 * @throws EngineError when there is none, or it is too old.
 */
export async function findJava(): Promise<string> {
  const home = process.env.JAVA_HOME;
  const java = home ? join(home, 'bin', 'java') : 'java';
  const asked = await execa(java, ['-XX:TieredStopAtLevel=1', '-version'], {
    reject: false,
    timeout: ASK_LIMIT_MS,
  });
  const advice = `install it (Debian: openjdk-${OLDEST_JAVA}-jre-headless), or set JAVA_HOME to it`;
  if (asked.failed) {
    throw new EngineError(
      'start-failed',
      `flink needs Java ${OLDEST_JAVA} or newer and ${java} does not run: ${advice}`,
    );
  }
  const version = Number(/version "(\d+)/.exec(asked.stderr)?.[1] ?? 0);
  if (version < OLDEST_JAVA) {
    throw new EngineError(
      'start-failed',
      `flink needs Java ${OLDEST_JAVA} or newer and ${java} is ${version}: ${advice}`,
    );
  }
  return java;
}
