import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import {
  accessibilityViolations,
  openPage,
  overflowsSideways,
  reloadsNoMore,
  scriptsReady,
  signIn,
} from './browser.ts';
import { type NorthwindTapes, northwindTapes } from './northwind-tapes.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const { manager: MANAGER } = tenant.emails;
let tapes: NorthwindTapes;
beforeAll(async () => {
  tapes = await northwindTapes(tenant.manager);
});

/** Rows 3 to 6 have errors: an invalid amount, a missing ID, another invalid amount, and the same ID as row 2. */
const wrongTape = (cutOffDate: string) =>
  tapes.publish(
    [
      tapes.loan({ 'Loan ID': 'T-1' }),
      tapes.loan({ 'Loan ID': 'T-2', 'Principal Balance': 'see note' }),
      tapes.loan({ 'Loan ID': null }),
      tapes.loan({ 'Loan ID': 'T-4', 'Principal Balance': 'TBD' }),
      tapes.loan({ 'Loan ID': 'T-1' }),
    ],
    { cutOffDate },
  );

const errored = (id: string) => paths.tape(id, { view: 'errored' });
const row = (page: Page, number: number) => page.getByRole('group', { name: `Sheet row ${number}` });

describe.each([
  { words: 'with JavaScript', javaScript: true, cutOffDate: '2016-01-31' },
  { words: 'without JavaScript', javaScript: false, cutOffDate: '2016-02-29' },
])('errored rows $words', ({ javaScript, cutOffDate }) => {
  it('are corrected several at once, seen before they are run, and discarded several at once', async () => {
    const id = await wrongTape(cutOffDate);
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(page, MANAGER);
    await page.goto(errored(id));
    if (javaScript) await scriptsReady(page);
    await page.getByRole('link', { name: 'Principal Balance 2' }).click();
    await page.waitForURL((url) => url.searchParams.get('column') === 'Principal Balance');
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(2);
    await page.getByRole('button', { name: 'Correct selected' }).click();
    await page.getByText('Choose at least one row').waitFor();
    await page.goto(errored(id));
    if (javaScript) await scriptsReady(page);
    for (const number of [3, 5]) await page.getByRole('checkbox', { name: `Select row ${number}` }).check();
    await page.getByRole('button', { name: 'Correct selected' }).click();
    await page.waitForURL((url) => url.pathname.endsWith('/correct') && url.searchParams.get('rows') === '3,5');
    if (javaScript) await scriptsReady(page);

    await row(page, 3).getByText('"see note" is not a number').waitFor();
    await row(page, 3).getByText('An amount in USD').first().waitFor();
    await row(page, 3).getByLabel('Principal Balance').fill('1200.5');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('1 row would become an asset and 1 would stay errored').waitFor();
    await row(page, 3).getByText('Valid').waitFor();
    await row(page, 5).getByText('Still errored').waitFor();
    expect(await row(page, 3).getByLabel('Principal Balance').inputValue()).toBe('1200.5');
    await page.getByRole('button', { name: 'Reprocess' }).click();
    await page.waitForURL((url) => url.searchParams.get('view') === 'errored');
    await page.getByText('1 became an asset, 1 stays errored').waitFor();
    await expect.poll(() => page.getByText('Reprocess', { exact: true }).count()).toBe(1);

    for (const number of [4, 6]) await page.getByRole('checkbox', { name: `Select row ${number}` }).check();
    await page.getByRole('button', { name: 'Discard selected' }).click();
    await page.getByText('Discard 2 rows (4, 6)?').waitFor();
    await page.getByRole('button', { name: 'Discard rows' }).click();
    await page.getByText('1 errored, 2 discarded').waitFor();

    await page.getByRole('link', { name: 'Correct', exact: true }).click();
    await page.getByRole('heading', { name: 'Correct row 5' }).waitFor();
    if (javaScript) await scriptsReady(page);
    await row(page, 5).getByLabel('Principal Balance').fill('7');
    await page.getByRole('button', { name: 'Reprocess' }).click();
    await page.getByText('No errored rows', { exact: true }).waitFor();

    if (javaScript) await scriptsReady(page);
    await reloadsNoMore(page);
    await page.locator('summary[aria-label="More actions"]').click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Remove tape?').waitFor();
    await page.getByRole('button', { name: 'Remove tape' }).click();
    await page.getByText('corrections.xlsx was removed, with its assets').waitFor();
  });

  it('come back corrected in the file that they were downloaded as', async () => {
    const id = await wrongTape(cutOffDate);
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(page, MANAGER);
    await page.goto(errored(id));
    await page.getByRole('link', { name: 'Correct in file' }).click();
    await page.getByRole('heading', { name: 'Correct rows in a file' }).waitFor();
    const href = await page.getByRole('link', { name: 'CSV' }).getAttribute('href');
    const csv = await (await page.request.get(href ?? '')).text();
    const send = async (name: string, text: string) => {
      if (javaScript) await scriptsReady(page);
      await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
      await page.getByRole('button', { name: 'Upload and preview' }).click();
    };
    await send('unchanged.csv', csv);
    await page.getByText('unchanged.csv cannot be used. The file does not change any cell').waitFor();
    await send('corrected.csv', csv.replace(',see note,', ',1200.5,').replace(',TBD,', ',none,'));
    await page.getByText('corrected.csv corrects 2 cells of 2 rows').waitFor();
    await page.getByRole('cell', { name: 'T-2, 1,200.50 USD' }).waitFor();
    await page.getByRole('button', { name: 'Reprocess 2 rows' }).click();
    await page.getByText('1 became an asset, 1 stays errored').waitFor();
    // The page may still be reading the tape again.
    await page.close();
    await tapes.remove(id);
  });
});

it('the screens of corrections have no accessibility problem and no sideways scroll, wide and narrow', async () => {
  const id = await wrongTape('2016-04-30');
  const page = await openPage();
  await signIn(page, MANAGER);
  const addresses = [errored(id), `${errored(id)}&discard=3,4`, paths.correctRows(id, [3, 4]), paths.correctFile(id)];
  for (const { widthPx, colorScheme } of [
    { widthPx: 1440, colorScheme: 'light' },
    { widthPx: 390, colorScheme: 'dark' },
  ] as const) {
    await page.setViewportSize({ width: widthPx, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const address of addresses) {
      await page.goto(address);
      expect(await overflowsSideways(page), address).toBe(false);
      expect(await accessibilityViolations(page), address).toEqual([]);
    }
  }
  // The page may still be reading the tape again.
  await page.close();
  await tapes.remove(id);
});
