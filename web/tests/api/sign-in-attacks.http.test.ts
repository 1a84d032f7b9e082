import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SYSTEM } from '@tapeline/db/store.ts';
import { SignJWT, UnsecuredJWT } from 'jose';
import { expect, inject, it } from 'vitest';
import { ACCESS_TOKEN_LIFETIME_SECONDS, issueAccessToken } from '../../app/http/access-token.server.ts';
import { type ApiClient, anonymous, expectRefusal, requestCode, signedIn, signInByCode } from '../api-client.ts';
import { linkOfNewMail, mailsTo } from '../mailbox.ts';
import { productStore } from '../product-store.ts';
import { runningProduct } from '../running-product.ts';
import { inviteUser, ownTenant, ownTenantWithoutMappings } from '../tenant.ts';

const tenant = ownTenant();
const other = ownTenantWithoutMappings();

const refreshOf = (client: ApiClient) =>
  [...client.cookies].find(([name]) => name.endsWith('_refresh')) as [string, string];

it('ends the whole family when a refresh token is used again, and leaves other sign-ins alone', async () => {
  const victim = await signedIn(tenant.emails.investor);
  const elsewhere = await signedIn(tenant.emails.investor);
  const [name, stolen] = refreshOf(victim);
  expect((await victim.get('/auth/refreshAccessToken')).status).toBe(200);
  const store = await productStore();
  // The parallel calls that may share a successor are over.
  await store.as(SYSTEM, ({ query }) =>
    query(
      `update refresh_tokens set rotated_at = rotated_at - interval '11 seconds'
       where rotated_at is not null and user_id = (select id from users where email = $1)`,
      [tenant.emails.investor],
    ),
  );
  const thief = await anonymous();
  const reuse = await thief.call('GET', '/auth/refreshAccessToken', { headers: { cookie: `${name}=${stolen}` } });
  expectRefusal(reuse, 401);
  expectRefusal(await victim.get('/auth/refreshAccessToken'), 401);
  expectRefusal(await victim.get('/auth/me'), 401);
  expect((await elsewhere.get('/auth/me')).status).toBe(200);
  expect(await logged('refresh token reused')).toContain(await idOf(tenant.emails.investor));
});

