import { testSink } from 'tidemark/vitest';
import { describe } from 'vitest';
import { sink } from './postgres-sink.ts';

describe('the PostgreSQL sink', () => {
  testSink({ sink, modes: ['transaction', 'batch'], histories: 4, faults: 'all' });
});
