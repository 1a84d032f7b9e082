import { extractText } from 'unpdf';
import { beforeAll, expect, inject, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { type ScreenClient, screensOf } from './screen-client.ts';

interface Base {
  id: string;
  inputsHash: string;
  note: string;
  netBB: { sum: number };
  loanTapeId: string;
  totals: {
    excess: { sum: number };
    pools: Record<string, { amount: { sum: number } }>;
    offset?: { count: number; amount: { sum: number } };
    offsets?: (Taken & { title: string; groups: (Taken & { key: string })[] })[];
  };
}

type Taken = Record<'owed' | 'taken' | 'leftOver', { sum: number }>;

let client: ScreenClient;
/** The demonstration's latest borrowing base. */
let base: Base;
beforeAll(async () => {
  client = await screensOf('manager@tapeline.test');
  const { json } = await client.api.get('/crud/borrowingBase', { sort: { cutOffDate: 1 } });
  base = (json as Base[]).at(-1)!;
});

const bytesOf = async (path: string) => {
  const answer = await fetch(new URL(path, inject('productUrl')), { headers: { cookie: client.cookie } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  return Buffer.from(await answer.arrayBuffer());
};
const written = (sum: number) => sum.toLocaleString('en', { minimumFractionDigits: 2 });

it('is a PDF with the stored figures, the same bytes each time', async () => {
  const file = paths.borrowingBaseFile(base.id, 'pdf');
  const [first, second] = [await bytesOf(file), await bytesOf(file)];
  expect(first.equals(second)).toBe(true);
  const { text, totalPages } = await extractText(new Uint8Array(first), { mergePages: true });
  const { netBB, totals } = base;
  for (const { sum } of [netBB, totals.excess, totals.pools.relevant!.amount]) expect(text).toContain(written(sum));
  expect(text).toContain(base.inputsHash);
  expect(text).toContain('For the borrower');
  expect(text).toContain(`Page ${totalPages} of ${totalPages}`);
});

it('shows the hash of inputs and the figures over tapes on its page, and the hash in its files', async () => {
  const audit = await client.get(paths.borrowingBase(base.id, { view: 'audit' }));
  expect(audit.status).toBe(200);
  expect(audit.text).toContain(base.inputsHash);
  expect((await client.get(paths.borrowingBase(base.id, { view: 'trend' }))).text).toContain('Figures over tapes');
  expect((await client.get(paths.borrowingBaseFile(base.id, 'csv'))).text).toContain(base.inputsHash);
});

it('shows what offsets took of each group on its page, in its files and at each asset', async () => {
  const { json } = await client.api.get('/crud/borrowingBase', { sort: { cutOffDate: 1 }, limit: 1000 });
  const withOffsets = (json as Base[]).find(({ totals }) => Number(totals.offset?.amount.sum) > 0)!;
  const { id, loanTapeId, totals } = withOffsets;
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
    (await extractText(new Uint8Array(await bytesOf(paths.borrowingBaseFile(id, 'pdf'))), { mergePages: true })).text,
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

it('is only for who is signed in', async () => {
  const file = new URL(paths.borrowingBaseFile(base.id, 'pdf'), inject('productUrl'));
  expect((await fetch(file, { redirect: 'manual' })).status).toBe(302);
});

it('offers the values of the tape to the filter builder, and refuses what it cannot look up', async () => {
  const contracts = await client.get(paths.contracts());
  const id = /\/monitoring\/contracts\/([0-9a-f]{24})/.exec(contracts.text)?.[1] ?? '';
  const known = await client.get(paths.contractValues(id, { field: 'address.state' }));
  expect(JSON.parse(known.text).values.values[0]).toMatchObject({
    value: expect.any(String),
    count: expect.any(Number),
  });
  expect((await client.get(paths.contractValues(id, { field: 'nothing' }))).status).toBe(400);
  const search = (length: number) =>
    client.get(paths.contractValues(id, { field: 'address.state', search: 'x'.repeat(length) }));
  expect([(await search(100)).status, (await search(101)).status]).toEqual([200, 400]);
});
