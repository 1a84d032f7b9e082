import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { keptAnswer } from './kept-answer.server.ts';

const TEXT = 'a text that compresses well, a text that compresses well, a text that compresses well';
const ask = (answer: ReturnType<typeof keptAnswer>, headers: Record<string, string> = {}) =>
  answer(new Request('http://localhost/docs', { headers }));
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test('is made once for many requests at once, and has the same weak tag in every encoding', async () => {
  let made = 0;
  const answer = keptAnswer('text/plain', () => {
    made += 1;
    return TEXT;
  });
  await Promise.resolve();
  // Before anyone asks.
  expect(made).toBe(1);
  const answers = await Promise.all(
    ['', 'gzip, deflate, br', 'gzip;q=1.0, br;q=0', 'deflate'].map((encoding) =>
      ask(answer, encoding ? { 'accept-encoding': encoding } : {}),
    ),
  );
  expect(made).toBe(1);
  expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual([null, 'br', 'gzip', null]);
  const tags = new Set(answers.map(({ headers }) => headers.get('etag')));
  expect([...tags]).toEqual([expect.stringMatching(/^W\/"[\w-]{22}"$/)]);
  const bodies = await Promise.all(answers.map(bytesOf));
  expect(bodies.map(({ length }) => String(length))).toEqual(
    answers.map(({ headers }) => headers.get('content-length')),
  );
  const [plain, br, zipped] = bodies as [Buffer, Buffer, Buffer];
  for (const text of [plain, brotliDecompressSync(br), gunzipSync(zipped)]) expect(text.toString()).toBe(TEXT);
});

test('a caller that has it gets 304 without a body, one that has another gets it', async () => {
  const answer = keptAnswer('text/plain', () => TEXT);
  const etag = (await ask(answer)).headers.get('etag')!;
  for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`]) {
    const response = await ask(answer, { 'if-none-match': known });
    expect([response.status, (await bytesOf(response)).length, response.headers.get('etag')]).toEqual([304, 0, etag]);
  }
  expect((await ask(answer, { 'if-none-match': '"other"' })).status).toBe(200);
});

test('an error in making it is not kept', async () => {
  let isBroken = true;
  const answer = keptAnswer('text/plain', () => {
    if (isBroken) throw new Error('not yet');
    return TEXT;
  });
  await expect(ask(answer)).rejects.toThrow('not yet');
  isBroken = false;
  expect((await ask(answer)).status).toBe(200);
});
