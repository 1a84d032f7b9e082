import { ALDER_COMPANY } from '@tapeline/domain/demonstration/portfolio.ts';
import type { Page } from 'playwright-core';
import { describe, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { openPage, scriptsReady, signIn } from './browser.ts';
import { sheetXml, workbookBytes } from './workbook-bytes.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const SHEET = 'Portfolio';
const OLE = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4096)]);
const whole = () => workbookBytes({ name: SHEET, xml: sheetXml([['Acct #'], ['A-1']]) });

const WRONG: readonly [words: string, bytes: () => Buffer, message: RegExp][] = [
  ['cut short', () => whole().subarray(0, 900), /cut short/],
  ['behind a password', () => Buffer.concat([OLE, Buffer.from('EncryptedPackage', 'utf16le')]), /without a password/],
  ['without a row', () => workbookBytes({ name: SHEET, xml: sheetXml([]) }), /empty|no header|no rows/i],
  [
    'made to fill memory',
    () => workbookBytes({ name: SHEET, xml: Buffer.alloc(60 << 20, ' ') }),
    /400 times its packed size/,
  ],
];

async function fill(page: Page, bytes: Buffer): Promise<void> {
  await page.goto(paths.newTape());
  await page.getByLabel('Files').setInputFiles({ name: 'wrong.xlsx', mimeType: XLSX, buffer: bytes });
  await page.getByLabel('Company').selectOption({ label: ALDER_COMPANY });
  await page.getByLabel('Cut-off date').fill('2027-05-31');
}

describe.each([
  { words: 'with JavaScript', javaScript: true },
  { words: 'without JavaScript', javaScript: false },
])('the upload form $words says what is wrong with a workbook', ({ javaScript }) => {
  it.each(WRONG)('%s', async (_, bytes, message) => {
    const page = await openPage({ javaScript, expectedErrors: [/4\d\d/] });
    await signIn(page, 'manager@tapeline.test');
    await fill(page, bytes());
    if (javaScript) await scriptsReady(page);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByText(message).first().waitFor();
  });
});
