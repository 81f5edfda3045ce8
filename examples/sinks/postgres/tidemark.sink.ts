import type { SinkConfig } from 'tidemark/sinks';
import { sink } from './postgres-sink.ts';

export const config: SinkConfig = { version: 1, sink, batchSize: 4 };
