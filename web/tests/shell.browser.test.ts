import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';

const ADMIN = 'admin@tapeline.test';
const MANAGER = 'manager@tapeline.test';
const backgroundOf = 'getComputedStyle(document.body).backgroundColor';
const LIGHT = 'rgb(247, 248, 249)';
const DARK = 'rgb(14, 17, 19)';

describe('the theme', () => {
  it.each([true, false])('is kept by a plain form, first byte on (JavaScript %s)', async (javaScript) => {
    const page = await openPage({ javaScript, colorScheme: 'light' });
    await signIn(page, ADMIN);
    await page.goto(paths.account());
    expect(await page.locator('html').getAttribute('data-theme')).toBe('system');
    const choices = page.getByRole('main').getByRole('form', { name: 'Theme' });
    await choices.getByRole('button', { name: 'Dark' }).click();
    await page.locator('html[data-theme="dark"]').waitFor();
    await page.goto(paths.home());
    const html = await (await page.request.get(paths.home())).text();
    expect(html).toContain('data-theme="dark"');
  });

  it('follows the system until one is chosen', async () => {
    const page = await openPage({ colorScheme: 'dark' });
    await page.goto(paths.login());
    expect(await page.evaluate(backgroundOf)).toBe(DARK);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await page.evaluate(backgroundOf)).toBe(LIGHT);
  });
});

describe('the keyboard', () => {
  it('opens the palette with /, narrows it, and goes with Enter', async () => {
    const page = await openPage();
    await signIn(page, ADMIN);
    await page.goto(paths.home());
    await scriptsReady(page);
    await page.keyboard.press('/');
    const search = page.getByRole('combobox', { name: 'Search or jump to' });
    await search.waitFor();
    await page.keyboard.type('accou');
    // The page comes before the documents that are found: other tests write notes with this word.
    await expect.poll(() => page.getByRole('option').first().textContent()).toContain('Account');
    expect(await page.getByRole('option').filter({ hasText: 'Funds' }).count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account');
    expect(await search.count()).toBe(0);
  });

  it('finds documents while the user types, goes with the arrows and Enter, and is accessible', async () => {
    const page = await openPage();
    await signIn(page, ADMIN);
    await page.goto(paths.home());
    await scriptsReady(page);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor();
    await page.keyboard.type('northw cons');
    const company = page.getByRole('option', { name: /^Northwind Consumer Loans/ }).first();
    await company.waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    for (let step = 0; (await company.getAttribute('aria-selected')) !== 'true'; step += 1) {
      expect(step).toBeLessThan(30);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Northwind Consumer Loans' }).waitFor();
    await page.goto(paths.search({ q: 'northwind' }));
    await page.getByRole('heading', { level: 2, name: 'Borrowers', exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('is a page without JavaScript', async () => {
    const page = await openPage({ javaScript: false });
    await signIn(page, 'borrower@tapeline.test');
    await page.goto(paths.home());
    await page.getByRole('banner').getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByRole('searchbox', { name: 'Search for', exact: true }).fill('northwind');
    await page.getByRole('main').getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('heading', { level: 2, name: 'Borrowers', exact: true }).waitFor();
    expect(await page.getByRole('heading', { level: 2, name: 'Funds', exact: true }).count()).toBe(0);
    // Special characters are text, and a longer text is cut.
    await page.goto(paths.search({ q: '%_\\\'"' }));
    await page.getByText('Nothing found for').waitFor();
    await page.goto(paths.search({ q: 'x'.repeat(5_000) }));
    await page.getByText('Nothing found for').waitFor();
    await page.goto(paths.search({ q: 'northwind' }));
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Northwind Consumer Loans/ })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: 'Northwind Consumer Loans' }).waitFor();
  });

  it('goes with g and a letter, but not while something is being typed', async () => {
    const page = await openPage();
    await signIn(page, ADMIN);
    await page.goto(paths.home());
    await scriptsReady(page);
    await page.keyboard.type('ga');
    await page.waitForURL('**/account');
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor();
    await page.keyboard.type('gh');
    expect(new URL(page.url()).pathname).toBe('/account');
  });

  it('reaches the content first by the skip link', async () => {
    const page = await openPage();
    await signIn(page, ADMIN);
    await page.goto(paths.account());
    await scriptsReady(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
  });
});

describe('the frame', () => {
  it('folds the rail and remembers it', async () => {
    const page = await openPage();
    await signIn(page, ADMIN);
    await page.goto(paths.account());
    const rail = page.locator('.rail');
    expect((await rail.boundingBox())?.width).toBe(216);
    await page.getByRole('button', { name: 'Collapse navigation', exact: true }).click();
    await page.getByRole('button', { name: 'Expand navigation' }).waitFor();
    await page.goto(paths.home());
    expect((await rail.boundingBox())?.width).toBe(56);
  });

  it('says where there is no page, with the trace id and a way on', async () => {
    const page = await openPage({ expectedErrors: [/404/, /No page exists/] });
    await signIn(page, ADMIN);
    const answer = await page.goto('/no/such/page');
    expect(answer?.status()).toBe(404);
    expect(await page.getByRole('alert').textContent()).toBe('No page exists at this address.');
    expect(await page.locator('code').textContent()).toBe(answer?.headers()['x-trace-id']);
    await page.getByRole('main').getByRole('link', { name: 'Go to Home' }).click();
    await page.waitForURL((url) => url.pathname === '/');
  });

  it.each([
    { widthPx: 1440, colorScheme: 'light' },
    { widthPx: 1440, colorScheme: 'dark' },
    { widthPx: 1024, colorScheme: 'light' },
    { widthPx: 390, colorScheme: 'dark' },
  ] as const)('has no accessibility problem and no sideways scroll at $widthPx px in $colorScheme', async (look) => {
    const page = await openPage(look);
    await signIn(page, ADMIN);
    for (const path of [paths.home(), paths.account()]) {
      await page.goto(path);
      expect(await accessibilityViolations(page), path).toEqual([]);
      expect(await overflowsSideways(page), path).toBe(false);
    }
  });
});

it('allows the style elements of the grid and of dialogs, and no others', async () => {
  const page = await openPage({ expectedErrors: [/violates the following Content Security Policy/] });
  await page.addInitScript(() => {
    const kept = window as unknown as { violations: string[] };
    kept.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => kept.violations.push(event.effectiveDirective));
  });
  const violations = () => page.evaluate('window.violations');
  await signIn(page, MANAGER);
  const [tape] = (await (await signedIn(MANAGER)).get('/crud/loanTape', { sort: { cutOffDate: 1 } })).json;
  await page.goto(paths.tape(tape.id));
  await scriptsReady(page);
  const cell = page.locator('.ag-row[row-index="0"] .ag-cell').first();
  // The grid draws its rows again once it has measured its columns, and has none meanwhile.
  await expect.poll(async () => (await cell.boundingBox())?.height ?? Number.NaN).toBeLessThanOrEqual(32);
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor();
  expect(await violations()).toEqual([]);
  await page.evaluate(() => {
    const style = document.createElement('style');
    style.textContent = 'body { outline: 7px solid red }';
    document.head.append(style);
  });
  await expect.poll(violations).toEqual(['style-src-elem']);
  expect(await page.evaluate('getComputedStyle(document.body).outlineWidth')).not.toBe('7px');
});
