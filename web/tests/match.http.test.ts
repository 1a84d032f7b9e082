import { beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { read, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const ACCOUNT = 'DE44 5001 0517 5407 3249 31';

let account: string;
let screens: ScreenClient;
/** What the investor owes for the calls 1, 2 and 3: 100.00, 250.50 and 70.00. */
let owed: { document: string; reference: string; party: { id: string } }[];

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}
const pay = async (
  amount: number,
  more: object = {},
): Promise<{ id: string; version: number; credit: { sum: number } }> =>
  created('/crud/payments', {
    bankAccount: account,
    direction: 'in',
    amount,
    bookedOn: '2026-04-14',
    counterpartyName: 'KOWHAI COMMUNITY TRUST',
    counterpartyAccount: ACCOUNT,
    ...more,
  });
const match = (payment: { id: string; version: number }, amount: number, document: string) => ({
  id: payment.id,
  version: payment.version,
  allocations: [{ kind: 'contribution', document, amount }],
});
/** The values that the buttons of the page send, by what they match. */
const buttonsOf = (text: string): string[] =>
  [...text.matchAll(/name="only" value="([^"]*)"/g)].map(([, value = '']) => value.replaceAll('&quot;', '"'));

beforeAll(async () => {
  screens = await screensOf(tenant.emails.manager);
  const fund = (
    await created('/crud/funds', {
      title: 'Match Fund',
      type: 'SMA',
      strategy: 'ABL',
      currency: 'USD',
      targetSize: 1,
      hardCap: 1,
    })
  ).id;
  const entity = { name: 'Kowhai Community Trust', formalId: 'LP-KOW', nationality: { country: 'NZ' } };
  const investor = (await created('/crud/LPs', { title: 'Kowhai Community Trust', entity })).id;
  await created('/crud/LPCommitments', {
    fund,
    investor: { id: investor, kind: 'LP' },
    closingDate: '2026-01-15',
    maxCommitment: { sum: 5000, currency: 'USD' },
  });
  for (const [index, amount] of [100, 250.5, 70].entries()) {
    await created('/crud/contributions', {
      fund,
      callNumber: String(index + 1),
      cutOffDate: '2026-02-02',
      dueDate: `2026-0${index + 3}-20`,
      amount: { sum: amount, currency: 'USD' },
      callPurposes: [{ title: 'Investments', kind: 'investments', amount }],
      status: 'Active',
    });
  }
  owed = (await tenant.manager.get('/crud/obligations', { fund })).json;
  expect(owed).toHaveLength(3);
  account = (
    await created('/crud/bankAccounts', {
      title: 'Pay-in account',
      bankName: 'First Tidewater',
      accountNumber: 'US64 0210 0002 1000 4471',
      currency: 'USD',
      openingDate: '2026-01-01',
    })
  ).id;
});

describe('the queue', () => {
  test('shows a payment with its suggestion in words, and matches it by a form without scripts', async () => {
    const { id } = await pay(100, { remittance: 'CAPITAL CALL 1' });
    const page = await screens.get(paths.toMatch());
    const words = read(page);
    for (const said of [
      'Kowhai Community Trust, capital call 1',
      'Amount is the open amount',
      'States no reference',
      'No account on file to compare',
      'Name and call number agree',
      'KOWHAI COMMUNITY TRUST / CAPITAL CALL 1',
    ]) {
      expect(words).toContain(said);
    }
    const [only = ''] = buttonsOf(page.text).filter((value) => value.includes(id));
    const answer = await screens.submit(paths.toMatch(), { intent: 'match', only });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, paths.toMatch({ done: 1 })]);
    expect((await tenant.manager.get(`/crud/payments/${id}`)).json).toMatchObject({ credit: { sum: 0 } });
    expect(read(await screens.get(paths.toMatch({ done: 1 })))).toContain('1 payment matched.');
    // What was shown is matched now, so the same form is refused.
    expect((await screens.submit(paths.toMatch(), { intent: 'match', only })).status).toBe(422);
  });

  test('matches several at once, and asks to choose if none is chosen', async () => {
    const payments = [await pay(250.5, { remittance: '' }), await pay(70, { remittance: '' })];
    const values = buttonsOf((await screens.get(paths.toMatch())).text).filter((value) =>
      payments.some(({ id }) => value.includes(id)),
    );
    expect(values).toHaveLength(2);
    const none = await screens.submit(paths.toMatch(), { intent: 'match' });
    expect([none.status, read(none).includes('Choose at least one payment')]).toEqual([422, true]);
    const broken = await screens.submit(paths.toMatch(), { intent: 'match', payments: '{"id":1}' });
    expect([broken.status, read(broken).includes('A chosen payment has no suggestion')]).toEqual([422, true]);
    const both = await screens.submit(paths.toMatch(), [
      ['intent', 'match'],
      ...values.map((value) => ['payments', value] as const),
    ]);
    expect(both.headers.get('location')).toBe(paths.toMatch({ done: 2 }));
    const open = (await tenant.manager.get('/crud/obligations', { open: 'true' })).json as { document: string }[];
    expect(open.filter(({ document }) => owed.some((one) => one.document === document))).toEqual([]);
  });

  test('leaves a payment as a credit of an investor', async () => {
    const payment = await pay(33, {
      counterpartyName: 'H WHITLOCK AND SONS',
      counterpartyAccount: null,
      remittance: '',
    });
    expect(read(await screens.get(paths.toMatch()))).toContain('No suggestion');
    const path = paths.matchPayment(payment.id);
    const missing = await screens.submit(path, { intent: 'credit', paymentVersion: '1' });
    expect([missing.status, read(missing).includes('Choose an investor or a borrower')]).toEqual([422, true]);
    const { party } = owed[0]!;
    const done = await screens.submit(path, {
      intent: 'credit',
      paymentVersion: String(payment.version),
      party: `LP/${party.id}`,
    });
    expect(done.status).toBe(302);
    expect((await tenant.manager.get(`/crud/payments/${payment.id}`)).json).toMatchObject({ party: { id: party.id } });
    expect((await screens.get(path)).status).toBe(404);
  });

  test('is for nobody but users of the manager', async () => {
    for (const email of [tenant.emails.investor, tenant.emails.borrower]) {
      const other = await screensOf(email);
      expect((await other.get(paths.toMatch())).status).not.toBe(200);
      expect((await other.api.post('/crud/payments/matches', [])).status).toBe(403);
    }
  });
});

