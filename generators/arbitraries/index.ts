export { type CaseOptions, caseArbitrary, caseOf, caseValueOf } from './cases/case-arbitrary.ts';
export type { DataShape, Profile, ScheduleShape } from './cases/profile.ts';
export type { DrawnColumn } from './column-values.ts';
export { profiles } from './profiles/index.ts';
export { fuzzStreams, type QuerySource, queryFamilies, variantsOfQuery } from './queries/index.ts';
export { type SmallDatasetConstraints, smallDatasets } from './small-datasets.ts';
