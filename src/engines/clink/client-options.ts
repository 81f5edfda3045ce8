import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Options of Clink's Kafka connector that reach a broker which asks for more than an address. */
export interface ClientOptions {
  readonly options: Readonly<Record<string, string>>;
  /** Values that must not be shown. */
  readonly secrets: readonly string[];
}

/** Java's names, and what they say when they mean what Clink does anyway. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  'ssl.truststore.type': 'PEM',
  'ssl.keystore.type': 'PEM',
};

/** Java's names for what Clink takes by path or as it is. */
const SAME: Readonly<Record<string, string>> = {
  'sasl.mechanism': 'sasl_mechanism',
  'ssl.truststore.location': 'ssl_ca_location',
  'ssl.key.password': 'ssl_key_password',
};

/** Java's names for PEM text that Clink takes as a file. */
const FILES: Readonly<Record<string, string>> = {
  'ssl.truststore.certificates': 'ssl_ca_location',
  'ssl.keystore.certificate.chain': 'ssl_certificate_location',
  'ssl.keystore.key': 'ssl_key_location',
};

/**
 * Translates client properties from their Java names. PEM texts are written below `directory`, readable by the user
 * alone.
 *
 * @returns the name of a property that the connector has no option for, where there is one.
 */
export async function clientOptions(
  properties: Readonly<Record<string, string>>,
  directory: string,
): Promise<ClientOptions | string> {
  const options: Record<string, string> = {};
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(properties)) {
    if (WITHOUT_EFFECT[name] === value) continue;
    if (name === 'security.protocol') {
      options.security_protocol = value.toLowerCase();
    } else if (name === 'sasl.jaas.config') {
      const [username, password] = [jaasValue(value, 'username'), jaasValue(value, 'password')];
      if (username === undefined || password === undefined) return name;
      Object.assign(options, { sasl_username: username, sasl_password: password });
      secrets.push(password);
    } else if (name in SAME) {
      // A store in another form than PEM is none that OpenSSL reads.
      if (name === 'ssl.truststore.location' && properties['ssl.truststore.type'] !== 'PEM') return name;
      options[SAME[name]!] = value;
      if (name === 'ssl.key.password') secrets.push(value);
    } else if (name in FILES) {
      const path = join(directory, `${FILES[name]}.pem`);
      await mkdir(directory, { recursive: true });
      await writeFile(path, value, { mode: 0o600 });
      options[FILES[name]!] = path;
    } else {
      return name;
    }
  }
  return { options, secrets };
}

/** One value of a JAAS configuration, `name="…"` with backslash escapes. */
function jaasValue(config: string, name: string): string | undefined {
  const quoted = new RegExp(`\\b${name}\\s*=\\s*"((?:[^"\\\\]|\\\\.)*)"`).exec(config)?.[1];
  return quoted?.replaceAll(/\\(.)/g, '$1');
}