describe('calls', () => {
  test('say what a payment pays, confirm it, and match without a person from then on', async () => {
    const fund = (await tenant.manager.get('/crud/obligations', { document: owed[0]!.document })).json[0].fund.id;
    const amounts = [55, 44];
    for (const [index, amount] of amounts.entries()) {
      await created('/crud/contributions', {
        fund,
        callNumber: `1${index}`,
        cutOffDate: '2026-02-02',
        dueDate: `2026-0${index + 6}-20`,
        amount: { sum: amount, currency: 'USD' },
        callPurposes: [{ title: 'Investments', kind: 'investments', amount }],
        status: 'Active',
      });
    }
    const open = (await tenant.manager.get('/crud/obligations', { fund, open: 'true' })).json as typeof owed;
    expect(open).toHaveLength(2);
    const other = { counterpartyAccount: 'DE02 1203 0000 0000 2020 51' };
    const first = await pay(55, { ...other, remittance: open[0]!.reference });
    const suggested = (await tenant.manager.get(`/crud/payments/${first.id}/suggestions`)).json;
    expect(suggested[0]).toMatchObject({
      reason: 'reference',
      isAutomatic: false,
      evidence: { account: 'unknown' },
      allocations: [{ amount: { sum: 55, currency: 'USD' }, obligation: { document: open[0]!.document } }],
    });
    const tooMuch = await tenant.manager.post('/crud/payments/matches', [match(first, 55.01, open[0]!.document)]);
    expect(tooMuch.status).toBe(400);
    const confirmed = await tenant.manager.post('/crud/payments/matches', [match(first, 55, open[0]!.document)]);
    expect([confirmed.status, confirmed.json[0]?.credit.sum]).toEqual([201, 0]);
    const second = await pay(44, { ...other, remittance: `call ${open[1]!.reference.toLowerCase()}` });
    expect(second.credit.sum).toBe(0);
  });
});
