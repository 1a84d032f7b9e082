import { ALDER_COMPANY } from '@tapeline/demonstration/names.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import type { ApiClient } from './api-client.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let manager: ApiClient;
let company = '';
beforeAll(async () => {
  manager = tenant.manager;
  [{ id: company }] = (await manager.get('/crud/companies', { filter: { 'entity.name': ALDER_COMPANY } })).json;
});

const ROWS = 5_000;
const BAD = 58;
/** The preview shows the first rows, and nothing is wrong with them. */
const CSV = [
  'Loan,Balance,Late,Standing',
  ...Array.from({ length: ROWS }, (_, at) =>
    at < ROWS - BAD ? `L${at},${1000 + at}.50,${at % 30},current` : `L${at},1000,in delay,sleeping`,
  ),
].join('\n');

/** @returns the id of the file */
async function upload(): Promise<string> {
  const announced = await manager.post('/files/signedUrls/loanTapes?operation=upload', {
    filesInfo: [{ name: 'late.csv', size: CSV.length, type: 'text/csv' }],
  });
  const { key, signedUrl } = announced.json[0].fileMetadata;
  await fetch(signedUrl, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: CSV });
  await manager.get(`/LTP/preview/${encodeURIComponent(key)}/CSV`);
  return key.split('/')[0];
}

/** A mapping whose editor tries it on a file with errors in its last rows. */
async function openMapping(): Promise<{ id: string; path: string }> {
  const file = await upload();
  const made = await manager.post('/crud/assetsETLs', {
    company,
    loanTapeSheetName: 'CSV',
    primaryCurrency: 'USD',
    rules: [
      { originCol: 'Loan', targetCol: 'assetId', checks: ['Mandatory', 'Unique'], serializations: [{ type: 'text' }] },
      { originCol: 'Balance', targetCol: 'sums.outstandingSum', serializations: [{ type: 'SerializedSum' }] },
      { originCol: 'Late', targetCol: 'daysPastDue', serializations: [{ type: 'number' }] },
      { originCol: 'Standing', targetCol: 'assetStatus', serializations: [{ type: 'assetStatus' }] },
    ],
  });
  expect(made.status, made.text).toBe(201);
  const { id } = made.json;
  return { id, path: paths.mapping(id, { file }) };
}

describe('the mapping editor', () => {
  it.each([true, false])(
    'counts the errors of the last of 5,000 rows, and corrects them all at once (JavaScript %s)',
    async (javaScript) => {
      const { path } = await openMapping();
      const page = await openPage({ javaScript });
      await signIn(page, tenant.emails.manager);
      await page.goto(path);
      // The first rows alone are not called all rows.
      await page.getByText('Nothing is wrong in the first 100 rows').waitFor();
      expect(await page.getByText(/every row/i).count()).toBe(0);
      // A small file is checked by itself, where there are scripts.
      if (!javaScript) await page.getByRole('button', { name: 'Check all rows' }).click();
      await page.getByText('58 errored rows of all 5,000 rows').waitFor();
      await page.getByText('“in delay” is not a number').waitFor();
      if (javaScript) {
        expect(await accessibilityViolations(page)).toEqual([]);
        await page.setViewportSize({ width: 390, height: 800 });
        expect(await overflowsSideways(page)).toBe(false);
        await page.setViewportSize({ width: 1440, height: 900 });
      }

      await page.getByRole('button', { name: 'Treat “in delay” as missing in 58 rows' }).click();
      await page.getByText('“in delay” is not a number').waitFor({ state: 'detached' });
      await page.getByText('58 errored rows of all 5,000 rows').waitFor();
      await page.getByLabel('Status of “sleeping”').selectOption('delinquent');
      await page.getByRole('button', { name: 'Read “sleeping” as this status in 58 rows' }).click();
      await page.getByText('0 errored rows of all 5,000 rows').waitFor();
      await page.getByText('Every row of the file is a valid asset').waitFor();

      await page.getByRole('button', { name: /^Save as version/ }).click();
      await page.getByText(/Version \d+ is saved/).waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-1);
      const [saved] = (await manager.get('/crud/assetsETLs', { filter: { id } })).json;
      expect(saved.rules[2].serializations).toEqual([
        { type: 'omit', values: ['in delay'] },
        { type: 'number', unit: 'scalar' },
      ]);
      const [step] = saved.rules[3].serializations;
      expect([step.type, step.cases[0].equals, step.cases[0].then]).toEqual(['switchCase', 'sleeping', 'delinquent']);
    },
  );

  it('says that a check is of before a change, and checks again', async () => {
    const { path } = await openMapping();
    const page = await openPage();
    await signIn(page, tenant.emails.manager);
    await page.goto(path);
    await page.getByText('58 errored rows of all 5,000 rows').waitFor();
    await page.getByRole('button', { name: 'Remove rule 3' }).click();
    // A check that took long, as on a busy machine, is repeated on request only.
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('“in delay” is not a number').waitFor({ state: 'detached' });
    await page.getByText('“sleeping” is not an asset status').waitFor();
  });
});

describe('the review of uploaded files', () => {
  it.each([true, false])(
    'counts all rows of a file before it is processed, and again after a change (JavaScript %s)',
    async (javaScript) => {
      await openMapping();
      const files = await upload();
      const page = await openPage({ javaScript });
      await signIn(page, tenant.emails.manager);
      await page.goto(paths.newTape({ company, files, date: '2026-10-31' }));
      const check = page.getByRole('button', { name: /^Check (all rows|again)$/ });
      if (!javaScript) await check.click();
      await page.getByText('58 errored rows of all 5,000 rows').waitFor();
      await page.getByText('“sleeping” is not an asset status').waitFor();
      if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);

      // A check that took long, as on a busy machine, is repeated on request only.
      await page.getByLabel('Cut-off date').fill('');
      await check.click();
      await page.getByText('Enter the cut-off date to check all rows.').waitFor();
      await page.getByLabel('Cut-off date').fill('2026-10-31');
      await check.click();
      await page.getByText('58 errored rows of all 5,000 rows').waitFor();
    },
  );
});
