/** Starts a broker below the directory it is given, says where, and waits to be killed. */
import { startBroker } from '../../../src/streams/kafka/index.ts';

const { signal } = new AbortController();
const { pid, brokers } = await startBroker({ directory: process.argv[2]!, signal });
console.log(JSON.stringify({ pid, brokers }));
setInterval(() => {}, 60_000);
