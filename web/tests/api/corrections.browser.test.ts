import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { type NorthwindTapes, northwindTapes } from '../northwind-tapes.ts';

// Before every tape of the demonstration, so that none of them is compared with these.
const CUT_OFF_DATE = '2018-01-31';

let manager: ApiClient;
let tapes: NorthwindTapes;
const made: string[] = [];

beforeAll(async () => {
  manager = await signedIn('manager@tapeline.test');
  tapes = await northwindTapes(manager);
});
afterAll(async () => {
  for (const id of made) await tapes.remove(id);
});

async function publish(loans: Parameters<NorthwindTapes['publish']>[0]): Promise<string> {
  const id = await tapes.publish(loans, { cutOffDate: CUT_OFF_DATE });
  made.push(id);
  return id;
}

const correct = (client: ApiClient, loanTapeId: string, assets: unknown) =>
  client.post('/LTP/assets/errored', { loanTapeId, assets });
const errored = async (id: string) => (await manager.get('/crud/assets/errored', { filter: { loanTapeId: id } })).json;
const assets = async (id: string) => manager.get('/crud/assets', { filter: { loanTape: id } });
const lake = (id: string) => join(inject('productHome'), 'objects', 'lake', id);

describe('errored rows that are corrected', () => {
  it('become assets of their tape under the ids they had, those still wrong stay with what was written', async () => {
    const { loan } = tapes;
    const id = await publish([
      loan({ 'Loan ID': 'T-1' }),
      loan({ 'Loan ID': 'T-2', 'Principal Balance': 'see note' }),
      loan({ 'Loan ID': null }),
      loan({ 'Loan ID': 'T-4', 'Principal Balance': '#N/A' }),
      loan({ 'Loan ID': 'T-5', 'Principal Balance': 'TBD' }),
    ]);
    const before = await errored(id);
    expect(before.map(({ rowNumber }: { rowNumber: number }) => rowNumber)).toEqual([3, 4, 5, 6]);
    expect(before[0].id).toMatch(/^[0-9a-f]{16}00000003$/);

    const answer = await manager.call('POST', '/LTP/assets/errored', {
      // A literal that no double holds: every digit of it counts.
      body: `{"loanTapeId":"${id}","assets":[
        {"id":"${before[0].id}","originData":{"Principal Balance":9876543210987.6543}},
        {"rowNumber":4,"originData":{"Loan ID":"T-1"}},
        {"row":5,"originData":{"Principal Balance":true}}]}`,
    });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json).toMatchObject({ loanTapeId: id, workflowId: expect.stringMatching(`^loan-tape/${id}/rerun/`) });
    const tape = await tapes.settled(id);
    expect(tape).toMatchObject({
      processStatus: 'Completed',
      failure: null,
      counts: { dataRows: 5, assets: 2, errored: 3, discarded: 0, blankRows: 0 },
    });
    const held = await assets(id);
    expect(
      held.json.map(({ id: asset, rowNumber, sequenceIndex }: Record<string, unknown>) => [
        asset,
        rowNumber,
        sequenceIndex,
      ]),
    ).toEqual([
      [`${before[0].id.slice(0, 16)}00000002`, 2, 0],
      [before[0].id, 3, 1],
    ]);
    expect(held.text).toContain('"outstandingSum":{"sum":9876543210987.6500,"currency":"USD"}');
    const after = await errored(id);
    expect(after.map(({ rowNumber }: { rowNumber: number }) => rowNumber)).toEqual([4, 5, 6]);
    expect(after[0]).toMatchObject({
      originData: { 'Loan ID': 'T-1' },
      error: expect.stringContaining('already used by row 2'),
    });
    expect(after[1]).toMatchObject({ originData: { 'Principal Balance': true } });
    expect(after[2]).toEqual(before[3]);
    const [{ progress }] = [
      (await manager.get('/LTP')).json.find((job: { id: string }) => job.id === id) ?? { progress: null },
    ];
    expect(progress).toBeNull();
  });

  it('are refused, all of them, with a flag at each fault', async () => {
    const { loan } = tapes;
    const id = await publish([loan({ 'Loan ID': 'T-1' }), loan({ 'Loan ID': 'T-2', 'Principal Balance': 'x' })]);
    const other = await publish([loan({ 'Loan ID': 'T-1', 'Principal Balance': 'x' })]);
    const [foreign] = await errored(other);
    const good = { rowNumber: 3, originData: { 'Principal Balance': 5 } };
    const refused = async (list: unknown[]) => expectRefusal(await correct(manager, id, list), 400).flags;
    expect(await refused([good, { rowNumber: 2, originData: {} }])).toEqual({
      'assets.1': 'is no errored row of this tape',
    });
    expect(await refused([good, { ...good }])).toEqual({ 'assets.1': 'names row 3 again' });
    expect(await refused([{ ...good, originData: { Balance: 5 } }])).toEqual({
      'assets.0.originData.Balance': 'is no column of the tape',
    });
    expect(await refused([{ id: foreign.id, originData: {} }])).toEqual({
      'assets.0': 'is no errored row of this tape',
    });
    expect(Object.keys(await refused([]))).toEqual(['assets']);
    expect(Object.keys(await refused([{ originData: {} }]))).toEqual(['assets.0']);
    expect(await tapes.settled(id)).toMatchObject({ counts: { assets: 1, errored: 1 } });

    const twice = await Promise.all([correct(manager, id, [good]), correct(manager, id, [good])]);
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(await tapes.settled(id)).toMatchObject({ counts: { assets: 2, errored: 0 } });
    expectRefusal(await correct(manager, id, [good]), 400);
  });

  it('are corrected by whoever may write assets and sees the tape, its borrower too, and by nobody else', async () => {
    const { loan } = tapes;
    const id = await publish([loan({ 'Loan ID': 'T-1' }), loan({ 'Loan ID': 'T-2', 'Principal Balance': 'x' })]);
    const list = [{ rowNumber: 3, originData: { 'Principal Balance': 7 } }];
    expectRefusal(await correct(await signedIn('manager2@tapeline.test'), id, list), 404);
    expectRefusal(await correct(await signedIn('investor@tapeline.test'), id, list), 403);
    const answer = await correct(await signedIn('borrower@tapeline.test'), id, list);
    expect(answer.status, answer.text).toBe(201);
    expect(await tapes.settled(id)).toMatchObject({ counts: { assets: 2, errored: 0 } });
  });
});

