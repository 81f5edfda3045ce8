import { type Dataset, rowCount } from '../../model/dataset.ts';
import { columnIndex } from '../../model/schema.ts';
import type { JobState, Vertex } from './job.ts';

/** The watermark of whoever has none. */
export const NO_WATERMARK = -(2n ** 63n);

/** What a source of a stream has done once it has read all of it. */
export interface ReadStream {
  readonly rows: number;
  readonly watermark: bigint;
}

/** What was produced, by stream: no more is known of a job, least of all how much it should write. */
export type Produced = ReadonlyMap<string, ReadStream>;

/**
 * Rows and final watermark (semantics §2) of each stream. A partition without rows, and a subtask without a
 * partition, hold the watermark at −∞.
 */
export function producedOf(dataset: Dataset, parallelism: number): Produced {
  return new Map(
    dataset.streams.map((stream) => {
      const { schema, partitions } = stream;
      const time = columnIndex(schema.columns, schema.eventTime);
      const greatest = partitions.map((events) => {
        let most = -Infinity;
        for (const { row } of events) most = Math.max(most, row[time] as number);
        return most;
      });
      const least = Math.min(...greatest);
      const held = parallelism > partitions.length || least === -Infinity;
      const rows = rowCount(stream);
      return [schema.name, { rows, watermark: held ? NO_WATERMARK : BigInt(least) - BigInt(dataset.lagMs) }];
    }),
  );
}

/** The stream that a vertex reads; undefined where it is no source. */
export function streamOf({ name, inputs }: Vertex): string | undefined {
  return inputs.length > 0 ? undefined : /^Source: (\w+)/.exec(name)?.[1];
}

/** Rows that the sources of a job have read so far. */
export function rowsRead({ vertices }: JobState): number {
  return sum(vertices.filter(({ inputs }) => inputs.length === 0).map(({ read }) => read));
}

/** Rows that the sinks of a job have written so far. */
export function rowsWritten({ vertices }: JobState): number {
  const feeding = new Set(vertices.flatMap(({ inputs }) => inputs));
  return sum(vertices.filter(({ id }) => !feeding.has(id)).map(({ written }) => written));
}

/**
 * Whether every row of the input has been read and handed on by every vertex, as far as metrics tell.
 */
export function allRead({ vertices }: JobState, produced: Produced): boolean {
  const feeding = new Set(vertices.flatMap(({ inputs }) => inputs));
  const handedOn = sum(vertices.filter(({ id }) => feeding.has(id)).map(({ written }) => written));
  const taken = sum(vertices.filter(({ inputs }) => inputs.length > 0).map(({ read }) => read));
  return (
    vertices.length > 0 &&
    handedOn === taken &&
    vertices.every((vertex) => {
      const stream = streamOf(vertex);
      return stream === undefined || vertex.read === produced.get(stream)?.rows;
    })
  );
}

/** Whether each subtask has the watermark that its sources reach in the end. */
export function allAtWatermark({ vertices }: JobState, produced: Produced): boolean {
  const byId = new Map(vertices.map((vertex) => [vertex.id, vertex]));
  const watermarkOf = (vertex: Vertex): bigint => {
    const stream = streamOf(vertex);
    if (stream !== undefined) return produced.get(stream)?.watermark ?? NO_WATERMARK;
    const [first, ...rest] = vertex.inputs.map((id) => watermarkOf(byId.get(id)!));
    let least = first!;
    for (const each of rest) if (each < least) least = each;
    return least;
  };
  return vertices.every((vertex) => {
    if (vertex.inputs.length === 0) return true;
    const expected = watermarkOf(vertex);
    return (
      vertex.watermarks.length === vertex.parallelism &&
      vertex.watermarks.every((watermark) => watermark === expected)
    );
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
