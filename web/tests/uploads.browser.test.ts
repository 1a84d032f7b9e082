import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, scriptsReady, signIn } from './browser.ts';
import { ownTenantWithoutMappings } from './tenant.ts';

const tenant = ownTenantWithoutMappings();
const INVESTOR = 'Sundvall Insurance';
let fund: string;
let page: Page;

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

beforeAll(async () => {
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 40_000, hardCap: 50_000 };
  fund = (await created('/crud/funds', { title: 'Skerry Credit Fund', ...terms })).id;
  const entity = { name: INVESTOR, formalId: 'SUN-1', nationality: { country: 'SE' } };
  const investor = (await created('/crud/LPs', { title: INVESTOR, entity })).id;
  await created('/crud/LPCommitments', {
    fund,
    investor: { id: investor, kind: 'LP' },
    closingDate: '2026-01-15',
    maxCommitment: { sum: 18_000, currency: 'USD' },
  });
});
beforeEach(async () => {
  page = await openPage({ expectedErrors: [/422/] });
  await signIn(page, tenant.emails.manager);
});

const open = async (address: string) => {
  await page.goto(address);
  await scriptsReady(page);
};
const file = (name: string, mimeType: string, text: string) => ({ name, mimeType, buffer: Buffer.from(text) });
const PDF = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';

// The page checks a form before it is sent, without the files that only the server has seen.
it('the files of a report and of a statement are uploaded from the page', async () => {
  await open(paths.newReport({ fund }));
  await page.getByRole('button', { name: 'Store report', exact: true }).click();
  await page.getByText('Choose a file', { exact: true }).first().waitFor();
  await scriptsReady(page);
  await page.getByLabel('File', { exact: true }).setInputFiles(file('quarter.pdf', 'application/pdf', PDF));
  await page.getByRole('button', { name: 'Store report', exact: true }).click();
  await page.getByText('quarter.pdf', { exact: true }).first().waitFor();
  expect((await tenant.manager.get('/crud/reports', { filter: { fund } })).json).toHaveLength(1);

  await open(paths.newStatements({ fund, how: 'upload' }));
  await page.getByLabel(INVESTOR, { exact: true }).setInputFiles(file('sundvall.pdf', 'application/pdf', PDF));
  await page.getByRole('button', { name: 'Store statements', exact: true }).click();
  await page.getByText('sundvall.pdf', { exact: true }).first().waitFor();
  expect((await tenant.manager.get('/crud/capitalAccounts', { filter: { fund } })).json).toHaveLength(1);
});

it('an announcement is published with a file', async () => {
  await open(paths.newAnnouncement({ for: 'LPs' }));
  await page.getByLabel('Title', { exact: true }).fill('Annual meeting');
  await page.getByLabel('Text', { exact: true }).fill('On **3 March**.');
  await page.getByLabel('Files (optional)').setInputFiles(file('agenda.pdf', 'application/pdf', PDF));
  expect(await page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await page.getByRole('heading', { name: 'Who is told', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Annual meeting', exact: true }).waitFor();
  await page.getByRole('link', { name: 'agenda.pdf', exact: true }).waitFor();
});

it('a file is imported after a correction on the page, and the import is undone', async () => {
  const csv = 'LP code,Name,Formal id,Country\n9301,Aurora Pension,AUR-1,NO\nx,Borealis Life,BOR-1,NO\n';
  await open(paths.newImport('LPs'));
  await page.getByRole('button', { name: 'File', exact: true }).setInputFiles(file('investors.csv', 'text/csv', csv));
  await page.getByRole('button', { name: 'Upload and check', exact: true }).click();
  await page.getByText('1 problem in 1 row').first().waitFor();
  await scriptsReady(page);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page
    .getByRole('textbox', { name: /, row 3$/ })
    .first()
    .fill('9302');
  await page.getByRole('button', { name: 'Check again', exact: true }).click();
  await page.getByText('No problems.').first().waitFor();
  await scriptsReady(page);
  await page.getByRole('button', { name: /^Import/ }).click();
  await page.getByRole('heading', { level: 1, name: /^Import of/ }).waitFor();
  await page.getByText('Borealis Life').first().waitFor();
  await scriptsReady(page);
  expect(await accessibilityViolations(page)).toEqual([]);
  const titles = async () =>
    ((await tenant.manager.get('/crud/LPs')).json as { title: string }[]).map(({ title }) => title);
  expect(await titles()).toEqual(expect.arrayContaining(['Aurora Pension', 'Borealis Life', INVESTOR]));
  await page.getByRole('button', { name: /^Undo/ }).first().click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Undo|^Remove/ })
    .click();
  await page.getByText('Everything was removed').waitFor();
  expect(await titles()).not.toContain('Borealis Life');
});
