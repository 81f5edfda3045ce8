export {
  BLOCK_EVENTS,
  type BlockSink,
  blockCount,
  generateBlock,
  type NexmarkGenerator,
  nexmarkGenerator,
} from './block.ts';
export { type BlockEvents, blockEvents, generateNexmark, nexmarkProvenance } from './dataset.ts';
export { type BlockLines, blockNdjson, ndjsonBlocks, type PartitionLines } from './ndjson.ts';
export { rowCounts } from './numbering.ts';
export { DEFAULT_LAG_MS, type NexmarkOptions, type NexmarkParameters } from './options.ts';
export { profiles } from './profiles/index.ts';
export type { Profile } from './profiles/profile.ts';
export { auctionStream, bidStream, nexmarkStreams, personStream } from './streams.ts';
