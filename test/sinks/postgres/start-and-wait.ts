/** Starts a server below the directory it is given, says where, and waits to be killed. */
import { startPostgres } from '../../../src/sinks/postgres/index.ts';

const { signal } = new AbortController();
const { pid, url } = await startPostgres({ directory: process.argv[2]!, signal });
console.log(JSON.stringify({ pid, url }));
setInterval(() => {}, 60_000);
