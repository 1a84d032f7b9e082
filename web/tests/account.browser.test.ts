import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn, signInByScreens } from './browser.ts';
import { codeOfNewMail, linkOfNewMail, mailsTo } from './mailbox.ts';
import { inviteUser, ownTenant } from './tenant.ts';

const tenant = ownTenant();

describe.each([
  { words: 'with JavaScript', javaScript: true },
  { words: 'without JavaScript', javaScript: false },
])('$words', ({ javaScript }) => {
  it('an invited person signs up after the code, accepts the terms, and gets to the page they wanted', async () => {
    const { email } = await inviteUser(tenant.emails.manager);
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signInByScreens(page, email, { next: paths.tapes() }, '/login/sign-up');
    await page.getByRole('heading', { name: 'Sign up' }).waitFor();
    expect(await page.getByLabel('First name').inputValue()).toBe('Ivo');
    await page.getByLabel('Last name').fill('M');
    await page.getByLabel('Phone number').fill('+44 20');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('Invalid phone number').first().waitFor();
    expect(await page.getByLabel('Phone number').inputValue()).toBe('+44 20');
    await page.getByLabel('Last name').fill('Marshall');
    await page.getByLabel('Phone number').fill('442079460018');
    await page.getByRole('button', { name: 'Sign up' }).click();

    await page.waitForURL('**/welcome?*');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Accept the privacy notice and the terms of use to continue').first().waitFor();
    await page.goto(paths.account());
    expect(new URL(page.url()).pathname).toBe('/welcome');
    await page.goto(paths.welcome({ next: paths.tapes() }));
    await page.getByLabel('I have read the privacy notice and accept the terms of use').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`**${paths.tapes()}`);
    await page.goto(paths.account());
    expect(await page.getByLabel('Phone number').inputValue()).toBe('442079460018');
  });

  it('the link of an invitation signs in with its button, and details are confirmed', async () => {
    const { id, email } = await inviteUser(tenant.emails.manager);
    const before = await mailsTo(email);
    await tenant.manager.post('/auth/magicLink', { userId: id });
    const link = await linkOfNewMail(email, before);
    const page = await openPage({ javaScript, expectedErrors: [/404/] });
    await page.goto(link);
    await page.getByText(email).waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/welcome');
    await page.getByLabel('I have read the privacy notice').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Confirm your details' }).waitFor();
    await page.getByLabel('First name').fill('Ivan');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    expect((await (await signedIn(email)).get('/auth/me')).json).toMatchObject({
      firstName: 'Ivan',
      status: 'Active',
      isReadPrivacyAndTerms: true,
      isConfirmedUserDetails: true,
    });
    await page.goto(link);
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
  });

  it('people change their profile, and keep what they entered if it is wrong', async () => {
    const { email } = await inviteUser(tenant.emails.manager, {
      status: 'Active',
      isReadPrivacyAndTerms: true,
      isConfirmedUserDetails: true,
    });
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(page, email);
    await page.goto(paths.account());
    await page.getByLabel('First name').fill('I');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByText('at least 2 characters').first().waitFor();
    expect(await page.getByLabel('First name').inputValue()).toBe('I');
    await page.getByLabel('First name').fill('Ida');
    await page.getByRole('button', { name: 'Save profile' }).click();
    await page.getByText('Your profile is saved.').waitFor();
    expect(await page.getByLabel('First name').inputValue()).toBe('Ida');
  });

  it('a recovery email is confirmed with a code, signs in, and is removed again', async () => {
    const { email } = await inviteUser(tenant.emails.manager, {
      status: 'Active',
      isReadPrivacyAndTerms: true,
      isConfirmedUserDetails: true,
    });
    const spare = `spare-${randomBytes(5).toString('hex')}@example.com`;
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(page, email);
    await page.goto(paths.account());
    const noMails = await mailsTo(spare);
    await page.getByRole('textbox', { name: 'Recovery email' }).fill(spare);
    await page.getByRole('button', { name: 'Send code' }).click();
    const code = await codeOfNewMail(spare, noMails);
    await page.getByLabel('Code').fill(code === '000000' ? '000001' : '000000');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page
      .getByText(/is wrong or no longer valid/)
      .first()
      .waitFor();
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Your recovery email is confirmed.').waitFor();
    await page.getByText(spare).waitFor();

    const other = await openPage({ javaScript });
    await signInByScreens(other, spare, { next: paths.account() });
    await other.getByRole('main').getByText(email).first().waitFor();

    await page.reload();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Your recovery email is removed.').waitFor();
    await expect.poll(() => mailsTo(email).then(({ length }) => length), { timeout: 30_000 }).toBe(2);
  });

  it('one sign-in is ended from another, and all of them at once', async () => {
    const email = tenant.emails.analyst;
    const [here, there] = [await openPage({ javaScript }), await openPage({ javaScript })];
    await signIn(here, email);
    await signIn(there, email);
    await here.goto(paths.account());
    const sessions = here.getByRole('table', { name: 'Active sessions' });
    await sessions.getByRole('button', { name: 'Sign out' }).first().click();
    await expect.poll(() => sessions.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    await there.goto(paths.account());
    expect(new URL(there.url()).pathname).toBe('/login');

    await signIn(there, email);
    await here.getByRole('button', { name: 'Sign out everywhere' }).click();
    await here.waitForURL('**/login');
    await there.goto(paths.account());
    expect(new URL(there.url()).pathname).toBe('/login');
  });
});

it.each(['light', 'dark'] as const)(
  'the screens of signing up and of the account have no accessibility problem in %s',
  async (colorScheme) => {
    const { email } = await inviteUser(tenant.emails.manager, { status: 'Active' });
    for (const widthPx of [1440, 390]) {
      const page = await openPage({ colorScheme, widthPx, expectedErrors: [/404/] });
      const check = async (path: string) => {
        await page.goto(path);
        expect(await accessibilityViolations(page), path).toEqual([]);
        expect(await overflowsSideways(page), path).toBe(false);
      };
      const open = [paths.login({ problem: 'unknown' }), paths.magicLink({ token: 'x' }), paths.signUp()];
      for (const path of [...open, paths.privacy(), paths.terms()]) await check(path);
      await signIn(page, email);
      await check(paths.welcome());
      await signIn(page, tenant.emails.manager);
      await check(paths.account());
      await check(paths.account({ recovery: 'spare@example.com' }));
    }
  },
);
