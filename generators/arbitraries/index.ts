export type { DrawnColumn } from './column-values.ts';
export { type SmallDatasetConstraints, smallDatasets } from './small-datasets.ts';
