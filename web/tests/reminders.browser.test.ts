import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let fund: string;
/** Two overdue calls of the tenant's own investor, one for each way. */
let owed: { document: string; number: string; party: { title: string } }[];

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

beforeAll(async () => {
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 6000, hardCap: 6000 };
  fund = (await created('/crud/funds', { title: 'Mylor Fund', ...terms })).id;
  const [{ id }] = (await (await screensOf(tenant.emails.investor)).api.get('/crud/LPs')).json;
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
  for (const callNumber of ['1', '2'])
    await created('/crud/contributions', {
      fund,
      cutOffDate: '2025-12-16',
      dueDate: '2026-01-05',
      callNumber,
      amount: { sum: 400, currency: 'USD' },
      callPurposes: [{ title: 'Loans', kind: 'investments', amount: 400 }],
      status: 'Active',
    });
  owed = (await tenant.manager.get('/crud/obligations', { fund } as never)).json;
});

it.each([true, false])(
  'an investor is reminded after a look at whom and of what (JavaScript: %s)',
  async (javaScript) => {
    const { document, party } = owed.find(({ number }) => number === (javaScript ? '1' : '2'))!;
    const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390 });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.obligation(document));
    if (javaScript) await scriptsReady(page);
    const main = page.getByRole('main');
    await main.getByRole('link', { name: 'Send a reminder' }).click();
    await main.getByRole('heading', { name: `Remind ${party.title}?` }).waitFor();
    await main.getByText(tenant.emails.investor).first().waitFor();
    expect(await overflowsSideways(page)).toBe(false);
    if (javaScript) {
      await scriptsReady(page);
      expect(await accessibilityViolations(page)).toEqual([]);
    }
    await main.getByRole('button', { name: 'Send the reminder' }).click();
    await page.waitForURL((url) => url.pathname === paths.obligation(document));
    await main.getByText('Reminder: sent by hand').first().waitFor();
    expect(await main.getByRole('link', { name: 'Send a reminder' }).count()).toBe(0);
    expect(await overflowsSideways(page)).toBe(false);
    await page.close();
  },
);

it.each([true, false])('a fund switches its reminders (JavaScript: %s)', async (javaScript) => {
  const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390 });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.fund(fund, { view: 'terms' }));
  if (javaScript) await scriptsReady(page);
  const main = page.getByRole('main');
  await main.getByRole('link', { name: 'Change reminders' }).click();
  const box = main.getByLabel('5 business days after', { exact: true });
  await box.waitFor();
  if (javaScript) {
    await scriptsReady(page);
    expect(await accessibilityViolations(page)).toEqual([]);
  }
  const wasOn = await box.isChecked();
  await box.setChecked(!wasOn);
  await main.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL((url) => url.pathname === paths.fund(fund));
  const { reminders } = (await tenant.manager.get(`/crud/funds/${fund}`)).json as { reminders: string[] };
  expect(reminders.includes('late5')).toBe(!wasOn);
  expect(reminders).toContain('late10');
  await page.close();
});
