import { describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import type { ApiClient } from './api-client.ts';
import { accessibilityViolations, openPage, scriptsReady, signIn } from './browser.ts';
import { northwindTapes } from './northwind-tapes.ts';
import { reviewUpload } from './review-upload.ts';
import { ownTenant } from './tenant.ts';
import { sheetXml, workbookBytes } from './workbook-bytes.ts';

const tenant = ownTenant();
const { manager: MANAGER } = tenant.emails;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SHEET = 'Portfolio';
const OLE = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4096)]);
const whole = () => workbookBytes({ name: SHEET, xml: sheetXml([['Acct #'], ['A-1']]) });

const WRONG: readonly [words: string, bytes: () => Buffer, message: RegExp][] = [
  ['cut short', () => whole().subarray(0, 900), /cut short/],
  ['behind a password', () => Buffer.concat([OLE, Buffer.from('EncryptedPackage', 'utf16le')]), /without a password/],
  ['without a row', () => workbookBytes({ name: SHEET, xml: sheetXml([]) }), /empty|no header|no rows/i],
  [
    'times its packed size',
    () => workbookBytes({ name: SHEET, xml: Buffer.alloc(60 << 20, ' ') }),
    /400 times its packed size/,
  ],
];

describe.each([
  { words: 'with JavaScript', javaScript: true },
  { words: 'without JavaScript', javaScript: false },
])('the upload form $words says what is wrong with a workbook', ({ javaScript }) => {
  it.each(WRONG)('%s', async (_, bytes, message) => {
    const page = await openPage({ javaScript, expectedErrors: [/4\d\d/] });
    await signIn(page, MANAGER);
    await page.goto(paths.newTape());
    const file = { name: 'wrong.xlsx', mimeType: XLSX, buffer: bytes() };
    await page.getByLabel('Files').setInputFiles(file);
    if (!javaScript) await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByText(message).first().waitFor();
  });
});

describe.each([
  { words: 'with JavaScript', javaScript: true },
  { words: 'without JavaScript', javaScript: false },
])('a file that the mapping mostly fails $words', ({ javaScript }) => {
  it('is taken only once its person has said so', async () => {
    const { manager } = tenant;
    const tapes = await northwindTapes(manager);
    const tapeCount = async () =>
      (await manager.get('/crud/loanTape', { filter: { company: tapes.company }, limit: 1 })).headers.get(
        'x-docs-count',
      );
    const count = await tapeCount();
    const rows = [1, 2, 3].map((at) =>
      tapes.loan({ 'Loan ID': `Q-${at}`, 'Principal Balance': at < 3 ? 'see note' : 9 }),
    );
    const sheet = [tapes.headers, ...rows.map((row) => tapes.headers.map((header) => row[header] ?? null))];
    const buffer = workbookBytes({ name: 'Loan Tape', xml: sheetXml(sheet) });

    const page = await openPage({ javaScript, expectedErrors: [/4\d\d/] });
    await signIn(page, MANAGER);
    await reviewUpload(page, [{ name: 'notes.xlsx', mimeType: XLSX, buffer }], { javaScript });
    // The columns are those of the company's mapping.
    const company = page.getByRole('combobox', { name: 'Borrower', exact: true });
    expect(await company.locator('option:checked').textContent()).toBe('Northwind Consumer Loans');
    await page.getByText('From the columns of its earlier tapes').waitFor();
    await page.getByLabel('Cut-off date').fill('2018-11-30');
    if (javaScript) await scriptsReady(page);
    await page.getByRole('button', { name: 'Process', exact: true }).click();
    await page.getByText('Is this right? No tape has been created yet.').waitFor();
    await page.getByText('2 of the first 3 rows would be errors with this mapping').waitFor();
    expect(await page.getByLabel('Cut-off date').inputValue()).toBe('2018-11-30');
    expect(await tapeCount()).toBe(count);
    // The accessibility check runs as a script in the page.
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Process anyway' }).click();
    // The review has the same heading as the tape's page.
    await page.waitForURL(({ pathname }) => /\/tapes\/[0-9a-f]{24}$/.test(pathname));
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect((await tapes.finished(id)).counts).toMatchObject({ dataRows: 3, assets: 1, errored: 2 });
    // The page may still be reading the tape again.
    await page.close();
    await tapes.remove(id);
  });
});

it('a tape with implausible rates says so, and leads to the assets', async () => {
  const { manager } = tenant;
  const tapes = await northwindTapes(manager);
  const loans = [13.7, 0.1149, 9.5].map((rate, at) => tapes.loan({ 'Loan ID': `R-${at}`, 'Interest Rate': rate }));
  const id = await tapes.publish(loans, { cutOffDate: '2018-12-31', name: 'rates.xlsx' });
  const page = await openPage();
  await signIn(page, MANAGER);
  await page.goto(paths.tape(id));
  await page.getByText('2 assets have values outside the plausible range').waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Interest rate (2 assets)' }).click();
  await page.getByText('R-0', { exact: true }).first().waitFor();
  await page.getByText('R-1', { exact: true }).first().waitFor({ state: 'detached' });
  await page.goto(paths.tape(id, { asset: (await firstAsset(manager, id)).id }));
  await page.getByText('Interest rate is outside the plausible range (0.25% to 100%, or 0).').waitFor();
  // The page may still be reading the tape again.
  await page.close();
  await tapes.remove(id);
});

const firstAsset = async (manager: ApiClient, id: string) =>
  (await manager.get('/crud/assets', { filter: { loanTape: id }, sort: { row: 1 }, limit: 1 })).json[0];
