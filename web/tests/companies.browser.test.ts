import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openDetails, openPage, overflowsSideways, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
/** Opens a part of the company’s page. */
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of the borrower' }).getByRole('link', { name, exact: true }).click();

it.each([true, false])('a manager creates and edits a company (JavaScript: %s)', async (javaScript) => {
  const page = await openPage({ javaScript, expectedErrors: [/422/] });
  await signIn(page, tenant.emails.manager);
  const name = javaScript ? 'Larkspur Receivables' : 'Tansy Equipment';

  await page.goto(paths.home());
  await page.getByRole('link', { name: 'Borrowers', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Borrowers', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Northwind Consumer Loans', exact: true }).waitFor();
  await page.getByRole('link', { name: 'New borrower' }).click();

  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Formal id').fill('LR-4711');
  await page.getByLabel('Country').selectOption('US');
  await openDetails(page);
  await page.getByLabel('Type of business').selectOption('LLC');
  await page.getByLabel('Email domains').fill('larkspur.example\nnot-a-domain');
  await page.getByRole('button', { name: 'Create borrower' }).click();
  await page
    .getByText(/"not-a-domain": /)
    .first()
    .waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(name);
  await page.getByLabel('Email domains').fill('larkspur.example');
  await page.getByRole('button', { name: 'Create borrower' }).click();
  await page.locator('[id="company-entity.business.formalName-error"]').waitFor();
  await page.getByLabel('Formal name').fill(`${name} LLC`);
  await page.getByRole('button', { name: 'Create borrower' }).click();

  await page.getByRole('heading', { level: 1, name }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  expect(new URL(page.url()).pathname).toBe(paths.company(id));
  await tab(page, 'Details');
  await page.getByText('LR-4711').waitFor();
  await page.getByText(`${name} LLC`).waitFor();
  await page.getByText('Email domains: larkspur.example').waitFor();
  // The checker runs as a script of the page.
  if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
  await tab(page, 'History');
  await page.getByText(`Created borrower ${name}: 1 entity`).waitFor();

  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('City').fill('Sacramento');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Disabled');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL((url) => url.pathname === paths.company(id));
  await page.getByText('Sacramento', { exact: false }).first().waitFor();
  await tab(page, 'History');
  // One request changed both: a sentence that opens to the fields of each.
  await page.getByText(`Disabled borrower ${name}: 1 entity changed`).click();
  await page
    .getByRole('definition')
    .filter({ hasText: /Active.*Disabled/ })
    .waitFor();
  await page.getByRole('term').filter({ hasText: 'Nationality, City' }).waitFor();
  const stored = (await tenant.manager.get(`/crud/companies/${id}`)).json;
  expect(stored).toMatchObject({
    status: 'Disabled',
    domains: ['larkspur.example'],
    entity: { name, nationality: { country: 'US', city: 'Sacramento' }, business: { type: 'LLC' } },
  });
});

it("shows a company's transactions, exports its data dictionary, and fits a phone", async () => {
  const page = await openPage({ widthPx: 390 });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.companies());
  expect(await overflowsSideways(page)).toBe(false);
  await page.getByRole('link', { name: 'Northwind Consumer Loans' }).first().click();
  const [transaction] = (await tenant.manager.get('/crud/transactions')).json;
  await page.getByRole('link', { name: transaction.title }).waitFor();
  await page.getByText('Export', { exact: true }).click();
  const [dictionary] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Data dictionary (CSV)' }).click(),
  ]);
  expect(dictionary.suggestedFilename()).toBe('Northwind Consumer Loans-data-dictionary.csv');
  await page.getByText('Export', { exact: true }).click();
  expect(await overflowsSideways(page)).toBe(false);
  expect(await accessibilityViolations(page)).toEqual([]);
});

it('refuses a change of what someone else changed meanwhile, and keeps what was entered', async () => {
  const { manager } = tenant;
  const [alder] = (await manager.get('/crud/companies', { filter: { 'entity.name': 'Alder Auto' } })).json;
  const page = await openPage({ expectedErrors: [/422/] });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.editCompany(alder.id));
  await openDetails(page);
  const changed = { ...alder, domains: ['alder.example'] };
  expect((await manager.call('PUT', `/crud/companies/${alder.id}`, { body: changed })).status).toBe(200);
  await page.getByLabel('City').fill('Dallas');
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByText(/Someone else has changed this/)
    .first()
    .waitFor();
  expect(await page.getByLabel('City').inputValue()).toBe('Dallas');
  const stored = (await manager.get(`/crud/companies/${alder.id}`)).json;
  expect(stored).toMatchObject({ domains: ['alder.example'], entity: { nationality: { city: 'Austin' } } });
});
