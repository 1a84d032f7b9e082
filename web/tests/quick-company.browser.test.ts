import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

/** The forms with a company field, and a field that keeps what was entered while a company is created. */
const FORMS = [
  { what: 'a mapping', path: paths.newMapping(), kept: null, value: null },
  { what: 'a facility', path: paths.newTransaction(), kept: 'Title', value: 'Warehouse facility' },
] as const;

it.each(FORMS.flatMap((form) => [true, false].map((javaScript) => ({ ...form, javaScript }))))(
  'a company is created inside the form of $what (JavaScript: $javaScript)',
  async ({ what, path, kept, value, javaScript }) => {
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(page, tenant.emails.manager);
    const name = `Quick for ${what} ${javaScript}`;
    await page.goto(path);
    if (javaScript) await scriptsReady(page);
    if (kept) await page.getByLabel(kept, { exact: true }).first().fill(value);
    await page.locator('summary', { hasText: 'New borrower' }).click();
    await page.getByLabel('Borrower name').fill(name);
    await page.getByRole('combobox', { name: 'Country' }).selectOption('CA');
    await page.getByRole('button', { name: 'Create borrower' }).click();
    // The currency is missing: what was entered stays.
    await page.locator('[id$="newCompany.currency-error"]').waitFor();
    expect(await page.getByLabel('Borrower name').inputValue()).toBe(name);
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByLabel('Borrower currency').selectOption('CAD');
    await page.getByRole('button', { name: 'Create borrower' }).click();
    const company = page.getByRole('combobox', { name: 'Borrower', exact: true });
    await expect
      .poll(() => company.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text))
      .toBe(name);
    if (kept) expect(await page.getByLabel(kept, { exact: true }).first().inputValue()).toBe(value);
    const found = (await tenant.manager.get('/crud/companies', { filter: { 'entity.name': name } })).json;
    expect(found).toMatchObject([
      { entity: { nationality: { country: 'CA' }, business: { type: 'Company', formalName: name, currency: 'CAD' } } },
    ]);
  },
);

it('people who may not create companies are not offered it', async () => {
  const page = await openPage({ javaScript: false });
  await signIn(page, tenant.emails.analyst);
  await page.goto(paths.newMapping());
  await page.getByRole('combobox', { name: 'Borrower', exact: true }).waitFor();
  expect(await page.getByText('New borrower').count()).toBe(0);
});
