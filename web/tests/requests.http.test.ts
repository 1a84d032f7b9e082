import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { anonymous, expectRefusal, signedIn } from './api-client.ts';
import { anonymousScreens, screensOf } from './screen-client.ts';

const MANAGER = 'manager@tapeline.test';

/** The paths of all screens with a form. */
async function screensWithForms(): Promise<string[]> {
  const { api } = await screensOf(MANAGER);
  const list = async (path: string) => (await api.get(path)).json as { id: string }[];
  const tape = (await list('/crud/loanTape'))[0]?.id;
  const mapping = (await list('/crud/assetsETLs'))[0]?.id;
  const transactions = (await list('/crud/transactions')) as { id: string; notes: { contracts: { id: string }[] }[] }[];
  const transaction = transactions[0]?.id;
  const contract = transactions.flatMap(({ notes }) => notes.flatMap(({ contracts }) => contracts))[0]?.id;
  return [
    `/monitoring/tapes/${tape}`,
    `/monitoring/tapes/${tape}/correct`,
    `/monitoring/tapes/${tape}/correct-file`,
    '/monitoring/tapes/new',
    `/monitoring/mappings/${mapping}`,
    '/monitoring/mappings/new',
    `/monitoring/transactions/${transaction}`,
    '/monitoring/transactions/new',
    `/monitoring/contracts/${contract}`,
    '/account',
    '/preferences',
    '/sign-out',
  ];
}

describe('names of form fields', () => {
  it('that would make huge lists are refused, whoever sends them', async () => {
    const client = await anonymousScreens();
    for (const path of ['/login', '/login/code', '/preferences']) {
      for (const name of ['x[90000000]', 'x.__proto__.y', 'a.b.c.d.e.f.g.h.i.j.k', '__intent__']) {
        const answer = await client.submit(path, { [name]: '{' });
        expect([path, name, answer.status]).toEqual([path, name, 400]);
      }
    }
    const many = Array.from({ length: 5001 }, (_, at): [string, string] => [`f${at}`, '1']);
    expect((await client.submit('/preferences', many)).status).toBe(400);
    expect((await client.submit('/preferences', many.slice(2))).status).toBe(302);
  });

  it('are refused on every screen, which says why', async () => {
    const client = await screensOf(MANAGER);
    for (const path of await screensWithForms()) {
      const answer = await client.submit(path, { intent: 'none', 'x[90000000]': '1' });
      expect([path, answer.status]).toEqual([path, 400]);
      if (!/preferences|sign-out/.test(path)) expect(answer.text).toContain('x[90000000]');
    }
  });
});

describe('a form that is refused', () => {
  it('says so on its own screen, with the status of the refusal', async () => {
    const client = await screensOf(MANAGER);
    for (const path of await screensWithForms()) {
      const answer = await client.send(path, new URLSearchParams({ csrf: 'A'.repeat(43), intent: 'none' }));
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.text).toContain('has expired');
    }
  });
});

it('redirects to no other site, however the address is written', async () => {
  const client = await screensOf(MANAGER);
  for (const next of ['/.//evil.test', '/x/../..//evil.test', '/.\\/evil.test', '/.\t//evil.test']) {
    const search = new URLSearchParams({ next });
    for (const answer of [await client.get(`/login?${search}`), await client.submit('/preferences', { next })]) {
      expect(answer.status).toBe(302);
      expect(answer.headers.get('location')).toMatch(/^\/(?![/\\])/);
    }
  }
});

const MB = 1024 * 1024;
const NOWHERE = 'f'.repeat(24);

/** A very long body of undeclared size that counts how many bytes were read from it. */
function endlessBody(head: string) {
  const counted = { bytes: 0 };
  const chunk = new Uint8Array(64 * 1024).fill(97);
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
    pull(controller) {
      counted.bytes += chunk.length;
      if (counted.bytes > 300 * MB) controller.close();
      else controller.enqueue(chunk);
    },
  });
  return { stream, counted };
}

