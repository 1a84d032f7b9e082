import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  chatModelProblem,
  identityProviderProblem,
  publicAddressFinding,
  ratesProblem,
  tracesProblem,
} from './check-connections.ts';

/** An address at which nothing listens any more. */
async function closedAddress(): Promise<{ closed: string; sentence: string }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const sentence = `does not answer at 127.0.0.1:${port}: nothing listens there. Start it, or correct`;
  return { closed: `http://127.0.0.1:${port}`, sentence };
}

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the identity provider must answer, and call itself exactly as it is set', async () => {
  const oidc = (issuer: string) => ({ issuer, clientId: 'tapeline', clientSecret: null, name: 'Example' });
  const url = await serve((request, response) =>
    request.url === '/realm/.well-known/openid-configuration'
      ? response.end(JSON.stringify({ issuer: `${url}/realm` }))
      : response.writeHead(404).end(),
  );
  expect(await identityProviderProblem(oidc(`${url}/realm`))).toBeNull();
  expect(await identityProviderProblem(oidc(`${url}/realm/`))).toBe(
    `The identity provider calls itself ${url}/realm. Set OIDC_ISSUER to exactly this.`,
  );
  expect(await identityProviderProblem(oidc(url))).toBe(
    `The identity provider has no configuration at ${url}/.well-known/openid-configuration (status 404). Correct OIDC_ISSUER.`,
  );
  const { closed, sentence } = await closedAddress();
  expect(await identityProviderProblem(oidc(closed))).toBe(`The identity provider ${sentence} OIDC_ISSUER.`);
});

test('the service of rates must answer with a file', async () => {
  const url = await serve((request, response) => response.writeHead(request.url === '/rates' ? 200 : 404).end('{}'));
  expect(await ratesProblem(`${url}/rates`)).toBeNull();
  expect(await ratesProblem(`${url}/other`)).toBe(
    `The service of currency rates at ${new URL(url).host} cannot be used: The service answered with status 404. Check RATES_URL.`,
  );
  const { closed, sentence } = await closedAddress();
  expect(await ratesProblem(closed)).toBe(`The service of currency rates ${sentence} RATES_URL.`);
});

test('the endpoint of chats must accept the key', async () => {
  const url = await serve((request, response) =>
    response.writeHead(request.headers.authorization === 'Bearer right' ? 200 : 401).end('{}'),
  );
  const model = { url, model: 'small', key: 'right' };
  expect(await chatModelProblem(model)).toBeNull();
  expect(await chatModelProblem({ ...model, key: 'wrong' })).toBe(
    'The endpoint of chats refuses the key. Correct CHAT_MODEL_KEY.',
  );
  const { closed, sentence } = await closedAddress();
  expect(await chatModelProblem({ ...model, url: closed })).toBe(`The endpoint of chats ${sentence} CHAT_MODEL_URL.`);
});

test('the receiver of traces must listen', async () => {
  expect(await tracesProblem(await serve((_, response) => response.end()))).toBeNull();
  const { closed, sentence } = await closedAddress();
  expect(await tracesProblem(closed)).toBe(`The receiver of traces ${sentence} OTEL_EXPORTER_OTLP_ENDPOINT.`);
});

test('the address of users must lead to Tapeline; that nothing answers yet is only noted', async () => {
  const url = await serve((request, response) =>
    request.url === '/healthz' ? response.end('ok\n') : response.writeHead(404).end(),
  );
  expect(await publicAddressFinding(url)).toEqual({});
  expect(await publicAddressFinding(`${url}/elsewhere`)).toEqual({
    problem: `What answers at ${url}/elsewhere is not Tapeline. Correct PUBLIC_URL, or where the proxy passes calls on to.`,
  });
  const proxy = await serve((_, response) => response.writeHead(502).end());
  expect(await publicAddressFinding(proxy)).toEqual({
    note: `The proxy at ${proxy} reaches no web process (status 502).`,
  });
  const { closed, sentence } = await closedAddress();
  expect(await publicAddressFinding(closed)).toEqual({ note: `The web app ${sentence} PUBLIC_URL.` });
});
