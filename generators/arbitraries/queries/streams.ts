import type { Column, StreamSchema } from '../../../src/model/schema.ts';
import type { Type } from '../../../src/model/type.ts';

const optional = (name: string, type: Type): Column => ({ name, type, nullable: true });
const required = (name: string, type: Type): Column => ({ name, type, nullable: false });

/** What devices measured: a column of every type that the plan language computes with. `seq` makes a row unique. */
export const readingStream: StreamSchema = {
  name: 'reading',
  columns: [
    optional('device', 'BIGINT'),
    optional('zone', 'STRING'),
    optional('amount', 'BIGINT'),
    optional('note', 'STRING'),
    optional('grade', 'INT'),
    optional('level', 'DOUBLE'),
    optional('active', 'BOOLEAN'),
    required('datetime', 'TIMESTAMP(3)'),
    required('seq', 'BIGINT'),
  ],
  eventTime: 'datetime',
  unique: [['seq']],
};

/** What devices sent unasked: nothing makes a row unique, so that whole rows may repeat. */
export const signalStream: StreamSchema = {
  name: 'signal',
  columns: [
    optional('device', 'BIGINT'),
    optional('zone', 'STRING'),
    optional('amount', 'BIGINT'),
    optional('note', 'STRING'),
    required('datetime', 'TIMESTAMP(3)'),
  ],
  eventTime: 'datetime',
  unique: [],
};

/** The streams that the query families read. */
export const fuzzStreams: readonly StreamSchema[] = [readingStream, signalStream];
