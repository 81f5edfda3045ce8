export { caseKey } from './case-key.ts';
export { type Confirmation, confirm } from './confirm.ts';
export { reduceCase } from './reduce-case.ts';
export type {
  Answer,
  Budget,
  OtherFailure,
  Reduced,
  ReduceOptions,
  ReductionStep,
} from './reduced.ts';
