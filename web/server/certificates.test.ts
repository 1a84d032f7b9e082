import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { watchCertificates } from './certificates.ts';

const pem = (name: string) => readFileSync(new URL(`../../workers/src/testing/tls/${name}.pem`, import.meta.url));
const EXPIRES = Date.parse(new X509Certificate(pem('server')).validTo) / 1000;

async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A server with TLS, and a way to stop it. */
async function openServer(options: TlsOptions = {}) {
  const server = createServer({ key: pem('server.key'), cert: pem('server'), ...options });
  server.on('tlsClientError', () => {});
  const port = await listen(server);
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  onTestFinished(stop);
  return { port, stop };
}

const site = (port: number) => ({
  publicUrl: `https://127.0.0.1:${port}`,
  s3: null,
  temporalConnection: { address: 'localhost:7233' },
});

test('a server that no longer answers keeps the expiry that was last seen', async () => {
  const { port, stop } = await openServer();
  const read = watchCertificates(site(port));
  expect(await read()).toEqual([[EXPIRES, { server: 'site' }]]);
  await stop();
  expect(await read()).toEqual([[EXPIRES, { server: 'site' }]]);
});

test('a server that never answered, or has no TLS, is told as 0', async () => {
  const { port, stop } = await openServer();
  await stop();
  expect(await watchCertificates(site(port))()).toEqual([[0, { server: 'site' }]]);
  const plain = createPlainServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  onTestFinished(() => void plain.close());
  expect(await watchCertificates(site(await listen(plain)))()).toEqual([[0, { server: 'site' }]]);
});

test('a Temporal server that asks for a certificate of the client shows its own', async () => {
  const { port } = await openServer({
    ca: pem('authority'),
    requestCert: true,
    rejectUnauthorized: true,
    maxVersion: 'TLSv1.2',
  });
  const read = (tls: object) =>
    watchCertificates({
      publicUrl: 'http://localhost:3000',
      s3: null,
      temporalConnection: { address: `127.0.0.1:${port}`, tls },
    })();
  const clientCertPair = { crt: pem('client'), key: pem('client.key') };
  expect(await read({ clientCertPair, serverNameOverride: 'temporal.test' })).toEqual([
    [EXPIRES, { server: 'temporal' }],
  ]);
  expect(await read({ serverNameOverride: 'temporal.test' })).toEqual([[0, { server: 'temporal' }]]);
});

test('servers without TLS have no certificate', async () => {
  const plain = { publicUrl: 'http://localhost:3000', s3: null, temporalConnection: { address: 'localhost:7233' } };
  expect(await watchCertificates(plain)()).toEqual([]);
});
