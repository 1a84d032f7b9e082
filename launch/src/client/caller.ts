import { mailsTo, newestCode } from './sign-in-mail.ts';

/** A running product on this machine that is called as its users call it. */
export interface Target {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  /** Where the product stores its emails outside production. */
  readonly mailFolder: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly elapsedMs: number;
}

export interface CallOptions {
  readonly body?: BodyInit | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

const CALL_TIMEOUT_MS = 60_000;
const MAIL_TIMEOUT_MS = 30_000;
export const CSRF_COOKIE = 'tapeline_csrf';

/** Keeps the cookies set by a server between calls, as a browser does. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  take(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const pair = line.split(';')[0] ?? '';
      const equals = pair.indexOf('=');
      if (equals > 0) this.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim());
    }
  }

  set(name: string, value: string): void {
    this.#cookies.set(name, value);
  }

  get(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

/**
 * A caller with a cookie jar and, if signed in, an access token. `call` and what is based on it report what came back;
 * `get`, `post`, `put` and `delete` renew an expired access token and throw if the answer is a refusal.
 */
export class Caller {
  readonly jar: CookieJar;
  readonly target: Target;
  accessToken: string | null = null;

  private constructor(target: Target, jar = new CookieJar()) {
    this.target = target;
    this.jar = jar;
  }

  /** Any response sets the CSRF cookie; this first call is refused, because there is no sign-in yet. */
  static async anonymous(target: Target): Promise<Caller> {
    const caller = new Caller(target);
    await caller.call('GET', '/auth/me');
    return caller;
  }

  /** Signs in with a code that the product emails. */
  static async signedIn(target: Target, email: string): Promise<Caller> {
    const caller = await Caller.anonymous(target);
    await caller.signInWith(email, await caller.requestCode(email));
    return caller;
  }

  /** Continues a sign-in that was opened in the database, of which the refresh token is known. */
  static async resumed(url: string, instanceName: string, refreshToken: string): Promise<Caller> {
    const caller = new Caller({ url, mailFolder: '' });
    caller.jar.set(`${instanceName}_refresh`, refreshToken);
    await caller.renew();
    return caller;
  }

  /** The same session at another process of the product. */
  at(url: string): Caller {
    const caller = new Caller({ ...this.target, url }, this.jar);
    caller.accessToken = this.accessToken;
    return caller;
  }

  /** The code that a call emails: to sign in, unless another one is named. */
  async requestCode(email: string, path = '/auth/code'): Promise<string> {
    const before = new Set(await mailsTo(this.target.mailFolder, email));
    const answer = await this.json('POST', path, path === '/auth/code' ? { email } : {});
    if (answer.status !== 200) throw new Error(`no code for ${email}: ${answer.status} ${answer.text}`);
    return waitForCode(this.target.mailFolder, email, before);
  }

  async signInWith(email: string, code: string): Promise<void> {
    const verified = await this.json('POST', '/auth/code/verification', { email, code });
    if (verified.status !== 200) throw new Error(`the code was refused: ${verified.text}`);
    const { ownershipToken } = JSON.parse(verified.text) as { ownershipToken: string };
    const signedIn = await this.json('POST', '/auth/signIn', { ownershipToken });
    this.accessToken = (JSON.parse(signedIn.text) as { accessToken: string }).accessToken;
  }

  /** An access token is valid for minutes; the cookie exchanges it for a new one. */
  async renew(): Promise<void> {
    this.accessToken = null;
    const { status, text } = await this.call('GET', '/auth/refreshAccessToken');
    if (status !== 200) throw new Error(`the session was not renewed: ${status} ${text}`);
    this.accessToken = (JSON.parse(text) as { accessToken: string }).accessToken;
  }

  /** What a program sends that calls as this user, without the refresh cookie, which each use would replace. */
  headers(): Record<string, string> {
    const csrf = this.jar.get(CSRF_COOKIE) ?? '';
    return { authorization: `Bearer ${this.accessToken}`, cookie: `${CSRF_COOKIE}=${csrf}`, 'x-csrf-token': csrf };
  }

