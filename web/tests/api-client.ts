import { expect, inject } from 'vitest';
import { codeOfNewMail, keepSignIn, keptSignIn, mailsTo } from './kept-sign-in.ts';

const CSRF_COOKIE = 'tapeline_csrf';

/** An answer with its body read: `json` where it is JSON, `text` as it went over the wire. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what the test says they are, and its expectations check them
  json: any;
  bytes: Uint8Array;
}

export interface ApiCall {
  query?: Record<string, unknown>;
  /** Sent as JSON; a text goes out as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A client of the REST API with a cookie jar of its own. */
export interface ApiClient {
  readonly cookies: Map<string, string>;
  /** Bearer token of every call; null for none. */
  accessToken: string | null;
  call(method: string, path: string, call?: ApiCall): Promise<ApiAnswer>;
  get(path: string, query?: Record<string, unknown>): Promise<ApiAnswer>;
  post(path: string, body: unknown): Promise<ApiAnswer>;
}

/** Somebody who is not signed in, with a CSRF token. */
export async function anonymous(): Promise<ApiClient> {
  const cookies = new Map<string, string>();
  const client: ApiClient = {
    cookies,
    accessToken: null,
    async call(method, path, { query = {}, body, headers = {} } = {}) {
      const url = new URL(path, inject('productUrl'));
      for (const [name, value] of Object.entries(query)) {
        url.searchParams.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
      }
      const sent = new Headers({ cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') });
      if (client.accessToken) sent.set('authorization', `Bearer ${client.accessToken}`);
      if (method !== 'GET') sent.set('x-csrf-token', cookies.get(CSRF_COOKIE) ?? '');
      if (body !== undefined) sent.set('content-type', 'application/json');
      for (const [name, value] of Object.entries(headers)) sent.set(name, value);
      const answer = await fetch(url, {
        method,
        headers: sent,
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      for (const line of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
        if (/max-age=0\b/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
      const text = new TextDecoder().decode(bytes);
      return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : null, bytes };
    },
    get: (path, query = {}) => client.call('GET', path, { query }),
    post: (path, body) => client.call('POST', path, { body }),
  };
  await client.get('/auth/me');
  return client;
}

/** Asks for a code and reads it from the mail. */
export async function requestCode(client: ApiClient, email: string): Promise<string> {
  const before = await mailsTo(email);
  const answer = await client.post('/auth/code', { email });
  expect(answer.status, answer.text).toBe(200);
  return codeOfNewMail(email, before);
}

/** Signs in by email code from the start. An account may ask for five codes in 15 minutes: most tests use `signedIn`. */
export async function signInByCode(email: string): Promise<ApiClient> {
  const client = await anonymous();
  const code = await requestCode(client, email);
  const { ownershipToken } = (await client.post('/auth/code/verification', { email, code })).json;
  client.accessToken = (await client.post('/auth/signIn', { ownershipToken })).json.accessToken;
  return client;
}

/** A signed-in client; by the sign-in that an earlier test file kept, where there is one. Never sign it out. */
export async function signedIn(email: string): Promise<ApiClient> {
  const kept = await keptSignIn(email);
  const token = kept?.find((cookie) => cookie.name.endsWith('_access'))?.value;
  if (token) {
    const client = await anonymous();
    client.accessToken = token;
    return client;
  }
  const client = await signInByCode(email);
  const domain = new URL(inject('productUrl')).hostname;
  await keepSignIn(
    email,
    [...client.cookies]
      .filter(([name]) => /_(access|refresh)$/.test(name))
      .map(([name, value]) => ({
        name,
        value,
        domain,
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: 'Lax' as const,
      })),
  );
  return client;
}

/** Expects a body of the error catalogue with this code, and gives it. */
export function expectRefusal(answer: ApiAnswer, code: number, message?: RegExp | string) {
  const names: Record<number, string> = {
    400: 'BadRequest',
    401: 'UnAuthorized',
    403: 'Forbidden',
    404: 'NotFound',
    429: 'TooMany',
  };
  expect(answer.json, answer.text).toMatchObject({ name: names[code], code, message: expect.any(String) });
  expect(answer.status).toBe(code);
  expect(answer.json.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(answer.headers.get('x-trace-id')).toBe(answer.json.traceId);
  if (message) expect(answer.json.message).toMatch(message);
  return answer.json;
}
