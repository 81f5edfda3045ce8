import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import type { SASLOptions } from 'kafkajs';
import { z } from 'zod';
import { InputError } from '../../model/errors.ts';
import { orInputError } from '../files.ts';
import { readJsonFile } from '../json-file.ts';

/** How to reach brokers that ask for more than an address. Holds secrets: never printed. */
export interface KafkaConfig {
  readonly ssl?: SslConfig | undefined;
  readonly sasl?: SaslConfig | undefined;
  /** Of the topics of a run; the brokers' own default where it is absent. */
  readonly replicationFactor?: number | undefined;
}

/** TLS, each file's text in PEM; the key unencrypted in PKCS #8. */
export interface SslConfig extends ConnectionOptions {
  /** Whom to trust; the system's own where it is absent. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Default true. */
  readonly rejectUnauthorized?: boolean;
}

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

export type SaslConfig = Extract<SASLOptions, { mechanism: (typeof MECHANISMS)[number] }>;

const KAFKA_CONFIG_VERSION = 1;

/** JSON form of the file of `--kafka-config`. Paths are relative to the file's folder. */
export const kafkaConfigSchema = z.strictObject({
  version: z.literal(KAFKA_CONFIG_VERSION).default(KAFKA_CONFIG_VERSION),
  ssl: z
    .union([
      z.boolean(),
      z.strictObject({
        ca: z.string().min(1).optional(),
        cert: z.string().min(1).optional(),
        key: z.string().min(1).optional(),
        rejectUnauthorized: z.boolean().optional(),
      }),
    ])
    .optional(),
  sasl: z
    .strictObject({
      mechanism: z.enum(MECHANISMS),
      username: z.string().min(1),
      password: z.string().min(1),
    })
    .optional(),
  replicationFactor: z.int().min(1).max(32_767).optional(),
});

/**
 * Reads the file of `--kafka-config` and the files that it names.
 *
 * @throws InputError naming file and field, never what they hold.
 */
export async function readKafkaConfig(file: string): Promise<KafkaConfig> {
  const { ssl, sasl, replicationFactor } = await readJsonFile(file, kafkaConfigSchema, KAFKA_CONFIG_VERSION);
  return { ssl: await readSsl(ssl, file), sasl, replicationFactor };
}

type SslFiles = z.infer<typeof kafkaConfigSchema>['ssl'];

async function readSsl(ssl: SslFiles, file: string): Promise<SslConfig | undefined> {
  if (ssl === undefined || ssl === false) return undefined;
  if (ssl === true) return {};
  const { ca, cert, key, rejectUnauthorized } = ssl;
  if ((cert === undefined) !== (key === undefined)) {
    const field = cert === undefined ? 'ssl.cert' : 'ssl.key';
    throw new InputError('a client certificate needs both cert and key', { file, field });
  }
  const read = (path: string) => {
    const place = resolve(dirname(file), path);
    return orInputError(place, 'cannot read', () => readFile(place, 'utf8'));
  };
  return {
    ...(ca === undefined ? {} : { ca: certificateOf(await read(ca), file, 'ssl.ca') }),
    ...(cert === undefined ? {} : { cert: certificateOf(await read(cert), file, 'ssl.cert') }),
    ...(key === undefined ? {} : { key: keyOf(await read(key), file) }),
    ...(rejectUnauthorized === undefined ? {} : { rejectUnauthorized }),
  };
}

function certificateOf(pem: string, file: string, field: string): string {
  try {
    new X509Certificate(pem);
    return pem;
  } catch {
    throw new InputError('the file it names holds no certificate in PEM', { file, field });
  }
}

/** Java reads keys in PKCS #8 only, Node in any form: everybody is given that one. */
function keyOf(pem: string, file: string): string {
  try {
    return createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }) as string;
  } catch {
    throw new InputError('the file it names holds no unencrypted private key in PEM', {
      file,
      field: 'ssl.key',
    });
  }
}

/** The same as properties of Java clients, for engines. Holds secrets. */
export function clientProperties(config: KafkaConfig = {}): Readonly<Record<string, string>> {
  const { ssl, sasl } = config;
  const properties: Record<string, string> = {};
  if (ssl !== undefined || sasl !== undefined) {
    properties['security.protocol'] =
      sasl === undefined ? 'SSL' : ssl === undefined ? 'SASL_PLAINTEXT' : 'SASL_SSL';
  }
  if (ssl?.ca !== undefined) {
    properties['ssl.truststore.type'] = 'PEM';
    properties['ssl.truststore.certificates'] = ssl.ca;
  }
  if (ssl?.cert !== undefined && ssl.key !== undefined) {
    properties['ssl.keystore.type'] = 'PEM';
    properties['ssl.keystore.certificate.chain'] = ssl.cert;
    properties['ssl.keystore.key'] = ssl.key;
  }
  // Java has no switch for trusting anybody; this lets another host's certificate pass.
  if (ssl?.rejectUnauthorized === false) properties['ssl.endpoint.identification.algorithm'] = '';
  if (sasl !== undefined) {
    properties['sasl.mechanism'] = sasl.mechanism.toUpperCase();
    properties['sasl.jaas.config'] = jaas(sasl);
  }
  return properties;
}

function jaas({ mechanism, username, password }: SaslConfig): string {
  const module =
    mechanism === 'plain'
      ? 'org.apache.kafka.common.security.plain.PlainLoginModule'
      : 'org.apache.kafka.common.security.scram.ScramLoginModule';
  return `${module} required username=${quoted(username)} password=${quoted(password)};`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;
}
