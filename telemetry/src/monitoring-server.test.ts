import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { listenForMonitoring } from './monitoring-server.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a process that only a restart helps is not alive, and one whose services are down is', async () => {
  const port = await freePort();
  let isAlive = true;
  const server = await listenForMonitoring(
    { port, host: '127.0.0.1' },
    {
      alive: () => isAlive,
      readiness: async () => ({ missing: ['postgresql'], degraded: [] }),
      metrics: (_request, response) => void response.end(),
    },
  );
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  try {
    expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([503, 200]);
    isAlive = false;
    expect(await statusOf('/healthz')).toBe(503);
  } finally {
    await server.close();
  }
});
