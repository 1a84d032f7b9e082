import { beforeAll, expect, it } from 'vitest';
import { paths } from '../../app/paths.ts';
import { expectRefusal, signedIn } from '../api-client.ts';
import { type NorthwindTapes, northwindTapes, uploadTape } from '../northwind-tapes.ts';
import { fieldsOf, screensOf } from '../screen-client.ts';
import { ownTenant } from '../tenant.ts';
import { sheetXml, workbookBytes } from '../workbook-bytes.ts';

const tenant = ownTenant();
const CSV = 'text/csv';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
let tapes: NorthwindTapes;
beforeAll(async () => {
  tapes = await northwindTapes(tenant.manager);
});

const file = (name: string, text: string) => uploadTape(tenant.manager, { name, bytes: Buffer.from(text), type: CSV });
const propose = (...keys: string[]) =>
  tenant.manager.post('/LTP/proposals', { attachments: keys.map((key) => ({ key })) });
const loans = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const loan = tapes.loan({ 'Loan ID': `P-${index}` });
    return tapes.headers.map((header) => loan[header] ?? null);
  });

it('proposes company, date, currency and mapping of a known borrower, each with where it was found', async () => {
  const lines = [tapes.headers, ...loans(12)].map((row) => row.map((cell) => cell ?? '').join(','));
  const key = await file('northwind 2026-10.csv', lines.join('\n'));
  const answer = await propose(key);
  expect(answer.status, answer.text).toBe(200);
  const [proposal] = answer.json;
  expect(proposal).toMatchObject({
    attachment: { key, name: 'northwind 2026-10.csv' },
    kind: 'tape',
    company: { id: tapes.company, name: 'Northwind Consumer Loans', source: 'fileName', text: 'northwind 2026-10.csv' },
    cutOffDate: { date: '2026-10-31', source: 'fileName', others: [] },
    currency: { code: 'USD', source: 'company' },
    headerRow: 1,
    mapping: { version: 1, lacking: [] },
  });
  expect(
    new Set(proposal.rules.map(({ enabled, confidence }: Record<string, unknown>) => [enabled, confidence].join())),
  ).toEqual(new Set(['true,1']));
});

it('names a new company, suggests rules, and says what is no tape and what cannot be read', async () => {
  const rows = Array.from(
    { length: 12 },
    (_, at) => `Z-${at},2024-01-1${at % 10},${10_000 + at * 7}.50,${(at % 9) + 1}`,
  );
  const unknown = await file(
    'zephyr-finance tape.csv',
    ['Loan No,Start Date,Current Balance,Rate %', ...rows].join('\n'),
  );
  const bookings = [100, -20, 35, 7, -60, 12, 44].map((amount, at, all) => {
    const balance = all.slice(0, at + 1).reduce((sum, each) => sum + each, 0);
    return `2026-01-0${at + 1},Booking ${at},${amount}.00,${balance}.00`;
  });
  const statement = await file('statement.csv', ['Date,Text,Amount,Balance', ...bookings].join('\n'));
  const empty = await file('empty.csv', '\n\n');
  const answer = await propose(unknown, statement, empty);
  expect(answer.status, answer.text).toBe(200);
  const [first, second, third] = answer.json;
  expect(first).toMatchObject({ kind: 'tape', newCompany: { name: 'Zephyr Finance' } });
  expect(first).not.toHaveProperty('company');
  expect(first).not.toHaveProperty('cutOffDate');
  const enabled = first.rules.filter((rule: { enabled: boolean }) => rule.enabled);
  expect(
    Object.fromEntries(enabled.map((rule: Record<string, string>) => [rule.originCol, rule.targetCol])),
  ).toMatchObject({
    'Loan No': 'assetId',
    'Start Date': 'dateFinanced',
    'Current Balance': 'sums.outstandingSum',
    'Rate %': 'interestRate',
  });
  expect(second).toMatchObject({ kind: 'statement' });
  expect(third).toMatchObject({ kind: 'unreadable', problem: expect.any(String) });
});

