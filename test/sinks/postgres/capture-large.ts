/** Captures one transaction of many rows from a slot, and says how many came and what memory it took in all. */
import { openCapture } from '../../../src/sinks/postgres/index.ts';

const [url, slot, publication, protocol] = process.argv.slice(2) as [string, string, string, string];
const capture = await openCapture({
  url,
  slot,
  publications: [publication],
  protocol: Number(protocol) as 1 | 2 | 4,
  signal: new AbortController().signal,
});
const delivered = await capture.next();
let count = 0;
let sum = 0;
if (delivered.kind === 'spilled') {
  for await (const item of delivered.transaction.items()) {
    count += 1;
    if ('op' in item) sum += Number(item.record?.id);
  }
}
await capture.close();
const { maxRSS } = process.resourceUsage();
console.log(JSON.stringify({ kind: delivered.kind, count, sum, mebibytes: maxRSS / 1024 }));
