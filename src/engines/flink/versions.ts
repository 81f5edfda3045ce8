/** What one supported Flink is made of, with the SHA-256 of all that is brought into the cache. */
export interface FlinkVersion {
  /** After `flink@`. */
  readonly name: string;
  /** The release, as reports name it. */
  readonly release: string;
  /** The source distribution of a Python package, which holds Flink's jars. */
  readonly libraries: { readonly package: string; readonly sha256: string; readonly megabytes: number };
  /** Single jars by their Maven coordinates: what the libraries leave out. */
  readonly jars: readonly MavenJar[];
  /**
   * Where it counts the rows that a source reads and a sink writes: with those between vertices, and these counts are
   * final once a job has ended; or at the operators alone, and then they stay as they were last seen.
   */
  readonly endsCountedAt: 'vertex' | 'operator';
  /** The package of the Kafka client's classes: a connector that brings the client along renames it. */
  readonly kafkaPackage: string;
}

export interface MavenJar {
  readonly coordinate: string;
  readonly file: string;
  readonly sha256: string;
}

export const FLINK_VERSIONS: readonly FlinkVersion[] = [
  {
    name: '2.2',
    release: '2.2.1',
    libraries: {
      package: 'apache-flink-libraries==2.2.1',
      sha256: 'eec27ffa86d01184de7f5ab668c479c83cdb75ebc7fba8091307da4f1a9d3348',
      megabytes: 313,
    },
    jars: [
      {
        coordinate: 'org.apache.flink:flink-sql-gateway:2.2.1',
        file: 'flink-sql-gateway-2.2.1.jar',
        sha256: 'fde5f0f6e868c84de01312a4922404f9571c68a6d879e91fc602bbafa5d735aa',
      },
      {
        coordinate: 'org.apache.flink:flink-sql-connector-kafka:5.0.0-2.2',
        file: 'flink-sql-connector-kafka-5.0.0-2.2.jar',
        sha256: '5605c691d11a501382c383fecba37a7a552467da5ab7ba904ef5d6f3d62c5616',
      },
    ],
    endsCountedAt: 'vertex',
    kafkaPackage: 'org.apache.flink.kafka.shaded.org.apache.kafka',
  },
  {
    name: '1.20',
    release: '1.20.3',
    libraries: {
      package: 'apache-flink-libraries==1.20.3',
      sha256: 'f07f07a46bb272c1e851379ed92105928367019db31240091a5367fc92800289',
      megabytes: 232,
    },
    jars: [
      {
        coordinate: 'org.apache.flink:flink-sql-gateway:1.20.3',
        file: 'flink-sql-gateway-1.20.3.jar',
        sha256: 'f80e1c5b7a8a9e0bd57bbde5a56ca6731192acce8cfb1bce43e307a33a417c8f',
      },
      {
        coordinate: 'org.apache.flink:flink-connector-kafka:3.4.0-1.20',
        file: 'flink-connector-kafka-3.4.0-1.20.jar',
        sha256: '0deab094f7f54df9e8cb7c77c15b4392e1f9923f98f8972b4346f6ff384bf5e6',
      },
      {
        coordinate: 'org.apache.kafka:kafka-clients:3.4.0',
        file: 'kafka-clients-3.4.0.jar',
        sha256: '48f38dede69bf2ed3709e270afb6b72fac869651fc258997727dba350333ac64',
      },
    ],
    endsCountedAt: 'operator',
    kafkaPackage: 'org.apache.kafka',
  },
];

/** The Flink that `flink` alone stands for. */
export const DEFAULT_FLINK = FLINK_VERSIONS[0]!;
