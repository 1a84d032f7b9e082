import { readFile } from 'node:fs/promises';
import { monthAfter, monthOf } from '@tapeline/domain/dates/calendar-month.ts';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { openPage, scriptsReady, signIn } from './browser.ts';
import { calledBack } from './call-back.ts';
import { secondManager } from './second-manager.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const IBAN = 'GB29NWBK60161331926819';
const TODAY = new Date().toISOString().slice(0, 10);
/** The month that is over. */
const MONTH = monthAfter(monthOf(TODAY), -1);
const LAST_DAY = new Date(Date.parse(`${monthOf(TODAY)}-01`) - 86_400_000).toISOString().slice(0, 10);

let releaser: string;
let fund: string;
let account: string;

const usd = (sum: number) => ({ sum, currency: 'USD' });
async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}
const referenceOf = async (kind: string, title: string): Promise<string> =>
  (await tenant.manager.get('/crud/obligations', { fund })).json.find(
    (one: { kind: string; party: { title: string } }) => one.kind === kind && one.party.title === title,
  ).reference;

/** A statement of one day. @param lines amounts with their texts */
function statement(
  number: number,
  day: string,
  [opening, closing]: [number, number],
  lines: [string, string][],
): string {
  const date = day.slice(2).replaceAll('-', '');
  return [
    ':20:S',
    `:25:${IBAN}`,
    `:28C:${number}`,
    `:60F:C${date}USD${opening},`,
    ...lines.flatMap(([amount, text], index) => [`:61:${date}${amount},NTRFNONREF//${number}-${index}`, `:86:${text}`]),
    `:62F:C${date}USD${closing},`,
    '-',
  ].join('\n');
}

/** Two investors owe 400.00 each of a call that is late, and one of them is owed 500.00. */
beforeAll(async () => {
  releaser = await secondManager(tenant.emails.manager);
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 9000, hardCap: 9000 };
  fund = (await created('/crud/funds', { title: 'Fowey Fund', ...terms })).id;
  const banks = [{ title: 'Main account', accountNumber: '0011223344', address: '1 High Street', type: 'Business' }];
  const payoutAccounts = [{ currency: 'USD', account: 'Main account' }];
  const investors: string[] = [];
  for (const title of ['Lowe Trust', 'Carrick Life']) {
    const entity = { name: title, formalId: title, nationality: { country: 'US' }, banks };
    const { id } = await created('/crud/LPs', { title, entity, payoutAccounts });
    investors.push(id);
    await created('/crud/LPCommitments', {
      fund,
      investor: { id, kind: 'LP' },
      closingDate: '2026-01-02',
      maxCommitment: usd(1000),
    });
  }
  account = (
    await created('/crud/bankAccounts', {
      fund,
      title: 'Fund account',
      bankName: 'National Bank',
      accountNumber: IBAN,
      currency: 'USD',
      openingDate: `${MONTH}-01`,
      openingBalance: 1000,
    })
  ).id;
  await created('/crud/contributions', {
    fund,
    cutOffDate: `${MONTH}-01`,
    dueDate: `${MONTH}-05`,
    callNumber: '1',
    amount: usd(800),
    callPurposes: [{ title: 'Loans', kind: 'investments', amount: 800 }],
    status: 'Active',
  });
  await created('/crud/distributions', {
    fund,
    investor: { id: investors[0], kind: 'LP' },
    cutOffDate: `${MONTH}-20`,
    callNumber: '1',
    distributionKind: 'Interest',
    principal: usd(0),
    components: [{ title: 'Interest', actionType: 'INTEREST', amount: usd(500) }],
    status: 'Active',
  });
  const other = await signedIn(releaser);
  const check = calledBack();
  const confirmed = await other.post(`/crud/LPs/${investors[0]}/confirmPayoutAccount`, { currency: 'USD', check });
  expect(confirmed.status, confirmed.text).toBe(201);
});

const openCash = async (page: Page) => {
  await page.goto(paths.cash({ fund }));
  await scriptsReady(page);
  return page.getByRole('list', { name: 'Newest payments to match' });
};

