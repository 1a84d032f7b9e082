import { beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { type NorthwindTapes, northwindTapes } from '../northwind-tapes.ts';
import { ownTenant } from '../tenant.ts';
import { withoutAmounts } from '../without-amounts.ts';

// Before the facility's contract.
const CUT_OFF_DATE = '2017-05-31';

const tenant = ownTenant();
const { emails } = tenant;
let manager: ApiClient;
let tapes: NorthwindTapes;
let other = '';
let own = '';

beforeAll(async () => {
  manager = tenant.manager;
  tapes = await northwindTapes(manager);
  ({ own, other } = await withoutAmounts(manager, tapes.company));
});

const review = (client: ApiClient, id: string, body: unknown) => client.post(`/LTP/remap/${id}/review`, body);
const remap = (client: ApiClient, id: string, body: unknown) => client.post(`/LTP/remap/${id}`, body);

describe('POST /LTP/remap/{loanTapeId}', () => {
  it('processes the stored file with another version, with the effect that the review showed', async () => {
    const { loan } = tapes;
    const id = await tapes.publish(
      [
        loan({ 'Loan ID': 'M-1' }),
        loan({ 'Loan ID': 'M-2', 'Principal Balance': 'see note' }),
        loan({ 'Loan ID': null }),
      ],
      { cutOffDate: CUT_OFF_DATE },
    );
    const seen = await review(manager, id, { assetsETL: other });
    expect(seen.status, seen.text).toBe(200);
    expect(seen.json).toMatchObject({
      before: { assets: 1, errored: 2, discarded: 0 },
      after: { assets: 2, errored: 1, discarded: 0 },
      becomeAssets: 1,
      stopBeingAssets: 0,
      balances: [{ currency: 'USD', before: '500.05', after: '500.05' }],
      correctedRows: 0,
      generationId: expect.stringMatching(/^[0-9a-f]{24}$/),
    });
    expectRefusal(await remap(manager, id, { assetsETL: other, on: id }), 400, /Review the effect again/);
    const done = await remap(manager, id, { assetsETL: other, on: seen.json.generationId });
    expect(done.status, done.text).toBe(201);
    expect(done.json).toMatchObject({ loanTapeId: id, workflowId: expect.stringMatching(`^loan-tape/${id}/rerun/`) });
    const tape = await tapes.finished(id);
    expect(tape).toMatchObject({ failure: null, counts: { assets: 2, errored: 1, discarded: 0, dataRows: 3 } });
    const { json: assets } = await manager.get('/crud/assets', { filter: { loanTape: id }, sort: { assetId: 1 } });
    expect(assets.map(({ targetData }: { targetData: { assetId: string } }) => targetData.assetId)).toEqual([
      'M-1',
      'M-2',
    ]);
    // And back, which is how it is undone.
    expect((await remap(manager, id, { assetsETL: own })).status).toBe(201);
    expect(await tapes.finished(id)).toMatchObject({ counts: { assets: 1, errored: 2 } });
  });

  it('is refused for what the caller cannot see or change, and for the version that the tape has', async () => {
    const id = await tapes.publish([tapes.loan({ 'Loan ID': 'M-9' })], { cutOffDate: '2017-06-30' });
    const [borrower, investor] = [await signedIn(emails.borrower), await signedIn(emails.investor)];
    for (const call of [review, remap]) {
      expectRefusal(await call(manager, id, { assetsETL: own }), 400, /processed with this mapping version/);
      expectRefusal(await call(manager, id, { assetsETL: id }), 400, /does not belong to the borrower/);
      expectRefusal(await call(manager, id, {}), 400);
      expectRefusal(await call(manager, 'f'.repeat(24), { assetsETL: other }), 404);
      expectRefusal(await call(borrower, id, { assetsETL: other }), 403);
      expectRefusal(await call(investor, id, { assetsETL: other }), 403);
    }
    expect(await tapes.finished(id)).toMatchObject({ counts: { assets: 1, errored: 0 } });
  });
});
