import type { ColumnType, Table, TableColumn } from '../../src/model/history/index.ts';
import { TOKEN_COLUMN } from '../../src/model/history/index.ts';

/** A table without its replica identity, which is drawn. */
export type TableShape = Omit<Table, 'identity'>;

const firm = (name: string, type: ColumnType): TableColumn => ({ name, type, nullable: false, toast: false });
const open = (name: string, type: ColumnType): TableColumn => ({ name, type, nullable: true, toast: false });
const toast = (name: string, type: ColumnType): TableColumn => ({ name, type, nullable: true, toast: true });
const token = firm(TOKEN_COLUMN, 'text');

/** One number as its key. */
export const accounts: TableShape = {
  name: 'accounts',
  columns: [
    firm('id', 'int4'),
    token,
    open('name', 'text'),
    open('amount', 'numeric'),
    open('at', 'timestamptz'),
  ],
  key: ['id'],
  indexes: [],
};

/** Mixed case and keywords for names, a key of two columns that are not its first. */
export const orders: TableShape = {
  name: 'Order',
  columns: [
    token,
    firm('Group', 'int8'),
    firm('select', 'text'),
    open('Größe "x"', 'float8'),
    open('user', 'bool'),
    open('from', 'text[]'),
  ],
  key: ['Group', 'select'],
  indexes: [],
};

/** A column of every type. */
export const everyType: TableShape = {
  name: 'every type',
  columns: [
    firm('id', 'uuid'),
    open('int2', 'int2'),
    open('int4', 'int4'),
    open('int8', 'int8'),
    open('numeric', 'numeric'),
    open('float8', 'float8'),
    open('text', 'text'),
    open('bool', 'bool'),
    open('timestamp', 'timestamp'),
    open('timestamptz', 'timestamptz'),
    open('date', 'date'),
    open('uuid', 'uuid'),
    open('bytea', 'bytea'),
    open('ints', 'int4[]'),
    open('texts', 'text[]'),
    open('jsonb', 'jsonb'),
    token,
  ],
  key: ['id'],
  indexes: [],
};

/** Columns that are stored out of line, among others. */
export const documents: TableShape = {
  name: 'documents',
  columns: [
    firm('id', 'int8'),
    toast('body', 'text'),
    token,
    toast('blob', 'bytea'),
    open('title', 'text'),
    toast('meta', 'jsonb'),
  ],
  key: ['id'],
  indexes: [],
};

/** Unique indexes beside the key, one of two columns, with a column that is stored out of line. */
export const coded: TableShape = {
  name: 'Coded',
  columns: [
    firm('id', 'int4'),
    firm('code', 'text'),
    firm('part', 'int4'),
    token,
    open('note', 'text'),
    toast('long', 'text'),
  ],
  key: ['id'],
  indexes: [
    { name: 'Coded_code', columns: ['code'] },
    { name: 'coded_part_code', columns: ['part', 'code'] },
  ],
};

/** Of what a publication shows only some actions, and whose rows may have no replica identity. */
export const partly: TableShape = {
  name: 'partly',
  columns: [firm('id', 'int4'), token, open('note', 'text'), toast('long', 'text')],
  key: ['id'],
  indexes: [],
};
