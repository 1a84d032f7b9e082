import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openDetails, openPage, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

const partOf = (page: Page, index: number): string => new URL(page.url()).pathname.split('/')[index] ?? '';

it.each([true, false])(
  'a fund with classes is created, an investor commits to it and transfers a part (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(page, tenant.emails.manager);
    const title = javaScript ? 'Larch Credit Fund' : 'Rowan Credit Fund';
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const field = (name: string) => page.getByLabel(name, { exact: true });
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    const ready = () => (javaScript ? scriptsReady(page) : Promise.resolve());
    const checked = async () => {
      if (!javaScript) return;
      expect(await accessibilityViolations(page)).toEqual([]);
    };

    await page.goto(paths.newFund());
    await heading('New fund');
    await ready();
    await field('Title').first().fill(title);
    await field('Type').selectOption('ComingleFund');
    await field('Strategy').selectOption('ABL');
    await field('Currency').selectOption('USD');
    await field('Target size').fill('80000000');
    await field('Hard cap').fill('-1');
    await field('Hard cap').blur();
    await button('Add class').click();
    await field('Name').fill('A');
    await button('Add class').click();
    await field('Name').nth(1).fill('B');
    await button('Move class 2 up').click();
    await expect.poll(() => field('Name').first().inputValue()).toBe('B');
    await openDetails(page);
    await button('Add stage').click();
    await field('Title').nth(1).fill('Investment period');
    await field('Planned start').fill('2025-01-31');
    await field('Planned end (optional)').fill('2027-01-31');
    await field('Actual start (optional)').fill('2025-02-28');
    // Entered values survive the edits of the lists.
    expect(await field('Target size').inputValue()).toMatch(/^80,000,000(\.00)?$/);
    await button('Create fund').click();
    await page.getByText('Hard cap must be at least 0').first().waitFor();
    await field('Hard cap').fill('100000000');
    await checked();
    await button('Create fund').click();
    await heading(title);
    const fundId = partOf(page, 2);
    const fund = (await tenant.manager.get(`/crud/funds/${fundId}`)).json;
    expect(fund).toMatchObject({
      title,
      hardCap: { sum: 100_000_000, currency: 'USD' },
      classes: [{ name: 'B' }, { name: 'A' }],
      timeline: [{ title: 'Investment period', planned: '2025-01-31', actual: '2025-02-28', activated: false }],
    });

    await page.getByRole('link', { name: 'New commitment', exact: true }).first().click();
    await heading('New commitment');
    await ready();
    await field('Investor').selectOption({ label: 'Calder Valley Pension Scheme' });
    await field('Class').selectOption({ label: 'A' });
    await field('Closing date').fill('2025-01-31');
    await field('Maximum commitment').fill('50000000');
    await field('Active commitment (optional)').fill('30000000');
    await openDetails(page);
    await button('Add change').click();
    await field('Date').fill('2025-06-30');
    await field('Amount').fill('20000000.01');
    await field('On committed capital').fill('1.5');
    await button('Create commitment').click();
    await page
      .getByText(/above the maximum of 50000000/)
      .first()
      .waitFor();
    await field('Amount').fill('10000000');
    await button('Create commitment').click();
    await heading('Calder Valley Pension Scheme');
    await checked();
    const commitmentId = partOf(page, 4);
    const stored = async (id: string) => (await tenant.manager.get(`/crud/LPCommitments/${id}`)).json;
    expect(await stored(commitmentId)).toMatchObject({
      activeCommitment: { sum: 30_000_000 },
      deltas: [{ date: '2025-06-30', amount: 10_000_000 }],
      fees: { management: { committed: 1.5 } },
    });

    await page.getByRole('link', { name: 'Transfer', exact: true }).click();
    await heading('Transfer from Calder Valley Pension Scheme');
    await ready();
    await field('Transfer to').selectOption({ label: 'Orchard Family Office' });
    await field('Date').fill('2025-07-01');
    await field('Or only unfunded commitment').fill('40000000.01');
    const agreement = {
      name: 'agreement.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\nAgreement'),
    };
    await page.getByLabel('Document (optional)').setInputFiles(agreement);
    await button('Review').click();
    await page
      .getByText(/must be at most 40,000,000\.00/)
      .first()
      .waitFor();
    // What was stored with the first attempt stays.
    await page.getByText('It has a file. A new one replaces it.').waitFor();
    await field('Or only unfunded commitment').fill('15000000');
    await button('Review').click();
    await page.getByRole('heading', { name: 'Review', exact: true }).waitFor();
    await page.getByRole('cell', { name: '25,000,000.00', exact: true }).first().waitFor();
    // Nothing is changed by the review.
    expect((await stored(commitmentId)).deltas).toHaveLength(1);
    await button('Transfer').click();
    await heading('Calder Valley Pension Scheme');
    const moved = page.getByRole('cell', { name: 'Transfer to Orchard Family Office Document', exact: true });
    const address = await moved.getByRole('link', { name: 'Document' }).getAttribute('href');
    expect((await page.request.get(new URL(address ?? '', page.url()).href)).status()).toBe(200);
    const { deltas } = await stored(commitmentId);
    expect(deltas).toMatchObject([{ amount: 10_000_000 }, { date: '2025-07-01', amount: -15_000_000 }]);

    await page.goto(paths.fund(fundId, { view: 'investors' }));
    await heading(title);
    await page.getByRole('link', { name: /^Orchard Family Office/ }).waitFor();
    // Committed, and unfunded: nothing is called yet.
    expect(await page.getByRole('cell', { name: '40,000,000.00', exact: true }).count()).toBe(2);
    await checked();
    await page.goto(paths.funds());
    await heading('Funds');
    await page.getByText(title, { exact: true }).first().waitFor();
  },
);

