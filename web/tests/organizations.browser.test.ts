import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { paths, pathsOf } from '../app/paths.ts';
import { accessibilityViolations, openDetails, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

const idOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

it.each([true, false])(
  'an entity with contacts, banks and shares is created and edited (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(page, tenant.emails.manager);
    const name = javaScript ? 'Larkspur Trustees' : 'Tansy Trustees';
    await page.goto(paths.newEntity());
    if (javaScript) await scriptsReady(page);
    const button = (label: string) => page.getByRole('button', { name: label, exact: true });

    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByLabel('Formal id').fill('T-1');
    await page.getByLabel('Country').selectOption('GB');
    await openDetails(page);
    // Adding entries keeps what was entered.
    await button('Add contact').click();
    await page.getByLabel('Contact name').fill('Ada King');
    await button('Add contact').click();
    await page.getByLabel('Contact name').nth(1).fill('Bo Lindqvist');
    await button('Move contact 2 up').click();
    await expect.poll(() => page.getByLabel('Contact name').first().inputValue()).toBe('Bo Lindqvist');
    await button('Add contact').click();
    await page.getByLabel('Contact name').nth(2).waitFor();
    await button('Remove contact 3').click();
    await expect.poll(() => page.getByLabel('Contact name').count()).toBe(2);
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(name);
    await button('Add bank account').click();
    await page.getByLabel('Account title').fill('Main account');
    await page.getByLabel('Account type').selectOption('Business');
    await page.getByLabel('Account number').fill('20445566');
    await page.getByLabel('Address of the bank').fill('1 High Street, Leeds');
    await page.getByLabel('IBAN').fill('GB28 NWBK 6016 1331 9268 19');
    await page.getByLabel('Type of business').selectOption('Trust');
    await page.getByLabel('Formal name').fill(`${name} Limited`);
    await button('Add industry').click();
    await page.getByLabel('Industry 1', { exact: true }).fill('Banking');
    await button('Add share class').click();
    await page.getByLabel('Type', { exact: true }).fill('Ordinary');
    await page.getByLabel('Number of shares').fill('1000.5');
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);

    await button('Create entity').click();
    await page.getByText('This is not a valid IBAN').first().waitFor();
    await page.getByLabel('IBAN').fill('GB29 NWBK 6016 1331 9268 19');
    await button('Create entity').click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    const stored = async () => (await tenant.manager.get(`/crud/entities/${idOf(page)}`)).json;
    expect(await stored()).toMatchObject({
      name,
      contacts: [{ name: 'Bo Lindqvist' }, { name: 'Ada King' }],
      banks: [{ IBAN: 'GB29NWBK60161331926819', accountNumber: '20445566' }],
      business: { type: 'Trust', industries: ['Banking'], shares: [{ type: 'Ordinary', amount: 1000.5 }] },
      person: null,
    });

    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.waitForURL((url) => url.pathname.endsWith('/edit'));
    if (javaScript) await scriptsReady(page);
    await button('Remove contact 1').click();
    await expect.poll(() => page.getByLabel('Contact name').count()).toBe(1);
    await button('Remove share class 1').click();
    await expect.poll(() => page.getByLabel('Number of shares').count()).toBe(0);
    await button('Save').click();
    await page.waitForURL((url) => !url.pathname.endsWith('/edit'));
    const edited = await stored();
    expect(edited).toMatchObject({
      contacts: [{ name: 'Ada King' }],
      business: { industries: ['Banking'] },
      version: 2,
    });
    expect(edited.business.shares ?? []).toEqual([]);
  },
);

it('an investor joins a group by its title, and the group is renamed', async () => {
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.investors());
  await scriptsReady(page);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'New investor' }).click();
  await page.waitForURL((url) => url.pathname === paths.newInvestor());
  await page.getByRole('textbox', { name: 'Title (optional)', exact: true }).fill('Foxglove Pensions');
  await openDetails(page);
  await page.getByLabel('Group by title').fill('Foxglove group');
  await page.getByLabel('Name', { exact: true }).fill('Foxglove Pension Trustees');
  await page.getByLabel('Formal id').fill('FX-1');
  await page.getByLabel('Country').selectOption('GB');
  await page.getByRole('button', { name: 'Create investor' }).click();
  await page.getByRole('heading', { level: 1, name: 'Foxglove Pensions' }).waitFor();
  const id = idOf(page);
  await page.getByRole('link', { name: 'Foxglove group' }).click();
  await page.getByRole('link', { name: 'Foxglove Pensions' }).waitFor();
  await page.getByRole('textbox', { name: 'Title' }).fill('Foxglove schemes');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { level: 1, name: 'Foxglove schemes' }).waitFor();
  expect((await tenant.manager.get(`/crud/LPs/${id}`)).json.group.title).toBe('Foxglove schemes');
  await page.goto(paths.investors({ view: 'groups' }));
  await page.getByRole('link', { name: 'Foxglove schemes' }).waitFor();
});

it('an admin creates a manager and disables it', async () => {
  const page = await openPage();
  await signIn(page, 'admin@tapeline.test');
  await page.goto(paths.newManager());
  const name = `Rowan Lending ${Date.now()}`;
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Formal id').fill('RL-1');
  await page.getByLabel('Country').selectOption('IE');
  await page.getByRole('button', { name: 'Create manager' }).click();
  await page.getByRole('heading', { level: 1 }).filter({ hasText: 'Rowan Lending' }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Disabled');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/edit'));
  await page.getByText('Disabled').first().waitFor();
});

it('a service provider takes an entity of the register, without JavaScript', async () => {
  const page = await openPage({ javaScript: false });
  await signIn(page, tenant.emails.manager);
  await page.goto(pathsOf('serviceProviders').add());
  await page.getByLabel('Title').fill('Granite Administration');
  await page.getByLabel('Type').fill('Administrator');
  await page.getByRole('button', { name: 'Create service provider' }).click();
  await page.getByRole('heading', { level: 1, name: 'Granite Administration' }).waitFor();
  await page.getByLabel('Find an entity by name').fill('Alder');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('button', { name: 'Add Alder Auto' }).click();
  await page.getByRole('button', { name: 'Remove Alder Auto' }).waitFor();
  const [provider] = (await tenant.manager.get('/crud/serviceProviders')).json;
  expect(provider.entities).toMatchObject([{ name: 'Alder Auto' }]);
});

it.each(['light', 'dark'] as const)('lists and pages are accessible and fit a phone (%s)', async (colorScheme) => {
  const page = await openPage({ colorScheme, widthPx: 390 });
  await signIn(page, tenant.emails.manager);
  const [company] = (await tenant.manager.get('/crud/companies')).json;
  const [investor] = (await tenant.manager.get('/crud/LPs')).json;
  for (const path of [
    paths.companies(),
    paths.entities(),
    pathsOf('serviceProviders').list(),
    paths.managers(),
    paths.company(company.id),
    paths.editCompany(company.id),
    paths.investor(investor.id),
    paths.editInvestor(investor.id),
    paths.entity(company.entity.id),
  ]) {
    await page.goto(path);
    await scriptsReady(page);
    expect(await overflowsSideways(page), path).toBe(false);
    expect(await accessibilityViolations(page), path).toEqual([]);
  }
});
