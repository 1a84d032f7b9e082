import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { northwindLoan, northwindTapes } from './northwind-tapes.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const FACILITY = 'Northwind warehouse facility';
const CUT_OFF = '2026-10-31';
const LOADED_WITHIN_MS = 300_000;

let tape: string;
let contract: string;

const loan = (id: string, fico: number, state: string) =>
  northwindLoan({
    'Loan ID': id,
    'Borrower ID': `B-${id}`,
    Product: 'Unsecured personal',
    'Months on Book': 8,
    'Remaining Term': 28,
    DTI: 0.21,
    'FICO at Origination': fico,
    Grade: 'C',
    State: state,
  });

/** The borrowing bases of the tape, with those that a recalculation superseded. */
const bases = async (): Promise<{ id: string; status: string }[]> =>
  (
    await tenant.manager.get('/crud/borrowingBase', {
      filter: { loanTape: tape, status: { in: ['Active', 'Disabled'] } },
      sort: { code: 1 },
    })
  ).json;

async function calculate(expected: number): Promise<{ id: string; status: string }[]> {
  expect((await tenant.manager.post('/LTP/calculateBB', { loanTapeId: tape })).status).toBeLessThan(300);
  return vi.waitFor(
    async () => {
      const found = await bases();
      expect(found).toHaveLength(expected);
      return found;
    },
    { timeout: LOADED_WITHIN_MS, interval: 200 },
  );
}

beforeAll(async () => {
  const tapes = await northwindTapes(tenant.manager);
  tape = await tapes.publish(
    [loan('A-1', 650, 'CA'), loan('A-2', 700, 'TX'), loan('A-3', 720, 'NY'), loan('A-4', 660, 'CA')],
    { cutOffDate: CUT_OFF, name: 'trial.xlsx' },
  );
  await calculate(1);
  const [transaction] = (await tenant.manager.get('/crud/transactions', { filter: { title: FACILITY } })).json;
  const { notes } = (await tenant.manager.get(`/crud/transactions/${transaction.id}`)).json;
  contract = notes[0].contracts[0].id;
}, LOADED_WITHIN_MS);

/** The page of a new version of the contract. */
async function newVersion(javaScript = true): Promise<Page> {
  const page = await openPage({ javaScript });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.contract(contract));
  await page
    .getByRole('button', { name: /^New version/ })
    .first()
    .click();
  return page;
}

/** The form of a new rule. */
async function newRule(javaScript = true): Promise<Page> {
  const page = await newVersion(javaScript);
  await page.getByRole('link', { name: 'Add a rule' }).first().click();
  await page.getByRole('button', { name: 'Save rule' }).waitFor();
  if (javaScript) await scriptsReady(page);
  return page;
}