async function importStatement(page: Page, name: string, content: string): Promise<void> {
  await page.goto(paths.importStatements());
  await scriptsReady(page);
  await page.locator('input[type=file]').setInputFiles({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(content),
  });
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText('They lead from the opening to the closing balance.').waitFor();
}

test('an administrator matches, pays, and closes a month', async () => {
  const page = await openPage({ widthPx: 1440 });
  await signIn(page, tenant.emails.manager);
  const main = page.getByRole('main');
  await importStatement(
    page,
    'month.sta',
    statement(
      1,
      LAST_DAY,
      [1000, 1355],
      [
        ['C400', await referenceOf('contribution', 'Lowe Trust')],
        ['D45', 'Account maintenance'],
      ],
    ),
  );

  let lines = await openCash(page);
  await main.getByText('2 lines to match').waitFor();
  await lines
    .getByRole('listitem')
    .filter({ hasText: 'Lowe Trust, capital call 1' })
    .getByRole('button', { name: 'Match' })
    .click();
  await main.getByText('1 payment matched.').waitFor();
  lines = await openCash(page);
  await lines.getByText('Not ours', { exact: true }).click();
  await lines.getByRole('button', { name: 'Bank fee', exact: true }).click();
  await main.getByText('1 payment marked as not ours.').waitFor();
  await main.getByText('all matched').waitFor();
  // Who is late.
  const late = main.getByRole('row').filter({ hasText: 'Carrick Life' });
  await late.getByText(/^Unpaid, \d+ days late$/).waitFor();
  await late.getByText('−400.00', { exact: true }).waitFor();

  await page.goto(paths.newPaymentRun({ account }));
  await scriptsReady(page);
  await main.getByLabel('File', { exact: true }).selectOption('CSV');
  await page.getByRole('button', { name: 'Prepare run' }).click();
  await page.waitForURL((url) => /^\/cash\/runs\/[0-9a-f]{24}$/.test(url.pathname));
  const run = new URL(page.url()).pathname;

  // The other person is told of it.
  const releasing = await openPage({ widthPx: 1440 });
  await signIn(releasing, releaser);
  await releasing.goto(paths.notifications());
  await releasing
    .getByText(/Payment run \d+ waits for a release/)
    .first()
    .waitFor();
  await releasing.goto(run);
  await scriptsReady(releasing);
  await releasing.getByRole('button', { name: 'Release', exact: true }).click();
  await releasing.getByRole('button', { name: 'Release 500.00 USD' }).click();
  const file = releasing.getByRole('link', { name: 'Download file' });
  await file.waitFor();
  const download = releasing.waitForEvent('download');
  await file.click();
  const reference = await referenceOf('distribution', 'Lowe Trust');
  const content = await readFile(await (await download).path(), 'utf8');
  expect(content).toContain('Lowe Trust,,0011223344');
  expect(content).toContain(reference);

  await importStatement(page, 'paid.sta', statement(2, TODAY, [1355, 855], [['D500', reference]]));
  await openCash(page);
  await main.getByText('Lowe Trust, distribution 1').waitFor();
  await main.getByRole('button', { name: 'Match', exact: true }).click();
  await main.getByText('1 payment matched.').waitFor();
  await page.goto(run);
  await main.getByText('1 paid by the bank').waitFor();

  await page.goto(paths.reconciliation({ account, month: MONTH }));
  await scriptsReady(page);
  const close = main.getByRole('button', { name: /^Close / });
  await close.click();
  await page.getByText('The bank has 1,355.00 USD, the book 1,355.00 USD').waitFor();
  await page.getByRole('button', { name: 'Close month', exact: true }).click();
  await main
    .getByText(/was closed on/)
    .first()
    .waitFor();
  const closed = await tenant.manager.get(`/crud/bankAccounts/${account}/reconciliation?month=${MONTH}`);
  expect(closed.json).toMatchObject({ closedUntil: LAST_DAY, openItemCount: 0 });
});
