import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { accessibilityFaults, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { whileWorkersHalt } from './halted-workers.ts';
import { type NorthwindTapes, northwindTapes } from './northwind-tapes.ts';

const MANAGER = 'manager@tapeline.test';
let tapes: NorthwindTapes;
beforeAll(async () => {
  tapes = await northwindTapes(await signedIn(MANAGER));
});

/** Rows 3 to 6 are wrong: an amount, no id, an amount, an id that row 2 has. */
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
const row = (page: Page, number: number) => page.getByRole('group', { name: `Row ${number} of the sheet` });

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
    await page.getByRole('button', { name: 'Correct chosen' }).click();
    await page.getByText('Choose at least one row').waitFor();
    await page.goto(errored(id));
    if (javaScript) await scriptsReady(page);
    for (const number of [3, 5]) await page.getByRole('checkbox', { name: `Choose row ${number}` }).check();
    await page.getByRole('button', { name: 'Correct chosen' }).click();
    await page.waitForURL((url) => url.pathname.endsWith('/correct') && url.searchParams.get('rows') === '3,5');
    if (javaScript) await scriptsReady(page);

    await row(page, 3).getByText('"see note" is not a number').waitFor();
    await row(page, 3).getByText('An amount in USD').first().waitFor();
    await row(page, 3).getByLabel('Principal Balance').fill('1200.5');
    await page.getByRole('button', { name: 'See the result first' }).click();
    await page.getByText('1 row would become an asset and 1 would stay errored').waitFor();
    await row(page, 3).getByText('Becomes an asset').waitFor();
    await row(page, 5).getByText('Stays errored').waitFor();
    expect(await row(page, 3).getByLabel('Principal Balance').inputValue()).toBe('1200.5');
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.waitForURL((url) => url.searchParams.get('view') === 'errored');
    await page.getByText('1 became an asset, 1 stays errored').waitFor();
    await expect.poll(() => page.getByText('Run again', { exact: true }).count()).toBe(1);

    for (const number of [4, 6]) await page.getByRole('checkbox', { name: `Choose row ${number}` }).check();
    await page.getByRole('button', { name: 'Discard chosen' }).click();
    await page.getByText('Discard 2 rows (4, 6)?').waitFor();
    await page.getByRole('button', { name: 'Discard the rows' }).click();
    await page.getByText('1 errored, 2 discarded').waitFor();

    await page.getByRole('link', { name: 'Correct', exact: true }).click();
    await page.getByRole('heading', { name: 'Correct row 5' }).waitFor();
    if (javaScript) await scriptsReady(page);
    await row(page, 5).getByLabel('Principal Balance').fill('7');
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByText('No errored rows', { exact: true }).waitFor();

    if (javaScript) await scriptsReady(page);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Remove this tape?').waitFor();
    await page.getByRole('button', { name: 'Remove the tape' }).click();
    await page.getByText('corrections.xlsx was removed, with its assets').waitFor();
  });

  it('come back corrected in the file that they were downloaded as', async () => {
    const id = await wrongTape(cutOffDate);
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(page, MANAGER);
    await page.goto(errored(id));
    await page.getByRole('link', { name: 'Correct in a file' }).click();
    await page.getByRole('heading', { name: 'Correct rows in a file' }).waitFor();
    const href = await page.getByRole('link', { name: 'CSV' }).getAttribute('href');
    const csv = await (await page.request.get(href ?? '')).text();
    const send = async (name: string, text: string) => {
      if (javaScript) await scriptsReady(page);
      await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
      await page.getByRole('button', { name: 'Send and look' }).click();
    };
    await send('unchanged.csv', csv);
    await page.getByText('unchanged.csv cannot be used. The file changes nothing').waitFor();
    await send('corrected.csv', csv.replace(',see note,', ',1200.5,').replace(',TBD,', ',none,'));
    await page.getByText('corrected.csv corrects 2 cells of 2 rows').waitFor();
    await page.getByRole('cell', { name: 'T-2, 1,200.50 USD' }).waitFor();
    await page.getByRole('button', { name: 'Run 2 rows again' }).click();
    await page.getByText('1 became an asset, 1 stays errored').waitFor();
    await tapes.remove(id);
  });
});

it('a tape in work is cancelled on its page, and the list says that nothing of it was kept', async () => {
  const loans = Array.from({ length: 40_000 }, (_, at) => tapes.loan({ 'Loan ID': `W-${at}` }));
  const page = await openPage();
  await signIn(page, MANAGER);
  const id = await tapes.begin(loans, { cutOffDate: '2016-03-31', name: 'cancelled.xlsx' });
  await whileWorkersHalt(async () => {
    await page.goto(paths.tape(id));
    await cancel(page);
    // Time for the call to arrive: it waits for the workers there.
    await sleep(5000);
  });
  await page.getByText('cancelled.xlsx was removed. Nothing of it was kept').waitFor();
});

async function cancel(page: Page): Promise<void> {
  const ask = page.getByRole('button', { name: 'Cancel', exact: true });
  const confirm = page.getByRole('button', { name: 'Cancel the tape' });
  // Before the scripts have taken over it asks on the page, after by a dialog.
  await ask.click();
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.postData()?.includes('yes') === true,
  );
  await confirm.click();
  await sent;
}

it('the screens of corrections have no accessibility fault and no sideways scroll, wide and narrow', async () => {
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
      expect(await accessibilityFaults(page), address).toEqual([]);
    }
  }
  await tapes.remove(id);
});
