export { historyArbitrary, historyOf } from './history-arbitrary.ts';
export type { HistoryProfile, PublicationLayout, StepKind } from './profile.ts';
export { historyProfiles } from './profiles/index.ts';
export { without, withoutTable } from './without.ts';
