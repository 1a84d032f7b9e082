import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { misfits } from './misfits.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let investor: string;

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

/** A fund to which the investor has committed 18,000. */
async function makeFund(title: string): Promise<string> {
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 40_000, hardCap: 50_000 };
  const { id } = await created('/crud/funds', { title, ...terms });
  await created('/crud/LPCommitments', {
    fund: id,
    investor: { id: investor, kind: 'LP' },
    closingDate: '2026-01-15',
    maxCommitment: { sum: 18_000, currency: 'USD' },
  });
  return id;
}

/** A call of 1,000. @returns the id of the call */
async function call(fund: string, callNumber: string, status = 'Draft'): Promise<string> {
  const [part] = await created('/crud/contributions', {
    fund,
    callNumber,
    cutOffDate: '2026-03-02',
    dueDate: '2026-03-20',
    amount: { sum: 1000, currency: 'USD' },
    callPurposes: [{ title: 'A senior note', kind: 'investments', amount: 1000 }],
    status,
  });
  return part.metadata.bundleId;
}

beforeAll(async () => {
  const entity = { name: 'Norrland Pension Fund', formalId: 'NPF', nationality: { country: 'SE' } };
  investor = (await created('/crud/LPs', { title: 'Norrland Pension Fund', entity })).id;
});

const BOTH = [true, false];

it.each(BOTH)('a draft call is edited and issued, withdrawn and issued again (JavaScript: %s)', async (javaScript) => {
  const number = javaScript ? 'E1' : 'F1';
  const fund = await makeFund(`Lighthouse Credit Fund ${number}`);
  const bundle = await call(fund, number);
  const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390, expectedErrors: [/422/] });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.capitalCall(bundle));
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: `Edit capital call ${number}`, exact: true }).waitFor();
  if (javaScript) await scriptsReady(page);
  const amounts = page.getByRole('textbox', { name: 'Amount', exact: true });
  expect(await amounts.first().inputValue()).toBe('1,000.00');
  await amounts.first().fill('2500.50');
  await amounts.nth(1).fill('2500.50');
  await page.getByLabel('Due date', { exact: true }).fill('2026-03-30');
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  await page.getByRole('heading', { name: 'Preview of a notice', exact: true }).waitFor();
  await page.getByRole('cell', { name: '15,499.50', exact: true }).first().waitFor();
  if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
  else expect(await overflowsSideways(page)).toBe(false);
  if (javaScript) await scriptsReady(page);
  await page.getByRole('button', { name: 'Save draft', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: `Capital call ${number}`, exact: true }).waitFor();
  const stored = async () =>
    (await tenant.manager.get('/crud/contributions', { filter: { fund, callNumber: number } })).json;
  expect(await stored()).toMatchObject([{ status: 'Draft', amount: { sum: 2500.5 }, dueDate: '2026-03-30' }]);
  await page.getByRole('heading', { name: 'History', exact: true }).waitFor();
  if (javaScript) await scriptsReady(page);
  await page.getByRole('link', { name: 'Issue', exact: true }).click();
  await page.getByText(`Issue call ${number}?`, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Issue', exact: true }).click();
  await page.getByRole('button', { name: 'Close', exact: true }).waitFor();
  expect(await stored()).toMatchObject([{ status: 'Active' }]);
  expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);

  // What was issued needs a reason, and its review says what it was.
  const former = page.url();
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: `Change capital call ${number}`, exact: true }).waitFor();
  if (javaScript) await scriptsReady(page);
  await amounts.first().fill('2000');
  await amounts.nth(1).fill('2000');
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  const reason = page.getByLabel('Reason for withdrawing it', { exact: true });
  await expect.poll(() => reason.getAttribute('aria-invalid')).toBe('true');
  await reason.fill('The investor has a side letter');
  await page.getByRole('button', { name: 'Review', exact: true }).click();
  const shares = page.getByRole('table', { name: 'Each investor’s share' });
  await shares.getByText('was 2,500.50').first().waitFor();
  // The withdrawn part does not count: 18,000.00 less 2,000.00.
  await page.getByRole('cell', { name: '16,000.00', exact: true }).first().waitFor();
  expect(await stored()).toMatchObject([{ status: 'Active', amount: { sum: 2500.5 } }]);
  if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
  else expect(await overflowsSideways(page)).toBe(false);
  await page
    .getByRole('button', { name: 'Withdraw and issue again 2,000.00 USD, due 30 Mar 2026', exact: true })
    .click();
  await page.getByRole('heading', { level: 1, name: `Capital call ${number}`, exact: true }).waitFor();
  expect(page.url()).not.toBe(former);
  expect(await stored()).toMatchObject([{ status: 'Active', amount: { sum: 2000 } }]);
  await page.goto(former);
  await page.getByText('The investor has a side letter', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'The call as issued again', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: `Capital call ${number}`, exact: true }).waitFor();
});

