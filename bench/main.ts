import { benchFuzz } from './fuzz.ts';
import { benchGenerator } from './generator.ts';
import { benchJudge } from './judge.ts';
import { benchOracle } from './oracle.ts';
import { benchProduce } from './produce.ts';
import { benchReduce } from './reduce.ts';

const benches = {
  generator: benchGenerator,
  judge: benchJudge,
  oracle: benchOracle,
  produce: benchProduce,
  fuzz: benchFuzz,
  reduce: benchReduce,
};

/** Ratios to peers measured in the same run; `npm run bench -- judge` runs one. */
const chosen = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length === 0 || chosen.includes(name)) await bench();
}
