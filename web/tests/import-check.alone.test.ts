import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, COLOR_RULES, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { whileWorkersHalt } from './halted-workers.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

const ROWS = 240;

/** Uploads investors, the second of which has no country. */
async function upload(page: Page, firstCode: number): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const code = firstCode + index;
    return `${code},Fjord ${code},I-${code},${index === 1 ? '' : 'NO'}`;
  });
  const content = ['LP code,Name,Formal id,Country', ...rows, ''].join('\n');
  const file = { name: 'investors.csv', mimeType: 'text/csv', buffer: Buffer.from(content) };
  await page.goto(paths.newImport('LPs'));
  await page.locator('input[name="upload"]').setInputFiles(file);
  await page.getByRole('button', { name: 'Upload and check', exact: true }).click();
}

const waits = (page: Page) => page.getByText('Waiting to start', { exact: true }).waitFor();
const problems = (page: Page) => page.getByText('1 problem in 1 row. Correct the marked cells').waitFor();
const imported = (page: Page, code: number) => page.getByText(`Fjord ${code}`, { exact: true }).waitFor();

it('the check of a large file and its import show their progress, survive a reload, and end by themselves', async () => {
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await whileWorkersHalt(async () => {
    await upload(page, 8_001);
    await waits(page);
    await scriptsReady(page);
    const progress = page.getByRole('progressbar', { name: 'Progress of the check', exact: true });
    expect(await progress.getAttribute('aria-valuemax')).toBe(String(ROWS));
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflowsSideways(page)).toBe(false);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await accessibilityViolations(page, { only: COLOR_RULES })).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.reload();
    await waits(page);
  });
  await problems(page);
  await scriptsReady(page);
  await page.getByLabel('Country, row 3', { exact: true }).fill('NO');
  await page.getByRole('button', { name: 'Check again', exact: true }).last().click();
  await page.getByText('No problems.', { exact: true }).waitFor();
  await whileWorkersHalt(async () => {
    await page.getByRole('button', { name: `Import all ${ROWS} LPs`, exact: true }).click();
    await page.getByRole('heading', { name: 'Import of LPs', exact: true }).waitFor();
    await page.reload();
    await page.getByText('Waiting', { exact: true }).waitFor();
    await page.getByText(`of ${ROWS} rows written`, { exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel import', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel import', exact: true }).click();
    await page.getByText('Discarded', { exact: true }).waitFor();
    await page.getByText('Nothing was imported', { exact: true }).waitFor();
    // The prepared rows are there again.
    await page.goto(paths.importer());
    await page.getByRole('table', { name: 'Imports that were not started' }).getByText('investors.csv').click();
  });
  await page.getByText('No problems.', { exact: true }).waitFor();
  await page.getByRole('button', { name: `Import all ${ROWS} LPs`, exact: true }).click();
  await imported(page, 8_001);
});

it('without JavaScript, both pages reload until they show the result', async () => {
  const page = await openPage({ javaScript: false });
  await signIn(page, tenant.emails.manager);
  await whileWorkersHalt(async () => {
    await upload(page, 9_001);
    await waits(page);
  });
  await problems(page);
  await page.getByLabel('Country, row 3', { exact: true }).fill('NO');
  await page.getByRole('button', { name: 'Check again', exact: true }).last().click();
  await page.getByText('No problems.', { exact: true }).waitFor();
  await whileWorkersHalt(async () => {
    await page.getByRole('button', { name: `Import all ${ROWS} LPs`, exact: true }).click();
    await page.getByText('Waiting', { exact: true }).waitFor();
  });
  await imported(page, 9_001);
});
