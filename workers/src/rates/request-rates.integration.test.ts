import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestRates, ServiceUnavailable } from './request-rates.ts';
import { openRatesServer, type TestRatesServer } from './testing/rates-server.ts';

let server: TestRatesServer;
beforeAll(async () => {
  server = await openRatesServer();
});
afterAll(() => server?.close());

const request = (timeoutMs?: number) => requestRates(server.url, new AbortController().signal, timeoutMs);
const status = (code: number) => server.answer((response) => void response.writeHead(code).end('no'));

test('an answer of up to 1 MB is returned', async () => {
  const text = `é${'x'.repeat(999_998)}`;
  server.answer(text);
  expect(await request()).toBe(text);
});

test('a larger answer is not read to its end', async () => {
  let written = 0;
  let isClosed = false;
  server.answer((response) => {
    response.on('close', () => {
      isClosed = true;
    });
    const write = () => {
      while (!isClosed && response.write(Buffer.alloc(65_536, 'x'))) written += 65_536;
    };
    response.on('drain', write);
    write();
  });
  await expect(request()).rejects.toThrow('larger than 1 MB');
  await expect.poll(() => isClosed).toBe(true);
  expect(written).toBeLessThan(50_000_000);
});

test('an answer that is slow, at its start or in between, ends after the time limit', async () => {
  server.answer(() => undefined);
  await expect(request(200)).rejects.toThrow(new ServiceUnavailable('The service did not answer within 0.2 seconds'));
  server.answer((response) => void response.write('{"base":'));
  await expect(request(200)).rejects.toThrow(ServiceUnavailable);
});

test.each([301, 302, 307])('a redirect (%s) is not followed', async (code) => {
  const other = await openRatesServer();
  server.answer((response) => void response.writeHead(code, { location: other.url }).end());
  await expect(request()).rejects.toMatchObject({ code: 'badRequest', message: expect.stringContaining('redirects') });
  expect([server.requests, other.requests]).toEqual([1, 0]);
  await other.close();
});

test('an error of the service may pass, and a refusal does not', async () => {
  for (const code of [500, 503, 429]) {
    status(code);
    await expect(request()).rejects.toThrow(new ServiceUnavailable(`The service answered with status ${code}`));
  }
  for (const code of [401, 404]) {
    status(code);
    await expect(request()).rejects.toMatchObject({ code: 'badRequest', message: expect.stringContaining(`${code}`) });
  }
});

test('an answer that is not text is refused', async () => {
  server.answer((response) => void response.end(Buffer.from([0x7b, 0xff, 0xfe])));
  await expect(request()).rejects.toMatchObject({ code: 'badRequest', message: expect.stringContaining('UTF-8') });
});

test('a service that is not there, or breaks off, cannot be reached', async () => {
  server.answer((response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{');
    response.socket?.destroy();
  });
  await expect(request()).rejects.toThrow(ServiceUnavailable);
  const gone = await openRatesServer();
  await gone.close();
  await expect(requestRates(gone.url, new AbortController().signal)).rejects.toThrow('cannot be reached');
});
