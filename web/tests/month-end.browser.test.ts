import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { openPage, scriptsReady, signIn } from './browser.ts';
import { drawBody } from './drawn-note.ts';
import { codeOfNewMail, mailsTo } from './mailbox.ts';
import { type NorthwindTapes, northwindLoan, northwindTapes } from './northwind-tapes.ts';
import { ownTenant } from './tenant.ts';
import { sheetXml, workbookBytes } from './workbook-bytes.ts';

const tenant = ownTenant();
const LOANS = 600;
const STATES = ['AZ', 'CA', 'CO', 'FL', 'GA', 'IL', 'NY', 'OH', 'TX', 'WA'];
let northwind: NorthwindTapes;
let transaction: string;
let note: string;
let draw: string;

/** Loans that fail no rule and breach no limit, unless they are changed. */
const loans = (balance: number, change: (index: number) => object = () => ({})) =>
  Array.from({ length: LOANS }, (_, index) =>
    northwindLoan({
      'Loan ID': `M-${index}`,
      'Borrower ID': `B-${index}`,
      Product: 'Unsecured personal',
      'Original Amount': 12_000,
      'Principal Balance': balance,
      'FICO at Origination': 720,
      Grade: 'A',
      State: STATES[index % STATES.length] as string,
      DTI: 0.2,
      'Months on Book': 12,
      'Remaining Term': 24,
      ...change(index),
    }),
  );

/** The tape of September, a covenant on the share of what does not perform, and a draw that waits. */
beforeAll(async () => {
  const { manager } = tenant;
  northwind = await northwindTapes(manager);
  await northwind.publish(loans(10_000), { cutOffDate: '2026-09-30', calculateBB: true });
  const [facility] = (await manager.get('/crud/transactions', { filter: { title: 'Northwind warehouse facility' } }))
    .json;
  transaction = facility.id;
  note = facility.notes[0].id;
  const covenant = await manager.post('/crud/covenants', {
    transaction,
    note,
    title: 'Non-performing share',
    formula: '[Non Performing pool] / [Relevant pool] * 100',
    unit: 'percent',
    bound: 'atMost',
    steps: [{ from: '2026-10-31', limit: 0.2 }],
    frequency: 'monthly',
    firstTest: '2026-10-31',
    warningDistance: 0.1,
    consequence: 'drawStop',
  });
  expect(covenant.status, covenant.text).toBe(201);
  const borrower = await signedIn(tenant.emails.borrower);
  const asked = await borrower.post(
    '/crud/transactionDraws',
    drawBody({ transaction, noteId: note, noteTitle: facility.notes[0].title }, 500_000),
  );
  expect(asked.status, asked.text).toBe(201);
  draw = asked.json.id;
}, 600_000);

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).first().waitFor();

