import { Agent, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { listenOn } from './ports.ts';

test('a connection that idles is left to the client to close', async () => {
  const server = await listenOn((_, response) => response.end('ok'), 0, { host: '127.0.0.1' });
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const promised = await new Promise<string | undefined>((resolve, reject) => {
    get({ port, agent }, (response) => resolve(response.resume().headers['keep-alive'])).on('error', reject);
  });
  agent.destroy();
  await new Promise((resolve) => server.close(resolve));
  expect(promised).toBe('timeout=65');
  // A request that a busy client sends a little later than promised still arrives.
  expect(server.keepAliveTimeoutBuffer).toBeGreaterThan(10_000);
});

test('a port that is taken is refused by the system, which names it', async () => {
  const server = await listenOn(() => undefined, 0, { host: '127.0.0.1' });
  const { port } = server.address() as AddressInfo;
  await expect(listenOn(() => undefined, port, { host: '127.0.0.1' })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    syscall: 'listen',
    port,
  });
  await new Promise((resolve) => server.close(resolve));
});
