import { expect, inject, it } from 'vitest';
import { endpoints } from '../../app/api/api.server.ts';
import { anonymous, expectRefusal, signedIn } from '../api-client.ts';

const MANAGER = 'manager@tapeline.test';
const addressOf = (path: string) => path.replaceAll(/\{\w+\}/g, '0'.repeat(24));
const guarded = endpoints.filter(({ access }) => access !== 'public');

it('lets nobody in who is not signed in, on any route', async () => {
  const client = await anonymous();
  for (const { method, path } of guarded) {
    const answer = await client.call(method, addressOf(path), method === 'GET' ? {} : { body: {} });
    expect([path, answer.status]).toEqual([path, 401]);
    expectRefusal(answer, 401);
  }
  client.accessToken = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.AAAA';
  expectRefusal(await client.get('/auth/me'), 401);
});

it('takes no unsafe call without the token of its cookie', async () => {
  const client = await signedIn(MANAGER);
  const wrong: Record<string, string>[] = [{ 'x-csrf-token': '' }, { 'x-csrf-token': 'A'.repeat(43) }, { cookie: '' }];
  for (const { method, path } of endpoints.filter((definition) => definition.method !== 'GET')) {
    for (const headers of wrong) {
      const answer = await client.call(method, addressOf(path), { body: {}, headers });
      expect([path, answer.status]).toEqual([path, 403]);
    }
  }
  const foreign = { 'sec-fetch-site': 'cross-site' };
  expectRefusal(await client.call('POST', '/auth/code', { body: { email: MANAGER }, headers: foreign }), 403);
});

it('says every refusal in the body of the catalogue, the router its own as well', async () => {
  const client = await signedIn(MANAGER);
  for (const path of [
    '/crud/nothing',
    '/crud',
    '/LTP/nothing',
    '/files/nothing',
    '/auth/nothing',
    '/crud/assets/a/b',
  ]) {
    expectRefusal(await client.get(path), 404);
  }
  for (const method of ['PUT', 'PATCH', 'DELETE']) expectRefusal(await client.call(method, '/crud/assets'), 404);
  for (const id of ['1', 'z'.repeat(24), '0'.repeat(24), "'--", '0'.repeat(25)]) {
    expectRefusal(await client.get(`/crud/assets/${encodeURIComponent(id)}`), 404);
    expectRefusal(await client.get(`/crud/companies/${encodeURIComponent(id)}`), 404);
  }
  expectRefusal(await client.call('POST', '/LTP/calculateBB', { body: '{"loanTapeId":' }), 400, 'not valid JSON');
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expectRefusal(await client.call('POST', '/LTP/calculateBB', { body: 'a=1', headers: form }), 400, 'application/json');
  const missing = expectRefusal(await client.post('/LTP/calculateBB', {}), 400);
  expect(missing).toMatchObject({ flags: { loanTapeId: 'is required' }, issues: [{ path: ['loanTapeId'] }] });
  expectRefusal(await client.post('/LTP/calculateBB', 'x'.repeat(17 * 1024 * 1024)), 400, 'too large');
  const trace = `4bf92f3577b34da6a3ce929d0e0e47${Math.floor(Math.random() * 90 + 10)}`;
  const traced = await client.call('GET', '/crud/nothing', {
    headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
  });
  expect(expectRefusal(traced, 404).traceId).toBe(trace);
});

it('documents every route with its permission, and every reference of the document leads somewhere', async () => {
  const document = await (await fetch(`${inject('productUrl')}/openapi.json`)).json();
  expect(document.openapi).toMatch(/^3\.1\./);
  const documented = Object.entries<Record<string, { description: string; responses: object }>>(document.paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(
        ([method, { description }]) => `${method.toUpperCase()} ${path} ${/^Permission: [^.]+/.exec(description)?.[0]}`,
      ),
  );
  const served = endpoints.map(({ method, path, access }) => `${method} ${path} Permission: ${access}`);
  expect(documented.sort()).toEqual(served.sort());
  for (const [, reference] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)) {
    const found = (reference as string)
      .replace('#/', '')
      .split('/')
      .reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], document);
    expect(found, reference).toBeTypeOf('object');
  }
  for (const { method, path } of endpoints) {
    const { parameters = [] } = document.paths[path][method.toLowerCase()];
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const inPath = parameters.filter((parameter: { in: string }) => parameter.in === 'path');
    expect(inPath.map((parameter: { name: string }) => parameter.name).sort(), path).toEqual(named.sort());
  }
});
