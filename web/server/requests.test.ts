import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { hostOf, isOwnHost, refuseForeignHosts, reportIgnoredProxy } from './hosts.ts';
import { listenOn } from './ports.ts';
import { limitSignInCalls, SIGN_IN_PATHS } from './requests.ts';

async function start(app: express.Express, options: { headersMs?: number } = {}): Promise<string> {
  const server = await listenOn(app, 0, { host: '127.0.0.1', ...options });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('sign-in calls of one address are counted before anything is read of them', async () => {
  const app = express();
  app.use(SIGN_IN_PATHS, limitSignInCalls({ nodeEnv: 'production' }));
  app.all('*', (_, response) => response.end('through'));
  const url = await start(app);
  const call = (path: string, method = 'POST') =>
    fetch(url + path, { method, headers: { 'x-forwarded-for': `10.0.0.${Math.random()}` } });
  for (let at = 0; at < 120; at += 1) expect((await call(at % 2 ? '/auth/code' : '/login.data')).status).toBe(200);
  // Its body never arrives.
  const waiting = connect(Number(new URL(url).port), '127.0.0.1');
  waiting.write('POST /auth/code HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15000000\r\n\r\n');
  const [answer] = await once(waiting, 'data');
  waiting.destroy();
  expect(String(answer)).toMatch(/^HTTP\/1.1 429/);
  const refused = await call('/login');
  expect(await refused.json()).toMatchObject({
    name: 'TooMany',
    code: 429,
    message: expect.stringMatching(/^Slow down, .* too frequent\. Try again in (\d+ seconds?|1 minute)\.$/),
  });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await call('/login', 'GET')).status).toBe(200);
  expect((await call('/authors')).status).toBe(200);
});

test('only proxies that are trusted say whom a call came from, and to which host', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'tapeline.test' };
  const heardBy = async (trusted: readonly string[]) => {
    const app = express();
    app.set('trust proxy', [...trusted]);
    app.all('*', (request, response) => response.json([request.ip, request.secure, hostOf(request)]));
    const url = await start(app);
    const [ip, isSecure, host] = await (await fetch(url, { headers })).json();
    return [ip, isSecure, host === new URL(url).host ? 'own' : host];
  };
  expect(await heardBy([])).toEqual(['127.0.0.1', false, 'own']);
  expect(await heardBy(['10.0.0.0/8'])).toEqual(['127.0.0.1', false, 'own']);
  expect(await heardBy(['10.0.0.0/8', '127.0.0.1'])).toEqual(['192.0.2.7', true, 'tapeline.test']);
});

test('a proxy that is not trusted is reported once', async () => {
  const linesWith = async (trusted: readonly string[]) => {
    const lines: string[] = [];
    const app = express();
    app.set('trust proxy', [...trusted]);
    app.use(reportIgnoredProxy({ warn: (line: unknown) => void lines.push(String(line)) }));
    app.all('*', (_, response) => response.end('through'));
    const url = await start(app);
    expect(await (await fetch(url)).text()).toBe('through');
    for (const address of ['192.0.2.7', '192.0.2.8']) {
      await (await fetch(url, { headers: { 'x-forwarded-for': address } })).text();
    }
    return lines;
  };
  expect(await linesWith(['127.0.0.1'])).toEqual([]);
  expect(await linesWith([])).toEqual([
    'X-Forwarded-For from 127.0.0.1 is ignored. If this is a proxy of yours, list its address in TRUSTED_PROXIES.',
  ]);
});

test.each([
  ['localhost', true],
  ['app.localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['192.0.2.1', true],
  ['people.example', true],
  ['evil.example', false],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
])('outside production %s is ours: %s', (host, isOurs) => {
  expect(isOwnHost(host, { host: '0.0.0.0', publicUrl: 'https://people.example' })).toBe(isOurs);
});

test('in production a name of any kind is served, for the proxy in front knows which', async () => {
  const statusIn = async (nodeEnv: 'production' | 'development') => {
    const app = express();
    app.set('trust proxy', ['127.0.0.1']);
    app.use(refuseForeignHosts({ nodeEnv, host: '127.0.0.1', publicUrl: 'http://localhost:3000' }));
    app.all('*', (_, response) => response.end('through'));
    return (await fetch(await start(app), { headers: { 'x-forwarded-host': 'evil.example' } })).status;
  };
  expect(await statusIn('production')).toBe(200);
  expect(await statusIn('development')).toBe(400);
});

test.each(['', 'POST / HTTP/1.1\r\nHost: local'])('a request that stays at %j is ended', async (begun) => {
  const url = await start(express(), { headersMs: 300 });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(begun);
  await once(socket, 'close');
  if (begun !== '') expect(text).toMatch(/^HTTP\/1.1 408 [\s\S]*"code":408/);
});