describe('a draft on the latest tape', () => {
  it('is compared with the contract in force: the base by rule, statuses, and the assets as files', async () => {
    const page = await newVersion();
    await page.getByRole('link', { name: 'Edit FICO is at least 640' }).click();
    await page.getByLabel('Value', { exact: true }).first().fill('680');
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('Origination credit score is at least 680').first().waitFor();

    const statuses = page.getByRole('table', { name: 'Changes of status' });
    await statuses.getByRole('row', { name: 'Performing Ineligible 2', exact: true }).waitFor();
    const rules = page.getByRole('table', { name: 'Change of the net borrowing base by rule' });
    await rules
      .getByRole('row', { name: /^FICO is at least 640/ })
      .first()
      .waitFor();
    const assets = page.getByRole('table', { name: 'Assets that change status' });
    expect(await assets.getByRole('row').allInnerTexts()).toHaveLength(3);
    for (const id of ['A-1', 'A-4']) await assets.getByRole('cell', { name: id, exact: true }).waitFor();

    const link = page.getByRole('link', { name: 'Export to CSV', exact: true });
    const csv = await page.request.get((await link.getAttribute('href')) ?? '');
    expect(csv.headers()['content-type']).toContain('text/csv');
    const lines = (await csv.text()).trim().split(/\r?\n/);
    expect(lines).toHaveLength(3);
    expect(
      lines
        .slice(1)
        .map((line) => /A-\d/.exec(line)?.[0])
        .sort(),
    ).toEqual(['A-1', 'A-4']);
    const excel = page.getByRole('link', { name: 'Export to Excel', exact: true });
    const xlsx = await page.request.get((await excel.getAttribute('href')) ?? '');
    expect(xlsx.headers()['content-type']).toContain('spreadsheetml');
    expect((await xlsx.body()).subarray(0, 2).toString()).toBe('PK');
  });

  it.each([true, false])(
    'takes groups of conditions, other fields and the cut-off date line by line (JavaScript %s)',
    async (javaScript) => {
      const page = await newRule(javaScript);
      await page.getByLabel('Title', { exact: true }).fill('Paid or new');
      const part = (row: number, name: string) => page.locator(`[name="rows[${row}].${name}"]`);
      const fillLine = async (row: number, path: string, operator: string, value: string) => {
        await part(row, 'path').selectOption(path);
        await part(row, 'operator').selectOption(operator);
        await part(row, 'value').fill(value);
      };
      await fillLine(0, 'sums.outstandingSum', 'lte', '{Original principal}');
      if (javaScript) await page.getByRole('button', { name: 'And', exact: true }).click();
      await fillLine(1, 'dates.lastPaymentDate', 'gte', 'cutOff - 2m');
      if (javaScript) await page.getByRole('button', { name: 'Or', exact: true }).click();
      else await part(2, 'join').selectOption('or');
      await fillLine(2, 'dateFinanced', 'gt', 'cutOff - 2m');
      if (javaScript) {
        await page.getByText('Condition 3: Use brackets to group conditions').waitFor();
        await page.getByRole('button', { name: 'Brackets', exact: true }).click();
      }
      await part(1, 'open').selectOption('(');
      await part(2, 'close').selectOption(')');
      const balance = 'Current balance is at most Original principal';
      const paid =
        '(Last payment date is on or after 2 months before the cut-off date or Origination date is after 2 months before the cut-off date)';
      if (javaScript) {
        await page.getByText(`Reads: ${balance} and ${paid}`).waitFor();
        const violations = await accessibilityViolations(page);
        expect(violations.filter((one) => /Condition|rows/.test(one))).toEqual([]);
        await page.setViewportSize({ width: 390, height: 844 });
        expect(await overflowsSideways(page)).toBe(false);
      }
      await page.getByRole('button', { name: 'Save rule' }).click();
      // The database keeps the keys of an object in an order of its own.
      await page.getByText(`${paid} and ${balance}`).first().waitFor();
      await page.getByRole('link', { name: 'Edit Paid or new' }).click();
      await page.getByRole('button', { name: 'Save rule' }).waitFor();
      expect(await part(0, 'open').inputValue()).toBe('(');
      expect(await part(1, 'join').inputValue()).toBe('or');
      expect(await part(2, 'value').inputValue()).toBe('{Original principal}');
    },
  );

  it.each([true, false])(
    'exempts assets by id and by lines of conditions, which open as they were saved (JavaScript %s)',
    async (javaScript) => {
      const page = await newRule(javaScript);
      await page.getByLabel('Title', { exact: true }).fill('Small');
      await page.locator('[name="rows[0].path"]').selectOption('sums.outstandingSum');
      await page.locator('[name="rows[0].operator"]').selectOption('lt');
      await page.locator('[name="rows[0].value"]').fill('1000000');
      await page.getByText('Exempt loans', { exact: true }).click();
      const [first, second] = [1, 2].map((which) => page.getByRole('group', { name: `Exception ${which}` }));
      const part = (row: number, name: string) => page.locator(`[name="exceptions[0].rows[${row}].${name}"]`);
      await first!.getByLabel('Reason').fill('agreed');
      await part(0, 'path').selectOption('sums.outstandingSum');
      await part(0, 'operator').selectOption('lte');
      await part(0, 'value').fill('{Original principal}');
      if (javaScript) await first!.getByRole('button', { name: 'Or', exact: true }).click();
      else await part(1, 'join').selectOption('or');
      await part(1, 'path').selectOption('dateFinanced');
      await part(1, 'operator').selectOption('gt');
      await part(1, 'value').fill('cutOff - 2m');
      if (javaScript) {
        await first!
          .getByText(
            'Reads: Current balance is at most Original principal or Origination date is after 2 months before the cut-off date',
          )
          .waitFor();
        // Its values arrive below the field and move the button.
        await first!.getByText(/^On the tape 20/).waitFor();
        await page.getByRole('button', { name: 'Add exception', exact: true }).click();
        await second!.getByLabel('Asset id', { exact: true }).fill('A-1');
        const violations = await accessibilityViolations(page);
        expect(violations.filter((one) => /xception|rows/.test(one))).toEqual([]);
        await page.setViewportSize({ width: 390, height: 844 });
        expect(await overflowsSideways(page)).toBe(false);
      }
      await page.getByRole('button', { name: 'Save rule' }).click();
      const both = /^Small · .* · 1 exception by asset, 1 exception by condition$/;
      const byCondition = /^Small · .* · 1 exception by condition$/;
      await page.getByText(javaScript ? both : byCondition).waitFor();

      const open = async () => {
        await page.getByRole('link', { name: 'Edit Small' }).click();
        await page.getByRole('button', { name: 'Save rule' }).waitFor();
        expect(await part(0, 'value').inputValue()).toBe('{Original principal}');
        expect(await part(1, 'join').inputValue()).toBe('or');
        expect(await part(1, 'value').inputValue()).toBe('cutOff - 2m');
        // An exception by condition asks for no asset, and one by asset for no condition.
        expect(await first!.getByLabel('Asset id', { exact: true }).count()).toBe(0);
      };
      await open();
      if (javaScript) {
        expect(await second!.getByLabel('Asset id', { exact: true }).inputValue()).toBe('A-1');
        expect(await second!.getByLabel('Field', { exact: true }).count()).toBe(0);
        await scriptsReady(page);
        await second!.getByRole('button', { name: 'Remove exception', exact: true }).click();
        await second!.getByLabel('Field', { exact: true }).waitFor();
      } else {
        await second!.getByLabel('Asset id', { exact: true }).fill('A-1');
      }
      await page.getByRole('button', { name: 'Save rule' }).click();
      await page.getByText(javaScript ? byCondition : both).waitFor();
      await open();
    },
  );

  it('has conditions with the values of the tape', async () => {
    const page = await newRule();
    await page.getByLabel('Field', { exact: true }).first().selectOption({ label: 'State' });
    await page.getByText('3 values on the tape', { exact: true }).waitFor();
    const value = page.getByLabel('Value', { exact: true }).first();
    const offered = await value.evaluate((input: HTMLInputElement) =>
      [...(input.list?.options ?? [])].map(({ label }) => label),
    );
    expect(offered.sort()).toEqual(['CA (2 assets)', 'NY (1 asset)', 'TX (1 asset)']);
    await page.getByLabel('Field', { exact: true }).first().selectOption({ label: 'Origination credit score' });
    await page.getByText(/^On the tape 650 to 720, half of it/).waitFor();
  });
});

