import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
}
const addInvestor = (title: string) =>
  created('/crud/LPs', { title, entity: { name: title, formalId: `F-${title}`, nationality: { country: 'DE' } } });

it.each([
  {
    javaScript: true,
    stored: 'Müller, Frey & Co.',
    written: 'Müller Frey & Co',
    title: 'Skerry Fund',
    head: 'Investor',
  },
  {
    javaScript: false,
    stored: 'Oak & Ash Family Office LLC',
    written: 'Oak and Ash Family Office',
    title: 'Reef Fund',
    head: 'Name of investor',
  },
])('a likely investor is confirmed once, and remembered for the next file (JavaScript: $javaScript)', async (given) => {
  const { javaScript, stored, written, title, head } = given;
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 40_000, hardCap: 50_000 };
  await created('/crud/funds', { title, ...terms });
  await addInvestor(stored);
  await addInvestor(`${stored.split(' ')[0]} Holdings ${title}`);
  const page = await openPage({ javaScript, expectedErrors: [/422/] });
  await signIn(page, tenant.emails.manager);
  const ready = async () => {
    if (javaScript) await scriptsReady(page);
  };
  const upload = async (amount: string) => {
    await page.goto(paths.newImport('LPCommitments'));
    await ready();
    const content = `${head},Commitment,Closing\n"${written}",${amount},2026-01-31\n`;
    const file = { name: 'register.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload and check' }).click();
  };
  await upload('100');
  await page.getByRole('heading', { name: 'Columns', exact: true }).waitFor();
  await ready();
  const row = (label: string) => page.locator('li', { has: page.getByLabel(label, { exact: true }) });
  await row('Fund code').getByLabel('The same in all rows').fill(title);
  await row('Currency').getByLabel('The same in all rows').fill('USD');
  await page.getByRole('button', { name: 'Check the rows' }).click();

  await page.getByText('Names to confirm').waitFor();
  await ready();
  if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
  // Nothing is chosen for the person.
  expect(await page.getByLabel('None of these').isChecked()).toBe(true);
  await page.getByRole('radio', { name: new RegExp(`^${stored.replace('.', '\\.')}`) }).check();
  await page.getByRole('button', { name: 'Confirm the names' }).click();
  await page.getByText('No problems.').waitFor();
  expect(await page.getByText('Names to confirm').count()).toBe(0);

  // The next file goes straight to its check, and asks nothing.
  await upload('101');
  await page.getByText('No problems.').waitFor();
  expect(await page.getByText('Names to confirm').count()).toBe(0);
  await page.locator('summary', { hasText: 'found' }).click();
  await page.getByText('as confirmed before').waitFor();
});

it('columns of quarters become rows, and values depend on a column, on pages that everyone can use', async () => {
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.newImport('navs'));
  await scriptsReady(page);
  const fixture = new URL('../app/routes/importer/fixtures/valor-trimestral.csv', import.meta.url);
  const file = { name: 'valor.csv', mimeType: 'text/csv', buffer: readFileSync(fixture) };
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByRole('button', { name: 'Upload and check' }).click();
  await page.getByText('3 columns become 8 rows').waitFor();
  await scriptsReady(page);
  expect(await accessibilityViolations(page)).toEqual([]);
  const row = (label: string) => page.locator('li', { has: page.getByLabel(label, { exact: true }) });
  await row('Fund code').getByLabel('Or depending on column').selectOption({ label: 'A: Inversor' });
  await row('Currency').getByLabel('The same in all rows').fill('EUR');
  await page.getByRole('button', { name: 'Check the rows' }).click();
  await page.getByLabel('Tern Pension Fund').waitFor();
  await scriptsReady(page);
  expect(await accessibilityViolations(page)).toEqual([]);
});
