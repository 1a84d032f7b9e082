import { extractText } from 'unpdf';
import { expect, inject, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { uploadTape } from './northwind-tapes.ts';
import { type ScreenClient, screensOf } from './screen-client.ts';
import { ownTenant } from './tenant.ts';
import { createTwoNotes } from './two-notes.ts';

type Taken = Record<'owed' | 'taken' | 'leftOver', { sum: number }>;
interface Base {
  id: string;
  loanTapeId: string;
  totals: {
    pools: Record<string, { amount: { sum: number } }>;
    offset?: { count: number; amount: { sum: number } };
    offsets?: (Taken & { title: string; groups: (Taken & { key: string })[] })[];
  };
}

const tenant = ownTenant();
const ARREARS = {
  title: 'Arrears of the customer',
  kind: 'field',
  groupBy: 'borrowerId',
  field: 'sums.arrears',
  amounts: 'perAsset',
};

const bytesOf = async (client: ScreenClient, path: string) => {
  const answer = await fetch(new URL(path, inject('productUrl')), { headers: { cookie: client.cookie } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return Buffer.from(await answer.arrayBuffer());
};
const written = (sum: number) => sum.toLocaleString('en', { minimumFractionDigits: 2 });

it('shows what offsets took of each group on its page, in its files and at each asset', async () => {
  const { bases } = await createTwoNotes(tenant.manager, [{ 'Past Due Amount': 120.5 }], { offsets: [ARREARS] });
  const client = await screensOf(tenant.emails.manager);
  const [base] = (await client.api.get('/crud/borrowingBase', { filter: { id: bases.Senior } })).json as Base[];
  const { id, loanTapeId, totals } = base!;
  const [arrears] = totals.offsets!;
  const [group] = arrears!.groups;
  const { relevant, inEligible, nonPerforming, eligibleOrPerforming } = totals.pools;
  const cents = (...amounts: ({ sum: number } | undefined)[]) =>
    amounts.reduce((sum, one) => sum + Math.round((one?.sum ?? 0) * 100), 0);
  expect(cents(relevant!.amount)).toBe(
    cents(inEligible!.amount, nonPerforming!.amount, eligibleOrPerforming!.amount, totals.offset!.amount),
  );
  expect(cents(arrears!.owed)).toBe(cents(arrears!.taken, arrears!.leftOver));
  const shown = [
    (await client.get(paths.borrowingBase(id))).text,
    (await extractText(new Uint8Array(await bytesOf(client, paths.borrowingBaseFile(id, 'pdf'))), { mergePages: true }))
      .text,
  ];
  for (const text of shown) {
    for (const words of [arrears!.title, group!.key, written(arrears!.taken.sum), 'Left over'])
      expect(text).toContain(words);
  }
  const lines = (await client.get(paths.borrowingBaseFile(id, 'csv'))).text;
  expect(lines).toContain(`Offset: ${arrears!.title}`);

  const filter = { loanTape: loanTapeId, 'borrowingBase.failed': { like: '%,offset:%' } };
  const assets = (await client.api.get('/crud/assets', { filter, borrowingBase: id })).json;
  expect(assets).toHaveLength(totals.offset!.count);
  const one = (await client.api.get(`/crud/assets/${assets[0].id}`, { borrowingBase: id })).json;
  const { amount, excessRemoved, remaining } = one.borrowingBase;
  expect(one.explanation.offset.amount).toBeCloseTo(amount - excessRemoved - remaining, 6);
  expect(one.explanation.offset.offsets[0]).toMatchObject({ title: arrears!.title, groupBy: { path: 'borrowerId' } });
});

it('takes what a file of the tape has for each group, and names the file on the certificate and in its files', async () => {
  const bytes = Buffer.from('Customer,Owed\nL-1,120.50\nL-1,9.5\nL-404,77\n');
  const document = await uploadTape(tenant.manager, { name: 'Payables 2017-03.csv', bytes, type: 'text/csv' });
  const payables = { title: 'Owed to the customer', kind: 'file', groupBy: 'borrowerId', file: 'payables' };
  const offsets = [{ ...payables, groupColumn: 'Customer', amountColumn: 'Owed' }];
  const { bases } = await createTwoNotes(tenant.manager, [], { offsets }, [document]);
  const client = await screensOf(tenant.emails.manager);
  const [base] = (await client.api.get('/crud/borrowingBase', { filter: { id: bases.Senior } })).json;
  expect(base.totals.offsets).toMatchObject([
    {
      ...{ kind: 'file', file: { name: 'Payables 2017-03.csv' }, groupCount: 2, count: 1 },
      ...{ owed: { sum: 207 }, taken: { sum: 130 }, leftOver: { sum: 77 } },
    },
  ]);
  const said = '1 group of the file Payables 2017-03.csv has no asset: 77.00 is left over';
  expect(base.warnings).toContainEqual({ code: 'offsetWithoutAssets', count: 1, message: said });
  const basis = 'Amounts of the file “Payables 2017-03.csv” by Borrower id';
  const page = (await client.get(paths.borrowingBase(base.id))).text;
  const pdf = await bytesOf(client, paths.borrowingBaseFile(base.id, 'pdf'));
  const { text } = await extractText(new Uint8Array(pdf), { mergePages: true });
  const lines = (await client.get(paths.borrowingBaseFile(base.id, 'csv'))).text;
  const says = (shown: string) => [basis, 'L-404'].map((words) => shown.includes(words));
  expect([page, text, lines].map(says)).toEqual([
    [true, true],
    [true, true],
    [true, true],
  ]);
  expect(page).toContain(said);
});
