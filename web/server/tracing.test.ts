import { once } from 'node:events';
import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import express from 'express';
import pino from 'pino';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { answerErrors } from './answers.ts';
import { loggedPath, traceRequests } from './tracing.ts';

const ERROR_LEVEL = 50;
const lines: { level: number; msg: string; status?: number; isAborted?: boolean; path?: string }[] = [];
const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
const app = express();
app.use(traceRequests(log));
app.get('/status/:status', (request, response) => void response.status(Number(request.params.status)).end());
app.get('/refused', () => {
  throw new Refusal('badRequest');
});
app.get('/bug', () => {
  throw new Error('a bug');
});
app.get('/slow', (_request, response, next) => {
  response.write('the beginning');
  response.on('close', () => next(new Error('nobody takes the rest')));
});
app.use(answerErrors(log));
const server = app.listen(0, '127.0.0.1');
beforeAll(async () => {
  if (!server.listening) await once(server, 'listening');
});
afterAll(() => void server.close());

/** The lines of a request that was answered. */
async function linesOf(path: string): Promise<typeof lines> {
  lines.length = 0;
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}${path}`)).arrayBuffer();
  await expect.poll(() => lines.some(({ msg }) => msg === 'answered')).toBe(true);
  return [...lines];
}

test('the log holds neither the search part nor the signed part of an address', () => {
  expect(loggedPath('/crud/users?filter=ada@tapeline.test')).toBe('/crud/users');
  expect(loggedPath('/files/objects/eyJrZXkiOiJ4In0.c2lnbmF0dXJl?x=1')).toBe('/files/objects/...');
  expect(loggedPath('/files/signedUrls/loanTapes')).toBe('/files/signedUrls/loanTapes');
});

it.each([200, 302, 400, 401, 403, 404, 405, 409, 413, 429, 499])('an answer of %s is no error', async (status) => {
  expect(await linesOf(`/status/${status}`)).toMatchObject([{ level: 30, status }]);
});

it.each([500, 502, 503])('an answer of %s is an error', async (status) => {
  expect(await linesOf(`/status/${status}`)).toMatchObject([{ level: ERROR_LEVEL, status }]);
});

it('only what the server did wrong is an error, with its reason', async () => {
  expect(await linesOf('/refused')).toMatchObject([{ level: 30, status: 400 }]);
  expect(await linesOf('/status/%E0%A4%A')).toMatchObject([{ level: 30, status: 400 }]);
  expect(await linesOf('/bug')).toMatchObject([
    { level: ERROR_LEVEL, err: { message: 'a bug' } },
    { level: ERROR_LEVEL, status: 502 },
  ]);
});

it('what fails because the client went away is no error', async () => {
  lines.length = 0;
  const { port } = server.address() as AddressInfo;
  const request = send({ port, host: '127.0.0.1', path: '/slow' }).end();
  await once(request, 'response');
  request.on('error', () => undefined).destroy();
  await expect.poll(() => lines.length).toBe(2);
  expect(lines.filter(({ level }) => level >= ERROR_LEVEL)).toEqual([]);
  expect(lines).toMatchObject([{ msg: 'answered', isAborted: true }, { msg: 'unhandled error' }]);
});
