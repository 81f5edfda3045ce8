import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareTraits, measureTraits, type Readings } from '../../src/campaign/probe/index.ts';
import { clink } from '../../src/engines/clink/engine.ts';
import type { Engine } from '../../src/engines/engine.ts';
import { flink } from '../../src/engines/flink/engine.ts';
import {
  type Broker,
  kafkaBroker,
  openRunTopics,
  type RunTopics,
  startBroker,
} from '../../src/streams/kafka/index.ts';
import { never, temporaryDirectory } from '../engines/cases.ts';
import { alterations } from './altered-traits.ts';

const required = (process.env.TIDEMARK_REQUIRE_ENGINES ?? '').split(',');
const isHere = async ({ name, status }: Pick<Engine, 'name' | 'status'>) =>
  required.includes(name) || (await status()).kind === 'ready';
const brokerIsHere = await isHere(kafkaBroker);

/** A cluster starts, or each case waits for quiet. */
const MEASURE_LIMIT_MS = 400_000;

const directory = temporaryDirectory();
let broker: Broker;
let topics: RunTopics;
beforeAll(async () => {
  if (!brokerIsHere) return;
  broker = await startBroker({ directory: directory.path, signal: never });
  topics = await openRunTopics({ brokers: broker.brokers, run: `probe-test-${process.pid}` });
});
afterAll(async () => {
  await topics?.[Symbol.asyncDispose]();
  await broker?.stop();
  directory.remove();
});

for (const engine of [clink, flink]) {
  const runs = brokerIsHere && (await isHere(engine));
  const title = runs
    ? engine.name
    : `${engine.name} (skipped: not installed, run \`tidemark engines install\` for ${engine.name} and kafka)`;
  describe.skipIf(!runs)(`the traits of ${title} over Kafka`, () => {
    let readings: Readings;
    beforeAll(async () => {
      const own = join(directory.path, engine.name);
      mkdirSync(own);
      await using session = await engine.open({ directory: own, topics, signal: never });
      readings = await measureTraits(session, never);
    }, MEASURE_LIMIT_MS);

    const declared = engine.traits!.kafka!;

    it('are as declared', () => {
      const results = compareTraits(readings, declared);
      expect(results.filter(({ verdict }) => verdict !== 'as-declared')).toEqual([]);
    });

    it.each(alterations(declared))('name $trait where it is declared otherwise ($what)', (altered) => {
      const differing = compareTraits(readings, altered.traits).filter(
        ({ verdict }) => verdict === 'differs',
      );
      expect(differing.map(({ trait }) => trait)).toEqual([altered.trait]);
    });
  });
}