it.each(BOTH)('a NAV and a write-off are changed and removed (JavaScript: %s)', async (javaScript) => {
  const fund = await makeFund(`Lighthouse Income Fund ${javaScript ? 'I' : 'II'}`);
  await call(fund, '1', 'Active');
  const cutOffDate = javaScript ? '2026-06-30' : '2026-09-30';
  const own = { fund, investor: { id: investor, kind: 'LP' }, cutOffDate };
  await created('/crud/navs', [{ ...own, gross: 1100, net: 1000, currency: 'USD' }]);
  await created('/crud/writeOffs', [{ ...own, amount: { sum: 50, currency: 'USD' } }]);
  const day = javaScript ? '30 Jun 2026' : '30 Sep 2026';
  const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390, expectedErrors: [/422/] });
  await signIn(page, tenant.emails.manager);
  for (const { one, title, many, field, value, shown } of [
    {
      one: 'NAV',
      many: 'NAVs',
      title: 'Net asset values',
      field: 'Net NAV',
      value: '990.25',
      shown: '990.25',
    },
    {
      one: 'write-off',
      many: 'write-offs',
      title: 'Write-offs',
      field: 'Amount',
      value: '75.5',
      shown: '75.50',
    },
  ]) {
    await page.goto(paths.fund(fund, { view: 'navs' }));
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    if (javaScript) {
      await scriptsReady(page);
      expect(await accessibilityViolations(page)).toEqual([]);
    } else expect(await overflowsSideways(page)).toBe(false);
    if (one === 'NAV') {
      // Quarters are across: the last day of one needs no date.
      const table = page.getByRole('table', { name: 'Net asset values by quarter' });
      await table
        .getByText(javaScript ? 'Q2 2026' : 'Q3 2026')
        .first()
        .waitFor();
      await table.getByText('1,000.00', { exact: true }).first().waitFor();
      await page.getByRole('link', { name: 'Gross', exact: true }).click();
      await table.getByText('1,100.00', { exact: true }).first().waitFor();
      await page.getByRole('link', { name: 'Net', exact: true }).click();
      await table.getByText('1,000.00', { exact: true }).first().waitFor();
      expect(await misfits(page)).toEqual([]);
    }
    const open = async () => {
      await page.getByLabel(`Choose the ${one} of Norrland Pension Fund on ${day}`, { exact: true }).check();
      await page.getByRole('button', { name: `Change chosen ${many}`, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: `Change ${one}`, exact: true }).waitFor();
      if (javaScript) await scriptsReady(page);
    };
    await open();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    else expect(await overflowsSideways(page)).toBe(false);
    const label = `${field} of Norrland Pension Fund, ${cutOffDate}`;
    await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    await page.getByText(shown, { exact: true }).first().waitFor();
    if (javaScript) await scriptsReady(page);
    await open();
    // It was issued: without a reason it stays.
    const remove = page.getByRole('button', { name: `Remove ${one}`, exact: true });
    const reason = page.getByLabel('Reason', { exact: true });
    await reason.fill('Entered for the wrong day');
    await remove.click();
    await page.getByRole('heading', { name: title, exact: true }).waitFor();
    const collection = one === 'NAV' ? '/crud/navs' : '/crud/writeOffs';
    expect((await tenant.manager.get(collection, { filter: { fund, cutOffDate } })).json).toEqual([]);
  }
});
