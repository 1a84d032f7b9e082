import { systemActor } from '@tapeline/db/store.ts';
import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { productStore } from './product-store.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

/** Creates a company and changes its domains. */
async function changedCompany(name: string): Promise<string> {
  const { manager } = tenant;
  const entity = { name, formalId: 'LR-1', nationality: { country: 'US' } };
  const company = (await manager.post('/crud/companies', { entity, domains: ['larkspur.example'] })).json;
  const body = { ...company, domains: ['larkspur.example', 'tansy.example'] };
  const answer = await manager.call('PUT', `/crud/companies/${company.id}`, { body });
  expect(answer.status, answer.text).toBe(200);
  return company.id;
}

it.each([true, false])('a manager finds a change and reads its differences (JavaScript: %s)', async (javaScript) => {
  const name = javaScript ? 'Larkspur Receivables' : 'Tansy Equipment';
  const id = await changedCompany(name);
  const page = await openPage({ javaScript });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.settings());
  await page.getByRole('main').getByRole('link', { name: 'History', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
  await page.getByLabel('Who').fill('mara');
  await page.getByLabel('Collection').selectOption('Borrowers');
  await page.getByLabel('Operation').selectOption('Changed');
  await page.getByLabel('Field').fill('domains');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL((url) => url.searchParams.get('field') === 'domains');
  const row = page.getByRole('row', { name: new RegExp(`${name} Borrower Domains: tansy.example added`) });
  await row.waitFor();
  await row.getByRole('link').click();
  await page.getByRole('heading', { name: `Changed: ${name}` }).waitFor();
  await page.getByText('Took effect').waitFor();
  expect(new URL(page.url()).searchParams.get('field')).toBe('domains');
  if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);

  await page.getByRole('link', { name: 'All changes of this document' }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  expect(new URL(page.url()).pathname).toBe(paths.documentHistory('companies', id));
  await page.getByRole('row', { name: /Created/ }).waitFor();
  expect(await page.getByRole('button', { name: 'Delete permanently' }).count()).toBe(0);
  await page.getByRole('link', { name: 'Open borrower' }).click();
  await page.getByRole('heading', { level: 2, name: 'History' }).waitFor();
});

it('an admin deletes a removed document for good by typing its title', async () => {
  const name = 'Foxglove Leasing';
  const id = await changedCompany(name);
  const store = await productStore();
  await store.as(systemActor('Test fixture'), ({ query }) =>
    query(`update companies set status = 'Removed' where id = $1`, [id]),
  );
  const page = await openPage({ widthPx: 390, expectedErrors: [/422/] });
  await signIn(page, 'admin@tapeline.test');
  await page.goto(paths.documentHistory('companies', id));
  await page.getByRole('heading', { level: 1, name }).waitFor();
  expect(await overflowsSideways(page)).toBe(false);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByLabel('Title').fill('Foxglove');
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await page
    .getByText(/must be “Foxglove Leasing”/)
    .first()
    .waitFor();
  await page.getByLabel('Title').fill(name);
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByText('Permanently deleted').first().waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Delete permanently' }).count()).toBe(0);
  await page.getByRole('row', { name: /Permanently deleted/ }).waitFor();
});
