import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, signIn, signInByScreens } from './browser.ts';
import { codeOfNewMail, mailsTo } from './mailbox.ts';
import { ownTenant } from './tenant.ts';

const { borrower: BORROWER, analyst: ANALYST } = ownTenant().emails;

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
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText('Enter an email address, such as name@example.com').waitFor();
    expect(await email.inputValue()).toBe('nobody');
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    // Without JavaScript, the browser sets the focus after it has rendered the page.
    await expect.poll(() => email.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
  });

  it('answers a wrong code without saying whether the email is known, and keeps what was written', async () => {
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await page.goto(paths.login());
    await page.getByLabel('Email').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The code is wrong or no longer valid. Request a new one.').waitFor();
    expect(await page.getByLabel('Code').inputValue()).toBe('000000');
  });

  it('sends a new code on demand, and still takes the first one, in the browser that asked for it', async () => {
    const page = await openPage({ javaScript });
    const before = await mailsTo(BORROWER);
    await page.goto(paths.login({ next: paths.account() }));
    await page.getByLabel('Email').fill(BORROWER);
    await page.getByRole('button', { name: 'Send code' }).click();
    const first = await codeOfNewMail(BORROWER, before);
    const early = await mailsTo(BORROWER);
    await page.getByRole('button', { name: 'Send a new code' }).click();
    await page.getByText('We sent a new code.').waitFor();
    expect(await page.getByText('Enter the code from the email').count()).toBe(0);
    await codeOfNewMail(BORROWER, early);

    const other = await openPage({ javaScript, expectedErrors: [/422/] });
    await other.goto(paths.loginCode({ email: BORROWER }));
    await other.getByLabel('Code').fill(first);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByText('A code works only where it was requested. Request a new one here.').waitFor();

    await page.getByLabel('Code').fill(first);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/account');
  });

  it('states how long to wait after too many requests, and keeps the email', async () => {
    const page = await openPage({ javaScript, expectedErrors: [/429/] });
    const email = `nobody-${randomBytes(6).toString('hex')}@example.com`;
    await page.goto(paths.login());
    const token = (await page.context().cookies()).find(({ name }) => name === 'tapeline_csrf')?.value ?? '';
    for (let requests = 0; requests < 50; requests++) {
      const answer = await page.request.post('/auth/code', { data: { email }, headers: { 'x-csrf-token': token } });
      expect(answer.status()).toBe(200);
    }
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText(/Too many requests\. Try again in 1[45] minutes\./).waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);

    await page.goto(paths.loginCode({ email }));
    await page.getByRole('button', { name: 'Send a new code' }).click();
    await page.getByText(/Too many requests\. Try again in 1[45] minutes\./).waitFor();
    await page.getByLabel('Code').waitFor();
    await page.getByRole('link', { name: 'Use a different email' }).click();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
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

describe('a form', () => {
  it('of a page from before signing in, or of another sign-in, is refused; the page read again works', async () => {
    const page = await openPage({ expectedErrors: [/403/] });
    await page.goto(paths.login());
    const early = await page.locator('input[name=csrf]').first().inputValue();
    await signInByScreens(page, ANALYST, { next: paths.account() });
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    const token = await page.locator('input[name=csrf]').first().inputValue();
    expect(token).not.toBe(early);
    const { cookies } = await page.context().storageState();
    expect(cookies.find(({ name }) => name === 'tapeline_csrf')?.value).toBe(token);
    const send = (csrf: string) =>
      page.request.post(paths.preferences(), { form: { csrf, theme: 'light' }, maxRedirects: 0 });
    expect((await send(early)).status()).toBe(403);
    const domain = cookies[0]!.domain;
    await page.context().addCookies([{ name: 'tapeline_csrf', value: early, domain, path: '/' }]);
    expect((await send(early)).status()).toBe(403);
    await page.reload();
    expect(await page.locator('input[name=csrf]').first().inputValue()).toBe(token);
    expect((await send(token)).status()).toBe(302);
  });
});

describe('pages before signing in', () => {
  it.each(['light', 'dark'] as const)('have no accessibility problem in %s', async (colorScheme) => {
    const page = await openPage({ colorScheme });
    for (const path of [paths.login(), paths.loginCode({ email: BORROWER }), paths.mailbox()]) {
      await page.goto(path);
      expect(await accessibilityViolations(page), path).toEqual([]);
    }
  });
});
