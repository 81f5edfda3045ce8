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
  },
];

/** The Flink that `flink` alone stands for. */
export const DEFAULT_FLINK = FLINK_VERSIONS[0]!;