describe('a body is as large as its call declares', () => {
  it('16 kB to sign in, 1 MB elsewhere, counted as it comes', async () => {
    const client = await signedIn(MANAGER);
    const padded = (bytes: number) => {
      const body = JSON.stringify({ email: 'nobody', pad: '' });
      return body.replace('""', `"${'x'.repeat(bytes - body.length)}"`);
    };
    for (const [path, limit] of [
      ['/auth/code', 16 * 1024],
      ['/auth/signIn', 16 * 1024],
      ['/LTP/calculateBB', MB],
    ] as const) {
      const fits = await client.post(path, padded(limit));
      expectRefusal(fits, 400);
      expect(fits.json.message).not.toMatch('too large');
      expectRefusal(await client.post(path, padded(limit + 1)), 400, 'too large');
    }
  });

  it('is cut off where it is not announced', async () => {
    const client = await anonymousScreens();
    const json = { 'content-type': 'application/json', 'x-csrf-token': client.token };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const [path, head, headers] of [
      ['/auth/code', '{"email":"', json],
      ['/login', `csrf=${client.token}&email=`, form],
      ['/preferences', 'email=', form],
    ] as const) {
      const { stream, counted } = endlessBody(head);
      const answer = await client.send(path, stream, headers);
      expect([path, answer.status]).toEqual([path, 400]);
      expect(answer.text).toContain('too large');
      // Some of the sent data is held in buffers along the way.
      expect(counted.bytes).toBeLessThan(40 * MB);
    }
  });

  it('asks for the sign-in and the token before the files', async () => {
    const boundary = 'boundary-of-this-test';
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const part = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const file = `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n`;
    for (const [client, status] of [
      [await anonymousScreens(), 302],
      [await screensOf(MANAGER), 403],
    ] as const) {
      const { stream, counted } = endlessBody(part('csrf', 'A'.repeat(43)) + file);
      const answer = await client.send('/monitoring/tapes/new', stream, headers);
      expect(answer.status).toBe(status);
      expect(counted.bytes).toBeLessThan(40 * MB);
    }
  });

  it('holds whatever the limits of the documents allow', async () => {
    const client = await signedIn(MANAGER);
    const range = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));
    const rules = range(300, (at) => ({
      originCol: `Column ${at}`,
      targetCol: at === 0 ? 'id' : `customs.field${at}`,
      serializations: [{ type: 'fromMap', values: range(500, (word) => `Word ${word} of this column`) }],
    }));
    const notes = [
      {
        contracts: range(200, (contract) => ({
          title: `Contract ${contract}`,
          eligibilityRules: range(25, (rule) => ({
            title: `Rule ${rule}`,
            filter: { balance: { gte: rule } },
            description: 'x'.repeat(200),
          })),
        })),
      },
    ];
    const assets = range(500, (row) => ({
      rowNumber: row + 1,
      originData: Object.fromEntries(range(60, (at) => [`Column ${at}`, 'A value of some length that was corrected'])),
    }));
    for (const [path, body] of [
      ['/crud/assetsETLs', { company: NOWHERE, rules }],
      ['/crud/transactions', { title: 'Large', notes }],
      ['/LTP/assets/errored', { loanTapeId: NOWHERE, assets }],
    ] as const) {
      expect(JSON.stringify(body).length, path).toBeGreaterThan(MB);
      const answer = await client.post(path, body);
      expect([400, 404], path).toContain(answer.status);
      expect(answer.json.message, path).not.toMatch('too large');
    }
  });

  it('holds a form of rows to correct, which is read only with its token', async () => {
    const client = await screensOf(MANAGER);
    const tape = (await client.api.get('/crud/loanTape')).json[0].id as string;
    const cells = Array.from({ length: 2400 }, (_, at): [string, string][] => [
      [`rows[${at % 25}].cells[${Math.floor(at / 25)}].header`, `Column ${at}`],
      [`rows[${at % 25}].cells[${Math.floor(at / 25)}].value`, 'é'.repeat(200)],
    ]).flat();
    const fields: [string, string][] = [['intent', 'preview'], ['generation', NOWHERE], ...cells];
    const answer = await client.submit(`/monitoring/tapes/${tape}/correct`, fields);
    expect(answer.status).toBe(422);
  });
});

describe('a text that cannot be stored is refused once, and its place named', () => {
  it('in JSON, parameters and addresses', async () => {
    const client = await signedIn(MANAGER);
    const inBody = expectRefusal(await client.post('/crud/transactions', '{"notes":[{"title":"a\\u0000"}]}'), 400);
    expect(inBody.issues).toEqual([{ path: ['notes', 0, 'title'], message: expect.any(String) }]);
    expectRefusal(await client.post('/crud/transactions', '{"title":"\\ud800"}'), 400, /^title /);
    const inQuery = expectRefusal(await client.call('GET', '/crud/companies?searchText=%00'), 400);
    expect(inQuery.flags).toHaveProperty('searchText');
    for (const escaped of ['\\u0000', '\\udc00']) {
      const filter = encodeURIComponent(`{"title":{"eq":"${escaped}"}}`);
      const inFilter = expectRefusal(await client.call('GET', `/crud/companies?filter=${filter}`), 400);
      expect(inFilter.issues[0].path).toEqual(['filter', 'title', 'eq']);
    }
    expectRefusal(await client.call('GET', '/crud/companies/%00'), 400, /^path /);
    const cookies = [...client.cookies, ['tapeline_manager', '%00']]
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
    expect((await client.call('GET', '/auth/me', { headers: { cookie: cookies } })).status).toBe(200);
  });

  it('on screens', async () => {
    const client = await screensOf(MANAGER);
    expect((await client.get('/monitoring/tapes/%00')).status).toBe(400);
    expect((await client.get('/monitoring/tapes?company=%00')).status).toBe(400);
    const answer = await client.submit('/account', { intent: 'none', name: 'a\u0000b' });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('name has a character that is not allowed');
    expect((await client.submit('/account', { 'na\u0000me': 'b' })).status).toBe(400);
  });
});

