import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { type ApiClient, anonymous, expectRefusal, requestCode, signInByCode } from '../api-client.ts';
import { mailsTo } from '../mailbox.ts';
import { ownTenant } from '../tenant.ts';

const { emails } = ownTenant();
const EMAIL = emails.investor;
const refreshOf = (cookies: ReadonlyMap<string, string>) =>
  [...cookies].find(([name]) => name.endsWith('_refresh')) as [string, string];

it('signs in by code, refreshes, and ends with signing out', async () => {
  const client = await anonymous();
  const code = await requestCode(client, EMAIL);
  const wrong = code === '000000' ? '000001' : '000000';
  const refused = await client.post('/auth/code/verification', { email: EMAIL, code: wrong });
  expect(expectRefusal(refused, 400).flags).toEqual({ code: 'is wrong or no longer valid' });

  const verified = await client.post('/auth/code/verification', { email: EMAIL.toUpperCase(), code });
  expect(verified.status).toBe(200);
  expectRefusal(await client.post('/auth/code/verification', { email: EMAIL, code }), 400);
  const { ownershipToken } = verified.json;
  const signedIn = await client.post('/auth/signIn', { ownershipToken });
  expect(signedIn.status).toBe(200);
  expect(signedIn.headers.get('x-access-token-expiration-seconds')).toBe('600');
  expect(signedIn.json.user).toMatchObject({ email: EMAIL, type: 'LP', roleTitle: 'Investor' });
  expect(signedIn.headers.getSetCookie().join('\n')).toMatch(/_refresh=[^;]+;.*SameSite=Lax; HttpOnly/);
  expectRefusal(await client.post('/auth/signIn', { ownershipToken }), 401);

  client.accessToken = signedIn.json.accessToken;
  expect((await client.get('/auth/me')).json).toEqual(signedIn.json.user);

  // Parallel calls with one refresh token get the same successor. The access tokens belong to the same session.
  const [name, first] = refreshOf(client.cookies);
  const headers = { cookie: `${name}=${first}` };
  const both = await Promise.all([1, 2].map(() => client.call('GET', '/auth/refreshAccessToken', { headers })));
  expect(both.map((answer) => answer.status)).toEqual([200, 200]);
  const successors = both.map((answer) => /_refresh=([^;]+)/.exec(answer.headers.getSetCookie().join('\n'))?.[1]);
  expect(successors[0]).toBe(successors[1]);
  expect(successors[0]).not.toBe(first);

  // Sign out with only the token, as a client without cookies does. This ends the whole session.
  const csrf = client.cookies.get('tapeline_csrf') as string;
  const bare = { cookie: `tapeline_csrf=${csrf}` };
  expect((await client.call('POST', '/auth/signOut', { headers: bare })).status).toBe(200);
  expectRefusal(await client.call('GET', '/auth/me', { headers: bare }), 401);
  expectRefusal(await client.call('GET', '/auth/refreshAccessToken', { headers }), 401);
});

it('gives an unknown email the same answer, sends nothing, and tells one client how long to wait', async () => {
  const email = `nobody-${randomBytes(6).toString('hex')}@example.com`;
  const client = await anonymous();
  // Ten times the limit of five in production.
  for (let requests = 0; requests < 50; requests++) {
    const answer = await client.post('/auth/code', { email });
    expect([answer.status, answer.text]).toEqual([200, '{}']);
  }
  const refused = await client.post('/auth/code', { email });
  expectRefusal(refused, 429, /^Slow down, .* too frequent\. Try again in 1[45] minutes\.$/);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800);
  expect((await (await anonymous()).post('/auth/code', { email })).status).toBe(200);
  expect(await mailsTo(email)).toEqual([]);
  expectRefusal(await client.post('/auth/code/verification', { email, code: '123456' }), 400, 'wrong or no longer');
  expect(expectRefusal(await client.post('/auth/code', { email: 'nobody' }), 400).flags).toHaveProperty('email');
});

it('takes no code after five wrong tries, not even the right one', async () => {
  const email = emails.borrower;
  const client = await anonymous();
  const code = await requestCode(client, email);
  const wrong = code === '000000' ? '000001' : '000000';
  for (let tries = 0; tries < 5; tries++) {
    expectRefusal(await client.post('/auth/code/verification', { email, code: wrong }), 400);
  }
  expectRefusal(await client.post('/auth/code/verification', { email, code }), 400, 'Request a new one');
});

it('lets nobody lock the owner out: neither requests nor wrong tries of others touch the code of a client', async () => {
  const email = emails.borrower;
  const owner = await anonymous();
  const code = await requestCode(owner, email);
  expect([...owner.cookies.keys()].filter((name) => name.endsWith('_client'))).toHaveLength(1);
  for (let strangers = 0; strangers < 6; strangers++) {
    const stranger = await anonymous();
    expect((await stranger.post('/auth/code', { email })).status).toBe(200);
    expectRefusal(await stranger.post('/auth/code/verification', { email, code }), 400, 'wrong or no longer');
  }
  const without = { cookie: `tapeline_csrf=${owner.cookies.get('tapeline_csrf')}` };
  const bare = await owner.call('POST', '/auth/code/verification', { body: { email, code }, headers: without });
  expectRefusal(bare, 400, 'works only where it was requested');
  expect((await owner.post('/auth/code/verification', { email, code })).status).toBe(200);
});

it('binds the CSRF token to the sign-in: signing in and out changes it, and that of another sign-in is refused', async () => {
  const email = emails.borrower;
  const tokenOf = (client: ApiClient) => client.cookies.get('tapeline_csrf') as string;
  const before = await anonymous();
  const early = tokenOf(before);
  const [mine, theirs] = [await signInByCode(email), await signInByCode(emails.investor)];
  expect(new Set([early, tokenOf(mine), tokenOf(theirs)]).size).toBe(3);

  const sessionCookies = [...mine.cookies].filter(([name]) => /_(access|refresh)$/.test(name));
  const send = (token: string, sent = token, bearer = '') => {
    const cookie = [...(bearer ? [] : sessionCookies), ['tapeline_csrf', token]]
      .map((pair) => pair.join('='))
      .join('; ');
    const headers = { cookie, 'x-csrf-token': sent, ...(bearer ? { authorization: `Bearer ${bearer}` } : {}) };
    return mine.call('POST', '/LTP/calculateBB', { body: {}, headers });
  };
  mine.accessToken = null;
  expectRefusal(await send(tokenOf(mine)), 400);
  const foreign = await send(tokenOf(theirs));
  expectRefusal(foreign, 403, 'X-CSRF-Token');
  expect(foreign.headers.getSetCookie().join('\n')).toContain(`tapeline_csrf=${tokenOf(mine)}`);
  expectRefusal(await send(early), 403);
  expectRefusal(await send(tokenOf(mine), tokenOf(theirs)), 403);
  // Only the client itself can send an access token, so the CSRF token from before the sign-in is sufficient.
  const bearer = (await mine.get('/auth/refreshAccessToken')).json.accessToken;
  expectRefusal(await send(early, early, bearer), 400);
  expectRefusal(await send(tokenOf(theirs), tokenOf(theirs), bearer), 403);

  const signedInToken = tokenOf(mine);
  expect((await mine.post('/auth/signOut', {})).status).toBe(200);
  expect(tokenOf(mine)).not.toBe(signedInToken);
  expect((await mine.post('/auth/code', { email: 'nobody@example.com' })).status).toBe(200);
});
