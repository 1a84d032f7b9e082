import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { type ApiClient, signedIn } from './api-client.ts';
import { accessibilityViolations, openPage, overflowsSideways, signIn } from './browser.ts';
import { type NorthwindTapes, northwindTapes } from './northwind-tapes.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const { manager: MANAGER, borrower: BORROWER } = tenant.emails;

let manager: ApiClient;
let tapes: NorthwindTapes;
beforeAll(async () => {
  manager = tenant.manager;
  tapes = await northwindTapes(manager);
});

/**
 * Publishes a tape whose rows 3 and 4 have a balance that is not a number. The facility's contract is in effect on the
 * cut-off date.
 */
function publish(cutOffDate: string): Promise<string> {
  const good = {
    Product: 'Secured personal',
    'Months on Book': 12,
    'Remaining Term': 24,
    'FICO at Origination': 720,
    DTI: 0.1,
  };
  return tapes.publish(
    [
      tapes.loan({ ...good, 'Loan ID': 'P-1' }),
      tapes.loan({ ...good, 'Loan ID': 'P-2', 'Borrower ID': 'B-2', 'Principal Balance': 'see note' }),
      tapes.loan({ ...good, 'Loan ID': 'P-3', 'Borrower ID': 'B-3', 'Principal Balance': 'TBD' }),
    ],
    { cutOffDate, name: 'proposals.xlsx' },
  );
}

const row = (page: Page, number: number) => page.getByRole('group', { name: `Sheet row ${number}` });

it.each([
  { words: 'with JavaScript', javaScript: true, cutOffDate: '2026-07-05' },
  { words: 'without JavaScript', javaScript: false, cutOffDate: '2026-07-06' },
])(
  'a borrower proposes, the manager sees what it comes to and accepts ($words)',
  async ({ javaScript, cutOffDate }) => {
    const id = await publish(cutOffDate);
    const before = (await manager.get('/crud/loanTape', { filter: { id } })).json[0].counts;

    const borrower = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(borrower, BORROWER);
    await borrower.goto(paths.correctRows(id, [3, 4]));
    await borrower
      .getByText(/needs? the manager’s approval/)
      .first()
      .waitFor();
    expect(await row(borrower, 3).getByRole('textbox').count()).toBe(1);
    expect(await borrower.getByRole('button', { name: 'Reprocess' }).count()).toBe(0);
    await row(borrower, 3).getByLabel('Principal Balance').fill('400.25');
    await borrower.getByLabel('Note to manager').fill('Confirmed by the servicer');
    await borrower.getByRole('button', { name: 'Preview' }).click();
    await borrower
      .getByText('Once the manager accepts, 1 row would become an asset and 1 would stay errored')
      .waitFor();
    await row(borrower, 4).getByLabel('Principal Balance').fill('99.75');
    await borrower.getByRole('button', { name: 'Propose to manager' }).click();
    await borrower.waitForURL((url) => url.pathname.includes('/proposals/'));
    await borrower.getByText('Awaiting the manager’s decision').waitFor();
    const address = new URL(borrower.url()).pathname;
    expect(await borrower.getByRole('button', { name: 'Accept' }).count()).toBe(0);
    expect((await manager.get('/crud/loanTape', { filter: { id } })).json[0].counts).toEqual(before);

    const page = await openPage({ javaScript, expectedErrors: [/422/] });
    await signIn(page, MANAGER);
    await page.goto(paths.tape(id, { view: 'errored' }));
    await page.getByText('The borrower proposed 1 correction. Review and decide.').waitFor();
    await page.getByRole('link', { name: /rows 3, 4$/ }).click();
    await page.waitForURL((url) => url.pathname === address);
    await page.getByText('Confirmed by the servicer').waitFor();
    await page.getByText('If accepted, all 2 rows become assets.').waitFor();
    const facility = page.getByRole('row', { name: /Northwind warehouse facility, Senior/ });
    const figures = (await facility.getByRole('cell').allTextContents()).map((text) => text.trim());
    expect(figures).toHaveLength(4);
    const amount = (text: string | undefined) => Number((text ?? '').replace(/[^\d.−-]/g, '').replace('−', '-'));
    expect(amount(figures[2])).toBeGreaterThan(amount(figures[1]));
    expect(amount(figures[2]) - amount(figures[1])).toBeCloseTo(amount(figures[3]), 6);
    await page.getByText('400.25').first().waitFor();

    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByRole('button', { name: 'Accept the correction' }).click();
    await page.waitForURL((url) => url.searchParams.get('view') === 'errored');
    await expect
      .poll(async () => (await manager.get('/crud/loanTape', { filter: { id } })).json[0].counts)
      .toMatchObject({ assets: 3, errored: 0 });
    await page.goto(address);
    await page.getByText('Accepted by Mara Holt').waitFor();
    await page.goto(paths.tape(id, { view: 'history' }));
    // Accepting also published the tape again: one action, whose documents say what became of each.
    await page
      .getByRole('listitem')
      .filter({ hasText: /Accepted proposal \d+/ })
      .first()
      .locator('summary')
      .click();
    await page.getByText(/^Accepted proposal \d+$/).waitFor();
    await page
      .getByText(/^Proposed a correction of 2 rows/)
      .first()
      .waitFor();
  },
);

it('the manager declines with a reason, which the borrower reads; the screens hold on a phone', async () => {
  const id = await publish('2026-07-07');
  const borrower = await signedIn(BORROWER);
  const [first, second] = [3, 4].map((rowNumber) => ({ rowNumber, originData: { 'Principal Balance': 5 } }));
  const propose = async (assets: unknown[]) =>
    (await borrower.post('/LTP/assets/errored', { loanTapeId: id, assets })).json.proposal;
  const declined = await propose([first]);
  const open = await propose([second]);

  const page = await openPage({ expectedErrors: [/422/] });
  await signIn(page, MANAGER);
  await page.goto(paths.proposal(id, declined.id));
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('Enter a reason').first().waitFor();
  await page.getByLabel('Reason for declining').fill('The servicer says 4, not 5');
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByText(/Declined by Mara Holt .*The servicer says 4, not 5/).waitFor();

  for (const { widthPx, colorScheme } of [
    { widthPx: 1440, colorScheme: 'light' },
    { widthPx: 390, colorScheme: 'dark' },
  ] as const) {
    await page.setViewportSize({ width: widthPx, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const address of [paths.proposal(id, open.id), paths.tape(id, { view: 'errored' })]) {
      await page.goto(address);
      expect(await overflowsSideways(page), address).toBe(false);
      expect(await accessibilityViolations(page), address).toEqual([]);
    }
  }
  const theirs = await openPage();
  await signIn(theirs, BORROWER);
  await theirs.setViewportSize({ width: 390, height: 900 });
  for (const address of [paths.proposal(id, declined.id), paths.correctRows(id, [3])]) {
    await theirs.goto(address);
    expect(await overflowsSideways(theirs), address).toBe(false);
    expect(await accessibilityViolations(theirs), address).toEqual([]);
  }
  await theirs.goto(paths.proposal(id, declined.id));
  await theirs.getByText('The servicer says 4, not 5').waitFor();
  await theirs.goto(paths.proposal(id, open.id));
  await theirs.getByRole('button', { name: 'Withdraw' }).click();
  await theirs.getByText('Withdrawn by the borrower').waitFor();
});
