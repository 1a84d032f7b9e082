import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let late: { document: string };
let draft: string;

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

/** A call of 400.00 is overdue since January 2026, and the next one is a draft. */
beforeAll(async () => {
  const entity = { name: 'Percuil Trust', formalId: 'Percuil Trust', nationality: { country: 'US' } };
  const { id } = await created('/crud/LPs', { title: 'Percuil Trust', entity });
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 6000, hardCap: 6000 };
  const feeTerms = [{ from: '2025-01-01', terms: { defaultInterest: { rate: 10 } } }];
  const fund = (await created('/crud/funds', { title: 'Percuil Fund', ...terms, feeTerms })).id;
  const investor = { id, kind: 'LP' };
  await created('/crud/LPCommitments', { fund, investor, closingDate: '2025-12-15', maxCommitment: 1000 });
  await created('/crud/bankAccounts', {
    fund,
    title: 'Pay-in account',
    bankName: 'First Tidewater',
    accountNumber: 'US64 0210 0002 1000 4471',
    currency: 'USD',
    openingDate: '2025-12-01',
  });
  const call = {
    fund,
    cutOffDate: '2025-12-16',
    amount: { sum: 400, currency: 'USD' },
    callPurposes: [{ title: 'Loans', kind: 'investments', amount: 400 }],
  };
  await created('/crud/contributions', { ...call, dueDate: '2026-01-05', callNumber: '1', status: 'Active' });
  [late] = (await tenant.manager.get('/crud/obligations', { fund } as never)).json;
  const [line] = await created('/crud/contributions', { ...call, dueDate: '2149-01-31', callNumber: '2' });
  draft = line.metadata.bundleId;
});

it.each([true, false])(
  'a draft call asks for default interest, and gives it back (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390 });
    await signIn(page, tenant.emails.manager);
    const main = page.getByRole('main');
    await page.goto(paths.obligation(late.document));
    await main.getByRole('heading', { name: 'Default interest' }).waitFor();
    if (javaScript) {
      await scriptsReady(page);
      expect(await accessibilityViolations(page)).toEqual([]);
    }
    expect(await overflowsSideways(page)).toBe(false);
    await page.goto(paths.capitalCall(draft));
    if (javaScript) await scriptsReady(page);
    await main.getByRole('button', { name: 'Add to this call' }).click();
    const out = main.getByRole('button', { name: 'Take out the default interest' });
    await out.waitFor();
    expect(await overflowsSideways(page)).toBe(false);
    if (javaScript) {
      await scriptsReady(page);
      expect(await accessibilityViolations(page)).toEqual([]);
    }
    await out.click();
    await main.getByRole('button', { name: 'Add to this call' }).waitFor();
    await page.close();
  },
);
