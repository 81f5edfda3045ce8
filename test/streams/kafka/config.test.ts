import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { InputError } from '../../../src/model/errors.ts';
import { clientProperties, readKafkaConfig } from '../../../src/streams/kafka/config.ts';
import { temporaryDirectory } from './support.ts';

const directory = temporaryDirectory();
afterAll(directory.remove);

const SECRET = 'hunter2"\\';
const sasl = { mechanism: 'scram-sha-512', username: 'me', password: SECRET };

function write(name: string, content: unknown): string {
  const file = join(directory.path, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

async function refusal(content: unknown): Promise<InputError> {
  const error = await readKafkaConfig(write('refused.json', content)).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(InputError);
  expect(error.file).toBe(join(directory.path, 'refused.json'));
  expect(error.message).not.toContain('hunter2');
  return error;
}

describe('the file of --kafka-config', () => {
  test('becomes properties of Java clients', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    write('key.pem', privateKey.export({ type: 'pkcs1', format: 'pem' }) as string);
    write('ca.pem', CERTIFICATE);
    const ssl = { ca: 'ca.pem', cert: 'ca.pem', key: 'key.pem', rejectUnauthorized: false };
    const config = await readKafkaConfig(write('all.json', { ssl, sasl, replicationFactor: 3 }));
    expect(config).toMatchObject({ replicationFactor: 3, sasl, ssl: { ca: CERTIFICATE, cert: CERTIFICATE } });
    expect(clientProperties(config)).toEqual({
      'security.protocol': 'SASL_SSL',
      'ssl.truststore.type': 'PEM',
      'ssl.truststore.certificates': CERTIFICATE,
      'ssl.keystore.type': 'PEM',
      'ssl.keystore.certificate.chain': CERTIFICATE,
      'ssl.keystore.key': privateKey.export({ type: 'pkcs8', format: 'pem' }),
      'ssl.endpoint.identification.algorithm': '',
      'sasl.mechanism': 'SCRAM-SHA-512',
      'sasl.jaas.config':
        'org.apache.kafka.common.security.scram.ScramLoginModule required username="me" password="hunter2\\"\\\\";',
    });
  });

  test('may hold any part', async () => {
    const propertiesOf = async (content: unknown) =>
      clientProperties(await readKafkaConfig(write('part.json', content)));
    expect(await propertiesOf({})).toEqual({});
    expect(await propertiesOf({ ssl: true })).toEqual({ 'security.protocol': 'SSL' });
    expect(await propertiesOf({ sasl: { ...sasl, mechanism: 'plain' } })).toMatchObject({
      'security.protocol': 'SASL_PLAINTEXT',
      'sasl.mechanism': 'PLAIN',
      'sasl.jaas.config': expect.stringContaining('PlainLoginModule required username="me"'),
    });
  });

  test.each([
    ['a mechanism that is none', { sasl: { ...sasl, mechanism: SECRET } }, 'sasl.mechanism'],
    ['a password that is no text', { sasl: { ...sasl, password: ['hunter2'] } }, 'sasl.password'],
    ['no user', { sasl: { mechanism: 'plain', password: SECRET } }, 'sasl.username'],
    ['a field that is none', { sasl: { ...sasl, token: SECRET } }, 'sasl'],
    ['no replicas', { sasl, replicationFactor: 0 }, 'replicationFactor'],
    ['a newer version', { version: 2, sasl }, 'version'],
    ['a certificate without its key', { ssl: { cert: 'ca.pem' }, sasl }, 'ssl.key'],
    ['a file that is no certificate', { ssl: { ca: 'secret.pem' } }, 'ssl.ca'],
    ['a file that is no key', { ssl: { cert: 'good.pem', key: 'secret.pem' } }, 'ssl.key'],
    ['no JSON', `{"sasl":{"password":"${SECRET}`, undefined],
  ])('is refused with %s, without its secrets', async (_, content, field) => {
    write('secret.pem', SECRET);
    write('good.pem', CERTIFICATE);
    expect((await refusal(content)).field).toBe(field);
  });

  test('must be there, as must the files it names', async () => {
    await expect(readKafkaConfig(join(directory.path, 'none.json'))).rejects.toThrow('ENOENT');
    const naming = write('naming.json', { ssl: { ca: 'none.pem' } });
    await expect(readKafkaConfig(naming)).rejects.toThrow('none.pem');
  });
});

/** Self-signed, for a key that nobody has. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBiDCCAS2gAwIBAgIUd0aSIZ+IUbG8J4YkIn9PyT1XDFQwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNdGlkZW1hcmsudGVzdDAgFw0yNjExMzAwMzM5MzRaGA8yMTI2
MTEwNjAzMzkzNFowGDEWMBQGA1UEAwwNdGlkZW1hcmsudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABNV3k7iAlaQV28kgujEh6+RXkebwV+8+VU9X1yR6uWQI
7Qc/jPUMn44tsi3rHxB/yybODPenFI3/ZQy6wGNlhYKjUzBRMB0GA1UdDgQWBBTy
dpAdyaNgpGAVn4iJ+GD85uTs2TAfBgNVHSMEGDAWgBTydpAdyaNgpGAVn4iJ+GD8
5uTs2TAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQCx4Xd/IdVZ
5ywRurS7ZsA3m/n+cc/baaSUMXGJEt96YAIhAJYjkykShsiDbXR0sNi08qyJbYnr
wCLFnPB4I1qxlXaR
-----END CERTIFICATE-----
`;
