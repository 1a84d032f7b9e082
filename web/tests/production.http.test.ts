import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startObjectStorage, type TestObjectStorage } from '@tapeline/lake/testing/object-storage.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { signedIn } from './api-client.ts';
import { runningProduct } from './running-product.ts';
import { ownTenant } from './tenant.ts';

const WEB = fileURLToPath(new URL('../server.ts', import.meta.url));
const BUILD = fileURLToPath(new URL('../build/client', import.meta.url));
const ADMIN = 'admin@tapeline.test';
/** Nothing listens there, so no email can be sent. */
const NO_MAIL_SERVER = 'smtp://127.0.0.1:9';

const { emails } = ownTenant();
let storage: TestObjectStorage;
let home: string;
let web: ChildProcess;
let url: string;
let output = '';

function environment(): NodeJS.ProcessEnv {
  const { settings } = storage;
  return {
    ...process.env,
    ...runningProduct(),
    NODE_ENV: 'production',
    TAPELINE_HOME: home,
    S3_ENDPOINT: settings.endpoint,
    S3_BUCKET: settings.bucket,
    S3_ACCESS_KEY_ID: settings.keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: settings.keys.secretAccessKey,
    SMTP_URL: NO_MAIL_SERVER,
    MAIL_FROM: 'Tapeline <no-reply@example.com>',
    OIDC_ISSUER: '',
    RATES_URL: '',
    METRICS_PORT: '',
    DEV_SERVICE_PORTS: '',
    TRUSTED_PROXIES: '127.0.0.1',
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address ? address.port : 0;
}

beforeAll(async () => {
  [storage, home] = await Promise.all([startObjectStorage(), mkdtemp(join(tmpdir(), 'production-'))]);
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  web = spawn(process.execPath, [WEB], {
    env: { ...environment(), PORT: String(port), PUBLIC_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [web.stdout, web.stderr]) stream?.on('data', (chunk) => (output += chunk));
  await vi.waitFor(async () => expect((await fetch(`${url}/healthz`)).status, output).toBe(200), {
    timeout: 240_000,
    interval: 200,
  });
});
afterAll(async () => {
  if (web?.exitCode === null && web.signalCode === null) {
    const ended = new Promise((resolve) => web.once('exit', resolve));
    web.kill('SIGKILL');
    await ended;
  }
  await storage?.close();
  await rm(home, { recursive: true, force: true });
});

const cookieOf = (cookies: ReadonlyMap<string, string>) =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

it('has no page of development, not even for an administrator, and no menu entry for one', async () => {
  const cookie = cookieOf((await signedIn(ADMIN)).cookies);
  for (const path of ['/mailbox', '/mailbox?mail=x', '/design', '/mailbox.data', '/design.data']) {
    for (const held of [cookie, '']) {
      const answer = await fetch(url + path, { headers: { cookie: held }, redirect: 'manual' });
      // Anonymous callers are sent to sign in; Remix answers a redirect of data with 202.
      expect(held ? [404] : [404, 302, 202], path).toContain(answer.status);
      if (answer.status === 302) expect(answer.headers.get('location')).toMatch(/^\/login/);
      expect(await answer.text()).not.toMatch(/@tapeline\.test-|\.eml/);
    }
    const asAdmin = await fetch(url + path, { headers: { cookie }, redirect: 'manual' });
    expect(asAdmin.status, path).toBe(404);
  }
  const users = await (await fetch(`${url}/admin/users`, { headers: { cookie } })).text();
  expect(users).toContain('>Users<');
  expect(users).not.toMatch(/Mailbox|\/mailbox/);
  const settings = await (await fetch(`${url}/settings`, { headers: { cookie } })).text();
  expect(settings).toContain('>Permissions<');
  expect(settings).not.toMatch(/>Mailbox<|\/mailbox/);
  const login = await (await fetch(`${url}/login`)).text();
  expect(login).toContain('Send code');
  expect(login).not.toMatch(/href="\/(mailbox|design)/);
});

it('listens on no port of development, and publishes no sources', async () => {
  expect(output).not.toMatch(/answers on the main port only/);
  const files = await readdir(BUILD, { recursive: true });
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((name) => name.endsWith('.map'))).toEqual([]);
  for (const path of ['/@vite/client', '/@fs/etc/passwd', '/app/root.tsx', '/__manifest.map', '/server.ts']) {
    expect([302, 404], path).toContain((await fetch(url + path, { redirect: 'manual' })).status);
  }
});

it('says that a code waits for the mail server, and does not count the request', async () => {
  // Other tests use up the limit of this machine's own address.
  const forwarded = {
    'x-forwarded-for': `2001:db8::${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`,
  };
  const first = await fetch(`${url}/login`, { headers: forwarded });
  const cookies = new Map<string, string>();
  const keep = (answer: Response) => {
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
  };
  keep(first);
  for (const email of [emails.manager, 'nobody-at-all@example.com']) {
    // The limit is five in fifteen minutes for one browser.
    for (let request = 0; request < 6; request += 1) {
      const body = new URLSearchParams({ csrf: cookies.get('tapeline_csrf') ?? '', email });
      const answer = await fetch(`${url}/login`, {
        method: 'POST',
        body,
        headers: { ...forwarded, cookie: cookieOf(cookies), origin: url },
        redirect: 'manual',
      });
      keep(answer);
      expect(answer.status, await answer.text()).toBe(302);
      // The email is tried after the answer.
      const page = async () =>
        (
          await fetch(url + (answer.headers.get('location') ?? ''), {
            headers: { ...forwarded, cookie: cookieOf(cookies) },
          })
        ).text();
      await expect.poll(page).toContain('We could not send the code yet');
      expect(await page()).toContain('does not count against the limit');
    }
  }
});

it.each([
  ['SMTP_URL', 'SMTP_URL: is required in production'],
  ['S3_ENDPOINT', 'S3_ENDPOINT: is required in production'],
  ['APP_SECRET', 'APP_SECRET: is required in production'],
])('does not start without %s, and says so without a stack trace', async (name, message) => {
  const child = spawn(process.execPath, [WEB], {
    env: { ...environment(), [name]: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [errors, code] = await Promise.all([text(child.stderr), new Promise((resolve) => child.once('exit', resolve))]);
  expect(errors).toContain(message);
  expect(errors).not.toMatch(/\n\s+at /);
  expect(code).toBe(1);
});

it('does not start on a port that is taken, and says so without a stack trace', async () => {
  const { port } = new URL(url);
  const child = spawn(process.execPath, [WEB], {
    env: { ...environment(), PORT: port, PUBLIC_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const [lines, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect(JSON.parse(lines.trim().split('\n').at(-1) ?? '')).toMatchObject({
    level: 60,
    msg: `Another program listens on port ${port}. End it, or set PORT to another port.`,
  });
  expect([errors, code]).toEqual(['', 1]);
});

const readiness = async (query = '') => {
  const answer = await fetch(`${url}/readyz${query}`, { headers: { connection: 'close' } });
  return { status: answer.status, ...((await answer.json()) as object) };
};

it('reports that the object storage is down, and stays ready for a load balancer', async () => {
  const cookie = cookieOf((await signedIn(ADMIN)).cookies);
  await expect.poll(() => readiness()).toEqual({ status: 200, ready: true, missing: [], degraded: [] });
  await storage.goDown();
  try {
    const degraded = ['storage'];
    await expect.poll(() => readiness()).toEqual({ status: 503, ready: false, missing: degraded, degraded });
    expect(await readiness('?accept=degraded')).toEqual({ status: 200, ready: true, missing: [], degraded });
    const users = await fetch(`${url}/admin/users`, { headers: { cookie } });
    expect([users.status, await users.text()]).toEqual([200, expect.stringContaining('>Users<')]);
  } finally {
    await storage.comeUp();
  }
  await expect.poll(() => readiness()).toEqual({ status: 200, ready: true, missing: [], degraded: [] });
});

it('drains on SIGTERM: it is not ready, finishes calls in progress, and then ends', async () => {
  const { hostname, port } = new URL(url);
  const ended = new Promise((resolve) => web.once('exit', (code, signal) => resolve({ code, signal })));
  const body = 'email=nobody%40example.com';
  const socket = connect({ host: hostname, port: Number(port) });
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await new Promise<void>((resolve) => {
    const head = `POST /login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: ${url}\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`, () => resolve());
  });
  // The process has taken the call once it answers a later one.
  expect((await fetch(`${url}/healthz`)).status).toBe(200);

  web.kill('SIGTERM');
  await expect.poll(() => readiness()).toEqual({ status: 503, ready: false, missing: ['stopping'], degraded: [] });
  // A load balancer that has not noticed yet still gets answers.
  expect((await fetch(`${url}/login`)).status).toBe(200);
  await expect
    .poll(() =>
      fetch(`${url}/healthz`).then(
        () => 'answered',
        () => 'refused',
      ),
    )
    .toBe('refused');
  expect([web.exitCode, answer]).toEqual([null, '']);
  socket.write(body.slice(5));
  await closed;
  // The form was read to its end, and has no token.
  expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  expect(await ended).toEqual({ code: 0, signal: null });
});
