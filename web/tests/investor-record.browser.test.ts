import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

it.each([true, false])(
  'a manager records an investor and what its contact receives (JavaScript: %s)',
  async (javaScript) => {
    const name = `Lofoten Pension ${javaScript}`;
    const bank = { title: 'Main account', accountNumber: '0012345678', address: '1 High Street', type: 'Business' };
    const contacts = [{ name: 'Ann Berg', email: 'ann@lofoten.test' }];
    const entity = { name, formalId: name, nationality: { country: 'NO' }, banks: [bank], contacts };
    const { json } = await tenant.manager.post('/crud/LPs', { title: name, entity });
    const page = await openPage({ javaScript, widthPx: 1280 });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.investor(json.id, { view: 'details' }));
    await page.getByRole('link', { name: 'Edit record', exact: true }).click();
    await page.getByLabel('Type of investor').selectOption('Pension fund');
    await page.getByLabel('LEI').fill('506700GE1G29325QX363');
    await page.getByLabel('KYC status').selectOption('In review');
    await page.getByText('More details', { exact: true }).click();
    await page.getByRole('button', { name: 'Add pay-out account', exact: true }).click();
    await page.getByLabel('Currency').selectOption('USD');
    await page.getByLabel('Bank account', { exact: true }).selectOption('Main account');
    await page.getByRole('button', { name: 'Add tax form', exact: true }).click();
    await page.getByLabel('Form', { exact: true }).selectOption('W-9');
    await page.getByLabel('Signed on').fill('2026-01-10');
    await page.getByLabel(/^File/).setInputFiles({
      name: 'w9.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    });
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Waits for a second person', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Download', exact: true }).waitFor();
    expect(await overflowsSideways(page)).toBe(false);
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);

    await page.goto(paths.editInvestor(json.id));
    const box = (label: string) => page.getByLabel(label, { exact: true });
    expect(await box('Call notices').isChecked()).toBe(true);
    for (const label of [
      'Call notices',
      'Distribution notices',
      'Statements and reports',
      'Tax documents',
      'Announcements',
    ])
      await box(label).uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('cell', { name: 'Nothing', exact: true }).waitFor();
    await page.goto(paths.editInvestor(json.id));
    expect(await box('Call notices').isChecked()).toBe(false);
    await box('Call notices').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('cell', { name: 'Call notices', exact: true }).waitFor();
  },
);
