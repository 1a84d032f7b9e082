import { beforeAll, expect, it } from 'vitest';
import { type ApiClient, signedIn } from '../api-client.ts';
import { northwindTapes } from '../northwind-tapes.ts';
import { ownTenant } from '../tenant.ts';

const tenant = ownTenant();
let borrower: ApiClient;
let analyst: ApiClient;

beforeAll(async () => {
  borrower = await signedIn(tenant.emails.borrower);
  analyst = await signedIn(tenant.emails.analyst);
});

const search = async () => {
  const started = await tenant.manager.post('/LTP/duplicateSearch', {});
  expect(started.status, started.text).toBe(201);
  await expect
    .poll(async () => (await tenant.manager.get('/LTP/duplicateSearch')).json.search?.endedAt ?? null, {
      timeout: 120_000,
    })
    .not.toBe(null);
  return (await tenant.manager.get('/LTP/duplicateSearch')).json.search;
};

it('finds the same loan under two ids, and keeps what the manager decides', { timeout: 300_000 }, async () => {
  expect((await tenant.manager.get('/LTP/duplicateSearch')).json).toEqual({ search: null });
  const tapes = await northwindTapes(tenant.manager);
  const twice = (id: string) => tapes.loan({ 'Loan ID': id });
  const other = tapes.loan({ 'Loan ID': 'D-3', 'Original Amount': 990 });
  const tape = await tapes.publish([twice('D-1'), twice('D-2'), other], { cutOffDate: '2017-04-30' });

  expect(await search()).toMatchObject({ failure: null, loans: 3, companies: 1, pairCount: 1, notCompared: 0 });
  const listed = await analyst.get('/LTP/duplicates', { filter: { status: 'Open' } });
  expect(listed.json).toMatchObject([
    {
      certainty: 'likely',
      status: 'Open',
      loans: [
        { assetId: 'D-1', loanTape: tape, row: 2 },
        { assetId: 'D-2', loanTape: tape, row: 3 },
      ],
    },
  ]);
  const [{ id }] = listed.json;

  const decide = (client: ApiClient, body: object) => client.post('/LTP/duplicates/decide', { ids: [id], ...body });
  expect((await borrower.get('/LTP/duplicates')).json).toEqual([]);
  expect((await borrower.get(`/LTP/duplicates/${id}`)).status).toBe(404);
  expect((await borrower.get('/LTP/duplicateSearch')).json).toEqual({ search: null });
  expect((await decide(borrower, { decision: 'Same' })).status).toBe(403);
  expect((await borrower.post('/LTP/duplicateSearch', {})).status).toBe(403);
  expect((await decide(tenant.manager, { decision: 'Explained' })).status).toBe(400);
  const decided = await decide(tenant.manager, { decision: 'Different', reason: 'Two cars' });
  expect(decided.json, decided.text).toMatchObject([{ id, status: 'Different', reason: 'Two cars' }]);

  await search();
  expect((await tenant.manager.get(`/LTP/duplicates/${id}`)).json).toMatchObject({ status: 'Different' });
  expect((await tenant.manager.get('/LTP/duplicates', { filter: { status: 'Open' } })).json).toEqual([]);
});
