import { createServer } from 'node:net';

/** Ports of 127.0.0.1 that nobody listens on. Another program can take one before it is used. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((listening, fail) => {
        server.once('error', fail);
        server.listen(0, '127.0.0.1', listening);
      });
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}
