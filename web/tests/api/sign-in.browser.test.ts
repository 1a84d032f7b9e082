import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { anonymous, expectRefusal, requestCode } from '../api-client.ts';
import { mailsTo } from '../kept-sign-in.ts';

const EMAIL = 'investor2@tapeline.test';
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
  expect(signedIn.json.user).toMatchObject({ email: EMAIL, type: 'LP', role: 'Investor' });
  expect(signedIn.headers.getSetCookie().join('\n')).toMatch(/_refresh=[^;]+;.*SameSite=Lax; HttpOnly/);
  expectRefusal(await client.post('/auth/signIn', { ownershipToken }), 401);

  client.accessToken = signedIn.json.accessToken;
  expect((await client.get('/auth/me')).json).toEqual(signedIn.json.user);

  // Parallel calls with one refresh token get the same successor; the access tokens are good for the same sign-in.
  const [name, first] = refreshOf(client.cookies);
  const headers = { cookie: `${name}=${first}` };
  const both = await Promise.all([1, 2].map(() => client.call('GET', '/auth/refreshAccessToken', { headers })));
  expect(both.map((answer) => answer.status)).toEqual([200, 200]);
  const successors = both.map((answer) => /_refresh=([^;]+)/.exec(answer.headers.getSetCookie().join('\n'))?.[1]);
  expect(successors[0]).toBe(successors[1]);
  expect(successors[0]).not.toBe(first);

  // By the token alone, as a client without cookies does it: the whole sign-in ends.
  const csrf = client.cookies.get('tapeline_csrf') as string;
  const bare = { cookie: `tapeline_csrf=${csrf}` };
  expect((await client.call('POST', '/auth/signOut', { headers: bare })).status).toBe(200);
  expectRefusal(await client.call('GET', '/auth/me', { headers: bare }), 401);
  expectRefusal(await client.call('GET', '/auth/refreshAccessToken', { headers }), 401);
});

it('gives an unknown email the same answer, sends nothing, and says 429 at the sixth request', async () => {
  const email = `nobody-${randomBytes(6).toString('hex')}@example.com`;
  const client = await anonymous();
  const answers = [];
  for (let index = 0; index < 6; index++) answers.push(await client.post('/auth/code', { email }));
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(answers.slice(0, 5).map((answer) => answer.text)).toEqual(Array(5).fill('{}'));
  expectRefusal(answers[5]!, 429, 'Slow down');
  expect(await mailsTo(email)).toEqual([]);
  expectRefusal(await client.post('/auth/code/verification', { email, code: '123456' }), 400, 'wrong or no longer');
  expect(expectRefusal(await client.post('/auth/code', { email: 'nobody' }), 400).flags).toHaveProperty('email');
});

it('takes no code after five wrong tries, not even the right one', async () => {
  const email = 'borrower2@tapeline.test';
  const client = await anonymous();
  const code = await requestCode(client, email);
  const wrong = code === '000000' ? '000001' : '000000';
  for (let tries = 0; tries < 5; tries++) {
    expectRefusal(await client.post('/auth/code/verification', { email, code: wrong }), 400);
  }
  expectRefusal(await client.post('/auth/code/verification', { email, code }), 400, 'Ask for a new one');
});
