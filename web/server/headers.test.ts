import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { allowOrigins } from './cors.ts';
import { refuseForeignSites, securityHeaders } from './headers.ts';
import { listenOn } from './ports.ts';

const APP = 'https://app.example.com';

/** A server with the headers of the product, whose own answer is "through". */
async function start({ origins = [] as string[], publicUrl = 'https://tapeline.example.com' } = {}) {
  const app = express();
  app.use((_request, response, next) => {
    response.locals.nonce = 'n0nce';
    response.locals.traceId = 'trace';
    next();
  });
  app.use(securityHeaders({ publicUrl }), allowOrigins(origins), refuseForeignSites(origins));
  app.all('*', (_request, response) => response.send('through'));
  const server = await listenOn(app, 0, { host: '127.0.0.1' });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return (path: string, headers: Record<string, string> = {}, method = 'GET') => fetch(url + path, { method, headers });
}

const corsHeaders = (answer: Response) =>
  [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));

test('every answer tells browsers what it may do, and scripts and style elements need the nonce of the request', async () => {
  const { headers } = await (await start())('/');
  const policy = headers.get('content-security-policy') ?? '';
  for (const directive of [
    "default-src 'self'",
    "script-src 'self' 'nonce-n0nce'",
    "script-src-attr 'none'",
    "style-src 'self' 'nonce-n0nce'",
    "style-src-attr 'unsafe-inline'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "frame-src 'none'",
    "form-action 'self'",
  ]) {
    expect(policy.split(';')).toContain(directive);
  }
  expect(policy).not.toContain('unsafe-eval');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.get('permissions-policy')).toMatch(/camera=\(\), .*geolocation=\(\).*microphone=\(\)/);
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
});

test('browsers are told to use https only if the public address is https', async () => {
  const secure = await (await start())('/');
  expect(secure.headers.get('strict-transport-security')).toBe('max-age=31536000');
  const plain = await (await start({ publicUrl: 'http://localhost:3000' }))('/');
  expect(plain.headers.has('strict-transport-security')).toBe(false);
});

test('without configured origins, no answer has a CORS header', async () => {
  const call = await start();
  expect(corsHeaders(await call('/auth/me', { origin: APP }))).toEqual([]);
  const preflight = { origin: APP, 'access-control-request-method': 'POST' };
  expect(corsHeaders(await call('/auth/signIn', preflight, 'OPTIONS'))).toEqual([]);
  expect((await call('/auth/signIn', { origin: APP, 'sec-fetch-site': 'cross-site' }, 'POST')).status).toBe(403);
});

test('a configured origin can call the API with cookies, and nothing else', async () => {
  const call = await start({ origins: [APP] });
  const answer = await call('/crud/companies', { origin: APP });
  expect(answer.headers.get('access-control-allow-origin')).toBe(APP);
  expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
  expect(answer.headers.get('access-control-expose-headers')).toContain('X-Docs-Count');
  expect(answer.headers.get('vary')).toBe('Origin');
  const preflight = { origin: APP, 'access-control-request-method': 'PUT' };
  const allowed = await call('/crud/companies', preflight, 'OPTIONS');
  expect([allowed.status, allowed.headers.get('access-control-allow-methods')]).toEqual([
    204,
    'GET, POST, PUT, DELETE',
  ]);
  expect((await call('/crud/companies', { origin: APP, 'sec-fetch-site': 'cross-site' }, 'POST')).status).toBe(200);

  expect(corsHeaders(await call('/account', { origin: APP }))).toEqual([]);
  expect((await call('/account', { origin: APP, 'sec-fetch-site': 'cross-site' }, 'POST')).status).toBe(403);
  const others = ['https://app.example.com.evil.example', 'http://app.example.com', `${APP}:8443`, 'null', `${APP}/`];
  for (const origin of others) {
    expect(corsHeaders(await call('/crud/companies', { origin })), origin).toEqual([]);
    const foreign = { origin, 'sec-fetch-site': 'cross-site' };
    expect((await call('/crud/companies', foreign, 'POST')).status, origin).toBe(403);
  }
});