it('an investor sees its own commitment, and the names of the parties, without shares of the fund', async () => {
  const page = await openPage();
  await signIn(page, tenant.emails.investor);
  await page.goto(paths.funds());
  await page.getByRole('heading', { level: 1, name: 'Commitments', exact: true }).waitFor();
  await page.getByText('Harbour Private Credit I', { exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Harbour Private Credit I', exact: true }).waitFor();
  const parts = page.getByRole('navigation', { name: 'Parts of the fund' });
  await parts.getByRole('link', { name: /^Investors/ }).click();
  await page.getByRole('link', { name: /^Calder Valley Pension Scheme/ }).waitFor();
  await page.locator('.rail').getByRole('link', { name: 'Commitments', exact: true }).click();
  await page
    .getByRole('navigation', { name: 'Commitments', exact: true })
    .getByRole('link', { name: 'Investors', exact: true })
    .click();
  await page.getByRole('link', { name: 'Calder Valley Pension Scheme', exact: true }).waitFor();
  expect(await page.getByText('Orchard Family Office', { exact: true }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'New commitment', exact: true }).count()).toBe(0);
  expect(await accessibilityViolations(page)).toEqual([]);
});

it('a main fund groups funds of its currency', async () => {
  const page = await openPage({ expectedErrors: [/422/] });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.newMainFund());
  await page.getByRole('heading', { level: 1, name: 'New main fund', exact: true }).waitFor();
  await scriptsReady(page);
  const field = (name: string) => page.getByLabel(name, { exact: true });
  await field('Title').fill('Harbour platform');
  await field('Type').selectOption('SMA');
  await field('Strategy').selectOption('ABL');
  await field('Currency').selectOption('USD');
  await field('Target size').fill('1');
  await field('Hard cap').fill('1');
  await page.getByRole('button', { name: 'Create main fund', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Harbour platform', exact: true }).waitFor();
  await scriptsReady(page);
  await field('Fund to add').selectOption({ label: 'Harbour Private Credit I' });
  await page.getByRole('button', { name: 'Add fund', exact: true }).click();
  await page.getByRole('link', { name: 'Harbour Private Credit I', exact: true }).waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Take out Harbour Private Credit I', exact: true }).click();
  await page.getByText('No funds yet', { exact: true }).waitFor();
});
