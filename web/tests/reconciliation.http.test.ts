import { beforeAll, expect, test } from 'vitest';
import { paths } from '../app/paths.ts';
import { read, type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';

const tenant = ownTenant();
let client: ScreenClient;
let account: string;
const IBAN = 'GB29NWBK60161331926819';

const statement = (number: number, day: string, opening: number, closing: number): string => {
  const amount = closing - opening;
  return [
    ':20:S',
    `:25:${IBAN}`,
    `:28C:${number}`,
    `:60F:C${day}USD${opening},`,
    ...(amount === 0 ? [] : [`:61:${day}${amount < 0 ? 'D' : 'C'}${Math.abs(amount)},NTRFNONREF//${number}`]),
    `:62F:C${day}USD${closing},`,
    '-',
  ].join('\n');
};

async function imported(content: string): Promise<void> {
  const filesInfo = [{ name: 'statement.sta', size: Buffer.byteLength(content), type: 'text/plain' }];
  const signed = await tenant.manager.post('/files/signedUrls/bankStatements?operation=upload', { filesInfo });
  const [{ fileMetadata }] = signed.json;
  await fetch(fileMetadata.signedUrl, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: content });
  const answer = await tenant.manager.post('/crud/bankStatements', { attachment: fileMetadata });
  expect(answer.status, answer.text).toBe(201);
}

beforeAll(async () => {
  client = await screensOf(tenant.emails.manager);
  const created = await tenant.manager.post('/crud/bankAccounts', {
    title: 'Dollar collections',
    bankName: 'National Bank',
    accountNumber: IBAN,
    currency: 'USD',
    openingDate: '2026-04-01',
    openingBalance: 100,
  });
  expect(created.status, created.text).toBe(201);
  account = created.json.id;
  await imported(statement(1, '260410', 100, 350));
  await imported(statement(2, '260531', 350, 340));
  await imported(statement(3, '260602', 340, 340));
});

const reconciliation = (month: string, api = tenant.manager) =>
  api.get(`/crud/bankAccounts/${account}/reconciliation?month=${month}`);
const close = (month: string, api = tenant.manager) => api.post(`/crud/bankAccounts/${account}/closings`, { month });

test('a program reads a month day by day, closes it, and adds nothing to it', async () => {
  const april = (await reconciliation('2026-04')).json;
  expect(april.days).toHaveLength(30);
  expect(april.days[9]).toEqual({
    day: '2026-04-10',
    bank: { sum: 350, currency: 'USD' },
    book: { sum: 100, currency: 'USD' },
    open: { sum: 250, currency: 'USD' },
    difference: { sum: 0, currency: 'USD' },
  });
  expect(april).toMatchObject({
    openItemCount: 1,
    openItems: [{ kind: 'toMatch', amount: { sum: 250 } }],
    closedUntil: null,
    problem: null,
  });
  expect((await reconciliation('2026-4')).status).toBe(400);
  const closed = await close('2026-04');
  expect(closed.status, closed.text).toBe(201);
  expect(closed.json).toMatchObject({
    closedUntil: '2026-04-30',
    problem: 'closed',
    closings: [{ month: '2026-04', bank: { sum: 350 }, book: { sum: 100 } }],
  });
  const again = await close('2026-04');
  expect(again.status).toBe(400);
  expect(again.text).toContain('This month is closed');
  const late = await tenant.manager.post('/crud/payments', {
    bankAccount: account,
    direction: 'in',
    amount: 5,
    bookedOn: '2026-04-30',
  });
  expect(late.status).toBe(400);
  expect(late.text).toContain('is in a month that is closed');
});

test('a person without JavaScript is asked with the balances, and closes the month', async () => {
  const address = paths.reconciliation({ account, month: '2026-05' });
  expect(read(await client.get(address))).toContain('Close May 2026');
  const sent = { intent: 'close', account, month: '2026-05' };
  const asked = await client.submit(address, sent);
  expect(asked.status, read(asked)).toBe(302);
  const page = read(await client.get(asked.headers.get('location')!));
  expect(page).toContain('Close May 2026 of Dollar collections?');
  expect(page).toContain('The bank has 340.00 USD, the book 100.00 USD, and 2 payments are open with 240.00 USD.');
  expect((await reconciliation('2026-05')).json.problem).toBeNull();
  const confirmed = await client.submit(address, { ...sent, confirmed: 'yes' });
  expect(confirmed.status, read(confirmed)).toBe(302);
  expect((await reconciliation('2026-05')).json.closedUntil).toBe('2026-05-31');
  expect(read(await client.get(address))).toContain('May 2026 was closed on');
  expect(read(await client.get(paths.reconciliation({ account, month: '2026-06' })))).toContain(
    'No statement with balances reaches the end of the month',
  );
});

test('investors and borrowers neither read nor close', async () => {
  for (const email of [tenant.emails.investor, tenant.emails.borrower]) {
    const outsider = await screensOf(email);
    expect((await reconciliation('2026-04', outsider.api)).status).toBe(403);
    expect((await close('2026-06', outsider.api)).status).toBe(403);
    expect((await outsider.get(paths.reconciliation())).status).toBe(403);
  }
});
