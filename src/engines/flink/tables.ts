import type { Column, StreamSchema } from '../../model/schema.ts';
import type { Delivery } from '../../model/traits.ts';
import { flinkInterval, flinkText, flinkType } from '../../sql/flink.ts';
import { flinkIdentifier } from '../../sql/flink-identifiers.ts';
import { ROWTIME } from '../../sql/flink-time.ts';
import { indent } from '../../sql/fragment.ts';
import type { FlinkVersion } from './versions.ts';

/** The table that takes a query's result. No stream's name starts with an underscore. */
export const OUTPUT = '_output';

/** How tables reach their topics. The properties may hold secrets. */
export interface Connection {
  readonly brokers: string;
  readonly clientProperties: Readonly<Record<string, string>>;
}

/** How a Flink reaches topics: properties that name a class of the Kafka client name it as its connector does. */
export function connectionOf(
  { brokers, clientProperties }: Connection,
  { kafkaPackage }: Pick<FlinkVersion, 'kafkaPackage'>,
): Connection {
  const renamed = Object.entries(clientProperties).map(([name, value]) =>
    name === JAAS ? [name, value.replace(/^org\.apache\.kafka(?=\.)/, kafkaPackage)] : [name, value],
  );
  return { brokers, clientProperties: Object.fromEntries(renamed) };
}

/** Begins with the class of a login module. */
const JAAS = 'sasl.jaas.config';

/** DDL of a stream's topic, read from its start, with a watermark `lagMs` behind the greatest event time. */
export function sourceTable(
  schema: StreamSchema,
  topic: string,
  group: string,
  lagMs: number,
  connection: Connection,
): string {
  const rowtime = flinkIdentifier(ROWTIME);
  const lines = [
    ...schema.columns.map(columnOf),
    `${rowtime} AS TO_TIMESTAMP_LTZ(${flinkIdentifier(schema.eventTime)}, 3)`,
    `WATERMARK FOR ${rowtime} AS ${rowtime} - ${flinkInterval(lagMs)}`,
  ];
  return createTable(schema.name, lines, {
    connector: 'kafka',
    topic,
    ...propertiesOf(connection),
    'properties.group.id': group,
    'scan.startup.mode': 'earliest-offset',
    // All partitions are there from the start.
    'scan.topic-partition-discovery.interval': '0',
    format: 'json',
    'json.ignore-parse-errors': 'false',
    'json.fail-on-missing-field': 'true',
  });
}

/**
 * The key of an output without key columns. It is left out of the value, so that the row is as it was declared.
 */
const SINGLE_KEY = '_key';

export interface Output {
  readonly topic: string;
  readonly delivery: Delivery;
}

/** Brokers allow 15 minutes at most unless told otherwise; Flink asks for an hour. */
const TRANSACTION_LIMIT_MS = 600_000;

function sinkOf({ topic, delivery }: Output): Readonly<Record<string, string>> {
  if (delivery === 'at-least-once') return { topic };
  return {
    topic,
    'sink.delivery-guarantee': delivery,
    'sink.transactional-id-prefix': topic,
    'properties.transaction.timeout.ms': String(TRANSACTION_LIMIT_MS),
  };
}

/**
 * DDL of the result's topic, a record a row, or with `keys` the latest record of each key, and the statement that
 * fills it.
 */
export function outputTable(
  sql: string,
  columns: readonly Column[],
  keys: readonly string[] | undefined,
  output: Output,
  connection: Connection,
): { readonly create: string; readonly insert: string } {
  const common = { ...propertiesOf(connection), ...sinkOf(output) };
  const insert = `INSERT INTO ${flinkIdentifier(OUTPUT)}\n${sql}`;
  const lines = columns.map(columnOf);
  if (keys === undefined) {
    const options = { connector: 'kafka', ...common, format: 'json', ...decimals('json') };
    return { create: createTable(OUTPUT, lines, options), insert };
  }
  const options = {
    connector: 'upsert-kafka',
    ...common,
    'key.format': 'json',
    'value.format': 'json',
    ...decimals('key.json'),
    ...decimals('value.json'),
  };
  if (keys.length > 0) return { create: createTable(OUTPUT, [...lines, primaryKey(keys)], options), insert };
  const key = { name: SINGLE_KEY, type: 'INT', nullable: false } as const;
  return {
    create: createTable(OUTPUT, [...lines, columnOf(key), primaryKey([SINGLE_KEY])], {
      ...options,
      'value.fields-include': 'EXCEPT_KEY',
    }),
    insert: `INSERT INTO ${flinkIdentifier(OUTPUT)}\nSELECT *, 0\nFROM (\n${indent(sql)}\n)`,
  };
}

const primaryKey = (keys: readonly string[]) =>
  `PRIMARY KEY (${keys.map(flinkIdentifier).join(', ')}) NOT ENFORCED`;

const decimals = (format: string) => ({ [`${format}.encode.decimal-as-plain-number`]: 'true' });

function propertiesOf({ brokers, clientProperties }: Connection): Readonly<Record<string, string>> {
  const properties = { ...clientProperties, 'bootstrap.servers': brokers };
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [`properties.${name}`, value]));
}

function columnOf({ name, type, nullable }: Column): string {
  return `${flinkIdentifier(name)} ${flinkType(type)}${nullable ? '' : ' NOT NULL'}`;
}

function createTable(
  name: string,
  lines: readonly string[],
  options: Readonly<Record<string, string>>,
): string {
  const settings = Object.entries(options).map(([key, value]) => `${flinkText(key)} = ${flinkText(value)}`);
  return `CREATE TABLE ${flinkIdentifier(name)} (\n  ${lines.join(',\n  ')}\n) WITH (\n  ${settings.join(',\n  ')}\n)`;
}
