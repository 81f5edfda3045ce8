import type { Failed } from '../../model/outcome.ts';
import { aborted, failed } from '../step-failed.ts';
import type { NoReply, RunnerFailed } from './runner.ts';

/** What became of a case that did not end with an output. `limitMs`: the limit it may have reached. */
export function failureOf(end: RunnerFailed | NoReply, limitMs: number): Failed {
  switch (end) {
    case 'exited':
      return failed('run', 'engine-crashed', 'the process of the engine ended while it ran the case');
    case 'timeout':
      return failed('run', 'timeout', `the case was still running after ${limitMs / 1000} s`);
    case 'aborted':
      return aborted();
    default:
      return end.failed === 'refused'
        ? failed('submit', 'engine-refused', end.detail)
        : failed('run', 'engine-error', `the engine failed with ${end.detail}`);
  }
}
