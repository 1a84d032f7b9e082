import { beforeAll, expect, it } from 'vitest';
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

const usd = (sum: number) => ({ sum, currency: 'USD' });

beforeAll(async () => {
  const terms = { type: 'ComingleFund', strategy: 'ABL', currency: 'USD', targetSize: 4000, hardCap: 4000 };
  fund = (await created('/crud/funds', { title: 'Quayside Fund', ...terms })).id;
  for (const title of ['Okavango Life', 'Limpopo Life']) {
    const entity = { name: title, formalId: title, nationality: { country: 'US' } };
    const { id } = await created('/crud/LPs', { title, entity });
    await created('/crud/LPCommitments', {
      fund,
      investor: { id, kind: 'LP' },
      closingDate: '2024-01-15',
      maxCommitment: usd(1000),
      sideLetters: [
        {
          from: '2024-01-15',
          terms: { success: { hurdle: 8, rate: 20, catchUp: 100, perTransaction: true } },
        },
      ],
    });
  }
  await created('/crud/contributions', {
    fund,
    cutOffDate: '2024-12-16',
    dueDate: '2025-01-01',
    callNumber: '1',
    amount: usd(200),
    callPurposes: [{ title: 'Loans', kind: 'investments', amount: 200 }],
    status: 'Active',
  });
});

it.each([true, false])(
  'proceeds are split by the waterfall, reviewed, changed and stored (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390, expectedErrors: [/422/] });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.newDistribution({ fund }));
    if (javaScript) await scriptsReady(page);
    await page.getByRole('link', { name: 'Split proceeds by the waterfall', exact: true }).click();
    const proceeds = page.getByRole('textbox', { name: 'Proceeds', exact: true });
    await proceeds.waitFor();
    if (javaScript) await scriptsReady(page);
    await page.getByLabel('Number', { exact: true }).fill(javaScript ? 'A1' : 'B1');
    await page.getByLabel('Cut-off date', { exact: true }).fill('2026-01-01');
    const amounts = page.getByRole('textbox', { name: 'Amount', exact: true });

    // What the proceeds consist of is a part of them.
    await proceeds.fill('260');
    // The terms are American: the proceeds are those of one investment.
    const investment = page.getByRole('combobox', { name: 'Investment', exact: true });
    expect(await page.getByRole('table', { name: 'Investments' }).textContent()).toMatch(/Loans200\.00/);
    await investment.selectOption('Loans');
    await amounts.nth(1).fill('260.01');
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.getByText('The income and gains are more than the proceeds').first().waitFor();
    await amounts.nth(1).fill('60');
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page
      .getByText('248.00 USD to the investors and 12.00 USD to the manager are the proceeds of 260.00 USD.')
      .waitFor();
    const tiers = page.getByRole('table', { name: 'Tiers of the waterfall' });
    const texts = async (row: string) =>
      (await tiers.getByRole('row').filter({ hasText: row }).getByRole('cell').allInnerTexts()).map((text) =>
        text.trim(),
      );
    expect((await texts('Okavango Life')).filter((text) => /^[\d.–]+$/.test(text))).toEqual([
      '130.00',
      '100.00',
      '8.00',
      '16.00',
      '124.00',
      '2.00',
      '4.00',
      '6.00',
    ]);
    expect(await tiers.textContent()).toContain('Of Loans alone: 100.00 not returned');
    expect(await tiers.textContent()).toContain('8.00 accrued in 365 days; hurdle 8 %, carry 20 %, catch-up 100 %');
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflowsSideways(page)).toBe(false);

    // Each amount can be changed.
    await page.getByRole('button', { name: 'Change Carried interest of Okavango Life: 6.00', exact: true }).click();
    await page.getByRole('textbox', { name: 'Carried interest of Okavango Life', exact: true }).fill('5');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page
      .getByText('249.00 USD to the investors and 11.00 USD to the manager are the proceeds of 260.00 USD.')
      .waitFor();
    await page.getByRole('button', { name: 'Save as draft', exact: true }).click();
    await page.waitForURL(/\/capital\/distributions\/[0-9a-f]{24}$/);
    // The page of the draft has the tiers as well, and names the amount that was entered.
    await tiers.waitFor();
    expect(await tiers.textContent()).toContain('hurdle 8 %, carry 20 %, catch-up 100 %');
    await page.getByText('Carried interest: As entered', { exact: true }).first().waitFor();

    // The draft still holds the proceeds and the investment.
    const headers = (await tenant.manager.get('/crud/distributions', { filter: { fund } })).json as {
      callNumber: string;
      metadata: { bundleId: string };
    }[];
    const draft = headers.find(({ callNumber }) => callNumber === (javaScript ? 'A1' : 'B1'))!;
    await page.goto(paths.editDistribution(draft.metadata.bundleId));
    await proceeds.waitFor();
    expect(await proceeds.inputValue()).toBe('260.00');
    expect(await investment.inputValue()).toBe('Loans');
  },
);
