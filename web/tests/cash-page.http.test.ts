import { beforeAll, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { read, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
const CALLS = 6;

let fund: string;
let account: string;
let screens: ScreenClient;
/** What the investor owes of each call of 100.00, the earliest due first. */
let owed: { document: string; activity: string }[];

async function created(path: string, body: unknown) {
  const answer = await tenant.manager.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}
const newFund = async (title: string): Promise<string> =>
  (
    await created('/crud/funds', {
      title,
      type: 'SMA',
      strategy: 'ABL',
      currency: 'USD',
      targetSize: 1,
      hardCap: 1,
    })
  ).id;
const pay = (amount: number, more: object): Promise<{ id: string }> =>
  created('/crud/payments', { bankAccount: account, direction: 'in', amount, bookedOn: '2026-04-14', ...more });
const cash = async (of: string = fund, more: { activity?: string } = {}) =>
  screens.get(paths.cash({ fund: of, ...more }));
/** Where the forms of the page send to. */
const sendTo = () => paths.cash({ fund }).replace('?', '?index&');
const sentValue = (text: string, name: string, id: string): string =>
  [...text.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))]
    .map(([, value = '']) => value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
    .find((value) => value.includes(id)) ?? '';

beforeAll(async () => {
  screens = await screensOf(tenant.emails.manager);
  fund = await newFund('Kowhai Fund');
  const entity = { name: 'Kowhai Community Trust', formalId: 'LP-KOW', nationality: { country: 'NZ' } };
  const investor = (await created('/crud/LPs', { title: 'Kowhai Community Trust', entity })).id;
  await created('/crud/LPCommitments', {
    fund,
    investor: { id: investor, kind: 'LP' },
    closingDate: '2026-01-02',
    maxCommitment: 5000,
  });
  for (let call = 1; call <= CALLS; call += 1)
    await created('/crud/contributions', {
      fund,
      callNumber: String(call),
      cutOffDate: '2026-01-03',
      dueDate: `2026-0${call}-20`,
      amount: { sum: 100, currency: 'USD' },
      callPurposes: [{ title: 'Loans', kind: 'investments', amount: 100 }],
      status: 'Active',
    });
  owed = (await tenant.manager.get('/crud/obligations', { fund })).json;
  expect(owed).toHaveLength(CALLS);
  account = (
    await created('/crud/bankAccounts', {
      fund,
      title: 'Pay-in account',
      bankName: 'First Tidewater',
      accountNumber: 'US64 0210 0002 1000 4471',
      currency: 'USD',
      openingDate: '2026-01-01',
    })
  ).id;
  const paid = owed.slice(0, CALLS - 1);
  await pay(100 * paid.length, {
    allocations: paid.map(({ document }) => ({ kind: 'contribution', document, amount: 100 })),
  });
});

test('a fund that is owed nothing says so, and investors have no such page', async () => {
  const words = read(await cash(await newFund('Empty Fund')));
  expect(words).toContain('Nothing to receive');
  expect(words).toContain('Everything is matched.');
  expect(words).not.toContain('Calls');
  expect((await (await screensOf(tenant.emails.investor)).get(paths.cash())).status).toBe(404);
});

test('earlier calls that are paid are one line, which opens', async () => {
  const words = read(await cash());
  expect(words).toMatch(/Call 6 .*Call 5 .*Call 4 .*Calls 1 to 3 Jan 2026 to Mar 2026 300\.00 300\.00/);
  expect(words).toMatch(/6 calls 600\.00 500\.00 100\.00 100\.00/);
  expect(words).toContain('Receivables 1 open');
  const opened = read(await cash(fund, { activity: owed[2]!.activity }));
  expect(opened).toMatch(/Call 3 .*Call 2 .*Call 1 .*Call 3 by investor/);
  expect(opened).not.toContain('Calls 1 to 3');
});

test('the newest lines are matched and marked beside what is owed, and who may not write has no buttons', async () => {
  const stranger = await pay(4.99, { remittance: '20261102-77' });
  const line = await pay(100, { counterpartyName: 'KOWHAI COMMUNITY TRUST', remittance: 'CAPITAL CALL 6' });
  const page = await cash();
  const words = read(page);
  for (const said of [
    '2 lines to match',
    'To match 2 bank lines',
    'Kowhai Community Trust, capital call 6',
    'Name and call number agree',
    'Bank line suggested',
    '1 amount; 0.00 USD once 1 likely match is accepted',
    '•••• 4471',
  ])
    expect(words).toContain(said);

  const analyst = await screensOf(tenant.emails.analyst);
  const seen = await analyst.get(paths.cash({ fund }));
  expect(read(seen)).toContain('Bank line suggested');
  for (const name of ['only', 'otherIntent']) expect(seen.text).not.toContain(`name="${name}"`);
  expect(seen.text).not.toContain(paths.importStatements());
  const only = sentValue(page.text, 'only', line.id);
  expect((await analyst.submit(sendTo(), { intent: 'match', only })).status).toBe(403);

  const matched = await screens.submit(sendTo(), { intent: 'match', only });
  expect([matched.status, matched.headers.get('location')]).toEqual([302, `${paths.cash({ fund })}&done=1`]);
  expect((await tenant.manager.get(`/crud/payments/${line.id}`)).json).toMatchObject({ credit: { sum: 0 } });
  // What was shown is matched now, so the same form is refused.
  expect((await screens.submit(sendTo(), { intent: 'match', only })).status).toBe(422);

  const otherIntent = sentValue(page.text, 'otherIntent', stranger.id).replace(/ownItem=\w+/, 'ownItem=other');
  const marked = await screens.submit(sendTo(), { intent: 'match', otherIntent });
  expect([marked.status, marked.headers.get('location')]).toEqual([302, `${paths.cash({ fund })}&marked=1`]);
  const after = read(await screens.get(`${paths.cash({ fund })}&marked=1`));
  expect(after).toContain('1 payment marked as not ours.');
  expect(after).toContain('all matched');
  expect(after).toContain('Everything is matched.');
});

test('what the investors of a call owe is a file', async () => {
  const of = { activity: owed[0]!.activity, currency: 'USD' };
  const csv = await screens.get(paths.owedFile('csv', of));
  const [head, line, ...more] = csv.text.replace('\uFEFF', '').trimEnd().split('\n');
  expect(head).toMatch(/^party,reference,due,currency,netted,expected,paid,/);
  expect(line).toMatch(/^Kowhai Community Trust,KF\d*-C1-.*,2026-01-20,USD,0(\.0+)?,100(\.0+)?,100(\.0+)?,2026-04-14/);
  expect(more).toEqual([]);
  expect((await screens.get(paths.owedFile('xlsx', of))).status).toBe(200);
  expect((await screens.get(paths.owedFile('csv', { ...of, activity: fund }))).status).toBe(404);
  expect((await screens.get('/cash/owed/file/pdf')).status).toBe(404);
  expect((await (await screensOf(tenant.emails.investor)).get(paths.owedFile('csv', of))).status).toBe(404);
});