describe('a borrowing base that was calculated again', () => {
  it('lists every result of its tape and keeps the earlier ones readable', async () => {
    const [first] = await bases();
    const [transaction] = (await tenant.manager.get('/crud/transactions', { filter: { title: FACILITY } })).json;
    // The ledger was empty before, so that the availability was unknown.
    const repayments = [{ kind: 'fees', amount: { sum: 100, currency: 'USD' } }];
    const recorded = await tenant.manager.post('/crud/repayments', {
      transaction: transaction.id,
      noteTitle: 'Senior',
      cutOffDate: CUT_OFF,
      repayments,
    });
    expect(recorded.status, recorded.text).toBe(201);
    const latest = (await calculate(2)).find(({ status }) => status === 'Active');

    const page = await openPage({ javaScript: false });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.borrowingBase(latest!.id, { view: 'audit' }));
    const results = page.getByRole('table', { name: 'Results of this tape' });
    await results.getByRole('cell', { name: 'Latest', exact: true }).waitFor();
    expect(await results.getByRole('row').count()).toBe(3);
    await results
      .getByRole('row', { name: /Superseded/ })
      .getByRole('link')
      .first()
      .click();
    await page.waitForURL((url) => url.pathname === paths.borrowingBase(first!.id));
    await results.getByRole('cell', { name: 'Latest', exact: true }).waitFor();
    // The latest result is a link now, and the one that is shown is not.
    expect(
      await results
        .getByRole('row', { name: /Superseded/ })
        .getByRole('link')
        .count(),
    ).toBe(0);
  });
});