it('reads the sheet of the mapping, though another one looks more like a tape', async () => {
  const payments = Array.from({ length: 60 }, (_, at) => [
    `T-${at}`,
    '2026-10-05',
    12.5 + at,
    'card',
    'ok',
    'x',
    'y',
    'z',
  ]);
  const bytes = workbookBytes(
    { name: 'Payments', xml: sheetXml([['Id', 'Paid on', 'Paid', 'How', 'State', 'A', 'B', 'C'], ...payments]) },
    { name: 'Loan Tape', xml: sheetXml([tapes.headers, ...loans(12)]) },
  );
  const key = await uploadTape(tenant.manager, { name: 'northwind 2026-09.xlsx', bytes, type: XLSX });
  const [proposal] = (await propose(key)).json;
  expect(proposal).toMatchObject({ sheetName: 'Loan Tape', mapping: { lacking: [] } });
});

it('refuses what it cannot propose for, and shows no company of another tenant', async () => {
  const key = await file('meridian tape.csv', 'Loan No,Balance\nA,1\n');
  expectRefusal(await propose(), 400);
  expectRefusal(await propose(...Array(21).fill(key)), 400, /At most 20/);
  expectRefusal(await propose('0'.repeat(24)), 404);
  const other = await signedIn('manager@tapeline.test');
  expectRefusal(await other.post('/LTP/proposals', { attachments: [{ key }] }), 404);
  const borrower = await signedIn(tenant.emails.borrower);
  expect((await borrower.post('/LTP/proposals', { attachments: [{ key }] })).status).toBe(404);
});

it('asks about each new company, date and rate of an upload before anything is stored', async () => {
  const rows = Array.from({ length: 8 }, (_, at) => `W-${at},${1000 + at}.00`);
  const key = await file('wexford-credit.csv', ['Loan No,Current Balance', ...rows].join('\n'));
  const screens = await screensOf(tenant.emails.manager);
  const review = paths.newTape({ files: key.split('/')[0], date: '2026-10-31' });
  const fields = fieldsOf(await screens.get(review), 'tapes[0].cutOffDate');
  const plain = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&');
  const proposed = plain(fields['tapes[0].proposed'] ?? '');
  const { columns } = JSON.parse(proposed) as { columns: { isOn: boolean }[] };
  const others: Record<string, string> = {
    ...fields,
    'tapes[0].proposed': proposed,
    'tapes[0].newCompany.country': 'US',
    'tapes[0].newCompany.currency': 'USD',
    exchangeRates: 'EUR 95',
  };
  // The fields of a form by name have one checkbox of a list only.
  delete others['tapes[0].use'];
  const used = (indexes: readonly number[]) => indexes.map((index) => ['tapes[0].use', String(index)] as const);
  const entered = [...Object.entries(others), ...used(columns.flatMap(({ isOn }, index) => (isOn ? [index] : [])))];
  const withoutId = await screens.submit(review, [...Object.entries(others), ...used([1])]);
  expect(withoutId.text).toContain('The chosen columns make no mapping: ');
  const asked = await screens.submit(review, entered);
  expect(asked.status).toBe(422);
  expect(asked.text).toContain('The rate of EUR, 95 for one US dollar');
  const found = async () =>
    (await tenant.manager.get('/crud/companies', { filter: { 'entity.name': 'Wexford Credit' } })).json;
  expect(await found()).toEqual([]);
  const [, text = '[]'] = /name="confirmedWarnings" value="([^"]*)"/.exec(asked.text) ?? [];
  const done = await screens.submit(review, [...entered, ['confirmedWarnings', plain(text)]]);
  expect([done.status, done.headers.get('location')]).toEqual([302, expect.stringMatching(/^\/monitoring\/tapes\//)]);
  expect(await found()).toHaveLength(1);
});
