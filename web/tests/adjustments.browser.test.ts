import { beforeAll, expect, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { type ApiClient, expectRefusal, signedIn } from './api-client.ts';
import { accessibilityViolations, openPage, overflowsSideways, scriptsReady, signIn } from './browser.ts';
import { ownTenant } from './tenant.ts';
import { createTwoNotes } from './two-notes.ts';

const tenant = ownTenant();
let analyst: ApiClient;
let bases: Record<string, string> = {};
beforeAll(async () => {
  analyst = await signedIn(tenant.emails.analyst);
  ({ bases } = await createTwoNotes(tenant.manager));
});

interface Base {
  id: string;
  supersededBy: string | null;
  netBB: { sum: number };
  totals: { availableBase?: { sum: number } };
}

/** The latest version of a certificate. */
async function latest(id: string): Promise<Base> {
  const base: Base = (await tenant.manager.get(`/crud/borrowingBase/${id}`)).json;
  return base.supersededBy ? latest(base.supersededBy) : base;
}

it.each([true, false])(
  'an analyst adjusts a certificate, and the manager approves it (JavaScript: %s)',
  async (javaScript) => {
    const base = await latest(bases.Senior ?? '');
    const before = base.totals.availableBase?.sum ?? base.netBB.sum;
    const reason = `Disputed invoice, ${javaScript}`;
    const entering = await openPage({ javaScript, widthPx: javaScript ? 1280 : 390 });
    await signIn(entering, tenant.emails.analyst);
    await entering.goto(paths.borrowingBase(base.id));
    await entering.getByRole('link', { name: 'Enter adjustment' }).click();
    await entering.getByRole('heading', { name: 'Enter adjustment' }).waitFor();
    if (javaScript) await scriptsReady(entering);
    const form = entering.getByRole('main');
    await form.getByLabel('Amount in USD').fill('-10.005');
    await form.getByLabel('Reason').fill(reason);
    await form
      .getByLabel('Document')
      .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('The debtor disputes it') });
    await form.getByRole('button', { name: 'Submit for approval' }).click();
    await form.getByText('must have at most 2 decimals').first().waitFor();
    if (javaScript) expect(await accessibilityViolations(entering)).toEqual([]);
    await form.getByLabel('Amount in USD').fill('-10.25');
    await form.getByRole('button', { name: 'Submit for approval' }).click();
    const table = entering.getByRole('table', { name: 'Adjustments' });
    await table.getByText(reason).waitFor();
    await table.getByText('Pending').first().waitFor();
    expect(await overflowsSideways(entering)).toBe(false);
    if (javaScript) expect(await accessibilityViolations(entering)).toEqual([]);

    // The person who entered it finds it under what waits for others.
    await entering.goto(paths.approvals({ tab: 'others', only: 'adjustment' }));
    await entering.getByRole('link', { name: 'Adjust a borrowing base' }).first().click();
    await entering.getByText('You entered it, so somebody else must approve it.').waitFor();

    const deciding = await openPage({ javaScript });
    await signIn(deciding, tenant.emails.manager);
    await deciding.goto(paths.approvals({ only: 'adjustment' }));
    await deciding.getByRole('link', { name: 'Adjust a borrowing base' }).first().click();
    await deciding.getByText(`“${reason}”`).waitFor();
    await deciding.getByText('Available base after it').waitFor();
    if (javaScript) await scriptsReady(deciding);
    await deciding.getByRole(javaScript ? 'button' : 'link', { name: 'Approve', exact: true }).click();
    await deciding.getByRole('button', { name: 'Approve −10.25 USD' }).click();
    await deciding.getByText(/^Adjustment \d+ was approved: −10.25 USD/).waitFor();

    const after = await latest(base.id);
    expect(after.id).not.toBe(base.id);
    expect(after.totals.availableBase?.sum).toBe(Math.max(0, Math.round((before - 10.25) * 100) / 100));
    expect(after.netBB).toEqual(base.netBB);
    await entering.goto(paths.borrowingBase(base.id));
    await entering.getByRole('link', { name: 'Open the latest' }).click();
    await entering.getByRole('table', { name: 'Adjustments' }).getByText('Approved').first().waitFor();
    const pdf = await deciding.request.get(paths.borrowingBaseFile(after.id, 'pdf'));
    expect(pdf.status()).toBe(200);
    const csv = await deciding.request.get(paths.borrowingBaseFile(after.id, 'csv'));
    expect(await csv.text()).toContain(`"${reason}"`);
  },
);

it('is declined with a reason, withdrawn, and refused where it cannot be, by REST', async () => {
  const { id } = await latest(bases.Mezzanine ?? '');
  const path = `/crud/borrowingBase/${id}/adjustments`;
  const enter = async (body: object) => analyst.post(path, body);
  expect(expectRefusal(await enter({ amount: 0, reason: 'Nothing at all' }), 400).flags).toEqual({
    amount: 'must not be zero',
  });
  expect(expectRefusal(await enter({ amount: 1e15, reason: 'Too much money' }), 400).flags).toEqual({
    amount: 'must be below 1,000,000,000,000,000',
  });
  expect((await enter({ amount: 1, reason: 'abc' })).status).toBe(400);
  expect((await enter({ amount: 1, reason: 'Unknown key', more: 1 })).status).toBe(400);
  const entered = await enter({ amount: 12.5, reason: 'Payment in transit' });
  expect(entered.status, entered.text).toBe(201);
  const own = await analyst.post(`${path}/${entered.json.id}/approve`, {});
  expect([own.status, own.json.message]).toEqual([400, 'You entered this adjustment, so someone else must decide']);
  const declined = await tenant.manager.post(`${path}/${entered.json.id}/decline`, { reason: 'It arrived already' });
  expect(declined.json).toMatchObject({ status: 'Declined', declineReason: 'It arrived already' });
  const again = await enter({ amount: 12.5, reason: 'Payment in transit' });
  expect((await analyst.post(`${path}/${again.json.id}/withdraw`, {})).json.status).toBe('Withdrawn');
  expect((await tenant.manager.post(`${path}/${again.json.id}/approve`, {})).status).toBe(400);
  // An adjustment of another certificate is not found below this one.
  const other = `/crud/borrowingBase/${(await latest(bases.Senior ?? '')).id}/adjustments`;
  expect((await tenant.manager.post(`${other}/${again.json.id}/withdraw`, {})).status).toBe(404);
  const borrower = await signedIn(tenant.emails.borrower);
  expect((await borrower.post(path, { amount: 1, reason: 'Our own idea' })).status).toBe(403);
  expect((await tenant.manager.get(path)).json.map(({ status }: { status: string }) => status)).toEqual([
    'Withdrawn',
    'Declined',
  ]);
});
