import { extractText } from 'unpdf';
import { beforeAll, expect, inject, it } from 'vitest';
import { paths } from '../app/paths.ts';
import { type ScreenClient, screensOf } from './screen-client.ts';

interface Base {
  id: string;
  inputsHash: string;
  transaction: string;
  note: string;
  netBB: { sum: number };
  totals: {
    excess: { sum: number };
    pools: Record<string, { amount: { sum: number } }>;
  };
}

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

it('says what the payments of its tape prove, and nothing without a payment file', async () => {
  const said = async (cutOffDate: string) => {
    const filter = { cutOffDate, currency: 'USD' };
    const [found] = (await client.api.get('/crud/borrowingBase', { filter, limit: 1 })).json as Base[];
    const { text } = await extractText(new Uint8Array(await bytesOf(paths.borrowingBaseFile(found!.id, 'pdf'))), {
      mergePages: true,
    });
    const page = await client.get(paths.borrowingBase(found!.id, { view: 'audit' }));
    expect(page.status).toBe(200);
    return { printed: text.replaceAll(/\s+/g, ' '), shown: page.text };
  };
  const proof = /\d+\.\d% of the balance proved; [\d,]+ loans?, [\d,.]+ USD unexplained/;
  expect(await said('2026-10-31')).toEqual({
    printed: expect.stringMatching(proof),
    shown: expect.stringMatching(proof),
  });
  const without = await said('2026-09-30');
  expect(without.printed).toContain('For the borrower');
  expect(without.printed).not.toContain('Proof with payments');
  expect(without.shown).not.toContain('Proof with payments');
});

it('is on the page of its facility with what was said of loans that left', async () => {
  const filter = { cutOffDate: '2026-10-31', currency: 'USD' };
  const [found] = (await client.api.get('/crud/borrowingBase', { filter, limit: 1 })).json as Base[];
  const { status, text } = await client.get(paths.transaction(found!.transaction));
  expect(status).toBe(200);
  for (const line of ['Repurchased', 'Substituted', 'No longer reported, unexplained']) expect(text).toContain(line);
});

it('shows the hash of inputs and the figures over tapes on its page, and the hash in its files', async () => {
  const audit = await client.get(paths.borrowingBase(base.id, { view: 'audit' }));
  expect(audit.status).toBe(200);
  expect(audit.text).toContain(base.inputsHash);
  expect((await client.get(paths.borrowingBase(base.id, { view: 'trend' }))).text).toContain('Figures over tapes');
  expect((await client.get(paths.borrowingBaseFile(base.id, 'csv'))).text).toContain(base.inputsHash);
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