/** The tape of October with the payments of the month. One loan is late, and one payment is missing in the list. */
async function upload(page: Page): Promise<string> {
  const rows = loans(9_500, (index) => (index === 7 ? { 'Days Past Due': 45, 'Loan Status': '31-60 DPD' } : {}));
  const { headers } = northwind;
  const cells = [headers, ...rows.map((row) => headers.map((header) => row[header] ?? null))];
  const paid = rows.slice(1).map((row) => `${row['Loan ID']},500`);
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  await page.goto(paths.newTape());
  await page.getByLabel('Files').setInputFiles({
    name: 'northwind-2026-10-31.xlsx',
    mimeType,
    buffer: workbookBytes({ name: 'Loan Tape', xml: sheetXml(cells) }),
  });
  await page.waitForURL((url) => url.searchParams.has('files'));
  await page.getByRole('button', { name: 'Process', exact: true }).waitFor();
  await scriptsReady(page);
  expect(await page.getByLabel('Cut-off date').inputValue()).toBe('2026-10-31');
  await page.getByLabel('Also calculate the borrowing base').check();
  await page.getByText('Exchange rates and other documents').click();
  const csv = (name: string, lines: readonly string[]) => ({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\n')),
  });
  await page
    .getByLabel('Other documents')
    .setInputFiles([
      csv('deposits.csv', ['Received,Reference,Deposited', '2026-10-30,LOCKBOX 88120,5112.35']),
      csv('payments.csv', ['Loan ID,Principal', ...paid]),
    ]);
  await press(page, 'Process');
  await page.waitForURL((url) => /^\/monitoring\/tapes\/[0-9a-f]{24}$/.test(url.pathname));
  await page.getByText('Completed', { exact: true }).first().waitFor();
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** Proves the tape with its payments. */
async function prove(page: Page, tape: string) {
  await page.goto(paths.tapeForward(tape));
  await scriptsReady(page);
  await page.getByLabel('Payment file').selectOption('payments.csv');
  await press(page, 'Read the file');
  await page.getByText(/^99\.8% of the balance proved; 1 loan/).waitFor();
  await page.getByRole('table', { name: 'Loans that are not proved' }).getByText('M-0', { exact: true }).waitFor();
}

async function baseOf(tape: string): Promise<string> {
  const of = async () => (await tenant.manager.get('/crud/borrowingBase', { filter: { loanTapeId: tape } })).json[0];
  await expect.poll(async () => (await of())?.status, { timeout: 120_000 }).toBe('Active');
  return (await of()).id;
}

/** The borrower signs the draft of its certificate with a new code. */
async function sign(page: Page) {
  const before = await mailsTo(tenant.emails.borrower);
  await press(page, 'Send code');
  await page.getByLabel('Code', { exact: true }).waitFor();
  const code = await codeOfNewMail(tenant.emails.borrower, before);
  await page.getByLabel('Name', { exact: true }).fill('Bea Lind');
  await page.getByLabel('Title', { exact: true }).fill('Chief Financial Officer');
  await page.getByLabel('Code', { exact: true }).fill(code);
  await press(page, 'Submit certificate');
  await page.getByRole('heading', { name: 'Certify and submit', exact: true }).waitFor({ state: 'detached' });
}

it('a month-end: tape, proof, tests, a certificate that is disputed, corrected and accepted, and the draw', {
  timeout: 600_000,
}, async () => {
  const page = await openPage({ expectedErrors: [/422/] });
  await signIn(page, tenant.emails.manager);
  const tape = await upload(page);
  await prove(page, tape);
  const base = await baseOf(tape);

  // The certificate has the proof of the document with payments, which is the second one.
  await page.goto(paths.borrowingBase(base, { view: 'audit' }));
  await page.getByText(/^99\.8% of the balance proved; 1 loan/).waitFor();
  await page.getByRole('link', { name: 'Loans that are not proved' }).click();
  await page.getByRole('table', { name: 'Loans that are not proved' }).getByText('M-0', { exact: true }).waitFor();

  // 9,500 of 5,700,000 does not perform: 0.17 % of at most 0.2 %.
  await page.goto('/monitoring/covenants');
  await page
    .getByRole('row', { name: /Non-performing share/ })
    .getByText('Warning', { exact: true })
    .waitFor();

  const borrower = await openPage({ expectedErrors: [/422/] });
  await signIn(borrower, tenant.emails.borrower);
  await borrower.goto(paths.ownFigures(base));
  await scriptsReady(borrower);
  await borrower.getByLabel('Or copied lines (optional)').fill('Net borrowing base\t4,902,000.00');
  await press(borrower, 'Read lines');
  await expect.poll(() => borrower.getByLabel('Amount 1', { exact: true }).inputValue()).toMatch(/^4,?902,?000/);
  await scriptsReady(borrower);
  await press(borrower, 'Save and compare');
  await heading(borrower, 'Certify and submit');
  await sign(borrower);

  // The late loan is not taken out of the borrower's own figure.
  await page.goto(paths.certification(base));
  await scriptsReady(page);
  await press(page, 'Start review');
  await page.getByLabel('Reason to dispute Net borrowing base').fill('Loan M-7 is 45 days past due');
  await press(page, 'Dispute these lines');
  await page.getByText('Disputed', { exact: true }).first().waitFor();

  await borrower.goto(paths.certification(base));
  await scriptsReady(borrower);
  await borrower.getByText('Loan M-7 is 45 days past due').first().waitFor();
  await press(borrower, 'Confirm calculated figures');
  await heading(borrower, 'Certify and submit');
  await scriptsReady(borrower);
  await sign(borrower);

  await page.goto(paths.certification(base));
  await scriptsReady(page);
  await press(page, 'Start review');
  await press(page, 'Accept');
  await page.getByText('Accept this certificate?').waitFor();
  await page.getByText('4,893,830.00').first().waitFor();
  await press(page, 'Accept and seal');
  await page.getByText('Accepted', { exact: true }).first().waitFor();

  await page.goto(paths.draw(draw));
  await scriptsReady(page);
  await press(page, 'Approve');
  await page.getByText('500,000.00 USD', { exact: false }).first().waitFor();
  await press(page, 'Approve the draw');
  await page.getByText(/^Approved draw \d+, /).waitFor();
  expect((await tenant.manager.get(`/crud/transactionDraws/${draw}`)).json).toMatchObject({
    status: 'Approved',
    exceptions: [],
  });
  const [certificate, earlier] = (await tenant.manager.get(`/crud/borrowingBase/${base}/certificates`)).json;
  expect([certificate.status, certificate.number, earlier.status]).toEqual(['Accepted', 2, 'Superseded']);
});
