import { testSink } from 'tidemark/vitest';
import { describe } from 'vitest';
import { sink } from './append-file-sink.ts';

describe('the append-only file', () => {
  testSink({ sink, modes: ['library', 'library-transactional-message'], histories: 4 });
});
