import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { openPage, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const investors = new Map<string, string>();
let fund: string;

async function created(path: string, body: unknown): Promise<string> {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id;
}

/** 6,000, 3,000 and 1,000 committed, at 2 % a year. Fal closes later. */
beforeAll(async () => {
  fund = await created('/crud/funds', {
    title: 'Truro Fund',
    type: 'ComingleFund',
    strategy: 'ABL',
    currency: 'USD',
    targetSize: 20_000,
    hardCap: 20_000,
    feeTerms: [{ from: '2026-01-01', terms: { management: { committed: 2 } } }],
    equalization: { ratePercent: 10, dayCount: 'ACT/365F' },
  });
  for (const [title, maxCommitment] of [
    ['Kenwyn Life', 6000],
    ['Allen Pensions', 3000],
    ['Tresillian Trust', 1000],
    ['Fal Foundation', 0],
  ] as const) {
    const entity = { name: title, formalId: title, nationality: { country: 'US' } };
    const id = await created('/crud/LPs', { title, entity });
    investors.set(title, id);
    const commitment = { fund, investor: { id, kind: 'LP' }, closingDate: '2026-01-01', maxCommitment };
    if (maxCommitment > 0) await created('/crud/LPCommitments', commitment);
  }
});

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const rowOf = (page: Page, table: string, investor: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: investor });

/** The call of the quarter: a loan by commitment, from which one investor is excused, and the fee by each one's terms. */
async function callCapital(page: Page) {
  await page.goto(paths.newCapitalCall({ fund }));
  await scriptsReady(page);
  await page.getByLabel('Number', { exact: true }).fill('1');
  await page.getByLabel('Cut-off date', { exact: true }).fill('2026-01-05');
  await page.getByLabel('Due date', { exact: true }).fill('2026-01-20');
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Loans');
  await page.getByRole('textbox', { name: 'Amount', exact: true }).nth(1).fill('1000');
  // The fee of the quarter is proposed as a purpose that follows each investor's terms.
  await page.getByLabel('First day of the fee', { exact: true }).fill('2026-01-01');
  await page.getByLabel('Last day of the fee', { exact: true }).fill('2026-03-31');
  await press(page, 'Add the fee to the purposes');
  await expect.poll(() => page.getByRole('textbox', { name: 'Title', exact: true }).count()).toBe(2);
  await press(page, 'Review');
  const shares = 'Each investor’s share';
  const own = (investor: string) => rowOf(page, shares, investor);
  // 2 % of each commitment for 90 of 365 days.
  for (const [investor, fee] of [
    ['Kenwyn Life', '29.59'],
    ['Allen Pensions', '14.79'],
    ['Tresillian Trust', '4.93'],
  ] as const)
    await own(investor).getByText(fee, { exact: true }).first().waitFor();
  await press(page, 'Change Loans of Allen Pensions: 300.00');
  await own('Allen Pensions').getByLabel('Excused', { exact: true }).first().check();
  await page.getByLabel('Reason, if the investor is excused', { exact: true }).fill('Its policy on tobacco');
  await press(page, 'Apply');
  // Its 300.00 are taken over by commitments of 6,000 and 1,000.
  await own('Kenwyn Life').getByText('257.14 taken over').waitFor();
  await own('Tresillian Trust').getByText('42.86 taken over').waitFor();
  await press(page, 'Issue 1,049.31 USD, due 20 Jan 2026');
  await page.getByRole('heading', { level: 1, name: 'Capital call 1', exact: true }).waitFor();
}

