import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityFaults, openPage, signIn, signInByScreens } from './browser.ts';

const BORROWER = 'borrower@tapeline.test';
const ANALYST = 'analyst@tapeline.test';

describe.each([
  { words: 'with JavaScript', javaScript: true },
  { words: 'without JavaScript', javaScript: false },
])('signing in $words', ({ javaScript }) => {
  it('takes an email, then the code from the mail, leads to where one wanted to go, and ends by signing out', async () => {
    const page = await openPage({ javaScript });
    await page.goto(paths.account());
    expect(new URL(page.url()).pathname).toBe('/login');
    await signInByScreens(page, BORROWER, { next: paths.account() });
    expect(new URL(page.url()).pathname).toBe('/account');
    const main = page.getByRole('main');
    await main.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await main.getByText(BORROWER).first().waitFor();

    const me = page.getByRole('button', { name: /account, theme, sign out/ });
    await me.first().click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await page.waitForURL('**/login');
    await page.goto(paths.account());
    expect(new URL(page.url()).pathname).toBe('/login');
  });

  it('says what is wrong with an email at its field, keeps it, and puts the cursor there', async () => {
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await page.goto(paths.login());
    const email = page.getByLabel('Email');
    await email.fill('nobody');
    await page.getByRole('button', { name: 'Send me a code' }).click();
    await page.getByText('Write an email address, like name@example.com').waitFor();
    expect(await email.inputValue()).toBe('nobody');
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    // Without script the browser puts it there once it has drawn the page.
    await expect.poll(() => email.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
  });

  it('answers a wrong code without saying whether the email is known, and keeps what was written', async () => {
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await page.goto(paths.loginCode({ email: 'nobody@example.com' }));
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The code is wrong or no longer valid. Ask for a new one.').waitFor();
    expect(await page.getByLabel('Code').inputValue()).toBe('000000');
  });
});

describe('the session', () => {
  it('survives the end of the access token by the refresh cookie, which changes', async () => {
    const page = await openPage();
    await signInByScreens(page, ANALYST);
    const cookies = await page.context().cookies();
    const access = cookies.find((cookie) => cookie.name.endsWith('_access'));
    const refresh = cookies.find((cookie) => cookie.name.endsWith('_refresh'));
    expect([access?.httpOnly, access?.sameSite]).toEqual([true, 'Lax']);
    expect([refresh?.httpOnly, refresh?.sameSite]).toEqual([true, 'Lax']);
    await page.context().clearCookies({ name: access?.name ?? '' });
    await page.goto(paths.account());
    expect(new URL(page.url()).pathname).toBe('/account');
    const after = (await page.context().cookies()).find((cookie) => cookie.name === refresh?.name);
    expect(after?.value).not.toBe(refresh?.value);
  });

  it('is refused a form without the token', async () => {
    const page = await openPage();
    await signIn(page, ANALYST);
    const answer = await page.request.post(paths.preferences(), { form: { theme: 'dark' } });
    expect(answer.status()).toBe(403);
  });
});

describe('pages before signing in', () => {
  it.each(['light', 'dark'] as const)('have no accessibility fault in %s', async (colorScheme) => {
    const page = await openPage({ colorScheme });
    for (const path of [paths.login(), paths.loginCode({ email: BORROWER }), paths.mailbox()]) {
      await page.goto(path);
      expect(await accessibilityFaults(page), path).toEqual([]);
    }
  });
});
