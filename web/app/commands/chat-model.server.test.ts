import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assetSubject } from '@tapeline/domain/questions/subjects.ts';
import { plainForm } from '@tapeline/domain/questions/testing/same-filter.ts';
import { TEST_ASSETS, TEST_NAMES } from '@tapeline/domain/questions/testing/subjects-for-questions.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askModel } from './chat-model.server.ts';

const subject = assetSubject(TEST_ASSETS, TEST_NAMES);
const asked: { body: string; key: string | undefined }[] = [];
let server: Server;
let url = '';
/** What the endpoint answers, in pieces. */
let pieces: string[] = [];
let status = 200;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      asked.push({ body, key: request.headers.authorization });
      response.writeHead(status, { 'content-type': 'text/event-stream' });
      for (const content of pieces)
        response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
      response.end('data: [DONE]\n\n');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const ask = async (answer: unknown, onText?: (text: string) => void) => {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  pieces = text.match(/[\s\S]{1,17}/g) ?? [];
  return askModel(
    { url, key: 'secret', model: 'small' },
    { text: 'shaky loans', subject, today: '2026-10-31' },
    onText,
  );
};
const filterAnswer = (filter: unknown, more: object = {}) => ({
  kind: 'filter',
  text: '',
  filter: JSON.stringify(filter),
  sort: [],
  limit: null,
  ...more,
});

it('reads a streamed answer through the parser of filters, and reports what has arrived', async () => {
  const texts: string[] = [];
  const reading = await ask(filterAnswer({ daysPastDue: { gte: 30 } }, { limit: 5 }), (text) => texts.push(text));
  expect(reading).toMatchObject({ kind: 'filter', limit: 5 });
  expect(reading?.kind === 'filter' && plainForm(reading.filter)).toBe('daysPastDue gte 30');
  expect(texts.length).toBeGreaterThan(3);
});

it('sends the key, asks for structured output, and sends the schema but no value of the user’s data', async () => {
  await ask(filterAnswer({}));
  const last = asked.at(-1);
  expect(last?.key).toBe('Bearer secret');
  const sent = JSON.parse(last?.body ?? '{}');
  expect(sent).toMatchObject({ model: 'small', stream: true, response_format: { type: 'json_schema' } });
  expect(last?.body).toContain('Days past due');
  for (const secret of ['Northgate', 'Acme', 'Alder', 'c00000000000000000000001', 'Healthcare']) {
    expect(last?.body).not.toContain(secret);
  }
});

it.each([
  ['an unknown field', filterAnswer({ secret: 1 })],
  ['an unknown operator', filterAnswer({ daysPastDue: { where: 'drop table' } })],
  ['a sort by an unknown field', filterAnswer({}, { sort: [{ path: 'secret', direction: 1 }] })],
  ['a limit beyond the most', filterAnswer({}, { limit: 1_001 })],
  ['text that is not JSON', 'I would say: loans in Texas'],
  ['an empty question', { ...filterAnswer({}), kind: 'question' }],
  ['more than the most bytes', 'x'.repeat(250_000)],
])('takes no answer from %s', async (_, answer) => {
  expect(await ask(answer)).toBeNull();
});

it('takes no answer from an endpoint that fails', async () => {
  status = 500;
  expect(await ask(filterAnswer({}))).toBeNull();
  status = 200;
  const closed = { url: 'http://127.0.0.1:1/v1', key: null, model: 'small' };
  expect(await askModel(closed, { text: 'x', subject, today: '2026-10-31' })).toBeNull();
});

it('asks back with the words of the model', async () => {
  const reading = await ask({ ...filterAnswer({}), kind: 'question', text: 'Which date?' });
  expect(reading).toMatchObject({ kind: 'asks', text: 'Which date?' });
});
