import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { openDetails, openPage, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

/** What checks a form, by the names of its files. */
const CHECKS = /\/assets\/(checks-|schema-libraries-|account-numbers-)/;

/** The files that check forms, as the page asks for them. */
function checksOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (CHECKS.test(request.url())) asked.push(request.url());
  });
  return asked;
}

it('a form asks for nothing that checks it before it is changed, and then says what its action says', async () => {
  const page = await openPage({ expectedErrors: [/422/] });
  await signIn(page, tenant.emails.manager);
  const asked = checksOf(page);
  await page.goto(paths.newCompany());
  await scriptsReady(page);
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([]);

  // A required field that is left empty.
  const name = page.getByLabel('Name', { exact: true });
  await name.focus();
  await name.press('Tab');
  const missing = page.locator('[id$="entity.name-error"]');
  await expect.poll(() => missing.textContent()).toBe('Enter a name');
  await expect.poll(() => asked.some((url) => url.includes('schema-libraries-'))).toBe(true);

  // What only the schema knows.
  await openDetails(page);
  await page.getByRole('button', { name: 'Add bank account' }).click();
  const iban = page.getByLabel(/^IBAN/);
  await iban.fill('CH93 0076 2011 6238 5295 8');
  await iban.press('Tab');
  const wrong = page.locator('[id$="banks[0].IBAN-error"]');
  await wrong.waitFor();
  const said = await wrong.textContent();
  await name.fill('Acme');
  await expect.poll(() => missing.count()).toBe(0);
  expect(await wrong.textContent()).toBe(said);

  const other = await openPage({ javaScript: false, expectedErrors: [/422/] });
  await signIn(other, tenant.emails.manager);
  await other.goto(paths.newCompany());
  await openDetails(other);
  await other.getByRole('button', { name: 'Add bank account' }).click();
  await other.getByLabel(/^IBAN/).fill('CH93 0076 2011 6238 5295 8');
  await other.getByRole('button', { name: 'Create borrower' }).click();
  await expect.poll(() => other.locator('[id$="banks[0].IBAN-error"]').textContent()).toBe(said);
  expect(await other.locator('[id$="entity.name-error"]').textContent()).toBe('Enter a name');
});

it('a form is answered by its action while what checks it cannot be loaded', async () => {
  const page = await openPage({ expectedErrors: [/422/, /Failed to (load|fetch)/, /ERR_FAILED/] });
  await signIn(page, tenant.emails.manager);
  await page.route(CHECKS, (route) => route.abort());
  await page.goto(paths.newUser());
  await scriptsReady(page);
  const first = page.getByLabel('First name');
  await first.focus();
  await first.press('Tab');
  // The page has what is said of a field that is left empty.
  await expect.poll(() => page.locator('[id$="firstName-error"]').textContent()).toBe('Enter a first name');
  await first.fill('A');
  await expect.poll(() => page.locator('[id$="firstName-error"]').count()).toBe(0);
  await page.getByRole('button', { name: 'Create user' }).click();
  await expect.poll(() => page.locator('[id$="firstName-error"]').textContent()).toMatch(/At least 2 characters/);
  await expect.poll(() => page.locator('[id$="lastName-error"]').textContent()).toBe('Enter a last name');
});

it('the states of a country are those that the server has written, and are loaded for another country', async () => {
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(paths.newCompany());
  await scriptsReady(page);
  await openDetails(page);
  await page
    .getByRole('textbox', { name: /^State/ })
    .first()
    .waitFor();
  expect(asked.filter((url) => url.includes('country-states'))).toEqual([]);
  await page.getByRole('combobox', { name: 'Country' }).first().selectOption('US');
  await page
    .getByRole('combobox', { name: /^State/ })
    .first()
    .selectOption('NY');
  expect(asked.some((url) => url.includes('country-states'))).toBe(true);
});
