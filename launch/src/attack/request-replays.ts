import { type Answer, Caller } from '../client/caller.ts';
import { problemOf } from './judge.ts';
import { sendRaw } from './send-raw.ts';
import { check, othersAreServed, type Replay, refused } from './stage.ts';

/** A streamed body of the given size that is never fully in memory. */
function zeros(bytes: number, start = ''): ReadableStream<Uint8Array> {
  let left = bytes;
  let isStarted = false;
  return new ReadableStream({
    pull(controller) {
      if (!isStarted && start !== '') controller.enqueue(Buffer.from(start));
      isStarted = true;
      if (left <= 0) return controller.close();
      const piece = new Uint8Array(Math.min(left, 2 ** 20)).fill(0x61);
      left -= piece.length;
      controller.enqueue(piece);
    },
  });
}

/** The response to a body that is too large must be an error or a connection that closes during the upload. */
async function tooLarge(call: Promise<Answer>, isScreen = false): Promise<void> {
  const answer = await call.catch((error: Error) => error);
  if (answer instanceof Error) {
    check(answer.name !== 'TimeoutError', 'a body that is too large was neither taken nor refused');
    return;
  }
  refused(answer, [400, 403, 413], { isScreen });
}

/** Requests and texts that are too large, too long, malformed or sent in great numbers. */
export const REQUEST_REPLAYS: readonly Replay[] = [
  {
    name: 'a form field whose name is a list of ninety million entries',
    async run(stage) {
      const nobody = await Caller.anonymous(stage.target);
      for (const name of ['x[90000000]', 'x[0][4294967294]', 'a.b.c.d.e.f.g.h.i.j.k', '__proto__.x', '__intent__']) {
        const answer = await othersAreServed(stage, () => nobody.form('/login', [[name, '{']]), 5_000);
        refused(answer, [400], { isScreen: true });
      }
    },
  },
  {
    name: 'a body that is too large, from somebody who is not signed in',
    async run(stage) {
      const nobody = await Caller.anonymous(stage.target);
      const json = { 'content-type': 'application/json' };
      const text = JSON.stringify({ email: 'x'.repeat(15 * 2 ** 20) });
      await othersAreServed(stage, () => tooLarge(nobody.json('POST', '/auth/code', text)), 2_000);
      await tooLarge(nobody.call('POST', '/auth/code', { headers: json, body: zeros(200 * 2 ** 20, '{"email":"') }));
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      await tooLarge(nobody.call('POST', '/login', { headers: form, body: zeros(200 * 2 ** 20, 'email=') }), true);
      const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
      const part = '--x\r\ncontent-disposition: form-data; name="email"\r\n\r\n';
      await tooLarge(nobody.call('POST', '/login', { headers: multipart, body: zeros(200 * 2 ** 20, part) }), true);
    },
  },
  {
    name: 'names that are written over two lines or backwards',
    async run({ manager }) {
      for (const text of [
        'Harbour\nPartners',
        'Harbour\r\nBcc: x',
        'Har\u0007bour',
        'Harbour \u202Efdp.exe',
        'a\u2066b',
      ]) {
        for (const [path, body] of [
          ['/crud/roles', { title: text, level: 30, permissions: [] }],
          ['/crud/mainFunds', { title: text }],
          ['/crud/serviceProviders', { title: text, type: 'Bank' }],
        ] as const) {
          refused(await manager.json('POST', path, body), [400]);
        }
        refused(await manager.json('PUT', '/auth/confirmUserDetails', { firstName: text }), [400]);
      }
    },
  },
  {
    name: 'a host or an address that the caller made up',
    async run({ target }) {
      const { host } = new URL(target.url);
      for (const name of ['evil.test', `${host}@evil.test`, 'a b', '']) {
        const { status } = await sendRaw(target, `GET /login HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
        check(status >= 400 && status < 500, `the host "${name}" was answered ${status}`);
      }
    },
  },
  {
    name: 'characters that no text may hold',
    async run({ manager }) {
      for (const text of ['a\u0000b', 'a\ud800b']) {
        const answer = await manager.json('POST', '/LTP/calculateBB', { loanTapeId: text });
        refused(answer, [400, 404]);
        const title = await manager.json('POST', '/crud/transactions', { title: text, type: 'Direct' });
        refused(title, [400]);
      }
      refused(await manager.call('GET', '/crud/companies?filter=%7B%22id%22%3A%22%5Cu0000%22%7D'), [400]);
    },
  },
  {
    name: 'requests that are no HTTP, or not of a kind that is served',
    async run({ target }) {
      const { host } = new URL(target.url);
      const line = (text: string, headers = '', body = ''): string =>
        `${text} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n${body}`;
      const multipart = 'Content-Type: multipart/form-data; boundary=x\r\n';
      const requests: Record<string, string> = {
        TRACE: line('TRACE /'),
        'an unknown method': line('BREW /login'),
        'a header beyond all bounds': line('GET /login', `X-Long: ${'a'.repeat(100_000)}\r\n`),
        'two lengths': line('POST /auth/code', 'Content-Length: 2\r\nContent-Length: 3\r\n', '{}'),
        'a length and chunks': line(
          'POST /auth/code',
          'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n',
          '0\r\n\r\n',
        ),
        'broken multipart': line('POST /login', `${multipart}Content-Length: 12\r\n`, '--x\r\nbroken\r\n'),
        'a form of no known type': line('POST /login', 'Content-Type: text/plain\r\nContent-Length: 1\r\n', 'a'),
        'an address that cannot be decoded': line('GET /%E0%A4%A'),
        'no HTTP at all': '\u0016\u0003\u0001\u0002\u0000\r\n\r\n',
      };
      for (const [name, bytes] of Object.entries(requests)) {
        const { status, isClosed } = await sendRaw(target, bytes);
        check(
          (status >= 400 && status < 500) || (status === 0 && isClosed),
          `${name} was answered ${status || 'nothing'}`,
        );
      }
    },
  },
  {
    name: 'requests that are never sent to their end',
    isSlow: true,
    async run(stage) {
      const { host } = new URL(stage.target.url);
      const start = `POST /auth/code HTTP/1.1\r\nHost: ${host}\r\n`;
      const json = 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
      const halves = await othersAreServed(
        stage,
        () =>
          Promise.all(
            [start, `${start}${json}`].flatMap((half) =>
              Array.from({ length: 50 }, () => sendRaw(stage.target, half, 90_000)),
            ),
          ),
        2_000,
      );
      for (const { status, isClosed } of halves) check(isClosed || status >= 400, 'a connection was kept open');
    },
  },
  {
    name: 'a transaction with two notes of one id, and one with lists without end',
    async run({ manager }) {
      const [document] = await manager.list<Record<string, unknown> & { id: string; notes: object[] }>(
        '/crud/transactions',
      );
      check(document !== undefined, 'there is no transaction');
      const twice = { ...document, notes: [...document.notes, ...document.notes] };
      refused(await manager.json('PUT', `/crud/transactions/${document.id}`, twice), [400]);
      const endless = { ...document, industries: Array.from({ length: 20_000 }, (_, at) => `Industry ${at}`) };
      refused(await manager.json('PUT', `/crud/transactions/${document.id}`, endless), [400]);
    },
  },
  {
    name: 'JSON that is deep, or whose numbers are long',
    async run(stage) {
      const { manager } = stage;
      const bodies = [
        '['.repeat(100_000) + ']'.repeat(100_000),
        `{"a":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
        `{"loanTapeId":1e${'9'.repeat(8)}}`,
        `{"loanTapeId":${'9'.repeat(500_000)}}`,
        `{"loanTapeId":0.${'1'.repeat(500_000)}}`,
      ];
      for (const body of bodies) {
        refused(await othersAreServed(stage, () => manager.json('POST', '/LTP/calculateBB', body), 3_000), [400, 404]);
      }
    },
  },
  {
    name: 'eight bodies at once that take long to parse',
    async run(stage) {
      const { manager } = stage;
      const fields = `{${Array.from({ length: 90_000 }, (_, at) => `"unknown${at}":1`).join()}}`;
      const rule = { originCol: 'Loan', targetCol: 'assetId', serializations: Array(20).fill({ type: 'trim' }) };
      const mapping = JSON.stringify({ loanTapeSheetName: 'Loans', rules: Array(14_000).fill(rule) });
      const bodies: [path: string, body: string][] = [
        ['/crud/transactions', fields],
        ['/crud/assetsETLs', mapping],
      ];
      for (const [path, body] of bodies) {
        // Encoded once: the time of this process counts in the waits that it measures.
        const call = { headers: { 'content-type': 'application/json' }, body: Buffer.from(body) };
        const send = () => Promise.all(Array.from({ length: 8 }, () => manager.call('POST', path, call)));
        const answers = await othersAreServed(stage, send, stage.maxWaitMs);
        for (const answer of answers) {
          refused(answer, [400]);
          check(answer.text.length < 10_000, `the answer is ${answer.text.length} characters long`);
        }
      }
    },
  },
  {
    name: 'the description of the API, again and again, by nobody',
    async run(stage) {
      const { target } = stage;
      for (const path of ['/docs', '/openapi.json']) {
        const ask = (headers: Record<string, string> = {}) => fetch(new URL(path, target.url), { headers });
        const first = await ask();
        const etag = first.headers.get('etag') ?? '';
        check(etag !== '', `${path} has no ETag`);
        await first.arrayBuffer();
        const many = () => Promise.all(Array.from({ length: 40 }, async () => (await ask()).arrayBuffer()));
        await othersAreServed(stage, many, stage.maxWaitMs);
        const again = await ask({ 'if-none-match': etag });
        check(again.status === 304, `${path} was answered ${again.status} to a caller that has it`);
      }
    },
  },
  {
    name: 'patterns that take for ever',
    async run(stage) {
      const { manager } = stage;
      for (const pattern of ['(a+)+$', '(a|a)*b', `${'a{1,500}'.repeat(10)}`, '(.*)*x']) {
        const filter = encodeURIComponent(JSON.stringify({ assetId: { regex: pattern } }));
        const answer = await othersAreServed(stage, () => manager.call('GET', `/crud/assets?filter=${filter}`), 5_000);
        check(problemOf(answer) === null, `${pattern}: ${problemOf(answer)}`);
      }
    },
  },
];
