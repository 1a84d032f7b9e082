import { setTimeout as sleep } from 'node:timers/promises';
import { mailsTo, newestCode } from './sign-in-mail.ts';

/** The product's REST API as a signed-in user. */
export type ApiClient = {
  /** Address of the product. */
  readonly baseUrl: string;
  get: <T>(path: string) => Promise<T>;
  /**
   * Returns the raw response, for callers that need its headers or a content type other than JSON. The body must arrive
   * within `timeoutMs`.
   */
  open: (path: string, headers?: Record<string, string>, timeoutMs?: number) => Promise<Response>;
  post: <T>(path: string, body: unknown) => Promise<T>;
  put: <T>(path: string, body: unknown) => Promise<T>;
  delete: <T>(path: string) => Promise<T>;
};

const CSRF_COOKIE = 'tapeline_csrf';
const MAIL_TIMEOUT_MS = 20_000;
const CALL_TIMEOUT_MS = 60_000;

/** Keeps the cookies set by a server between calls, as a browser does. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  take(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const pair = line.split(';')[0] ?? '';
      const equals = pair.indexOf('=');
      if (equals > 0) this.#cookies.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
    }
  }

  get(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/**
 * Signs in with the code that the product emails and returns a client for that user. Renews an expired access token
 * with the refresh cookie.
 * @param mailFolder where the product stores its emails outside production
 */
export async function signIn(baseUrl: string, email: string, mailFolder: string): Promise<ApiClient> {
  const jar = new CookieJar();
  let accessToken: string | null = null;

  const send = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
    timeoutMs = CALL_TIMEOUT_MS,
  ): Promise<Response> => {
    const headers = new Headers({ accept: 'application/json', cookie: jar.header(), ...more });
    if (accessToken) headers.set('authorization', `Bearer ${accessToken}`);
    if (method !== 'GET') {
      headers.set('content-type', 'application/json');
      headers.set('x-csrf-token', jar.get(CSRF_COOKIE) ?? '');
    }
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    jar.take(response.headers);
    return response;
  };

  const open = async (...call: Parameters<typeof send>): Promise<Response> => {
    const response = await send(...call);
    if (response.status !== 401 || !accessToken) return response;
    await response.arrayBuffer();
    accessToken = null;
    const refresh = '/auth/refreshAccessToken';
    const refreshed = await read<{ accessToken: string }>('GET', refresh, await send('GET', refresh));
    accessToken = refreshed.accessToken;
    return send(...call);
  };
  const call = async <T>(method: Parameters<typeof send>[0], path: string, body?: unknown): Promise<T> =>
    read<T>(method, path, await open(method, path, body));

  // Any response sets the CSRF cookie. This first call is expected to fail, because there is no sign-in yet.
  await (await send('GET', '/auth/me')).arrayBuffer();
  const before = new Set(await mailsTo(mailFolder, email));
  await call('POST', '/auth/code', { email });
  const code = await waitForCode(mailFolder, email, before);
  const { ownershipToken } = await call<{ ownershipToken: string }>('POST', '/auth/code/verification', { email, code });
  const session = await call<{ accessToken: string }>('POST', '/auth/signIn', { ownershipToken });
  accessToken = session.accessToken;

  return {
    baseUrl,
    get: (path) => call('GET', path),
    open: (path, headers, timeoutMs) => open('GET', path, undefined, headers, timeoutMs),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    delete: (path) => call('DELETE', path),
  };
}

/** Uploads a small file. @returns what a body refers to it with */
export async function sendFile(
  api: ApiClient,
  file: { bucket: string; directory?: string; name: string; type: string; bytes: Uint8Array },
): Promise<{ key: string; name: string }> {
  const { bucket, directory, name, type, bytes } = file;
  const [answer] = await api.post<{ fileMetadata?: { key: string; signedUrl: string } }[]>(
    `/files/signedUrls/${bucket}?operation=upload`,
    { directory, filesInfo: [{ name, size: bytes.byteLength, type }] },
  );
  if (!answer?.fileMetadata) throw new Error(`${name} may not be uploaded: ${JSON.stringify(answer)}`);
  const { signedUrl, key } = answer.fileMetadata;
  await putFile(signedUrl, api.baseUrl, type, bytes);
  return { key, name };
}

/**
 * Uploads a file to a signed URL.
 * @throws an Error with the store's response
 */
export async function putFile(signedUrl: string, baseUrl: string, type: string, bytes: Uint8Array): Promise<void> {
  const response = await fetch(new URL(signedUrl, baseUrl), {
    method: 'PUT',
    headers: { 'content-type': type },
    body: bytes.slice().buffer,
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`the upload was refused: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

async function read<T>(method: string, path: string, response: Response): Promise<T> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was refused: ${response.status} ${text.slice(0, 600)}`);
  return (text === '' ? {} : JSON.parse(text)) as T;
}

async function waitForCode(mailFolder: string, email: string, before: ReadonlySet<string>): Promise<string> {
  for (const end = Date.now() + MAIL_TIMEOUT_MS; Date.now() < end; await sleep(100)) {
    const code = await newestCode(mailFolder, email, before);
    if (code) return code;
  }
  throw new Error(`no sign-in mail to ${email} came into ${mailFolder} within ${MAIL_TIMEOUT_MS / 1000} s`);
}
