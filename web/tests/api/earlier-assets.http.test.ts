import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type ApiClient, expectRefusal } from '../api-client.ts';
import { ownTenant } from '../tenant.ts';
import { createTwoNotes, type TwoNotes } from '../two-notes.ts';

const tenant = ownTenant();
let manager: ApiClient;
let notes: TwoNotes;

/** Row 6 is no asset when the borrowing bases are calculated, and is corrected afterwards. */
beforeAll(async () => {
  manager = tenant.manager;
  notes = await createTwoNotes(manager, [{ 'Principal Balance': 'see note' }]);
  const corrected = await manager.post('/LTP/assets/errored', {
    loanTapeId: notes.tape,
    assets: [{ rowNumber: 6, originData: { 'Principal Balance': 400.25 } }],
  });
  expect(corrected.status, corrected.text).toBe(201);
  expect(await notes.tapes.finished(notes.tape)).toMatchObject({ counts: { assets: 5, errored: 0 } });
});

const query = (borrowingBase?: string) => ({
  filter: { loanTape: notes.tape },
  sort: { row: 1 },
  ...(borrowingBase ? { borrowingBase } : {}),
});
const rowsOf = async (borrowingBase?: string) =>
  (await manager.get('/crud/assets', query(borrowingBase))).json.map(
    (asset: { rowNumber: number; borrowingBase: { id: string; status: string } | null }) => [
      asset.rowNumber,
      asset.borrowingBase?.id ?? null,
      asset.borrowingBase?.status ?? null,
    ],
  );
const outstanding = async (borrowingBase?: string) => {
  const { json } = await manager.get('/crud/assets/statistics', query(borrowingBase));
  return json.outstandingSum.map(({ amount }: { amount: object }) => amount);
};
const idOf = async (row: number) =>
  (await manager.get('/crud/assets', query())).json.find((one: { rowNumber: number }) => one.rowNumber === row).id;

const results = (id: string | undefined) => [2, 3, 4, 5].map((row) => [row, id, row === 4 ? 'inEligible' : 'eligible']);

describe('after a correction', () => {
  it('a borrowing base has the assets that it was calculated from, with its results', async () => {
    const { Senior } = notes.bases;
    expect(await rowsOf(Senior)).toEqual(results(Senior));
    expect(await outstanding(Senior)).toEqual([{ sum: 2200, currency: 'USD' }]);
    const csv = await manager.call('GET', '/crud/assets', {
      query: query(Senior),
      headers: { accept: 'text/csv' },
    });
    expect(csv.text.trimEnd().split(/\r?\n/)).toHaveLength(5);
    expect(JSON.parse(csv.headers.get('x-borrowing-bases') ?? '')).toMatchObject([{ id: Senior }]);
    const strata = await manager.get('/LTP/analytics/stratification', {
      loanTapeId: notes.tape,
      field: 'creditScores.grade',
      borrowingBase: Senior,
    });
    expect(strata.json.total).toMatchObject({ count: 4 });
  });

  it('the tape has its current assets without one, also in lists of several tapes', async () => {
    expect(await rowsOf()).toEqual([2, 3, 4, 5, 6].map((row) => [row, null, null]));
    expect(await outstanding()).toEqual([{ sum: 2600.25, currency: 'USD' }]);
    const strata = await manager.get('/LTP/analytics/stratification', {
      loanTapeId: notes.tape,
      field: 'creditScores.grade',
    });
    expect(strata.json.total).toMatchObject({ count: 5 });
    const all = await manager.get('/crud/assets', { filter: { 'sums.outstandingSum': 400.25 } });
    expect(all.json.map(({ rowNumber }: { rowNumber: number }) => rowNumber)).toEqual([6]);
  });

  it('an asset of then explains its result, and one that is new is not among them', async () => {
    const { Senior } = notes.bases;
    const [then, added] = [await idOf(4), await idOf(6)];
    const { json } = await manager.get(`/crud/assets/${then}`, { borrowingBase: Senior });
    expect(json).toMatchObject({
      borrowingBase: { id: Senior, status: 'inEligible' },
      explanation: { failedRules: [{ sentence: 'Origination credit score is at least 640: is 612' }] },
    });
    expectRefusal(await manager.get(`/crud/assets/${added}`, { borrowingBase: Senior }), 404);
    expect((await manager.get(`/crud/assets/${added}`)).json).toMatchObject({ rowNumber: 6, explanation: null });
  });

  it('a result that is calculated again stays with its assets, and the new one has the new ones', async () => {
    const { Senior } = notes.bases;
    expect((await manager.post('/LTP/calculateBB', { loanTapeId: notes.tape })).status).toBe(201);
    const latest = await vi.waitFor(
      async () => {
        const note = (await notes.statuses()).find(({ noteTitle }) => noteTitle === 'Senior');
        expect([note?.status, note?.borrowingBaseId === Senior]).toEqual(['Completed', false]);
        return note!.borrowingBaseId;
      },
      { timeout: 300_000, interval: 100 },
    );
    expect(await rowsOf(Senior)).toEqual(results(Senior));
    expect(await rowsOf(latest)).toEqual([...results(latest), [6, latest, 'eligible']]);
    expect(await outstanding(latest)).toEqual([{ sum: 2600.25, currency: 'USD' }]);
  });

  it('a removed tape has neither', async () => {
    const { Senior } = notes.bases;
    await notes.tapes.remove(notes.tape);
    expect(expectRefusal(await manager.get('/crud/assets', query(Senior)), 400).flags).toHaveProperty('borrowingBase');
  });
});
