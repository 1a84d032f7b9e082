import { beforeAll, expect, test } from 'vitest';
import { LIST_EDIT } from '../app/http/list-edits.ts';
import { paths } from '../app/paths.ts';
import { type ApiClient, expectRefusal, signedIn } from './api-client.ts';
import { addApprovedDraw } from './approved-draw.ts';
import { fieldsOf, read, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const stranger = ownTenant();
let borrower: ApiClient;
let screens: ScreenClient;
let transaction: string;
let note: string;

beforeAll(async () => {
  ({ transactionId: transaction, noteId: note } = await addApprovedDraw(tenant.emails.manager, {
    dueDate: '2026-08-03',
    sum: '10000000',
  }));
  borrower = await signedIn(tenant.emails.borrower);
  screens = await screensOf(tenant.emails.manager);
});

test('plain forms agree a pricing grid, a default margin, an event of default and fees', async () => {
  const address = paths.editTranche(transaction, note, 1);
  const page = await screens.get(address);
  const fields = fieldsOf(page, 'terms.interest.spread');
  const added = await screens.submit(address, { ...fields, [LIST_EDIT]: 'add terms.interest.pricingGrid.tiers 0' });
  expect(read(added)).toContain('Tier 1');
  const withFee = await screens.submit(address, {
    ...fieldsOf(added, 'terms.interest.spread'),
    [LIST_EDIT]: 'add terms.fees 0',
  });
  const entered = {
    ...fieldsOf(withFee, 'terms.interest.spread'),
    'terms.interest.pricingGrid.tiers[0].from': '20',
    'terms.interest.pricingGrid.tiers[0].rate': '4',
    'terms.interest.defaultMargin': '2',
    'terms.defaultEvents[0].from': '1 Sep 2026',
    'terms.defaultEvents[0].to': '1 Sep 2026',
    'terms.defaultEvents[0].reason': 'Interest not paid',
  };
  const place = Math.max(
    ...Object.keys(entered)
      .flatMap((name) => /^terms\.fees\[(\d+)\]/.exec(name)?.[1] ?? [])
      .map(Number),
  );
  const fee = (more: object) =>
    Object.fromEntries(Object.entries(more).map(([name, value]) => [`terms.fees[${place}].${name}`, String(value)]));
  const prepayment = fee({
    ...{ title: 'Prepayment fee', kind: 'Prepayment', 'rate.sum': 2, 'rate.currency': '', frequency: 'Ending' },
    ...{ onPrepayment: 'on', feeType: '', 'months.end': 600 },
  });
  const refused = await screens.submit(address, { ...entered, ...prepayment });
  expect(refused.status).toBe(422);
  expect(read(refused)).toContain('must be after the first day');
  const stored = await screens.submit(address, {
    ...entered,
    ...prepayment,
    'terms.defaultEvents[0].to': '11 Sep 2026',
  });
  expect(stored.status, read(stored).slice(0, 3000)).toBe(302);
  const terms = read(await screens.get(paths.transaction(transaction, { note, view: 'terms' })));
  expect(terms).toContain('spread 4% from 20% utilization');
  expect(terms).toContain('2% more in default');
  expect(terms).toContain('from 1 Sep 2026 to 11 Sep 2026: Interest not paid');
  expect(terms).toContain('2%, of principal prepaid, to month 600 after the signing');
});

test('a plain form lets the grid follow a covenant of the note', async () => {
  const created = await tenant.manager.post('/crud/covenants', {
    ...{ transaction, note, title: 'Leverage', formula: '[Leverage]', unit: 'times', bound: 'atMost' },
    ...{ steps: [{ from: '2026-09-30', limit: 5 }], frequency: 'quarterly', firstTest: '2026-09-30' },
  });
  const covenant = created.json.id as string;
  const address = paths.editTranche(transaction, note, 1);
  const fields = fieldsOf(await screens.get(address), 'terms.interest.spread');
  const by = {
    ...fields,
    'terms.interest.pricingGrid.test.covenant': covenant,
    'terms.interest.pricingGrid.test.daysAfter': '366',
    'terms.interest.pricingGrid.tiers[0].from': '3.5',
  };
  const refused = await screens.submit(address, by);
  expect(refused.status).toBe(422);
  expect(read(refused)).toContain('must be at most 365');
  const stored = await screens.submit(address, { ...by, 'terms.interest.pricingGrid.test.daysAfter': '30' });
  expect(stored.status, read(stored).slice(0, 3000)).toBe(302);
  expect(read(await screens.get(paths.transaction(transaction, { note, view: 'terms' })))).toContain(
    'spread 4% from 3.5, by Leverage 30 days after its test date',
  );
  expectRefusal(
    await tenant.manager.call('DELETE', `/crud/covenants/${covenant}`),
    400,
    'The note’s pricing grid uses this covenant',
  );
  // The tests after this one are of the grid by utilization.
  const back = await screens.submit(address, {
    ...fieldsOf(await screens.get(address), 'terms.interest.spread'),
    'terms.interest.pricingGrid.test.covenant': '',
    'terms.interest.pricingGrid.test.daysAfter': '',
    'terms.interest.pricingGrid.tiers[0].from': '20',
  });
  expect(back.status).toBe(302);
});

test('a repayment shows its prepayment fee before it is recorded, and says whether its principal was due', async () => {
  const address = paths.newRepayment({ note, date: '2026-09-10' });
  const page = await screens.get(address);
  expect(read(page)).toContain('Prepayment fee: 2.00% of principal that was not due, 200,000.00 USD');
  const fields = { ...fieldsOf(page, 'amounts[0].principal'), 'amounts[0].principal': '1000000' };
  const recorded = await screens.submit(address, { ...fields, scheduled: 'on' });
  expect(recorded.status, read(recorded).slice(0, 3000)).toBe(302);
  expect(read(await screens.get(recorded.headers.get('location') as string))).toContain('the principal was due');
  const proposal = () =>
    tenant.manager.get('/crud/invoices/proposal', { transaction, note, from: '2026-09-01', to: '2026-10-01' });
  const feesIn = async () =>
    (await proposal()).json.lines.flatMap((line: { title: string; amount: unknown }) =>
      line.title === 'Prepayment fee' ? [line.amount] : [],
    );
  expect(await feesIn()).toEqual([]);
  const early = await tenant.manager.post('/crud/repayments', {
    ...{ transaction, noteTitle: 'Senior', cutOffDate: '2026-09-10' },
    repayments: [{ kind: 'principal', amount: { sum: 500_000, currency: 'USD' } }],
  });
  expect(early.json).toMatchObject({ scheduled: false });
  expect(await feesIn()).toEqual([{ sum: 10_000, currency: 'USD' }]);
});

test('a forecast is read over the API by who sees the note, on the rates that the call chooses', async () => {
  const forecast = (more: object = {}, client = tenant.manager) =>
    client.get('/crud/transactions/notes/forecast', { transaction, note, ...more });
  const unknown = await forecast();
  expect(unknown.status, unknown.text).toBe(200);
  // The tenant has no fixings.
  expect(unknown.json).toMatchObject({
    isForecast: true,
    currency: 'USD',
    baseRate: 'SOFR',
    interest: null,
    total: null,
  });
  const why = unknown.json.periods.flatMap((period: { unknown: object[] }) => period.unknown);
  expect(why[0]).toMatchObject({ title: 'Interest', why: 'noFixing', of: '2026-08-03' });
  const refused = await forecast({ rates: '2027-01-01' });
  expect(expectRefusal(refused, 400).flags).toHaveProperty('rates');
  expect(expectRefusal(await forecast({ shift: 1001 }), 400).flags).toHaveProperty('shift');
  expect((await forecast({}, borrower)).status).toBe(200);
  expect((await forecast({}, stranger.manager)).status).toBe(404);
});

test('the page of a forecast works without scripts, and shows no figures for rates that are wrong', async () => {
  const [list] = (await tenant.manager.get('/crud/tables', { filter: { name: 'Base rates' } })).json;
  const saved = await tenant.manager.call('PUT', `/crud/tables/${list.id}`, {
    body: { ...list, values: [...list.values, { title: 'SOFR', date: '2026-08-01', rate: 4.25 }] },
  });
  expect(saved.status, saved.text).toBe(200);
  const address = paths.forecast(transaction, note);
  const page = read(await screens.get(address));
  expect(page).toContain('Total, forecast');
  expect(page).toContain('Forecast by period');
  expect(page).not.toContain('Unknown:');
  const wrong = read(await screens.get(`${address}?${new URLSearchParams({ rates: '2027-01-01 four' })}`));
  expect(wrong).toContain('“2027-01-01 four” is not a day and a rate');
  expect(wrong).not.toContain('Forecast by period');
  const shifted = await screens.get(`${address}?${new URLSearchParams({ rates: '2027-01-01 4.1', shift: '25' })}`);
  expect(shifted.status).toBe(200);
  expect(read(shifted)).toContain('Forecast by period');
});

test('interest is agreed in kind by a plain form, and added to the principal by its invoice', async () => {
  const address = paths.editTranche(transaction, note, 1);
  const fields = fieldsOf(await screens.get(address), 'terms.interest.spread');
  const refused = await screens.submit(address, { ...fields, 'terms.interest.paidInKind': '0' });
  expect(read(refused)).toContain('must be more than 0');
  const stored = await screens.submit(address, { ...fields, 'terms.interest.paidInKind': '1' });
  expect(stored.status, read(stored).slice(0, 3000)).toBe(302);
  expect(read(await screens.get(paths.transaction(transaction, { note, view: 'terms' })))).toContain(
    '1% of it paid in kind',
  );
  expect(read(await screens.get(paths.forecast(transaction, note)))).toContain('Paid in kind, forecast');
  const prepared = await tenant.manager.post('/crud/invoices', {
    ...{ transaction, noteTitle: 'Senior', currency: 'USD', from: '2026-08-03', to: '2026-09-01' },
  });
  expect(prepared.status, prepared.text).toBe(201);
  // 10,000,000 x 1% x 29 / 360.
  const inKind = prepared.json.lines.find((line: { rule: string }) => line.rule === 'inKind');
  expect(inKind.amount).toEqual({ sum: -8055.56, currency: 'USD' });
  const { id, version, amount } = prepared.json;
  const asked = { intent: 'issue', seenVersion: String(version), amount: String(amount.sum) };
  const { headers } = await screens.submit(paths.invoice(id), asked);
  const question = read(await screens.get(headers.get('location') as string));
  expect(question).toContain('Added to the principal');
  expect(question).toContain('8,055.56 USD');
  const issued = await tenant.manager.call('PUT', `/crud/invoices/${id}/issue`, {
    body: { version, amount },
  });
  expect(issued.status, issued.text).toBe(200);
  const { json } = await borrower.get('/crud/repayments', { filter: { cutOffDate: '2026-09-01' } });
  expect(json).toMatchObject([
    {
      inKind: true,
      repayments: [
        { kind: 'interest', amount: { sum: 8055.56 } },
        { kind: 'principal', amount: { sum: -8055.56 } },
      ],
    },
  ]);
  const repayment = read(await screens.get(paths.repayment(json[0].id)));
  expect(repayment).toContain('added to the principal');
  expect(repayment).not.toContain('Remove repayment');
});
