import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** In the order of what they take; measured, and of no other meaning. */
const LONGEST = [
  'test/cli/kafka.test.ts',
  'test/campaign/probe-kafka.test.ts',
  'test/cli/leftovers.test.ts',
  'test/engines/flink.test.ts',
  'test/cli/faults.test.ts',
  'test/cli/resume.test.ts',
  'test/cli/commands.test.ts',
  'test/cli/sink.test.ts',
  'test/sinks/relay/relay.test.ts',
  'test/cli/shrink.test.ts',
  'test/cli/wrong-input.test.ts',
  'test/cli/fuzz.test.ts',
  'test/properties/first-half.test.ts',
  'test/properties/second-half.test.ts',
];

/** Files that take long begin first, so that none of them is left to run alone while the other core waits. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONGEST.findIndex((file) => moduleId.endsWith(file));
      return found < 0 ? LONGEST.length : found;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
