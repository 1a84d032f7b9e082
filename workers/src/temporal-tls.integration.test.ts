import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { readEnvironment } from '@tapeline/db/environment.ts';
import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { expect, inject, onTestFinished, test } from 'vitest';

const pathOf = (name: string) => fileURLToPath(new URL(`testing/tls/${name}.pem`, import.meta.url));
const pem = (name: string) => readFileSync(pathOf(name));

/** A proxy with TLS in front of the Temporal server. It accepts only clients with a certificate of its authority. */
async function openProxy(): Promise<string> {
  const [host = '', port = ''] = inject('temporalAddress').split(':');
  const proxy: Server = createServer(
    {
      key: pem('server.key'),
      cert: pem('server'),
      ca: pem('authority'),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
    },
    (client) => {
      const server = connect(Number(port), host);
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        from.on('error', () => to.destroy());
        from.pipe(to);
      }
    },
  );
  proxy.on('tlsClientError', () => {});
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  return `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

const optionsOf = (variables: Record<string, string>) =>
  readEnvironment({ DATABASE_URL: 'postgres://app@localhost/tapeline', ...variables }).temporalConnection;

const CLIENT = {
  TEMPORAL_TLS_CLIENT_CERT_PATH: pathOf('client'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: pathOf('client.key'),
};

test('Temporal is reached with mutual TLS by clients and workers', async () => {
  const options = optionsOf({
    TEMPORAL_ADDRESS: await openProxy(),
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: pathOf('authority'),
    TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
    ...CLIENT,
  });
  const [client, worker] = await Promise.all([Connection.connect(options), NativeConnection.connect(options)]);
  try {
    expect(await client.workflowService.getSystemInfo({})).toMatchObject({ capabilities: { supportsSchedules: true } });
    expect(await worker.workflowService.getSystemInfo({})).toMatchObject({ capabilities: { supportsSchedules: true } });
  } finally {
    await Promise.all([client.close(), worker.close()]);
  }
});

test.each<[string, Record<string, string>]>([
  ['without TLS', {}],
  ['without a certificate of its own', { TEMPORAL_TLS_SERVER_CA_CERT_PATH: pathOf('authority') }],
  ['trusting another authority', { TEMPORAL_TLS_SERVER_CA_CERT_PATH: pathOf('stranger'), ...CLIENT }],
])('a client %s is refused', async (_, variables) => {
  const options = optionsOf({ TEMPORAL_ADDRESS: await openProxy(), ...variables });
  await expect(Connection.connect({ ...options, connectTimeout: '2s' })).rejects.toThrow();
});

test('an API key is sent with each call, over TLS', async () => {
  const keys: unknown[] = [];
  const server = createSecureServer({ key: pem('server.key'), cert: pem('server') }, (request, response) => {
    keys.push(request.headers.authorization);
    response.writeHead(200, { 'content-type': 'application/grpc', 'grpc-status': '7' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const options = optionsOf({
    TEMPORAL_ADDRESS: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: pathOf('authority'),
    TEMPORAL_API_KEY: 'key-of-the-tests',
  });
  await expect(Connection.connect({ ...options, connectTimeout: '2s' })).rejects.toThrow();
  expect(keys).toContain('Bearer key-of-the-tests');
});
