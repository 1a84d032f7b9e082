import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { dropFiles } from './acts.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { finishedTape } from './northwind-tapes.ts';
import { reviewUpload, type SentFile } from './review-upload.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const TAPE_PATH = /\/monitoring\/tapes\/[0-9a-f]{24}$/;
const HEADERS = ['Loan No', 'Customer', 'Start Date', 'Maturity', 'Original Principal', 'Current Balance', 'Rate %'];
/** The columns of another system. */
const OTHER_HEADERS = ['Loan ID', 'Client', 'Opened', 'Maturity Date', 'Amount Financed', 'Current Balance', 'APR'];

const loans = Array.from({ length: 40 }, (_, index) => [
  `ZF-${1000 + index}`,
  `Customer ${index}`,
  `2024-${String((index % 12) + 1).padStart(2, '0')}-15`,
  `2029-${String((index % 12) + 1).padStart(2, '0')}-15`,
  `${20_000 + 250 * index}.00`,
  `${15_000 + 175 * index}.50`,
  `${(6 + index / 10).toFixed(2)}`,
]);

const file = (name: string, headers: readonly string[], rows: readonly (readonly string[])[]): SentFile => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`${[headers, ...rows].map((row) => row.join(',')).join('\n')}\n`),
});

const optionOf = (page: Page, label: string) =>
  page.getByRole('combobox', { name: label, exact: true }).locator('option:checked').textContent();

const tapeOf = async (page: Page) => {
  await page.waitForURL(TAPE_PATH);
  return finishedTape(tenant.manager, page.url().split('/').at(-1) ?? '');
};

describe.each([
  { words: 'with JavaScript', javaScript: true, name: 'Zephyr Finance', headers: HEADERS },
  { words: 'without JavaScript', javaScript: false, name: 'Yarrow Leasing', headers: OTHER_HEADERS },
])('a tape of an unknown borrower $words', ({ javaScript, name, headers }) => {
  const stem = name.toLowerCase().replace(' ', '-');

  it('becomes a company, a mapping and a tape in at most 8 interactions, and the next file in 2', async () => {
    const page = await openPage({ javaScript });
    await signIn(page, tenant.emails.manager);
    let interactions = 0;
    const did = async (act: Promise<unknown>) => {
      interactions += 1;
      await act;
    };
    const first = file(`${stem} 2026-08.csv`, headers, loans);
    if (javaScript) {
      await page.goto(paths.tapes());
      await scriptsReady(page);
      await did(dropFiles(page, [first]));
      await page.getByRole('button', { name: 'Process', exact: true }).waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
    } else {
      await reviewUpload(page, [first], { javaScript });
      interactions += 3;
    }
    expect(await optionOf(page, 'Borrower')).toBe('New borrower');
    expect(await page.getByLabel('Borrower name').inputValue()).toBe(name);
    expect(await page.getByLabel('Cut-off date').inputValue()).toBe('2026-08-31');
    await did(page.getByRole('combobox', { name: 'Country' }).selectOption('US'));
    await did(page.getByLabel('Borrower currency').selectOption('USD'));
    await did(page.getByRole('button', { name: 'Process', exact: true }).click());
    const tape = await tapeOf(page);
    expect(interactions).toBeLessThanOrEqual(8);
    expect(tape).toMatchObject({
      cutOffDate: '2026-08-31',
      mainCurrency: 'USD',
      counts: { dataRows: 40, assets: 40, errored: 0 },
      statistics: { outstandingSum: [{ amount: { sum: 736_520, currency: 'USD' } }] },
    });
    const [company] = (await tenant.manager.get('/crud/companies', { filter: { 'entity.name': name } })).json;
    expect(company).toMatchObject({ entity: { nationality: { country: 'US' }, business: { currency: 'USD' } } });

    // The next month: the borrower, its day and its mapping are known.
    interactions = 0;
    const next = file(`${stem} 2026-09.csv`, headers, loans);
    if (javaScript) {
      await page.goto(paths.tapes());
      await scriptsReady(page);
      await did(dropFiles(page, [next]));
    } else {
      await reviewUpload(page, [next], { javaScript });
    }
    await page.getByText('Version 1: the file has all columns that it reads').waitFor({ state: 'attached' });
    expect(await optionOf(page, 'Borrower')).toBe(name);
    await did(page.getByRole('button', { name: 'Process', exact: true }).click());
    expect(await tapeOf(page)).toMatchObject({ cutOffDate: '2026-09-30', company: company.id });
    expect(interactions).toBeLessThanOrEqual(2);

    // Then with other names and another order of the columns.
    const order = [5, 0, 2, 3, 1, 6, 4];
    const renamed = order.map((index) => headers[index]!.replace('Current Balance', 'Balance'));
    const third = file(
      `${stem} 2026-10.csv`,
      renamed,
      loans.map((row) => order.map((index) => row[index] ?? '')),
    );
    await reviewUpload(page, [third], { javaScript });
    await page.getByText('“Current Balance”', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Process', exact: true }).click();
    expect(await tapeOf(page)).toMatchObject({
      company: company.id,
      counts: { assets: 40 },
      statistics: { outstandingSum: [{ amount: { sum: 736_520, currency: 'USD' } }] },
    });
    const versions = (await tenant.manager.get('/crud/assetsETLs', { filter: { company: company.id } })).json;
    expect(new Set(versions.map(({ family }: { family: string }) => family)).size).toBe(1);
    expect(versions.map(({ version }: { version: number }) => version).toSorted()).toEqual([1, 2]);
  });
});

it('an error keeps every field, and another company brings its own mapping', async () => {
  const page = await openPage({ expectedErrors: [/422/] });
  await signIn(page, tenant.emails.manager);
  const files = [file('a.csv', HEADERS, loans), file('b.csv', HEADERS, loans.slice(0, 5))];
  await reviewUpload(page, files);
  await scriptsReady(page);
  const dates = page.getByLabel('Cut-off date');
  await dates.first().fill('2026-08-31');
  await page.getByRole('combobox', { name: 'Borrower', exact: true }).first().selectOption({ label: 'New borrower' });
  await page.getByLabel('Borrower name').first().fill('Kept Company');
  await page.getByRole('button', { name: 'Process 2 tapes' }).click();
  await page.getByText(/fields need correction/).waitFor();
  expect(await dates.first().inputValue()).toBe('2026-08-31');
  expect(await page.getByLabel('Borrower name').first().inputValue()).toBe('Kept Company');
  const second = page.getByRole('combobox', { name: 'Borrower', exact: true }).nth(1);
  await second.selectOption({ label: 'Northwind Consumer Loans' });
  await page.getByText(/of the borrower’s mapping reads/).waitFor();
  expect(await dates.first().inputValue()).toBe('2026-08-31');
  expect(await page.getByLabel('Borrower name').first().inputValue()).toBe('Kept Company');
  expect(await overflowsSideways(page)).toBe(false);
});
