import { describe, expect, it } from 'vitest';
import { connectionOf } from '../../src/engines/flink/tables.ts';
import { FLINK_VERSIONS } from '../../src/engines/flink/versions.ts';
import { clientProperties } from '../../src/streams/kafka/config.ts';

describe('a connection to brokers that ask for SASL', () => {
  it.each([
    ['2.2', 'org.apache.flink.kafka.shaded.org.apache.kafka.common.security.scram.ScramLoginModule'],
    ['1.20', 'org.apache.kafka.common.security.scram.ScramLoginModule'],
  ])('names the login module as the connector of %s does', (name, module) => {
    const version = FLINK_VERSIONS.find((each) => each.name === name)!;
    const sasl = { mechanism: 'scram-sha-256', username: 'org.apache.kafka.', password: 'p' } as const;
    const connection = connectionOf(
      { brokers: 'a:1', clientProperties: clientProperties({ sasl }) },
      version,
    );
    expect(connection).toEqual({
      brokers: 'a:1',
      clientProperties: {
        'security.protocol': 'SASL_PLAINTEXT',
        'sasl.mechanism': 'SCRAM-SHA-256',
        'sasl.jaas.config': `${module} required username="org.apache.kafka." password="p";`,
      },
    });
  });
});
