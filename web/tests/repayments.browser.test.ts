import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { addApprovedDraw } from './approved-draw.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let noteId: string;
let transactionId: string;
let title: string;
const DRAWN = '2026-08-03';

beforeAll(async () => {
  const drawn = await addApprovedDraw(tenant.emails.manager, { dueDate: DRAWN, sum: '10000000' });
  ({ noteId, transactionId } = drawn);
  title = `${drawn.transactionTitle}, ${drawn.noteTitle}`;
  const table = (await tenant.manager.get('/crud/tables', { filter: { name: 'Base rates' } })).json[0];
  const values = [{ title: 'SOFR', date: '2026-08-01', rate: 4.3 }];
  const stored = await tenant.manager.call('PUT', `/crud/tables/${table.id}`, { body: { ...table, values } });
  expect(stored.status, stored.text).toBe(200);
});

it.each([true, false])(
  'a repayment is recorded beside what is owed, and removed with a reason (JavaScript: %s)',
  async (javaScript) => {
    const page = await openPage({ javaScript, widthPx: javaScript ? 1440 : 390, expectedErrors: [/422/] });
    await signIn(page, tenant.emails.manager);
    await page.goto(paths.newRepayment());
    if (javaScript) await scriptsReady(page);
    await page.getByLabel('Date received').fill('2026-09-02');
    await page.getByRole('combobox', { name: 'Note' }).selectOption({ label: title });
    if (!javaScript) await page.getByRole('button', { name: 'Show balance' }).click();
    await page.getByRole('heading', { name: 'Owed' }).waitFor();
    if (javaScript) {
      // Choosing the note sent the form, and the date with it.
      await expect.poll(() => new URL(page.url()).searchParams.get('date')).toBe('2026-09-02');
      await page.getByText('2 Sep 2026').first().waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
    }
    // The same within seconds would be the same sent twice.
    const principal = javaScript ? 2_500_000 : 2_400_000;
    // 30 days of 10,000,000 at 4.30% + 4.25% by ACT/360.
    await page.getByRole('cell', { name: '71,250.00' }).waitFor();

    await page.getByRole('textbox', { name: 'Principal' }).fill('10,000,001');
    await page.getByRole('textbox', { name: 'Interest' }).fill('71,250');
    await page.getByRole('button', { name: 'Record repayment' }).click();
    await page.getByText('must be at most 10,000,000.00 USD in total').first().waitFor();
    expect(await page.getByRole('textbox', { name: 'Interest' }).inputValue()).toBe('71,250.00');
    await page.getByRole('textbox', { name: 'Principal' }).fill(String(principal));
    await page.getByRole('button', { name: 'Record repayment' }).click();
    await page.getByRole('heading', { level: 1, name: /^Repayment \d+ of 2 Sep 2026$/ }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const stored = async () =>
      (await tenant.manager.get('/crud/repayments', { filter: { id, status: { in: ['Active', 'Removed'] } } })).json[0];
    expect(await stored()).toMatchObject({
      noteTitle: 'Senior',
      cutOffDate: '2026-09-02',
      valueInUsd: principal + 71_250,
      repayments: [
        { kind: 'principal', amount: { sum: principal, currency: 'USD' } },
        { kind: 'interest', amount: { sum: 71_250, currency: 'USD' } },
      ],
    });

    await page.goto(paths.transaction(transactionId, { note: noteId, view: 'draws' }));
    if (javaScript) await scriptsReady(page);
    await page.getByRole('heading', { name: 'Accrued interest' }).waitFor();
    await page.getByText('How the interest in USD is calculated').click();
    await page
      .getByRole('row', {
        name: /^3 Aug 2026 2 Sep 2026 30 .* 10,000,000\.00 4\.3000 1 Aug 2026 8\.5500 .*71,250\.00$/,
      })
      .waitFor();
    await page
      .getByRole('row', { name: javaScript ? /^2 Sep 2026 .* 7,500,000\.00 / : /^2 Sep 2026 .* 7,600,000\.00 / })
      .waitFor();
    expect(await overflowsSideways(page)).toBe(false);
    if (javaScript) expect(await accessibilityViolations(page)).toEqual([]);

    await page.goto(paths.repayment(id));
    if (javaScript) await scriptsReady(page);
    await page.getByRole('button', { name: 'Remove repayment' }).click();
    await page.getByText('Enter a reason').or(page.getByText('Reason is required')).first().waitFor();
    await page.getByLabel('Reason').fill('Booked to the wrong note');
    await page.getByRole('button', { name: 'Remove repayment' }).click();
    await page.getByText('Removed: Booked to the wrong note').waitFor();
    expect(await stored()).toMatchObject({ status: 'Removed', removalReason: 'Booked to the wrong note' });
  },
);

it('a borrower reads its repayments and interest, and records none', async () => {
  const recorded = await tenant.manager.post('/crud/repayments', {
    transaction: transactionId,
    noteTitle: 'Senior',
    cutOffDate: '2026-09-15',
    repayments: [{ kind: 'fees', amount: { sum: 1234.5, currency: 'USD' } }],
  });
  expect(recorded.status, recorded.text).toBe(201);
  const page = await openPage({ expectedErrors: [/403/] });
  await signIn(page, tenant.emails.borrower);
  await page.goto(paths.repayments());
  await scriptsReady(page);
  await page.getByText('1,234.50').first().waitFor();
  expect(await page.getByRole('link', { name: 'Record a repayment' }).count()).toBe(0);
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.goto(paths.transaction(transactionId, { note: noteId, view: 'draws' }));
  await page.getByText('How the interest in USD is calculated').waitFor();
  expect((await page.goto(paths.newRepayment()))?.status()).toBe(403);
});
