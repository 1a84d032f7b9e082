import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { finishedTape } from './northwind-tapes.ts';
import { reviewUpload } from './review-upload.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const LOANS = 30;
const MONTHS = ['2026-08-31', '2026-09-30', '2026-10-31'];
const HEADERS = ['Loan No', 'Period', 'Start Date', 'Current Balance', 'Rate %'];
/** The columns of another system: those of a known company name it. */
const OTHER_HEADERS = ['Loan ID', 'Month End', 'Opened', 'Current Balance', 'APR'];

/** A ledger in which the balance falls by 100 each month, and the last loan ends a month earlier. */
const rows = MONTHS.flatMap((month, step) =>
  Array.from({ length: LOANS }, (_, at) =>
    at === LOANS - 1 && step === MONTHS.length - 1
      ? []
      : [
          [
            `LR-${100 + at}`,
            month,
            `2025-0${(at % 9) + 1}-15`,
            `${10_000 + 10 * at - 100 * step}.50`,
            `${6 + (at % 7)}.25`,
          ],
        ],
  ).flat(),
);
const balances = Array.from({ length: LOANS }, (_, at) => 10_000.5 + 10 * at - (at === LOANS - 1 ? 100 : 200));
const ledgerOf = (name: string, headers: readonly string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(`${[headers, ...rows].map((row) => row.join(',')).join('\n')}\n`),
});

const tapeOf = async (page: Page) => {
  await page.waitForURL(/\/monitoring\/tapes\/[0-9a-f]{24}$/);
  return finishedTape(tenant.manager, page.url().split('/').at(-1) ?? '');
};

describe.each([
  { words: 'with JavaScript', javaScript: true, company: 'Quillon Finance', headers: HEADERS },
  { words: 'without JavaScript', javaScript: false, company: 'Tarrant Leasing', headers: OTHER_HEADERS },
])('a file with a row for each loan and month $words', ({ javaScript, company, headers }) => {
  it('becomes a tape of the latest row of each loan, and is attached to it', async () => {
    const name = `${company.toLowerCase().replace(' ', '-')} ledger.csv`;
    const page = await openPage({ javaScript });
    await signIn(page, tenant.emails.manager);
    await reviewUpload(page, [ledgerOf(name, headers)], { javaScript });
    await page.getByText(`${LOANS} of ${rows.length} rows remain: the latest of each “${headers[0]}”.`).waitFor();
    await page.getByText('1 loan has its latest row in an earlier month.').waitFor();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    // What is filled in stays.
    await page.getByLabel('Borrower name').fill(company);
    await page.getByRole('combobox', { name: 'Country' }).selectOption('US');
    await page.getByLabel('Borrower currency').selectOption('USD');
    expect(await page.getByLabel('Cut-off date').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Use the latest row of each loan' }).click();
    const latest = name.replace('.csv', ', latest rows.csv');
    await page.getByRole('heading', { name: latest }).waitFor();
    await page.getByText(`${name} stays with the tape as a document.`).waitFor();
    // Without scripts the page is shown while it arrives, and a list of choices may be there in part.
    await page.waitForLoadState();
    expect(await page.getByRole('button', { name: 'Use the latest row of each loan' }).count()).toBe(0);
    expect(await page.getByLabel('Cut-off date').inputValue()).toBe('2026-10-31');
    expect(await page.getByLabel('Borrower name').inputValue()).toBe(company);
    expect(await page.getByRole('combobox', { name: 'Country' }).inputValue()).toBe('US');
    expect(await page.getByLabel('Borrower currency').inputValue()).toBe('USD');
    if (javaScript) {
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await overflowsSideways(page)).toBe(false);
    }
    await page.getByRole('button', { name: 'Process', exact: true }).click();
    const tape = await tapeOf(page);
    expect(tape).toMatchObject({
      cutOffDate: '2026-10-31',
      counts: { dataRows: LOANS, assets: LOANS, errored: 0 },
      statistics: {
        outstandingSum: [{ amount: { sum: balances.reduce((sum, each) => sum + each, 0), currency: 'USD' } }],
      },
      otherAttachments: [{ name }],
    });
    await page.close();
  });
});
