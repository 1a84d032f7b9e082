import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { drawBody, drawnNote } from './drawn-note.ts';
import { screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();

beforeAll(async () => {
  const note = await drawnNote(tenant.manager, '40000000');
  const borrower = await screensOf(tenant.emails.borrower);
  const asked = await borrower.api.post('/crud/transactionDraws', drawBody(note, 1_000_000));
  expect(asked.status, asked.text).toBe(201);
});

it.each([true, false])(
  'a borrower finds its documents, and availability without what it has requested (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, widthPx: 1280 });
    await signIn(page, tenant.emails.borrower);
    await page.goto(paths.home());
    await page.getByText('Availability after requests', { exact: true }).first().waitFor();
    await page.getByText('less 1.00M USD requested').first().waitFor();
    await page.goto(paths.monitoring());
    await page.getByRole('heading', { name: 'Availability after requests', exact: true }).waitFor();

    await page.getByRole('link', { name: 'Documents', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Documents', exact: true }).waitFor();
    const contract = page.getByRole('link', { name: /^Contract v\d/ }).first();
    await contract.waitFor();
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    expect(await overflowsSideways(page)).toBe(false);
    await contract.click();
    await page.getByRole('heading', { level: 1, name: /Contract v\d/ }).waitFor();
  },
);

it.each([true, false])(
  'an investor subscribes to its calendar, and finds what to pay and its cash flows (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, widthPx: 1280 });
    await signIn(page, tenant.emails.investor);
    await page.goto(paths.calendar());
    const address = page.getByLabel('Address for your calendar program');
    if (await page.getByRole('button', { name: 'Create address', exact: true }).isVisible())
      await page.getByRole('button', { name: 'Create address', exact: true }).click();
    const first = await address.inputValue();
    expect(first).toMatch(/\/calendar\/feed\.ics\?key=[0-9a-f]{24}\..{43}$/);
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Replace address', exact: true }).click();
    const dialog = javaScript ? page.getByRole('alertdialog') : page.getByRole('main');
    await page.getByText('Replace the address?').waitFor();
    await dialog.getByRole('button', { name: 'Replace address', exact: true }).click();
    await expect.poll(() => address.inputValue()).not.toBe(first);

    const [fund] = (await tenant.manager.get('/crud/funds')).json as { id: string }[];
    const callNumber = javaScript ? '81' : '82';
    const created = await tenant.manager.post('/crud/contributions', {
      fund: fund!.id,
      callNumber,
      cutOffDate: '2030-01-02',
      dueDate: '2030-01-31',
      amount: { sum: 1000, currency: 'USD' },
      callPurposes: [{ title: 'Investments', kind: 'investments', amount: 1000 }],
      status: 'Active',
    });
    expect(created.status, created.text).toBe(201);
    await page.goto(paths.capitalCalls());
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'All cash flows, Excel', exact: true }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^cash-flows-\d{4}-\d{2}-\d{2}\.xlsx$/);
    await page.getByRole('row').filter({ hasText: callNumber }).getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: `Capital call ${callNumber}`, exact: true }).waitFor();
    // What to pay comes before everything else of the page.
    const main = (await page.getByRole('main').textContent()) ?? '';
    const places = ['To pay', 'Due', 'Payment reference', 'Pay to', 'Your share'].map((word) => main.indexOf(word));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(Math.min(...places)).toBeGreaterThan(0);
  },
);
