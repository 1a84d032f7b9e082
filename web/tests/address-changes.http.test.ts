import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { linkOfNewMail, mailsTo } from './mailbox.ts';
import { anonymousScreens, fieldsOf, read, type ScreenClient, screensOf } from './screen-client.ts';
import { inviteUser, ownTenantWithoutMappings } from './tenant.ts';

const tenant = ownTenantWithoutMappings();
let manager: ScreenClient;
beforeAll(async () => {
  manager = await screensOf(tenant.emails.manager);
});

/** Opens a link of an email as somebody who is not signed in. */
async function openLink(link: string) {
  const { pathname, search, searchParams } = new URL(link);
  const screens = await anonymousScreens();
  const [name, token] = [...searchParams][0]!;
  return {
    page: await screens.get(pathname + search),
    press: () => screens.submit(pathname, { link: name, token }),
    again: () => screens.get(pathname + search),
  };
}

const active = { status: 'Active', isReadPrivacyAndTerms: true, isConfirmedUserDetails: true } as const;

it('a new email is confirmed on its page, and stopped on the page that the old one is sent', async () => {
  const { id, email } = await inviteUser(tenant.emails.manager, active);
  const next = `next-${id}@tapeline.test`;
  const own = await screensOf(email);
  const userOf = async () => (await manager.api.get(`/crud/users/${id}`)).json as Record<string, unknown>;
  const before = await mailsTo(email);
  const changed = await manager.api.call('PUT', `/crud/users/${id}`, { body: { ...(await userOf()), email: next } });
  expect(changed.status, changed.text).toBe(200);
  expect(await userOf()).toMatchObject({ email, pendingEmail: next });
  expect(read(await manager.get(paths.user(id)))).toMatch(
    new RegExp(`${next} becomes the email once it is confirmed from that address, until .* UTC`),
  );

  // Opening the link changes nothing, as mail scanners do; the button does.
  const confirm = await openLink(await linkOfNewMail(next, []));
  expect(confirm.page.status).toBe(200);
  expect(read(confirm.page)).toMatch(/Confirm your new email .* asked to change the email of your Tapeline account/);
  expect(confirm.page.headers.get('cache-control')).toContain('no-store');
  expect(await userOf()).toMatchObject({ email });
  const requested = await linkOfNewMail(email, before);
  expect(new URL(requested).searchParams.has('stop')).toBe(true);
  const between = await mailsTo(email);
  const confirmed = await confirm.press();
  expect([confirmed.status, confirmed.headers.get('location')]).toEqual([
    302,
    paths.addressChange({ done: 'confirm' }),
  ]);
  expect(read(await (await anonymousScreens()).get(paths.addressChange({ done: 'confirm' })))).toContain(
    'Sign in with the new address from now on',
  );
  expect(await userOf()).toMatchObject({ email: next, pendingEmail: null });
  // Every sign-in of the account has ended, and the link works once.
  expect((await own.get(paths.account())).status).toBe(302);
  expect((await confirm.again()).status).toBe(404);
  expect(read(await confirm.again())).toContain('This link is no longer valid');

  const stop = await openLink(await linkOfNewMail(email, between));
  expect(read(stop.page)).toMatch(/Stop this change\? .* changed the email .* signs everyone out of the account/);
  expect(await userOf()).toMatchObject({ email: next });
  const stopped = await stop.press();
  expect([stopped.status, stopped.headers.get('location')]).toEqual([302, paths.addressChange({ done: 'stop' })]);
  expect(await userOf()).toMatchObject({ email, pendingEmail: null });
  expect((await stop.again()).status).toBe(404);
});

it('a link with another token changes nothing and says so', async () => {
  const page = await openLink(`http://localhost${paths.addressChange({ confirm: `${'0'.repeat(24)}.nothing` })}`);
  expect([page.page.status, read(page.page).includes('This link is no longer valid')]).toEqual([404, true]);
  const pressed = await page.press();
  expect([pressed.status, read(pressed).includes('This link is no longer valid')]).toEqual([422, true]);
});

it('an administrator ends idle sign-ins of a manager with a setting that its page shows', async () => {
  const administrator = await screensOf('admin@tapeline.test');
  const { assoc } = (await manager.api.get('/auth/me')).json as { assoc: { manager: { id: string } } };
  const id = assoc.manager.id;
  const form = await administrator.get(paths.editManager(id));
  expect(read(form)).toContain('Sign users out after 30 minutes without activity');
  const saved = await administrator.submit(paths.editManager(id), {
    ...fieldsOf(form, 'endsIdleSessions'),
    endsIdleSessions: 'on',
  });
  expect([saved.status, saved.headers.get('location')], read(saved).slice(0, 800)).toEqual([302, paths.manager(id)]);
  expect(read(await administrator.get(paths.manager(id)))).toContain('sign-ins end after 30 idle minutes');
});
