import { OwnershipToken } from '@tapeline/db/entities/identity.ts';
import { User } from '@tapeline/db/entities/people.ts';
import { hashToken, newToken } from '@tapeline/db/operations/identity/secrets.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { errorBodySchema } from '@tapeline/domain/errors/error-body.ts';
import { expect, inject } from 'vitest';
import { mismatches } from '../app/api/answer-check.ts';
import { endpoints } from '../app/api/api.server.ts';
import { codeOfNewMail, mailsTo } from './mailbox.ts';
import { productStore } from './product-store.ts';

const CSRF_COOKIE = 'tapeline_csrf';

/** On one machine, compressing an answer and reading it takes longer than sending it. Browsers ask for compressed ones. */
export const UNCOMPRESSED = { 'accept-encoding': 'identity' };

/** A response with its body read: `json` if it is JSON, and `text` as received. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the test's expectations check the shape of the body
  json: any;
  bytes: Uint8Array;
}

export interface ApiCall {
  query?: Record<string, unknown>;
  /** Sent as JSON, or unchanged if it is a string. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A client of the REST API with its own cookie jar. */
export interface ApiClient {
  readonly cookies: Map<string, string>;
  /** Bearer token for every call, or null for none. */
  accessToken: string | null;
  call(method: string, path: string, call?: ApiCall): Promise<ApiAnswer>;
  get(path: string, query?: Record<string, unknown>): Promise<ApiAnswer>;
  post(path: string, body: unknown): Promise<ApiAnswer>;
}

/** Paths with fewer parameters first, so that `/crud/funds/counts/irr` does not match as a fund. */
const documented = endpoints
  .map(({ method, path, status, response }) => ({
    method,
    status,
    response,
    parameters: path.split('{').length,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .sort((a, b) => a.parameters - b.parameters);

/** Who may change documents, but not read them, is answered with their ids and versions. */
function isAcknowledgement(json: unknown): boolean {
  const documents = [json].flat();
  return (
    documents.length > 0 &&
    documents.every((one) => {
      const { id, version, ...rest } = Object(one);
      return typeof id === 'string' && version !== undefined && Object.keys(rest).length === 0;
    })
  );
}

/** Checks that a JSON response matches the OpenAPI document, and that an error matches the error catalogue. */
function expectDocumented(method: string, pathname: string, status: number, json: unknown): void {
  const call = documented.find((one) => one.method === method && one.pattern.test(pathname));
  if (method !== 'GET' && isAcknowledgement(json)) return;
  if (call && status === call.status) expect(mismatches(call.response, json), `${method} ${pathname}`).toEqual([]);
  if (call && status >= 400) expect(mismatches(errorBodySchema, json), `${method} ${pathname}`).toEqual([]);
}

/** A client that is not signed in, with a CSRF token. */
export async function anonymous(): Promise<ApiClient> {
  const cookies = new Map<string, string>();
  const client: ApiClient = {
    cookies,
    accessToken: null,
    async call(method, path, { query = {}, body, headers = {} } = {}) {
      const url = new URL(path, inject('productUrl'));
      for (const [name, value] of Object.entries(query)) {
        if (Array.isArray(value)) for (const entry of value) url.searchParams.append(name, String(entry));
        else url.searchParams.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
      }
      const sent = new Headers({
        ...UNCOMPRESSED,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      });
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
      const json = isJson ? JSON.parse(text) : null;
      if (isJson) expectDocumented(method, url.pathname, answer.status, json);
      return { status: answer.status, headers: answer.headers, text, json, bytes };
    },
    get: (path, query = {}) => client.call('GET', path, { query }),
    post: (path, body) => client.call('POST', path, { body }),
  };
  await client.get('/auth/me');
  return client;
}

/** Requests a code and reads it from the email. */
export async function requestCode(client: ApiClient, email: string): Promise<string> {
  const before = await mailsTo(email);
  const answer = await client.post('/auth/code', { email });
  expect(answer.status, answer.text).toBe(200);
  return codeOfNewMail(email, before);
}

async function signInWith(client: ApiClient, ownershipToken: string): Promise<ApiClient> {
  const answer = await client.post('/auth/signIn', { ownershipToken });
  expect(answer.status, answer.text).toBe(200);
  client.accessToken = answer.json.accessToken;
  return client;
}

/**
 * Signs in with an emailed code, for tests of the sign-in. Other tests use `signedIn`, which needs no email and is not
 * rate limited.
 */
export async function signInByCode(email: string): Promise<ApiClient> {
  const client = await anonymous();
  const code = await requestCode(client, email);
  const { ownershipToken } = (await client.post('/auth/code/verification', { email, code })).json;
  return signInWith(client, ownershipToken);
}

// Well within the access token's lifetime of ten minutes.
const RENEWED_AFTER_MS = 5 * 60_000;

/** A client with its own session, as after an email code. Its access token is renewed during long tests. */
export async function signedIn(email: string): Promise<ApiClient> {
  const token = newToken();
  const store = await productStore();
  await store.as(SYSTEM, async ({ em, now }) => {
    const { id } = await em.findOneOrFail(User, { email });
    em.create(OwnershipToken, {
      tokenHash: hashToken(token),
      email,
      userId: id,
      createdAt: now,
      expiresAt: new Date(now.getTime() + 60_000),
    });
  });
  const client = await signInWith(await anonymous(), token);
  const { call } = client;
  let given = client.accessToken;
  let givenAt = Date.now();
  client.call = async (...request) => {
    // A token that the test has set itself is not renewed.
    if (client.accessToken === given && Date.now() - givenAt > RENEWED_AFTER_MS) {
      givenAt = Date.now();
      given = (await call('GET', '/auth/refreshAccessToken')).json.accessToken;
      client.accessToken = given;
    }
    return call(...request);
  };
  return client;
}

/** Expects an error body from the error catalogue with this code, and returns it. */
export function expectRefusal(answer: ApiAnswer, code: number, message?: RegExp | string) {
  const names: Record<number, string> = {
    400: 'BadRequest',
    401: 'UnAuthorized',
    403: 'Forbidden',
    404: 'NotFound',
    429: 'TooMany',
    502: 'ServerError',
  };
  expect(answer.json, answer.text).toMatchObject({ name: names[code], code, message: expect.any(String) });
  expect(answer.status).toBe(code);
  expect(answer.json.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(answer.headers.get('x-trace-id')).toBe(answer.json.traceId);
  if (message) expect(answer.json.message).toMatch(message);
  return answer.json;
}