/** Fal Foundation commits 2,000 on 1 July. */
async function closeLater(page: Page) {
  await page.goto(paths.newClosing(fund));
  await scriptsReady(page);
  await page.getByLabel('Closing date', { exact: true }).fill('2026-07-01');
  await page.getByLabel('Due date', { exact: true }).fill('2026-07-15');
  await page.getByLabel('Investor', { exact: true }).selectOption({ label: 'Fal Foundation' });
  await page.getByLabel('Commits at this closing', { exact: true }).fill('2000');
  await press(page, 'Next');
  await page.getByLabel('Interest', { exact: true }).waitFor();
  await press(page, 'Review');
  // Of the loan, 1,000 by 6,000, 1,000 and its 2,000: who was excused shares nothing. Interest for 162 days.
  const everyone = 'Every investor before and after the closing';
  await rowOf(page, everyone, 'Fal Foundation').getByText('232.08', { exact: true }).waitFor();
  await rowOf(page, everyone, 'Fal Foundation').getByText('10.30', { exact: true }).waitFor();
  await page.getByText(/^Not everyone has paid the same part of its commitment/).waitFor();
  await press(page, 'Close and call 242.38 USD, due 15 Jul 2026');
  await page.getByRole('heading', { level: 1, name: 'Second closing', exact: true }).waitFor();
}

/** 120.00 of interest by the commitments of all four. */
async function distribute(page: Page) {
  await page.goto(paths.newDistribution({ fund }));
  await scriptsReady(page);
  await page.getByLabel('Number', { exact: true }).fill('2');
  await page.getByLabel('Cut-off date', { exact: true }).fill('2026-09-30');
  await page.getByLabel('Kind', { exact: true }).selectOption('Interest');
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Interest of the quarter');
  await page.getByRole('textbox', { name: 'Amount', exact: true }).last().fill('120');
  await press(page, 'Review');
  for (const [investor, amount] of [
    ['Kenwyn Life', '60.00'],
    ['Allen Pensions', '30.00'],
    ['Tresillian Trust', '10.00'],
    ['Fal Foundation', '20.00'],
  ] as const)
    await rowOf(page, 'Each investor’s share', investor).getByText(amount, { exact: true }).first().waitFor();
  await press(page, 'Issue 120.00 USD, 30 Sep 2026');
  await page.getByRole('heading', { level: 1, name: 'Distribution 2', exact: true }).waitFor();
}

/** The NAV of the fund on the last day of the quarter, and a statement for everyone. */
async function state(page: Page) {
  await page.goto(paths.newNav({ fund }));
  await scriptsReady(page);
  await page.getByLabel('Cut-off date', { exact: true }).fill('2026-09-30');
  await page.getByLabel('Status', { exact: true }).selectOption('Active');
  for (const part of ['Gross NAV', 'Net NAV']) await page.getByLabel(part, { exact: true }).fill('1200');
  await press(page, 'Split over the investors');
  await expect
    .poll(() =>
      page
        .getByLabel(/^Net NAV of /)
        .first()
        .inputValue(),
    )
    .toMatch(/\d/);
  await press(page, 'Save');
  // The next address would cancel what is being saved.
  await page.waitForURL(({ pathname }) => pathname === paths.fund(fund));
  await page.goto(paths.newStatements({ fund }));
  await scriptsReady(page);
  await page.getByLabel('Cut-off date', { exact: true }).fill('2026-09-30');
  await press(page, 'Create statements');
  await page.getByRole('heading', { name: 'Documents', exact: true }).first().waitFor();
}

it('a quarter of a fund: fee and call with an excuse, a later closing, a distribution and statements', async () => {
  const page = await openPage({ widthPx: 1440, expectedErrors: [/422/] });
  await signIn(page, tenant.emails.manager);
  await callCapital(page);
  await closeLater(page);
  await distribute(page);
  await state(page);
  const statements = async () =>
    (await tenant.manager.get('/crud/capitalAccounts', { filter: { fund } })).json as { status: string }[];
  expect((await statements()).map(({ status }) => status)).toEqual(['Draft', 'Draft', 'Draft', 'Draft']);
  // As soon as their files are made.
  await expect
    .poll(
      async () => {
        await page.reload();
        return page.getByText('The file is being created').count();
      },
      { timeout: 60_000, interval: 1000 },
    )
    .toBe(0);
  await scriptsReady(page);
  await press(page, 'Publish chosen');
  await page.getByText('Publish 4 documents?', { exact: true }).waitFor();
  await press(page, 'Publish');
  await expect
    .poll(async () => (await statements()).map(({ status }) => status))
    .toEqual(['Active', 'Active', 'Active', 'Active']);
});
