import { tapesOf } from '@tapeline/demonstration/tapes.ts';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import {
  accessibilityViolations,
  openPage,
  overflowsSideways,
  reloadsNoMore,
  scriptsReady,
  signIn,
} from './browser.ts';
import { reviewUpload } from './review-upload.ts';
import { ownTenant } from './tenant.ts';

const { manager: MANAGER, borrower: BORROWER } = ownTenant().emails;
const TAPE_PATH = /\/monitoring\/tapes\/[0-9a-f]{24}$/;
const ROWS = 30;

/** A small tape of the demonstration's second company, as a .csv file saved by a user. */
function tapeFile(name: string) {
  const { columns, rows } = tapesOf('alder')[0]!;
  const cell = (value: string | number | null) => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const lines = [columns.map(({ header }) => header), ...rows.slice(0, ROWS)].map((row) => row.map(cell).join(','));
  return { name, mimeType: 'text/csv', buffer: Buffer.from(`${lines.join('\n')}\n`) };
}

const WRONG = { name: 'wrong.csv', mimeType: 'text/csv', buffer: Buffer.from('first,second\n1,2\n') };
const OLD = {
  name: 'old.xls',
  mimeType: 'application/vnd.ms-excel',
  buffer: Buffer.from('d0cf11e0a1b11ae1000000', 'hex'),
};

/** Waits until the tape's page shows that processing is complete, after an automatic update or a page refresh. */
const finished = (page: Page) => page.getByText('Completed', { exact: true }).first().waitFor();

/** Confirms in a dialog, or on the page without JavaScript. Then checks the message in the list. */
async function removeTape(page: Page, javaScript = true): Promise<void> {
  if (javaScript) await scriptsReady(page);
  await reloadsNoMore(page);
  await page.locator('summary[aria-label="More actions"]').click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('button', { name: 'Remove tape' }).click();
  await page.waitForURL((url) => url.pathname === paths.tapes());
  await page.getByText('was removed, with its assets').waitFor();
}

describe.each([
  { words: 'with JavaScript', javaScript: true, cutOffDate: '2027-01-31' },
  { words: 'without JavaScript', javaScript: false, cutOffDate: '2027-02-28' },
])('uploading a tape $words', ({ javaScript, cutOffDate }) => {
  it('says what is wrong with a file, then takes a good one to its page', async () => {
    const page = await openPage({ javaScript, expectedErrors: [/422/, /400/] });
    await signIn(page, MANAGER);
    await page.goto(paths.newTape());
    await page.getByLabel('Files').setInputFiles([OLD, WRONG]);
    if (!javaScript) await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page
      .getByText(/legacy Excel file/)
      .first()
      .waitFor();
    // The other file is a table, so it can still become a tape.
    await page.getByRole('heading', { name: WRONG.name }).waitFor();

    await reviewUpload(page, [tapeFile(`alder-${cutOffDate}.csv`)], { javaScript });
    // The file name says whose it is and of which day.
    await page.getByText('From the file name').first().waitFor();
    expect(await page.getByLabel('Cut-off date').inputValue()).toBe(cutOffDate);
    await page.getByRole('button', { name: 'Process', exact: true }).click();
    // The day is in the future, which is asked about.
    await page.getByRole('button', { name: 'Process anyway' }).click();
    await page.waitForURL(TAPE_PATH);
    await finished(page);
    await page.getByRole('heading', { level: 1, name: `alder-${cutOffDate}.csv` }).waitFor();
    await page.getByRole('link', { name: 'Status migration' }).click();
    await page.getByRole('heading', { name: 'Pool by status' }).waitFor();
    await page.getByText('No earlier tape to compare with').waitFor();
    await removeTape(page, javaScript);
    // The URL changes shortly before the list is rendered.
    await expect.poll(() => page.getByRole('table').getByText(`alder-${cutOffDate}.csv`).count()).toBe(0);
  });
});