it('takes no access token that was altered, unsigned, or signed with another key or algorithm', async () => {
  const client = await signedIn(tenant.emails.analyst);
  const token = client.accessToken as string;
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const manager = await idOf(tenant.emails.manager);
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const sign = (key: string, alg: string) =>
    new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(key));
  const forged = [
    `${header}.${encoded({ ...claims, sub: manager })}.${signature}`,
    `${header}.${encoded({ ...claims, exp: claims.exp + 86_400 })}.${signature}`,
    `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    `${encoded({ alg: 'none' })}.${payload}.`,
    new UnsecuredJWT({ ...claims, sub: manager }).encode(),
    await sign('a development secret that is never used in production', 'HS256'),
    await sign('x'.repeat(64), 'HS512'),
    // The CSRF token, the refresh token and a sign-in code are no access tokens.
    client.cookies.get('tapeline_csrf') as string,
    refreshOf(client)[1],
  ];
  for (const one of forged) {
    expectRefusal(await client.call('GET', '/auth/me', { headers: { authorization: `Bearer ${one}` } }), 401);
  }
  expect((await client.get('/auth/me')).status).toBe(200);
});

it('takes no access token that has expired, although the product has signed it and its sign-in goes on', async () => {
  const client = await signedIn(tenant.emails.analyst);
  const [, payload = ''] = (client.accessToken as string).split('.');
  const { sub, fam } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const issuedAgo = (seconds: number) =>
    issueAccessToken(
      runningProduct().APP_SECRET,
      { userId: sub, familyId: fam },
      new Date(Date.now() - seconds * 1000),
    );
  const call = async (token: string) =>
    client.call('GET', '/auth/me', { headers: { authorization: `Bearer ${token}` } });
  expect((await call(await issuedAgo(60))).status).toBe(200);
  const expired = await issuedAgo(ACCESS_TOKEN_LIFETIME_SECONDS + 1);
  expectRefusal(await call(expired), 401, 'You must sign in to access this resource');
  expectRefusal(
    await client.call('GET', '/crud/companies', { headers: { authorization: `Bearer ${expired}` } }),
    401,
    'You must sign in to access this resource',
  );
});

it('acts for nobody else, whatever manager or investor a header names', async () => {
  const theirs = (await other.manager.get('/auth/me')).json.managerId;
  for (const client of [tenant.manager, await signedIn(tenant.emails.borrower)]) {
    const answer = await client.call('GET', '/crud/companies', { headers: { 'x-manager-id': theirs } });
    expectRefusal(answer, 403, 'X-Manager-Id');
  }
  const investor = await signedIn(tenant.emails.investor);
  const [lp] = (await other.manager.get('/crud/LPs')).json;
  expectRefusal(await investor.call('GET', '/crud/LPs', { headers: { 'x-lp-id': lp.id } }), 403, 'X-LP-Id');
  const own = (await investor.get('/crud/LPs')).json;
  expect(own).toHaveLength(1);
  expect((await investor.call('GET', '/crud/LPs', { headers: { 'x-lp-id': own[0].id } })).json).toEqual(own);
});

it('writes the configured address into emails, whatever host a request names', async () => {
  const { id, email } = await inviteUser(tenant.emails.manager);
  const before = await mailsTo(email);
  const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example', 'x-forwarded-proto': 'https' };
  await tenant.manager.call('POST', '/auth/magicLink', { body: { userId: id }, headers });
  expect(new URL(await linkOfNewMail(email, before)).origin).toBe(new URL(inject('productUrl')).origin);
});

it('sends its headers with every kind of answer, and none for scripts of other origins', async () => {
  const origin = 'https://app.example.com';
  for (const path of [
    '/login',
    '/account',
    '/crud/companies',
    '/nothing',
    '/healthz',
    '/openapi.json',
    '/favicon.svg',
  ]) {
    const { headers } = await fetch(new URL(path, inject('productUrl')), { headers: { origin }, redirect: 'manual' });
    const policy = headers.get('content-security-policy')?.split(';') ?? [];
    const [, nonce] =
      /^script-src 'self' '(nonce-[^']+)'$/.exec(policy.find((one) => /^script-src /.test(one)) ?? '') ?? [];
    expect(nonce, path).toMatch(/^nonce-.{20,}/);
    expect(policy, path).toContain(`style-src 'self' '${nonce}'`);
    expect(
      policy.filter((one) => one.includes('unsafe')),
      path,
    ).toEqual(["style-src-attr 'unsafe-inline'"]);
    expect(headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(headers.get('referrer-policy'), path).toBe('same-origin');
    expect(headers.get('permissions-policy'), path).toContain('camera=()');
    expect(headers.has('access-control-allow-origin'), path).toBe(false);
  }
});

it('gives a script of a configured origin the token that it cannot read from the cookie', async () => {
  const origin = 'https://tools.example.com';
  const client = await anonymous();
  const answer = await client.call('GET', '/auth/me', { headers: { origin } });
  expectRefusal(answer, 401);
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  expect(answer.headers.get('x-csrf-token')).toBe(client.cookies.get('tapeline_csrf'));
  const foreign = await client.call('GET', '/auth/me', { headers: { origin: 'https://app.example.com' } });
  expect(foreign.headers.has('x-csrf-token')).toBe(false);
});

it('logs sign-ins and refusals with the user and the address, and never a code, token or email', async () => {
  const email = tenant.emails.borrower;
  const stranger = await anonymous();
  const code = await requestCode(stranger, email);
  const wrong = code === '000000' ? '000001' : '000000';
  expectRefusal(await stranger.post('/auth/code/verification', { email, code: wrong }), 400);
  const client = await signInByCode(email);
  const userId = await idOf(email);
  expect(await logged('signed in')).toContain(userId);
  expect(await logged('sign-in refused')).toContain('email code');
  await client.post('/auth/signOut', {});
  expect(await logged('signed out')).toContain(userId);
  const text = await logs();
  for (const secret of [email, client.accessToken as string, refreshOf(await signedIn(email))[1]]) {
    expect(text).not.toContain(secret);
  }
});

async function idOf(email: string): Promise<string> {
  const [user] = (await tenant.manager.get('/crud/users', { filter: JSON.stringify({ email }) })).json;
  return user.id;
}

async function logs(): Promise<string> {
  const folder = join(inject('productHome'), 'logs');
  const names = (await readdir(folder)).filter((name) => name.startsWith('web'));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

/** The log lines of this event. A line is written after its answer was sent. */
async function logged(event: string): Promise<string> {
  const linesOf = async () => (await logs()).split('\n').filter((line) => line.includes(`"event":"${event}"`));
  await expect.poll(async () => (await linesOf()).length).toBeGreaterThan(0);
  return (await linesOf()).join('\n');
}