/** Sends raw bytes and returns the response, read until the server closes the connection or `until` matches. */
function exchange(bytes: string, until: RegExp): Promise<string> {
  const { hostname, port } = new URL(inject('productUrl'));
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    let text = '';
    socket.setEncoding('latin1');
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (until.test(text)) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('a request that is none is the problem of its sender', () => {
  it('says so for methods, hosts and what is not HTTP', async () => {
    const { host } = new URL(inject('productUrl'));
    for (const [request, status] of [
      [`TRACE / HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 405],
      ['GET / HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: [\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: \r\n\r\n', 400],
      ['GET /mailbox HTTP/1.1\r\nHost: evil.test\r\n\r\n', 400],
      ['GET / HTTP/1.1\r\nHost: localhost:99999\r\n\r\n', 400],
      [`GET /mailbox HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Host: evil.test\r\n\r\n`, 200],
      ['nothing at all\r\n\r\n', 400],
      [`GET /%E0%A4%A HTTP/1.1\r\nHost: ${host}\r\n\r\n`, 400],
      [`GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ] as const) {
      const answer = await exchange(request, /"traceId":"|<\/html>/);
      expect([request.slice(0, 60), Number(answer.slice(9, 12))]).toEqual([request.slice(0, 60), status]);
      if (status !== 200) expect(answer).toMatch(/"name":"BadRequest","message":"[^"]+","code":4/);
    }
  });

  it('says so for forms that cannot be read', async () => {
    const client = await screensOf(MANAGER);
    const boundary = 'boundary-of-this-test';
    const multipart = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const csrf = `--${boundary}\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n${client.token}\r\n`;
    const file = `--${boundary}\r\nContent-Disposition: form-data; name="title"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\na\r\n--${boundary}--\r\n`;
    for (const [body, headers] of [
      [csrf, multipart],
      ['nothing of the kind', multipart],
      [csrf + file, multipart],
      [`csrf=${client.token}`, { 'content-type': 'text/plain' }],
      [`{"csrf":"${client.token}"}`, { 'content-type': 'application/json' }],
      [csrf, { 'content-type': 'multipart/form-data' }],
    ] as const) {
      for (const path of ['/account', '/monitoring/transactions/new', '/monitoring/tapes/new', '/login']) {
        if (path === '/monitoring/tapes/new' && body.includes('a.txt')) continue;
        const answer = await client.send(path, body, headers);
        expect([path, body.slice(0, 30), answer.status]).toEqual([path, body.slice(0, 30), 400]);
      }
    }
    const cut = file.slice(0, file.lastIndexOf(`\r\n--${boundary}`)).replace('name="title"', 'name="files"');
    expect((await client.send('/monitoring/tapes/new', csrf + cut, multipart)).status).toBe(400);
    const answer = await client.send('/account', csrf + file, multipart);
    expect(answer.text).toContain('title: must be text, not a file');
  });

  it('goes on after bodies that break off', async () => {
    const client = await screensOf(MANAGER);
    const { host } = new URL(inject('productUrl'));
    const before = await client.get('/readyz');
    for (const [path, type, body] of [
      ['/auth/code', 'application/json', '{"email":'],
      ['/login', 'application/x-www-form-urlencoded', `csrf=${client.token}&em`],
      ['/monitoring/tapes/new', 'multipart/form-data; boundary=x', '--x\r\nContent-Dis'],
    ] as const) {
      const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${client.cookie}\r\nX-CSRF-Token: ${client.token}\r\nContent-Type: ${type}\r\n`;
      // An invalid chunk length, on which the server closes the connection.
      await exchange(
        `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\nzz\r\n`,
        /HTTP/,
      );
      const { hostname, port } = new URL(inject('productUrl'));
      await new Promise<void>((resolve, reject) => {
        const socket = connect({ host: hostname, port: Number(port) }, () =>
          socket.write(`${head}Content-Length: 100000\r\n\r\n${body}`, () => socket.destroy()),
        );
        socket.on('close', () => resolve()).on('error', reject);
      });
    }
    expect((await client.get('/readyz')).status).toBe(before.status);
    expect((await (await anonymous()).get('/auth/me')).status).toBe(401);
  });
});

it.each(['/docs', '/openapi.json'])('%s is sent compressed, and not again to a caller that has it', async (path) => {
  const ask = (headers: Record<string, string>) => fetch(new URL(path, inject('productUrl')), { headers });
  const answer = await ask({ 'accept-encoding': 'br' });
  expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, 'br']);
  const text = await answer.text();
  expect(text).toContain('/crud/funds/{id}');
  expect(Number(answer.headers.get('content-length'))).toBeLessThan(text.length / 5);
  expect((await ask({ 'if-none-match': answer.headers.get('etag') ?? '' })).status).toBe(304);
  // The page is a document of its own, with the styles of the others.
  const [styles] = /(?<=href=")\/assets\/[^"]+\.css/.exec(text) ?? [];
  if (path === '/docs') expect((await fetch(new URL(styles ?? '/none', inject('productUrl')))).status).toBe(200);
});

it('refuses bodies with more fields than any call takes, eight at once, in a few words', async () => {
  const manager = await signedIn(MANAGER);
  const body = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`field${at}`, 1]));
  const answers = await Promise.all(Array.from({ length: 8 }, () => manager.post('/crud/assetsETLs', body)));
  for (const { status, json } of answers) {
    expect([status, (json as { message: string }).message]).toEqual([
      400,
      'An object of the body may have at most 5,000 fields',
    ]);
  }
});

it('is reached from this machine only', async () => {
  const { port } = new URL(inject('productUrl'));
  const others = Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).filter(({ internal, family }) => !internal && family === 'IPv4'),
  );
  for (const { address } of others) {
    const outcome = await new Promise((resolve) => {
      const socket = connect({ host: address, port: Number(port) });
      socket
        .on('connect', () => resolve('answered'))
        .on('error', (error) => resolve((error as NodeJS.ErrnoException).code));
      socket.on('close', () => socket.destroy());
      socket.once('connect', () => socket.destroy());
    });
    expect([address, outcome]).toEqual([address, 'ECONNREFUSED']);
  }
});

it('answers a prefetched link to a removed document with nothing, and the link itself with not found', async () => {
  const client = await screensOf(MANAGER);
  const data = '/investors/0123456789abcdef01234567.data';
  const prefetched = await client.get(data, { 'Sec-Purpose': 'prefetch' });
  expect([prefetched.status, prefetched.text]).toEqual([204, '']);
  // The browser must not use the empty answer when the link is followed.
  expect(prefetched.headers.get('Cache-Control')).toBe('no-store');
  expect((await client.get(data)).status).toBe(404);
});

it('logs no mistake of a client as an error', async () => {
  const client = await signedIn(MANAGER);
  const borrower = await signedIn('borrower@tapeline.test');
  const nobody = await anonymous();
  const screens = await screensOf(MANAGER);
  const [company] = (await client.get('/crud/companies')).json;
  const big = JSON.stringify({ pad: 'x'.repeat(2 * MB) });
  const path = `/crud/companies/${company.id}`;
  const mistakes: [what: string, status: number, answer: Promise<{ status: number; headers: Headers }>][] = [
    ['invalid fields', 400, client.post('/crud/companies', { entity: 7 })],
    ['no JSON', 400, client.post('/crud/companies', '{')],
    ['an unknown field', 400, client.call('PUT', path, { body: { ...company, unknown: 1 } })],
    ['a filter that does not parse', 400, client.get('/crud/companies', { filter: '{' })],
    ['an old version', 400, client.call('PUT', path, { body: { ...company, version: company.version + 1 } })],
    ['a body that is too large', 400, client.post('/crud/companies', big)],
    ['nobody', 401, nobody.get('/crud/companies')],
    ['no permission', 403, borrower.post('/crud/companies', {})],
    ['no document', 404, client.get(`/crud/companies/${NOWHERE}`)],
    ['no address', 404, client.get('/nothing/is/here')],
    ['a screen without a document', 404, screens.get(`/companies/${NOWHERE}`)],
    ['a method that nothing answers', 405, client.call('PROPFIND' as 'GET', '/crud/companies')],
    ['a form without its token', 403, screens.send('/preferences', new URLSearchParams({ csrf: 'A'.repeat(43) }))],
  ];
  const traces = new Map<string, string>();
  for (const [what, status, asked] of mistakes) {
    const answer = await asked;
    expect([what, answer.status]).toEqual([what, status]);
    traces.set(answer.headers.get('x-trace-id') ?? '', what);
  }
  expect(traces.size).toBe(mistakes.length);
  const linesOf = async () => {
    const folder = join(inject('productHome'), 'logs');
    const names = (await readdir(folder)).filter((name) => name.startsWith('web'));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => [...traces.keys()].some((trace) => line.includes(trace)));
  };
  await expect.poll(async () => (await linesOf()).length).toBeGreaterThanOrEqual(mistakes.length);
  expect((await linesOf()).filter((line) => /"level":[56]0/.test(line))).toEqual([]);
});
