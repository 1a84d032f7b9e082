import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const { manager: MANAGER } = ownTenant().emails;
const QUESTION = 'Leave without saving?';

it('an open rule that was not saved is asked about before another form, a link or the Back button takes it away', async () => {
  const page = await openPage();
  await signIn(page, MANAGER);
  await page.goto(paths.transactions());
  await page.getByRole('link', { name: 'Northwind warehouse facility', exact: true }).click();
  await page.getByRole('link', { name: /^Contract v/ }).click();
  await page.getByRole('button', { name: /^New version of v/ }).click();
  await page.getByRole('link', { name: 'Edit FICO is at least 640' }).click();
  const value = page.getByLabel('Value', { exact: true }).first();
  await value.fill('700');
  const address = page.url();
  const isAsked = async () => {
    await page.getByText(QUESTION).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByText(QUESTION).waitFor({ state: 'detached' });
    expect(page.url()).toBe(address);
    expect(await value.inputValue()).toBe('700');
  };

  await page.getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Activate' }).click();
  await isAsked();
  await page.getByRole('link', { name: /^Performance/ }).click();
  await isAsked();
  await page.goBack();
  await isAsked();

  // Saving loses no work, so there is no confirmation afterwards.
  await page.getByRole('button', { name: 'Save rule' }).click();
  await page.getByText('Origination credit score is at least 700').first().waitFor();
  await page.getByRole('link', { name: 'Edit FICO is at least 640' }).click();
  await value.fill('710');
  await page.getByRole('link', { name: /^Performance/ }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.waitForURL((url) => url.searchParams.get('tab') === 'performance');
  await page.getByRole('button', { name: 'Delete draft' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/monitoring/transactions/'));
});

it('a mapping that was edited is asked about, and one that was only looked at is not', async () => {
  const page = await openPage();
  await signIn(page, MANAGER);
  await page.goto(paths.mappings());
  await page
    .getByRole('link', { name: /Northwind/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Save' }).first().waitFor();
  const away = page.getByRole('navigation').getByRole('link', { name: 'Mappings' }).first();
  await away.click();
  await page.waitForURL((url) => url.pathname === paths.mappings());
  await page
    .getByRole('link', { name: /Northwind/ })
    .first()
    .click();
  await page.getByLabel('Sheet').first().fill('Another sheet');
  await away.click();
  await page.getByText(QUESTION).waitFor();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.waitForURL((url) => url.pathname === paths.mappings());
});
