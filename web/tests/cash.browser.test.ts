import { beforeAll, expect, it, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let fund: string;

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

/** Two calls of 400.00 to one investor, due on 1 January 2026, one for each way to pay. */
beforeAll(async () => {
  const entity = { name: 'Helford Trust', formalId: 'Helford Trust', nationality: { country: 'US' } };
  const { id } = await created('/crud/LPs', { title: 'Helford Trust', entity });
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 6000, hardCap: 6000 };
  fund = (await created('/crud/funds', { title: 'Helford Fund', ...terms })).id;
  const investor = { id, kind: 'LP' };
  await created('/crud/LPCommitments', { fund, investor, closingDate: '2025-12-15', maxCommitment: 1000 });
  for (const callNumber of ['1', '2'])
    await created('/crud/contributions', {
      fund,
      cutOffDate: '2025-12-16',
      dueDate: '2026-01-01',
      callNumber,
      amount: { sum: 400, currency: 'USD' },
      callPurposes: [{ title: 'Loans', kind: 'investments', amount: 400 }],
      status: 'Active',
    });
  await created('/crud/bankAccounts', {
    fund,
    title: 'Pay-in account',
    bankName: 'First Tidewater',
    accountNumber: 'US64 0210 0002 1000 4471',
    currency: 'USD',
    openingDate: '2025-12-01',
  });
});

it.each([true, false])('a payment is recorded, allocated and reversed (JavaScript: %s)', async (javaScript) => {
  const [owed] = (await tenant.manager.get('/crud/obligations', { fund, open: 'true' })).json;
  // The same amount again would be refused as a payment that was saved a moment ago.
  const amount = javaScript ? 450 : 460;
  const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390 });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.newPayment());
  if (javaScript) await scriptsReady(page);
  const main = page.getByRole('main');
  await main.getByLabel('Amount', { exact: true }).fill(String(amount));
  await main.getByLabel('Booking date', { exact: true }).fill('2026-01-05');
  await main.getByRole('button', { name: 'Record payment' }).click();
  await page.waitForURL((url) => /^\/cash\/payments\/[0-9a-f]{24}$/.test(url.pathname));
  const address = page.url();
  await main.getByText('Nothing is allocated yet.').waitFor();
  if (javaScript) await scriptsReady(page);

  // As much as is open is allocated, and the rest is a credit.
  await main.getByRole('combobox', { name: 'What it pays' }).selectOption(`contribution/${owed.document}`);
  await main.getByRole('button', { name: 'Allocate', exact: true }).click();
  await main.getByRole('link', { name: 'Reverse', exact: true }).waitFor();
  const read = async () => (await tenant.manager.get(`/crud/payments/${address.split('/').at(-1)}`)).json;
  expect(await read()).toMatchObject({
    allocated: { sum: 400 },
    credit: { sum: amount - 400 },
    party: { title: 'Helford Trust' },
  });
  expect(await overflowsSideways(page)).toBe(false);
  if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);

  await main.getByRole('link', { name: 'Reverse', exact: true }).click();
  await main.getByLabel('Reason', { exact: true }).fill('It was for the other call');
  await main.getByRole('button', { name: 'Reverse', exact: true }).click();
  await main.getByText('Reversed: It was for the other call').waitFor();
  expect(await read()).toMatchObject({ allocated: { sum: 0 }, credit: { sum: amount } });

  await page.goto(paths.capitalCall(owed.activity));
  await main.getByText('Overdue', { exact: true }).first().waitFor();
});

test('a line is matched beside what is owed without JavaScript, and a fund is chosen', async () => {
  const page = await openPage({ javaScript: false, widthPx: 1024 });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.cash());
  const main = page.getByRole('main');
  await main.getByText('All funds', { exact: true }).first().click();
  await main.getByRole('link', { name: 'Helford Fund', exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get('fund') === fund);
  const [account] = (await tenant.manager.get('/crud/bankAccounts')).json;
  const payment = await created('/crud/payments', {
    bankAccount: account.id,
    direction: 'in',
    amount: 400,
    bookedOn: '2026-01-06',
    counterpartyName: 'HELFORD TRUST',
    remittance: 'CAPITAL CALL 2',
  });
  await page.reload();
  await main.getByText('Helford Trust, capital call 2').waitFor();
  await main
    .getByRole('list', { name: 'Newest payments to match' })
    .getByRole('button', { name: 'Match' })
    .first()
    .click();
  await main.getByText('1 payment matched.').waitFor();
  expect(new URL(page.url()).searchParams.get('fund')).toBe(fund);
  expect((await tenant.manager.get(`/crud/payments/${payment.id}`)).json).toMatchObject({ credit: { sum: 0 } });
});