  /** The response as it comes, with its body unread. The body must arrive within `timeoutMs`. */
  async send(method: string, path: string, { body, headers = {}, timeoutMs }: CallOptions = {}): Promise<Response> {
    const sent = new Headers({ cookie: this.jar.header() });
    if (this.accessToken) sent.set('authorization', `Bearer ${this.accessToken}`);
    if (method !== 'GET') sent.set('x-csrf-token', this.jar.get(CSRF_COOKIE) ?? '');
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    const answer = await fetch(new URL(path, this.target.url), {
      method,
      headers: sent,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs ?? CALL_TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit);
    this.jar.take(answer.headers);
    return answer;
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const started = performance.now();
    const answer = await this.send(method, path, options);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, elapsedMs: performance.now() - started };
  }

  /** @param body sent as JSON, or unchanged if it is a string */
  json(method: string, path: string, body: unknown, options: CallOptions = {}): Promise<Answer> {
    return this.call(method, path, jsonOptions(body, options));
  }

  /** Submits a form as a page without JavaScript does. */
  form(path: string, fields: readonly (readonly [string, string])[]): Promise<Answer> {
    const token = this.jar.get(CSRF_COOKIE) ?? '';
    return this.call('POST', path, {
      body: new URLSearchParams([['csrf', token], ...fields].map(([k, v]) => [k!, v!])),
    });
  }

  async list<T = { id: string }>(path: string): Promise<T[]> {
    const answer = await this.call('GET', path);
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return JSON.parse(answer.text) as T[];
  }

  /** Like `send`, with an access token that is renewed if it has expired. */
  async open(method: string, path: string, options: CallOptions = {}): Promise<Response> {
    const accepting = { ...options, headers: { accept: 'application/json', ...options.headers } };
    const answer = await this.send(method, path, accepting);
    if (answer.status !== 401 || !this.accessToken) return answer;
    await answer.arrayBuffer();
    await this.renew();
    return this.send(method, path, accepting);
  }

  get = <T>(path: string): Promise<T> => this.#read<T>('GET', path);
  post = <T>(path: string, body: unknown): Promise<T> => this.#read<T>('POST', path, jsonOptions(body));
  put = <T>(path: string, body: unknown): Promise<T> => this.#read<T>('PUT', path, jsonOptions(body));
  delete = <T>(path: string): Promise<T> => this.#read<T>('DELETE', path);

  async #read<T>(method: string, path: string, options?: CallOptions): Promise<T> {
    const answer = await this.open(method, path, options);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was refused: ${answer.status} ${text.slice(0, 600)}`);
    return (text === '' ? {} : JSON.parse(text)) as T;
  }
}

const jsonOptions = (body: unknown, options: CallOptions = {}): CallOptions => ({
  ...options,
  headers: { 'content-type': 'application/json', ...options.headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** The code of the next email to an address, besides those in `before`. @throws Error if none comes */
export async function waitForCode(mailFolder: string, email: string, before: ReadonlySet<string>): Promise<string> {
  for (const end = Date.now() + MAIL_TIMEOUT_MS; Date.now() < end; ) {
    const code = await newestCode(mailFolder, email, before);
    if (code) return code;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no code to ${email} came within ${MAIL_TIMEOUT_MS / 1000} s`);
}

/** Uploads a small file. @returns what a body refers to it with */
export async function sendFile(
  caller: Caller,
  file: { bucket: string; directory?: string; name: string; type: string; bytes: Uint8Array },
): Promise<{ key: string; name: string }> {
  const { bucket, directory, name, type, bytes } = file;
  const [answer] = await caller.post<{ fileMetadata?: { key: string; signedUrl: string } }[]>(
    `/files/signedUrls/${bucket}?operation=upload`,
    { directory, filesInfo: [{ name, size: bytes.byteLength, type }] },
  );
  if (!answer?.fileMetadata) throw new Error(`${name} may not be uploaded: ${JSON.stringify(answer)}`);
  const { signedUrl, key } = answer.fileMetadata;
  await putFile(signedUrl, caller.target.url, type, bytes);
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
    body: Uint8Array.from(bytes),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`the upload was refused: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}