describe('the page of a tape', () => {
  /** Uploads a tape with the form and waits on its page until it is published. */
  async function openTape(page: Page, cutOffDate: string): Promise<void> {
    await signIn(page, MANAGER);
    await reviewUpload(page, [tapeFile(`alder-${cutOffDate}.csv`)]);
    await page.getByRole('button', { name: 'Process', exact: true }).click();
    // The day is in the future, which is asked about.
    await page.getByRole('button', { name: 'Process anyway' }).click();
    await page.waitForURL(TAPE_PATH);
    await finished(page);
  }

  it('filters and sorts its assets by the address, opens one beside them, and exports what is shown', async () => {
    const page = await openPage({ expectedErrors: [/422/] });
    await openTape(page, '2027-03-31');
    const address = new URL(page.url()).pathname;
    await page.locator('summary', { hasText: 'Filter' }).click();
    await page.getByRole('combobox', { name: 'Field' }).selectOption({ label: 'Current balance' });
    await page.getByRole('combobox', { name: 'Operator' }).selectOption('gt');
    await page.getByRole('textbox', { name: 'Value' }).fill('15,000');
    await page.getByRole('button', { name: 'Apply filter' }).click();
    await page.getByRole('list', { name: 'Filters' }).getByText('Current balance').waitFor();
    expect(JSON.parse(new URL(page.url()).searchParams.get('filter') ?? '')).toEqual({
      'sums.outstandingSum': { gt: 15000 },
    });

    await page.getByRole('columnheader', { name: 'Asset', exact: true }).first().click();
    await page.waitForURL((url) => url.searchParams.get('sort') === '{"assetId":1}');
    // Rows load in blocks, and clicking a row that has not loaded has no effect. A click during a navigation starts it
    // again, so each click gets the time that a loaded machine needs.
    const asset = page.locator('.ag-row[row-index="0"] .ag-cell[col-id="assetId"]').filter({ hasText: /\w/ });
    await expect
      .poll(
        async () => {
          await asset.click({ timeout: 10_000 }).catch(() => undefined);
          const opened = page.waitForURL((url) => url.searchParams.has('asset'), { timeout: 20_000 });
          return opened.then(
            () => true,
            () => false,
          );
        },
        { timeout: 120_000 },
      )
      .toBe(true);
    await page.getByRole('dialog').getByText('Sheet row').waitFor();
    await page.getByRole('link', { name: 'Close' }).click();

    await page.locator('summary').filter({ hasText: 'Export' }).click();
    const links = await page.getByRole('link', { name: /^(Excel|CSV|Parquet|Arrow stream)/ }).all();
    expect(links).toHaveLength(4);
    for (const link of links) {
      const file = await page.request.get((await link.getAttribute('href')) ?? '');
      expect([file.status(), file.headers()['content-disposition']]).toEqual([
        200,
        expect.stringContaining('-assets.'),
      ]);
    }
    // On a phone the list takes the width of the page, wherever its button is.
    const wide = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await links[0]?.waitFor();
    expect(await overflowsSideways(page)).toBe(false);
    if (wide) await page.setViewportSize(wide);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: /^Parquet/ }).waitFor({ state: 'hidden' });
    const csv = await page.request.get(`${address}/export${new URL(page.url()).search}`);
    expect(csv.headers()['content-type']).toContain('text/csv');
    const shown = Number(/(\d+) of 30 assets/.exec((await page.getByRole('main').textContent()) ?? '')?.[1]);
    expect(shown).toBeGreaterThan(0);
    expect(shown).toBeLessThan(ROWS);
    expect((await csv.text()).trim().split('\n')).toHaveLength(shown + 1);

    await page.getByRole('link', { name: /^Remove filter/ }).click();
    await page.waitForURL((url) => !url.searchParams.has('filter'));
    await page.goto(address);
    await removeTape(page);
  });

  it('has no accessibility problem and no sideways scroll, wide and narrow, and stays out of the sight of another company', async () => {
    const page = await openPage({ expectedErrors: [/422/] });
    await openTape(page, '2027-04-30');
    const address = new URL(page.url()).pathname;
    const borrower = await openPage({ expectedErrors: [/404/, /Not found/] });
    await signIn(borrower, BORROWER);
    expect((await borrower.goto(address))?.status()).toBe(404);
    const looks = [
      { widthPx: 1440, colorScheme: 'light', addresses: [address, `${address}?view=errored`, paths.newTape()] },
      { widthPx: 390, colorScheme: 'dark', addresses: [address, paths.tapes(), paths.monitoring()] },
    ] as const;
    for (const { widthPx, colorScheme, addresses } of looks) {
      await page.setViewportSize({ width: widthPx, height: 900 });
      await page.emulateMedia({ colorScheme });
      for (const path of addresses) {
        await page.goto(path);
        expect(await overflowsSideways(page), path).toBe(false);
        expect(await accessibilityViolations(page), path).toEqual([]);
      }
    }
    await page.goto(address);
    await removeTape(page);
  });
});
