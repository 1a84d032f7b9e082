import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { calledBack } from './call-back.ts';
import { secondManager } from './second-manager.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let releaser: string;
let account: string;

const usd = (sum: number) => ({ sum, currency: 'USD' });
async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

/** Two distributions of 500.00 to an investor whose account is confirmed, one for each way to pay. */
beforeAll(async () => {
  releaser = await secondManager(tenant.emails.manager);
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 9000, hardCap: 9000 };
  const fund = (await created('/crud/funds', { title: 'Pier Fund', ...terms })).id;
  const banks = [{ title: 'Main account', accountNumber: '0011223344', address: '1 High Street', type: 'Business' }];
  const entity = { name: 'Lowe Trust', formalId: 'LP-LOWE', nationality: { country: 'US' }, banks };
  const payoutAccounts = [{ currency: 'USD', account: 'Main account' }];
  const investor = (await created('/crud/LPs', { title: 'Lowe Trust', entity, payoutAccounts })).id;
  const of = { id: investor, kind: 'LP' };
  await created('/crud/LPCommitments', { fund, investor: of, closingDate: '2026-01-15', maxCommitment: usd(9000) });
  account = (
    await created('/crud/bankAccounts', {
      title: 'Distribution account',
      bankName: 'First Tidewater',
      accountNumber: '5120001',
      currency: 'USD',
      openingDate: '2025-12-31',
    })
  ).id;
  for (const callNumber of ['1', '2'])
    await created('/crud/distributions', {
      fund,
      investor: of,
      cutOffDate: '2026-03-02',
      callNumber,
      distributionKind: 'Interest',
      principal: usd(0),
      components: [{ title: 'Interest', actionType: 'INTEREST', amount: usd(500) }],
      status: 'Active',
    });
  const other = await signedIn(releaser);
  const check = calledBack();
  const confirmed = await other.post(`/crud/LPs/${investor}/confirmPayoutAccount`, { currency: 'USD', check });
  expect(confirmed.status, confirmed.text).toBe(201);
});

it.each([true, false])(
  'a payment run is prepared by one person and released by another (JavaScript: %s)',
  async (javaScript) => {
    const preparing = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390 });
    await signIn(preparing, tenant.emails.manager);
    await preparing.goto(paths.newPaymentRun({ account }));
    if (javaScript) await scriptsReady(preparing);
    const boxes = preparing.getByRole('main').getByRole('checkbox', { disabled: false });
    // All that can be paid is chosen: only the first is paid here.
    for (const box of (await boxes.all()).slice(1)) await box.uncheck();
    await preparing.getByRole('main').getByLabel('File', { exact: true }).selectOption('CSV');
    await preparing.getByRole('button', { name: 'Prepare run' }).click();
    await preparing.waitForURL((url) => /^\/cash\/runs\/[0-9a-f]{24}$/.test(url.pathname));
    await preparing.getByText('You prepared it, so another person must release it.').waitFor();
    expect(await preparing.getByRole('button', { name: 'Release' }).count()).toBe(0);
    expect(await overflowsSideways(preparing)).toBe(false);

    const releasing = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390 });
    await signIn(releasing, releaser);
    await releasing.goto(new URL(preparing.url()).pathname);
    if (javaScript) await scriptsReady(releasing);
    await releasing.getByRole('button', { name: 'Release', exact: true }).click();
    await releasing.getByText('Release 1 payment: 500.00 USD?').waitFor();
    await releasing.getByRole('button', { name: 'Release 500.00 USD' }).click();
    await releasing.getByRole('link', { name: 'Download file' }).waitFor();
    if (javaScript) expect(await accessibilityViolations(releasing)).toEqual([]);
  },
);
