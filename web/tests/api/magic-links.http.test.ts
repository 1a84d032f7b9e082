import { expect, inject, it } from 'vitest';
import { anonymous, expectRefusal, signedIn } from '../api-client.ts';
import { linkOfNewMail, mailsTo } from '../mailbox.ts';
import { inviteUser, ownTenant, ownTenantWithoutMappings } from '../tenant.ts';

const tenant = ownTenant();
const other = ownTenantWithoutMappings();

it('invites by email: the link opens a page that signs nobody in, and its token signs in once', async () => {
  const { id, email } = await inviteUser(tenant.emails.manager);
  const none = await mailsTo(email);
  const invite = (body: object, headers = {}) => tenant.manager.call('POST', '/auth/magicLink', { body, headers });
  const sent = await invite({ userId: id }, { 'x-forwarded-host': 'evil.example' });
  expect([sent.status, sent.text]).toEqual([200, '{}']);
  const first = new URL(await linkOfNewMail(email, none));
  expect(first.origin).toBe(new URL(inject('productUrl')).origin);

  const again = expectRefusal(await invite({ userId: id }), 400, 'already has an invitation');
  expect(again.flags).toEqual({ userId: 'already has a valid invitation' });
  const before = await mailsTo(email);
  expect(before).toHaveLength(1);
  expect((await invite({ userId: id, resend: true })).status).toBe(200);
  const link = new URL(await linkOfNewMail(email, before));
  const magicToken = link.searchParams.get('token') as string;

  const scanner = await anonymous();
  for (const _ of [1, 2]) {
    const page = await scanner.get(link.pathname + link.search);
    expect([page.status, page.text.includes(email)]).toEqual([200, true]);
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.getSetCookie().join()).not.toContain('_refresh');
  }
  expect((await scanner.get(first.pathname + first.search)).status).toBe(404);

  const client = await anonymous();
  const replaced = { magicToken: first.searchParams.get('token') };
  expectRefusal(await client.post('/auth/signIn', replaced), 401);
  const signedInByLink = await client.post('/auth/signIn', { magicToken });
  expect(signedInByLink.json.user).toMatchObject({ id, email, type: 'manager' });
  expect(signedInByLink.headers.getSetCookie().join()).toContain('_refresh=');
  expectRefusal(await client.post('/auth/signIn', { magicToken }), 401);
  expect((await scanner.get(link.pathname + link.search)).status).toBe(404);
});

it('refuses links for users who cannot be seen or have more rights, and tokens that are none', async () => {
  const { id, email } = await inviteUser(tenant.emails.manager);
  const stranger = other.manager;
  expectRefusal(await stranger.post('/auth/magicLink', { userId: id }), 404);
  expectRefusal(await tenant.manager.post('/auth/magicLink', { userId: '0'.repeat(24) }), 404);
  const analyst = await signedIn(tenant.emails.analyst);
  expectRefusal(await analyst.post('/auth/magicLink', { userId: id }), 403);
  expect(await mailsTo(email)).toEqual([]);

  const client = await anonymous();
  const flags = async (body: object) => expectRefusal(await client.post('/auth/signIn', body), 400).flags;
  expect(await flags({})).toEqual({ ownershipToken: 'is required' });
  expect(await flags({ ownershipToken: 'a', magicToken: 'b' })).toEqual({
    magicToken: 'cannot be combined with ownershipToken',
  });
  expect(await flags({ magicToken: '' })).toEqual({ magicToken: 'is required' });
  expect(await flags({ magicToken: 'x'.repeat(201) })).toEqual({ magicToken: 'is not a token' });
  expectRefusal(await client.post('/auth/signIn', { magicToken: 'x'.repeat(200) }), 401);
});
