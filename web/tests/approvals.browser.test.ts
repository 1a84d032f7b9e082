import { beforeAll, describe, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { signedIn } from './api-client.ts';
import { accessibilityViolations, openPage, overflowsSideways, roundTrip, scriptsReady, signIn } from './browser.ts';
import { type DrawnNote, drawBody, drawnNote } from './drawn-note.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let note: DrawnNote;
beforeAll(async () => {
  note = await drawnNote(tenant.manager, '40000000');
});

/** Requests in different months, because a note allows so many draws a month. */
async function requestDraws(months: readonly string[]): Promise<string[]> {
  const borrower = await signedIn(tenant.emails.borrower);
  const ids: string[] = [];
  for (const [index, month] of months.entries()) {
    const days = { cutOffDate: `${month}-02`, dueDate: `${month}-09` };
    const asked = await borrower.post('/crud/transactionDraws', drawBody(note, 500_000 + index, days));
    expect(asked.status, asked.text).toBe(201);
    ids.push(asked.json.id);
  }
  return ids;
}
const statuses = async (ids: readonly string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await tenant.manager.get(`/crud/transactionDraws/${id}`)).json.status));

describe('five requests', () => {
  it('are decided in ten interactions, each of which leads to the next one', async () => {
    const ids = await requestDraws(['2026-12', '2027-01', '2027-02', '2027-03', '2027-04']);
    const page = await openPage();
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.approvals());
    await scriptsReady(page);
    await page.getByText('5 requests wait for you').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    let interactions = 0;
    const click = async (name: RegExp) => {
      interactions += 1;
      await page.getByRole('button', { name }).click();
    };
    for (const index of ids.keys()) {
      await click(/^Approve$/);
      const dialog = page.getByRole('alertdialog');
      await dialog.getByText(/Approve draw \d+: 500,00\d\.00 USD\?/).waitFor();
      expect(await dialog.textContent()).toContain('told by email');
      await click(/^Approve 500,00\d\.00 USD$/);
      await page
        .getByText(/Draw \d+ was approved: 500,00\d\.00 USD/)
        .first()
        .waitFor();
      await page.waitForURL((url) => url.searchParams.get('done') === `draw-${ids[index]}`);
      await roundTrip(page);
    }
    expect(interactions).toBe(10);
    await page.getByText('Nothing waits for you').first().waitFor();
    expect(await statuses(ids)).toEqual(Array(5).fill('Approved'));
  });
});

it('are reached with j and k, and rejected with a reason', async () => {
  const ids = await requestDraws(['2027-05', '2027-06']);
  const page = await openPage();
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.approvals());
  await scriptsReady(page);
  await page.keyboard.press('j');
  await page.waitForURL((url) => url.pathname === paths.approval('draw', ids[1]!));
  await page.getByText('2 of 2').waitFor();
  await page.keyboard.press('k');
  await page.waitForURL((url) => url.pathname === paths.approval('draw', ids[0]!));
  await page.getByText('1 of 2').waitFor();
  await roundTrip(page);
  // Enter asks the question, whose answer is No until another one is chosen.
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  expect(await statuses(ids)).toEqual(['Pending', 'Pending']);
  await page.getByRole('link', { name: 'Reject' }).click();
  // A letter in a field is only typed.
  await page.getByLabel('Reason').pressSequentially('jk: no tape');
  await page.getByRole('button', { name: /^Reject 500,000\.00 USD$/ }).click();
  await page.getByText(/was rejected: 500,000\.00 USD/).waitFor();
  await page.getByText('1 of 1').waitFor();
  expect(await statuses(ids)).toEqual(['Rejected', 'Pending']);
  await (await signedIn(tenant.emails.borrower)).call('DELETE', '/crud/transactionDraws', { body: { ids: [ids[1]] } });
});

it('work without JavaScript: the panel and its question are addresses', async () => {
  const [id] = await requestDraws(['2027-07']);
  const page = await openPage({ javaScript: false });
  await signIn(page, tenant.emails.manager);
  await page.goto(paths.approvals());
  await page
    .getByRole('link', { name: /^Draw \d+$/ })
    .first()
    .click();
  await page.waitForURL((url) => url.pathname.startsWith('/approvals/draw/'));
  await page.goto(paths.approval('draw', id!));
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText(/Approve draw \d+: 500,000\.00 USD\?/).waitFor();
  await page.getByRole('button', { name: /^Approve 500,000\.00 USD$/ }).click();
  await page
    .getByText(/was approved: 500,000\.00 USD/)
    .first()
    .waitFor();
  expect(await statuses([id!])).toEqual(['Approved']);
});

it.each([
  { widthPx: 1280, colorScheme: 'dark' },
  { widthPx: 390, colorScheme: 'light' },
] as const)('fit $widthPx px, $colorScheme', async ({ widthPx, colorScheme }) => {
  const page = await openPage({ widthPx, colorScheme });
  await signIn(page, 'manager@tapeline.test');
  for (const path of [paths.approvals(), paths.approvals({ tab: 'decided' }), paths.approvals({ only: 'draw' })]) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: 'Approvals' }).waitFor();
    expect([path, await overflowsSideways(page), await accessibilityViolations(page)]).toEqual([path, false, []]);
  }
  await page.goto(paths.approvals());
  await page.getByRole('row').getByRole('link').first().click();
  await page.waitForURL((url) => /^\/approvals\/\w+\/[0-9a-f]{24}$/.test(url.pathname));
  expect([await overflowsSideways(page), await accessibilityViolations(page)]).toEqual([false, []]);
});
