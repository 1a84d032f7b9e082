import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const newcomer = 'Golant Trust';
let others: string[];

async function created(path: string, body: unknown): Promise<string> {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id;
}

beforeAll(async () => {
  const ids: string[] = [];
  for (const title of ['Lerryn Life', 'Polruan Pensions', 'Golant Trust']) {
    const entity = { name: title, formalId: title, nationality: { country: 'US' } };
    ids.push(await created('/crud/LPs', { title, entity }));
  }
  others = ids.slice(0, 2);
});

/** 1,000 and 3,000 committed, 400 called for loans on 1 January 2026. */
async function makeFund(title: string): Promise<string> {
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 6000, hardCap: 6000 };
  const fund = await created('/crud/funds', { title, ...terms });
  for (const [index, maxCommitment] of [1000, 3000].entries()) {
    const investor = { id: others[index], kind: 'LP' };
    await created('/crud/LPCommitments', { fund, investor, closingDate: '2025-12-15', maxCommitment });
  }
  await created('/crud/contributions', {
    fund,
    cutOffDate: '2025-12-16',
    dueDate: '2026-01-01',
    callNumber: '1',
    amount: { sum: 400, currency: 'USD' },
    callPurposes: [{ title: 'Loans', kind: 'investments', amount: 400 }],
    status: 'Active',
  });
  return fund;
}

it.each([true, false])('a closing is entered, corrected, reviewed and issued (JavaScript: %s)', async (javaScript) => {
  const fund = await makeFund(`Fowey Fund ${javaScript ? 'I' : 'II'}`);
  const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390, expectedErrors: [/422/] });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.newClosing(fund));
  if (javaScript) await scriptsReady(page);
  const title = page.getByLabel('Name of the closing', { exact: true });
  expect(await title.inputValue()).toBe('Second closing');
  await page.getByLabel('Closing date', { exact: true }).fill('2027-01-01');
  await page.getByLabel('Due date', { exact: true }).fill('2026-12-31');
  await page.getByLabel('Investor', { exact: true }).selectOption({ label: newcomer });
  await page.getByLabel('Commits at this closing', { exact: true }).fill('1000');
  const next = page.getByRole('button', { name: 'Next', exact: true });

  // The notices are not due before the closing.
  await next.click();
  await page.getByText('must not be before the closing date').first().waitFor();
  await page.getByLabel('Due date', { exact: true }).fill('2027-01-15');
  await next.click();

  const rate = page.getByLabel('Interest', { exact: true });
  await rate.waitFor();
  expect(await rate.inputValue()).toBe('');
  await rate.fill('10');
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await title.waitFor();
  expect(await page.getByLabel('Commits at this closing', { exact: true }).inputValue()).toMatch(/^1,?000(\.00)?$/);
  await next.click();
  await rate.waitFor();
  expect(await rate.inputValue()).toBe('10');
  await page.getByRole('button', { name: 'Review', exact: true }).click();

  const everyone = page.getByRole('table', { name: 'Every investor before and after the closing' });
  const own = everyone.getByRole('row').filter({ hasText: newcomer });
  await own.waitFor();
  expect(await own.textContent()).toContain('new');
  for (const figure of ['80.00', '8.00']) await own.getByRole('cell', { name: figure, exact: true }).waitFor();
  await page.getByText('Everyone has paid 8.00 % of its commitment, without interest', { exact: false }).waitFor();
  await page.getByText(/^Commitments of [\d,.]+ USD are within the hard cap of 6,000.00 USD$/).waitFor();
  await page.getByText(/^\d+ business days’ notice, due 15 Jan 2027$/).waitFor();
  expect(await overflowsSideways(page)).toBe(false);
  if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
  const stored = async () => ((await tenant.manager.get('/crud/closings', { fund })).json as unknown[]).length;
  expect(await stored()).toBe(0);

  await page.getByRole('button', { name: 'Close and call 88.00 USD, due 15 Jan 2027', exact: true }).click();
  await page.waitForURL(/\/funds\/[0-9a-f]{24}\/closings\/[0-9a-f]{24}$/);
  expect(await stored()).toBe(1);
  await page.getByRole('heading', { level: 1 }).filter({ hasText: 'closing' }).waitFor();
  await own.getByRole('cell', { name: '80.00', exact: true }).waitFor();
  expect(await overflowsSideways(page)).toBe(false);
  if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('link', { name: /^Call \d$/ }).click();
  await page.getByRole('heading', { level: 1, name: /^Capital call \d$/ }).waitFor();
  await page.getByRole('link', { name: 'Second closing', exact: true }).click();
  await page.waitForURL(/\/closings\/[0-9a-f]{24}$/);
});
