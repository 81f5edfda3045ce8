import type { Verdict } from '../model/verdict.ts';
import { EXIT } from './context.ts';

/** The exit code of a verdict. */
export function exitCodeOf(kind: Verdict['kind']): number {
  switch (kind) {
    case 'agree':
      return EXIT.agree;
    case 'diverge':
      return EXIT.diverge;
    default:
      return EXIT.notGated;
  }
}
