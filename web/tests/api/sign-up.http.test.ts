import { expect, it } from 'vitest';
import { type ApiClient, anonymous, expectRefusal, requestCode, signedIn } from '../api-client.ts';
import { inviteUser, ownTenant } from '../tenant.ts';

const tenant = ownTenant();
const PHONE = '442079460018';

async function ownershipOf(client: ApiClient, email: string): Promise<string> {
  const code = await requestCode(client, email);
  return (await client.post('/auth/code/verification', { email, code })).json.ownershipToken;
}

it('signs up an invited user, who accepts the terms before anything else opens', async () => {
  const { id, email } = await inviteUser(tenant.emails.manager);
  const client = await anonymous();
  const ownershipToken = await ownershipOf(client, email);
  const early = expectRefusal(await client.post('/auth/signIn', { ownershipToken }), 400, 'Sign up first');
  expect(early.flags).toEqual({ ownershipToken: 'belongs to an invited user who has not signed up' });

  const signUp = (createUser: object) => client.post('/auth/signUp', { ownershipToken, createUser });
  const wrong = expectRefusal(await signUp({ firstName: 'A', lastName: 'b'.repeat(31), phoneNumber: '+44' }), 400);
  expect(wrong.flags).toEqual({
    'createUser.firstName': 'At least 2 characters',
    'createUser.lastName': 'At most 30 characters',
    'createUser.phoneNumber': 'Invalid phone number',
  });
  const names = { firstName: 'Al', lastName: 'b'.repeat(30), phoneNumber: '4'.repeat(16) };
  // What an invitation decides is not taken from the body.
  const signedUp = await signUp({ ...names, type: 'admin', assoc: { admin: true }, role: null });
  expect(signedUp.status).toBe(201);
  expect(signedUp.headers.get('x-access-token-expiration-seconds')).toBe('600');
  const { user, accessToken } = signedUp.json;
  expect(user).toMatchObject({
    ...names,
    id,
    email,
    type: 'manager',
    status: 'Active',
    roleTitle: 'Analyst',
    level: 10,
  });
  expect([user.isConfirmedUserDetails, user.isReadPrivacyAndTerms]).toEqual([true, false]);
  expectRefusal(await signUp(names), 401);

  client.accessToken = accessToken;
  const closed = expectRefusal(await client.get('/crud/companies'), 403, 'Accept the privacy notice and the terms');
  expect(closed.flags).toEqual({ isReadPrivacyAndTerms: 'must be true' });
  expectRefusal(await client.get('/LTP'), 403);
  expect((await client.get('/auth/me')).status).toBe(200);
  const accept = (body: object) => client.call('PUT', '/auth/privacyAndTerms', { body });
  expectRefusal(await accept({ isReadPrivacyAndTerms: false }), 400);
  expect((await accept({})).json).toMatchObject({ id, isReadPrivacyAndTerms: true });
  expect((await client.get('/crud/companies')).status).toBe(200);
});

it('asks a user who never confirmed their details to do so, with corrections', async () => {
  const { email } = await inviteUser(tenant.emails.manager, { status: 'Active', isReadPrivacyAndTerms: true });
  const client = await signedIn(email);
  const closed = expectRefusal(await client.get('/crud/companies'), 403, 'Confirm your details first');
  expect(closed.flags).toEqual({ isConfirmedUserDetails: 'must be true' });
  const confirm = (body: object) => client.call('PUT', '/auth/confirmUserDetails', { body });
  expect(expectRefusal(await confirm({ phoneNumber: '1'.repeat(17) }), 400).flags).toHaveProperty('phoneNumber');
  const confirmed = await confirm({ lastName: 'Marshall', phoneNumber: PHONE });
  expect(confirmed.json).toMatchObject({
    firstName: 'Ivo',
    lastName: 'Marshall',
    phoneNumber: PHONE,
    isConfirmedUserDetails: true,
  });
  expect(confirmed.json).toEqual((await client.get('/auth/me')).json);
  expect((await client.get('/crud/companies')).status).toBe(200);
  const refreshed = await client.get('/auth/refreshAccessToken');
  expect({ ...refreshed.json.user, lastVisited: null }).toEqual({ ...confirmed.json, lastVisited: null });
  expect(
    Object.keys(await tenant.manager.get(`/crud/users/${confirmed.json.id}`).then((answer) => answer.json)),
  ).toEqual(Object.keys(confirmed.json).slice(0, -5));
});

it('gives an invited, a known and an unknown email the same answers before the code is proved', async () => {
  const invited = await inviteUser(tenant.emails.manager);
  for (const email of [invited.email, tenant.emails.borrower, 'nobody.at.all@example.com']) {
    const client = await anonymous();
    const answer = await client.post('/auth/code', { email });
    expect([answer.status, answer.text]).toEqual([200, '{}']);
    const wrong = await client.post('/auth/code/verification', { email, code: '000000000000' });
    expectRefusal(wrong, 400, 'The code is wrong or no longer valid. Request a new one.');
  }
});