describe('DELETE /LTP/assets/deleteProcess', () => {
  const end = (query: object, body?: object) =>
    manager.call('DELETE', '/LTP/assets/deleteProcess', { query: { ...query }, body });

  it('takes a tape in work away with everything that it wrote', async () => {
    const loans = Array.from({ length: 4000 }, (_, at) => tapes.loan({ 'Loan ID': `W-${at}` }));
    const id = await tapes.begin(loans, { cutOffDate: CUT_OFF_DATE });
    expect((await end({ loanTapeId: id })).json).toEqual({ ids: [id] });
    expect((await manager.get('/crud/loanTape', { filter: { id } })).json).toEqual([]);
    expect(existsSync(lake(id))).toBe(false);
    expectRefusal(await end({ loanTapeId: id }), 404);
  });

  it('takes a published tape away too, unless that is ruled out', async () => {
    const id = await publish([tapes.loan({ 'Loan ID': 'T-1' })]);
    const refusal = expectRefusal(
      await end({}, { loanTapeId: id, removePublished: false }),
      400,
      'Nothing is in work for this tape',
    );
    expect(refusal.flags).toHaveProperty('removePublished');
    expectRefusal(await end({}), 400);
    expect((await assets(id)).json).toHaveLength(1);
    expect(existsSync(lake(id))).toBe(true);
    expect((await end({ loanTapeId: id })).json).toEqual({ ids: [id] });
    made.pop();
    expect(existsSync(lake(id))).toBe(false);
    expectRefusal(await end({ loanTapeId: id, removePublished: true }), 404);
  });
});
