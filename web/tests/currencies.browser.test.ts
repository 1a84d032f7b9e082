import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const ADMIN = 'admin@tapeline.test';
const TODAY = new Date().toISOString().slice(0, 10);
const tenant = ownTenant();

/** What the rates service answers next. */
let answer = '';
let server: Server;
beforeAll(async () => {
  server = createServer((_, response) => void response.end(answer));
  server.listen(Number(new URL(inject('ratesUrl')).port), '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const rateOf = (page: Page, code: string) =>
  page
    .getByRole('table', { name: 'Currencies and their latest rates' })
    .getByRole('row')
    .filter({
      has: page.getByRole('link', { name: code, exact: true }),
    });

// Each run has a currency that no other test uses: rates are shared by all tenants.
describe.each([
  { javaScript: true, code: 'ISK', published: 125.5 },
  { javaScript: false, code: 'KES', published: 130.25 },
])('with JavaScript: $javaScript', ({ javaScript, code, published }) => {
  it('an administrator refreshes the rates; a wrong answer changes nothing and says why', async () => {
    const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390 });
    await signIn(page, ADMIN);
    await page.goto(paths.currencies());
    if (javaScript) await scriptsReady(page);
    answer = JSON.stringify({ base: 'USD', date: TODAY, rates: { [code]: published } });
    await page.getByRole('button', { name: 'Refresh now', exact: true }).click();
    await page.getByText(/^Stored rates of 1 currency for .*\.$/).waitFor();
    await expect.poll(() => rateOf(page, code).textContent()).toMatch(new RegExp(`${published}.*Service`, 's'));

    answer = JSON.stringify({ base: 'USD', date: TODAY, rates: { [code]: 0 } });
    await page.getByRole('button', { name: 'Refresh now', exact: true }).click();
    await page.getByText(`The rates were not refreshed. The rate of ${code} is not a number above 0.`).waitFor();
    await expect.poll(() => rateOf(page, code).textContent()).toMatch(new RegExp(`${published}.*Service`, 's'));
    expect(await overflowsSideways(page)).toBe(false);
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('an administrator enters a rate for a past day with a reason, and removes it', async () => {
    const page = await openPage({ javaScript, expectedErrors: [/422/], colorScheme: javaScript ? 'dark' : 'light' });
    await signIn(page, ADMIN);
    await page.goto(paths.currency(code));
    if (javaScript) await scriptsReady(page);
    await page.getByLabel('Date', { exact: true }).fill('2026-03-02');
    await page.getByLabel('Rate', { exact: true }).fill('0');
    await page.getByLabel('Reason', { exact: true }).fill('Rate of the bank');
    await page.getByRole('button', { name: 'Save rate', exact: true }).click();
    await page
      .getByText(/must be above 0/)
      .first()
      .waitFor();
    expect(await page.getByLabel('Reason', { exact: true }).inputValue()).toBe('Rate of the bank');
    await page.getByLabel('Rate', { exact: true }).fill('127.125');
    await page.getByRole('button', { name: 'Save rate', exact: true }).click();
    await page.getByText('The rate for 2 Mar 2026 was saved.', { exact: true }).waitFor();
    const entered = page.getByRole('row').filter({ hasText: 'Rate of the bank' });
    expect(await entered.textContent()).toMatch(/2 Mar 2026.*127\.125.*Entered by hand/s);
    await page.getByRole('figure', { name: 'Rate history' }).waitFor();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);

    await page.getByRole('link', { name: 'Remove the rate of 2 Mar 2026', exact: true }).click();
    await page.getByRole('heading', { name: 'Remove the rate of 2 Mar 2026', exact: true }).waitFor();
    const removal = page.getByRole('region', { name: 'Remove the rate of 2 Mar 2026', exact: true });
    await removal.getByLabel('Reason', { exact: true }).fill('Wrong day');
    await removal.getByRole('button', { name: 'Remove rate', exact: true }).click();
    await page.getByText('The rate entered for 2 Mar 2026 was removed.', { exact: true }).waitFor();
    expect(await page.getByText('Rate of the bank').count()).toBe(0);
  });

  it('a conversion states its rate, date and source, and names what is missing', async () => {
    const page = await openPage({ javaScript });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.currencies());
    if (javaScript) await scriptsReady(page);
    expect(await page.getByRole('button', { name: 'Refresh now', exact: true }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save rate', exact: true }).count()).toBe(0);
    await page.getByLabel('Amount', { exact: true }).fill('86');
    await page.getByLabel('On', { exact: true }).fill('2026-01-02');
    await page.getByRole('button', { name: 'Convert', exact: true }).click();
    const converted = page.getByRole('status').filter({ hasText: /86\.00\s*EUR\s*=/ });
    await converted.waitFor();
    expect((await converted.textContent())?.replaceAll(/\s+/g, ' ')).toMatch(
      /86\.00 ?EUR = 100\.00 ?USD ?1 EUR = 1\.162790697674 USD ?1 USD = 0\.86 EUR, 2 Jan 2026, bundled/,
    );
    await page.getByLabel('To', { exact: true }).selectOption('XAU');
    await page.getByRole('button', { name: 'Convert', exact: true }).click();
    await page.getByText(/^No rate of XAU is known\./).waitFor();
  });
});

it('investors and borrowers have no such page', async () => {
  const page = await openPage({ expectedErrors: [/403/] });
  await signIn(page, tenant.emails.investor);
  const response = await page.goto(paths.currencies());
  expect(response?.status()).toBe(403);
});
