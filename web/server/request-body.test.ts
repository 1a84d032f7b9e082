import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type BodyPace, endUnreadBody, openRequestBody, USUAL_PACE } from './request-body.ts';

/** Starts a server that reads each body and answers with its size, or with the reason for refusing it. */
async function startServer(limits: { maxBytes: number; allowed?: number; pace?: BodyPace; lingerMs?: number }) {
  const server = createServer(async (request, response) => {
    endUnreadBody(request, response, limits.lingerMs);
    const body = openRequestBody(request, limits.maxBytes, limits.pace);
    if (limits.allowed) body.allow(limits.allowed);
    try {
      response.end(String((await new Response(body.stream).bytes()).length));
    } catch (error) {
      response.statusCode = isRefusal(error) ? 400 : 500;
      response.end((error as Error).message);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = () => {
    const call = send({ port, host: '127.0.0.1', method: 'POST' });
    const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
      call.on('error', reject);
      call.on('response', async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
    return { call, answer };
  };
  const post = (bytes: number) => {
    const { call, answer } = open();
    call.end(Buffer.alloc(bytes, 'a'));
    return answer;
  };
  return { open, post };
}

test('a body of the limit is taken, and one byte more is not; more is taken where it was allowed', async () => {
  const usual = await startServer({ maxBytes: 100_000 });
  expect(await usual.post(100_000)).toEqual({ status: 200, text: '100000' });
  expect(await usual.post(100_001)).toMatchObject({ status: 400, text: expect.stringContaining('too large') });
  expect(await usual.post(20_000_000)).toMatchObject({ status: 400 });
  const larger = await startServer({ maxBytes: 100_000, allowed: 2_000_000 });
  expect(await larger.post(2_000_000)).toEqual({ status: 200, text: '2000000' });
  expect(await larger.post(2_000_001)).toMatchObject({ status: 400 });
});

test('a body that stops coming is given up, and one that keeps coming is not', async () => {
  const server = await startServer({ maxBytes: 1_000, pace: { idleMs: 300, freeMs: 60_000, bytesPerSecond: 1 } });
  const silent = server.open();
  silent.call.write('a');
  expect(await silent.answer).toMatchObject({ status: 400, text: expect.stringContaining('too slowly') });
  silent.call.destroy();
});

test('a body that comes by drops is given up once its average pace is too slow', async () => {
  const server = await startServer({ maxBytes: 1_000, pace: { idleMs: 60_000, freeMs: 100, bytesPerSecond: 1_000 } });
  const { call, answer } = server.open();
  const drops = setInterval(() => call.write('a'), 20);
  expect(await answer).toMatchObject({ status: 400, text: expect.stringContaining('too slowly') });
  clearInterval(drops);
  call.destroy();
});

test('a connection does not stay open for a body that nobody wants', async () => {
  const server = await startServer({ maxBytes: 10, lingerMs: 200 });
  const { call, answer } = server.open();
  call.setHeader('content-length', 1_000_000);
  call.write('a'.repeat(100));
  expect(await answer).toMatchObject({ status: 400 });
  if (!call.destroyed) await once(call, 'close');
  expect(call.destroyed).toBe(true);
});

test('a slow line keeps the usual pace', () => {
  const modemBytesPerSecond = 4_000;
  expect(USUAL_PACE.bytesPerSecond).toBeLessThan(modemBytesPerSecond);
});
