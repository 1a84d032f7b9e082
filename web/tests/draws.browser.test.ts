import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { type DrawnNote, drawBody, drawnNote } from './drawn-note.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let note: DrawnNote;
beforeAll(async () => {
  note = await drawnNote(tenant.manager, '40000000');
});

const money = (sum: number) => sum.toLocaleString('en-US', { minimumFractionDigits: 2 });
const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

/** What is approved on the note. */
async function balance(): Promise<number> {
  const { json } = await tenant.manager.get('/crud/transactionDraws', { filter: { status: 'Approved' }, limit: 1000 });
  return json.reduce((sum: number, { valueInUsd }: { valueInUsd: number }) => sum + valueInUsd, 0);
}

const figure = (page: Page, label: string) =>
  page
    .getByRole('region', { name: 'Key figures' })
    .locator('div', { has: page.getByText(label, { exact: true }) })
    .last();

it.each([
  { javaScript: true, month: '2026-11' },
  { javaScript: false, month: '2026-12' },
])(
  'a borrower requests a draw beyond a limit, and the manager skips it and approves ($javaScript)',
  async ({ javaScript, month }) => {
    const before = await balance();
    const borrower = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(borrower, tenant.emails.borrower);
    await borrower.goto(paths.draws());
    await borrower.getByRole('link', { name: 'Request a draw' }).click();
    await borrower.getByRole('heading', { level: 1, name: 'Request a draw' }).waitFor();
    await borrower.getByText('250,000.00 to 10,000,000.00 USD').waitFor();
    await borrower.getByLabel('Cut-off date').fill(`${month}-02`);
    await borrower.getByLabel('Due date').fill(`${month}-09`);
    await borrower.getByLabel('Note to the lender').fill('Completions before the year-end');
    await borrower.getByRole('button', { name: 'Request the draw' }).click();
    await borrower.getByText('At least 1 draw type should be filled').first().waitFor();
    expect(await borrower.getByLabel('Note to the lender').inputValue()).toBe('Completions before the year-end');
    await borrower.getByLabel('Amount', { exact: true }).first().fill('10500000');
    await borrower.getByRole('button', { name: 'Check it first' }).click();
    await borrower.getByRole('cell', { name: 'Exceeded' }).waitFor();
    await borrower.getByRole('button', { name: 'Request the draw' }).click();
    await borrower.waitForURL((url) => /^\/monitoring\/draws\/[0-9a-f]{24}$/.test(url.pathname));
    const id = idOf(borrower);
    await borrower.getByText('Regular, at most, exceeded by 500,000.00').waitFor();
    for (const name of ['Approve', 'Skip with this reason', 'Reject']) {
      expect(await borrower.getByRole('button', { name, exact: true }).count(), name).toBe(0);
    }

    const manager = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(manager, tenant.emails.manager);
    await manager.goto(paths.draw(id));
    await manager.getByText('1 exception is pending.', { exact: false }).waitFor();
    expect(await manager.getByRole('button', { name: 'Approve', exact: true }).isDisabled()).toBe(true);
    await manager.getByText('Exceptions are pending', { exact: true }).waitFor();
    await manager.getByLabel('Reason for skipping this exception').fill('Agreed by the credit committee');
    await manager.getByRole('button', { name: 'Skip with this reason' }).click();
    await manager.getByText('Agreed by the credit committee').first().waitFor();
    if (javaScript) expect(await accessibilityViolations(manager)).toEqual([]);
    await manager.getByRole('button', { name: 'Approve', exact: true }).click();
    await manager.getByText('10,500,000.00 USD', { exact: false }).first().waitFor();
    await manager.getByRole('button', { name: 'Approve the draw', exact: true }).click();
    await manager.getByText('Approved', { exact: true }).first().waitFor();

    const after = before + 10_500_000;
    expect(await figure(manager, 'Outstanding after this draw').textContent()).toContain(money(after));
    expect(await figure(manager, 'Availability after this draw').textContent()).toContain(money(40_000_000 - after));
    await manager.getByText(/^Approved draw \d+, /).waitFor();
    const stored = (await tenant.manager.get(`/crud/transactionDraws/${id}`)).json;
    expect(stored).toMatchObject({
      status: 'Approved',
      description: 'Completions before the year-end',
      exceptions: [{ status: 'Skipped', reason: 'Agreed by the credit committee' }],
    });
    expect(await balance()).toBe(after);

    await borrower.goto(paths.draw(id));
    await borrower.getByText('Agreed by the credit committee').first().waitFor();
    await borrower.goto(paths.newDraw());
    // Whether the draw is due yet depends on the day of the test.
    const shown = async (label: string) =>
      Number((await figure(borrower, label).textContent())?.match(/([\d,]+\.\d\d)/)?.[1]?.replaceAll(',', ''));
    expect((await shown('Balance')) + (await shown('Approved, not yet due'))).toBe(after);
  },
);

it('a draw is rejected with a reason, and the list fits a phone', async () => {
  const draw = await tenant.manager.post(
    '/crud/transactionDraws',
    drawBody(note, 300_000, { cutOffDate: '2027-02-02', dueDate: '2027-02-09' }),
  );
  const page = await openPage({ widthPx: 390, expectedErrors: [/422/] });
  await signIn(page, tenant.emails.analyst);
  await page.goto(paths.draw(draw.json.id));
  expect(await overflowsSideways(page)).toBe(false);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Reject' }).click();
  await page.getByLabel('Reason', { exact: true }).fill('The tape of January is missing');
  await page.getByRole('button', { name: 'Reject the draw' }).click();
  await page.getByText('Rejected: The tape of January is missing').waitFor();
  await page.goto(paths.draws({ status: 'Rejected' }));
  await page.getByText('1 draw request', { exact: true }).waitFor();
  expect(await overflowsSideways(page)).toBe(false);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.goto(paths.newDraw({ note: note.noteId }));
  await page.getByRole('heading', { level: 1, name: 'Request a draw' }).waitFor();
  expect(await overflowsSideways(page)).toBe(false);
  expect(await accessibilityViolations(page)).toEqual([]);
});
