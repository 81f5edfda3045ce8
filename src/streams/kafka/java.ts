import { join } from 'node:path';
import { execa } from 'execa';
import { KafkaError } from './run-topics.ts';

/** The oldest Java that a broker of ours is run on. */
export const OLDEST_JAVA = 17;

/**
 * The Java to run a broker with: that of `$JAVA_HOME`, else `java` on the PATH.
 *
 * @throws KafkaError `missing-java` where there is none, or it is too old.
 */
export async function findJava(): Promise<string> {
  const home = process.env.JAVA_HOME;
  const java = home ? join(home, 'bin', 'java') : 'java';
  const asked = await execa(java, ['-XX:TieredStopAtLevel=1', '-version'], {
    reject: false,
    timeout: 20_000,
  });
  const advice = `install Java ${OLDEST_JAVA} or newer (Debian: openjdk-${OLDEST_JAVA}-jre-headless), or set JAVA_HOME to it`;
  if (asked.failed)
    throw new KafkaError('missing-java', `a Kafka broker needs Java, and ${java} does not run: ${advice}`);
  const version = Number(/version "(\d+)/.exec(asked.stderr)?.[1] ?? 0);
  if (version < OLDEST_JAVA) {
    throw new KafkaError(
      'missing-java',
      `a Kafka broker needs Java ${OLDEST_JAVA}, and ${java} is older: ${advice}`,
    );
  }
  return java;
}
