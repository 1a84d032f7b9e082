import { connect } from 'node:net';
import { CookieJar } from '../demonstration/api-client.ts';
import { mailsTo, newestCode } from '../demonstration/sign-in-mail.ts';

/** A running product on this machine that can be attacked. */
export interface Target {
  /** http://127.0.0.1:PORT */
  readonly url: string;
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

/** A caller with a cookie jar and, if signed in, an access token. */
export class Caller {
  readonly jar: CookieJar;
  readonly target: Target;
  accessToken: string | null = null;

  private constructor(target: Target, jar = new CookieJar()) {
    this.target = target;
    this.jar = jar;
  }

  static async anonymous(target: Target): Promise<Caller> {
    const caller = new Caller(target);
    await caller.call('GET', '/auth/me');
    return caller;
  }

  static async signedIn(target: Target, email: string): Promise<Caller> {
    const caller = await Caller.anonymous(target);
    await caller.signInWith(email, await caller.requestCode(email));
    return caller;
  }

  /** The same session at another process of the product. */
  at(url: string): Caller {
    const caller = new Caller({ ...this.target, url }, this.jar);
    caller.accessToken = this.accessToken;
    return caller;
  }

  /** Requests a code and reads it from the email. */
  async requestCode(email: string): Promise<string> {
    const before = new Set(await mailsTo(this.target.mailFolder, email));
    const answer = await this.json('POST', '/auth/code', { email });
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

  async call(method: string, path: string, { body, headers = {}, timeoutMs }: CallOptions = {}): Promise<Answer> {
    const sent = new Headers({ cookie: this.jar.header() });
    if (this.accessToken) sent.set('authorization', `Bearer ${this.accessToken}`);
    if (method !== 'GET') sent.set('x-csrf-token', this.jar.get(CSRF_COOKIE) ?? '');
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    const started = performance.now();
    const answer = await fetch(new URL(path, this.target.url), {
      method,
      headers: sent,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs ?? CALL_TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit);
    this.jar.take(answer.headers);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, elapsedMs: performance.now() - started };
  }

  /** @param body sent as JSON, or unchanged if it is a string */
  json(method: string, path: string, body: unknown, options: CallOptions = {}): Promise<Answer> {
    return this.call(method, path, {
      ...options,
      headers: { 'content-type': 'application/json', ...options.headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
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
}

/** The code of the next email to an address, besides those in `before`. @throws Error if none comes */
export async function waitForCode(mailFolder: string, email: string, before: ReadonlySet<string>): Promise<string> {
  for (const end = Date.now() + MAIL_TIMEOUT_MS; Date.now() < end; ) {
    const code = await newestCode(mailFolder, email, before);
    if (code) return code;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no code to ${email} came within ${MAIL_TIMEOUT_MS / 1000} s`);
}

/**
 * Sends bytes that no HTTP client would send. Reads the response until the server closes the connection, or for
 * `waitMs`.
 * @returns the status of the first response (0 for none) and whether the server closed the connection
 */
export function sendRaw(
  target: Target,
  bytes: string | Uint8Array,
  waitMs = 10_000,
): Promise<{ status: number; text: string; isClosed: boolean }> {
  const { hostname, port } = new URL(target.url);
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    const end = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(pieces).toString('latin1');
      resolve({ status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0), text, isClosed });
    };
    const timer = setTimeout(() => end(false), waitMs);
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (piece) => {
      pieces.push(piece);
      // On a connection that stays open, complete response headers are enough.
      if (Buffer.concat(pieces).includes('\r\n\r\n')) end(false);
    });
    socket.on('error', () => end(true));
    socket.on('close', () => end(true));
  });
}
