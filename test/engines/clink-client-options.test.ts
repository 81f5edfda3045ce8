import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { clientOptions } from '../../src/engines/clink/client-options.ts';
import { temporaryDirectory } from './cases.ts';

const directory = temporaryDirectory();
afterAll(directory.remove);
const of = (properties: Readonly<Record<string, string>>) => clientOptions(properties, directory.path);

describe('client properties', () => {
  it('need none of Clink’s options where there are none', async () => {
    expect(await of({})).toEqual({ options: {}, secrets: [] });
  });

  it('of SASL over TLS become options, and the password a secret', async () => {
    const jaas =
      'org.apache.kafka.common.security.scram.ScramLoginModule required username="u\\"1" password="p\\\\w";';
    expect(
      await of({
        'security.protocol': 'SASL_SSL',
        'sasl.mechanism': 'SCRAM-SHA-256',
        'sasl.jaas.config': jaas,
        'ssl.truststore.type': 'PEM',
        'ssl.truststore.location': '/ca.pem',
      }),
    ).toEqual({
      options: {
        security_protocol: 'sasl_ssl',
        sasl_mechanism: 'SCRAM-SHA-256',
        sasl_username: 'u"1',
        sasl_password: 'p\\w',
        ssl_ca_location: '/ca.pem',
      },
      secrets: ['p\\w'],
    });
  });

  it('of PEM text become files that only the user reads', async () => {
    const path = join(directory.path, 'ssl_ca_location.pem');
    expect(await of({ 'ssl.truststore.type': 'PEM', 'ssl.truststore.certificates': 'CERT' })).toEqual({
      options: { ssl_ca_location: path },
      secrets: [],
    });
    expect(readFileSync(path, 'utf8')).toBe('CERT');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([
    [{ 'sasl.login.class': 'x' }, 'sasl.login.class'],
    [{ 'ssl.truststore.location': '/store.jks' }, 'ssl.truststore.location'],
    [{ 'ssl.truststore.type': 'JKS' }, 'ssl.truststore.type'],
    [{ 'sasl.jaas.config': 'a.LoginModule required;' }, 'sasl.jaas.config'],
  ])('that Clink has no option for are named: %o', async (properties, name) => {
    expect(await of(properties)).toBe(name);
  });
});
