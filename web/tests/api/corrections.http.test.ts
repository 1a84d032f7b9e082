import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { failTape } from '@tapeline/db/operations/tapes/generations.ts';
import { createTape } from '@tapeline/db/operations/tapes/tapes.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { type ApiClient, expectRefusal, signedIn } from '../api-client.ts';
import { type NorthwindTapes, northwindTapes } from '../northwind-tapes.ts';
import { productStore } from '../product-store.ts';
import { screensOf } from '../screen-client.ts';
import { ownTenant } from '../tenant.ts';

// Before the facility's contract.
const CUT_OFF_DATE = '2018-01-31';

const tenant = ownTenant();
const { emails } = tenant;
let manager: ApiClient;
let tapes: NorthwindTapes;

beforeAll(async () => {
  manager = tenant.manager;
  tapes = await northwindTapes(manager);
});

const publish = (loans: Parameters<NorthwindTapes['publish']>[0]): Promise<string> =>
  tapes.publish(loans, { cutOffDate: CUT_OFF_DATE });

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
      // A number literal that a double cannot represent exactly. Every digit must be preserved.
      body: `{"loanTapeId":"${id}","assets":[
        {"id":"${before[0].id}","originData":{"Principal Balance":9876543210987.6543}},
        {"rowNumber":4,"originData":{"Loan ID":"T-1"}},
        {"row":5,"originData":{"Principal Balance":true}}]}`,
    });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json).toMatchObject({ loanTapeId: id, workflowId: expect.stringMatching(`^loan-tape/${id}/rerun/`) });
    const tape = await tapes.finished(id);
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

  it('are refused, all of them, with a flag at each problem', async () => {
    const { loan } = tapes;
    const id = await publish([loan({ 'Loan ID': 'T-1' }), loan({ 'Loan ID': 'T-2', 'Principal Balance': 'x' })]);
    const other = await publish([loan({ 'Loan ID': 'T-1', 'Principal Balance': 'x' })]);
    const [foreign] = await errored(other);
    const good = { rowNumber: 3, originData: { 'Principal Balance': 5 } };
    const refused = async (list: unknown[]) => expectRefusal(await correct(manager, id, list), 400).flags;
    expect(await refused([good, { rowNumber: 2, originData: {} }])).toEqual({
      'assets.1': 'is not an errored row of this tape',
    });
    expect(await refused([good, { ...good }])).toEqual({ 'assets.1': 'repeats row 3' });
    expect(await refused([{ ...good, originData: { Balance: 5 } }])).toEqual({
      'assets.0.originData.Balance': 'is not a column of the tape',
    });
    expect(await refused([{ id: foreign.id, originData: {} }])).toEqual({
      'assets.0': 'is not an errored row of this tape',
    });
    expect(Object.keys(await refused([]))).toEqual(['assets']);
    expect(Object.keys(await refused([{ originData: {} }]))).toEqual(['assets.0']);
    expect(await tapes.finished(id)).toMatchObject({ counts: { assets: 1, errored: 1 } });

    const twice = await Promise.all([correct(manager, id, [good]), correct(manager, id, [good])]);
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 400]);
    expect(await tapes.finished(id)).toMatchObject({ counts: { assets: 2, errored: 0 } });
    expectRefusal(await correct(manager, id, [good]), 400);
  });

  it('are corrected by the manager, proposed by the borrower, and by nobody else', async () => {
    const { loan } = tapes;
    const id = await publish([loan({ 'Loan ID': 'T-1' }), loan({ 'Loan ID': 'T-2', 'Principal Balance': 'x' })]);
    const list = [{ rowNumber: 3, originData: { 'Principal Balance': 7 } }];
    expectRefusal(await correct(await signedIn('manager2@tapeline.test'), id, list), 404);
    expectRefusal(await correct(await signedIn(emails.investor), id, list), 403);
    const borrower = await signedIn(emails.borrower);
    const other = [{ rowNumber: 3, originData: { 'Principal Balance': 7, 'Days Past Due': 0, State: 'CA' } }];
    expect(expectRefusal(await correct(borrower, id, other), 400).flags).toEqual({
      'assets.0.originData.State': expect.stringContaining('is not an error in row 3'),
    });
    const answer = await correct(borrower, id, list);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json).toMatchObject({
      loanTapeId: id,
      workflowId: null,
      result: null,
      proposal: {
        status: 'Proposed',
        proposedBy: 'Bea Lindqvist',
        assets: [{ rowNumber: 3, originData: { 'Principal Balance': { before: 'x', after: 7 } } }],
      },
    });
    expect(await tapes.finished(id)).toMatchObject({ counts: { assets: 1, errored: 1 } });
  });
});

describe('proposals of a borrower', () => {
  const PROPOSALS = '/LTP/assets/errored/proposals';

  it('are seen by both, decided by the manager alone, and accepted with what they come to', async () => {
    const { loan } = tapes;
    const wrong = (id: string) => loan({ 'Loan ID': id, 'Principal Balance': 'x' });
    const id = await publish([loan({ 'Loan ID': 'T-1' }), wrong('T-2'), wrong('T-3'), wrong('T-4')]);
    const borrower = await signedIn(emails.borrower);
    const propose = async (rowNumber: number, comment?: string) => {
      const assets = [{ rowNumber, originData: { 'Principal Balance': 7 } }];
      const answer = await borrower.post('/LTP/assets/errored', { loanTapeId: id, assets, comment });
      expect(answer.status, answer.text).toBe(201);
      return answer.json.proposal.id;
    };
    const [first, second, third] = [await propose(3, 'As agreed'), await propose(4), await propose(5)];
    for (const client of [borrower, manager]) {
      const listed = await client.get(PROPOSALS, { filter: { loanTapeId: id, status: 'Proposed' } });
      expect(listed.headers.get('x-docs-count')).toBe('3');
      expect((await client.get(`${PROPOSALS}/${first}`)).json).toMatchObject({ id: first, comment: 'As agreed' });
    }
    const stranger = await signedIn('manager2@tapeline.test');
    expect((await stranger.get(PROPOSALS, { filter: { loanTapeId: id } })).json).toEqual([]);
    for (const path of ['', '/review']) expectRefusal(await stranger.get(`${PROPOSALS}/${first}${path}`), 404);
    expectRefusal(await stranger.post(`${PROPOSALS}/${first}/accept`, {}), 404);
    expectRefusal(await borrower.get(`${PROPOSALS}/${first}/review`), 403);
    expectRefusal(await borrower.post(`${PROPOSALS}/${first}/accept`, {}), 403);
    expectRefusal(await borrower.post(`${PROPOSALS}/${first}/decline`, { reason: 'x' }), 403);
    expectRefusal(await manager.post(`${PROPOSALS}/${first}/withdraw`, {}), 403);
    expect((await borrower.post(`${PROPOSALS}/${third}/withdraw`, {})).json).toMatchObject({ status: 'Withdrawn' });

    const review = await manager.get(`${PROPOSALS}/${first}/review`);
    expect(review.json).toMatchObject({ rows: 1, assets: 1, errored: 0, notes: [{ before: null, after: null }] });
    expectRefusal(await manager.post(`${PROPOSALS}/${first}/decline`, { reason: ' ' }), 400);
    const accepted = await manager.post(`${PROPOSALS}/${first}/accept`, {});
    expect(accepted.status, accepted.text).toBe(201);
    expect(await tapes.finished(id)).toMatchObject({ counts: { assets: 2, errored: 2 } });
    expect((await borrower.get(`${PROPOSALS}/${first}`)).json).toMatchObject({
      status: 'Accepted',
      decidedBy: 'Mara Holt',
    });
    expect((await borrower.get(`${PROPOSALS}/${second}`)).json).toMatchObject({ status: 'Proposed', decidedBy: null });
    expect((await manager.post(`${PROPOSALS}/${second}/accept`, {})).status).toBe(201);
    expect(await tapes.finished(id)).toMatchObject({ counts: { assets: 3, errored: 1 } });
    expect((await borrower.get(`${PROPOSALS}/${second}`)).json).toMatchObject({ status: 'Accepted' });
    expectRefusal(
      await manager.post(`${PROPOSALS}/${first}/decline`, { reason: 'late' }),
      400,
      'cannot go from Accepted',
    );
  });

  it('are all that a borrower does to a published tape', async () => {
    const id = await publish([tapes.loan({ 'Loan ID': 'T-1' })]);
    const borrower = await signedIn(emails.borrower);
    expectRefusal(await borrower.post('/LTP/calculateBB', { loanTapeId: id }), 403, 'Only the manager');
    expectRefusal(await borrower.call('DELETE', '/LTP/assets/errored', { body: { loanTapeId: id } }), 403);
    const body = { loanTapeId: id, removePublished: true };
    expectRefusal(await borrower.call('DELETE', '/LTP/assets/deleteProcess', { body }), 403, 'only its manager');
  });
});

describe('DELETE /LTP/assets/errored', () => {
  const discard = (body: object) => manager.call('DELETE', '/LTP/assets/errored', { body });

  it('takes ids and row numbers, or all rows, and answers the ids of what it discarded', async () => {
    const { loan } = tapes;
    const wrong = (id: string) => loan({ 'Loan ID': id, 'Principal Balance': 'x' });
    const id = await publish([loan({ 'Loan ID': 'D-1' }), ...['D-2', 'D-3', 'D-4', 'D-5', 'D-6'].map(wrong)]);
    const ids: string[] = (await errored(id)).map((row: { id: string }) => row.id);
    expect(ids).toHaveLength(5);

    const some = await discard({ loanTapeId: id, ids: [ids[1]!.toUpperCase()], rows: [3] });
    expect([some.status, some.json]).toMatchObject([
      200,
      { ids: ids.slice(0, 2), counts: { errored: 3, discarded: 2 } },
    ]);
    const again = expectRefusal(await discard({ loanTapeId: id, ids: [ids[1]] }), 400, 'Not errored rows of this tape');
    expect(again.flags).toHaveProperty('rows');
    const foreign = expectRefusal(await discard({ loanTapeId: id, ids: ['f'.repeat(24)] }), 400, 'Not errored rows');
    expect(foreign.flags).toHaveProperty('ids');
    expect((await errored(id)).map((row: { id: string }) => row.id)).toEqual(ids.slice(2));

    const rest = await discard({ loanTapeId: id });
    expect(rest.json).toMatchObject({ ids: ids.slice(2), counts: { errored: 0, discarded: 5 } });
    expect((await discard({ loanTapeId: id })).json).toMatchObject({ ids: [] });
  });
});

describe('a tape that failed', () => {
  it('is processed again without corrections, and a published one is not', async () => {
    const published = await publish([tapes.loan({ 'Loan ID': 'F-1' })]);
    const [{ metadata, company, assetsETL }] = (await manager.get('/crud/loanTape', { filter: { id: published } }))
      .json;
    const store = await productStore();
    const id = await store.as(systemActor('Test fixture'), async (session) => {
      const tape = await createTape(session, {
        companyId: company,
        mappingId: assetsETL,
        cutOffDate: CUT_OFF_DATE,
        mainCurrency: 'USD',
        exchangeRates: {},
        calculateBB: false,
        attachment: metadata.attachment,
      });
      await failTape(session, { tapeId: tape.id, failure: 'No worker took it' });
      return tape.id;
    });
    const [failed] = (await manager.get('/crud/loanTape', { filter: { id } })).json;
    expect(failed).toMatchObject({ processStatus: 'Pending', failure: 'No worker took it', waitsForWorker: false });

    const retried = await manager.post('/LTP/assets/errored', { loanTapeId: id });
    expect([retried.status, retried.json]).toEqual([
      201,
      { loanTapeId: id, workflowId: `loan-tape/${id}`, result: null },
    ]);
    expect(await tapes.finished(id)).toMatchObject({
      processStatus: 'Completed',
      failure: null,
      counts: { assets: 1 },
    });
    expectRefusal(await manager.post('/LTP/assets/errored', { loanTapeId: id }), 400, 'already published');
  });
});

it('a borrowing base without an applicable contract is refused, and nothing is stored', async () => {
  const id = await publish([tapes.loan({ 'Loan ID': 'B-1' })]);
  const refusal = expectRefusal(
    await manager.post('/LTP/calculateBB', { loanTapeId: id }),
    400,
    /^No Active contract applies on /,
  );
  expect(refusal.flags).toHaveProperty('loanTapeId');
  expect((await manager.get(`/crud/loanTape/${id}/BBsStatuses`)).json).toEqual([]);
});

describe('a tape whose stored parts are gone', () => {
  it('says so in calls and on its page, with the first part and what to do', async () => {
    const id = await publish([tapes.loan({ 'Loan ID': 'T-1' })]);
    await rm(lake(id), { recursive: true });
    const { message, flags } = expectRefusal(await assets(id), 502);
    expect(message).toMatch(
      new RegExp(
        `^A stored file is missing: lake/${id}/\\w+/assets\\.parquet\\. .*restore it from a backup.*process the tape again`,
      ),
    );
    expect(flags).toEqual({ object: 'is missing in the object storage' });
    const page = await (await screensOf(emails.manager)).get(`/monitoring/tapes/${id}`);
    expect(page.status).toBe(502);
    expect(page.text).toContain(`A stored file is missing: lake/${id}/`);
    expect(page.text).toContain('restore it from a backup');
  });

  it.each(['loanTape', 'loanTapeId'])('is not read for another tape, named as %s', async (name) => {
    const [gone, other] = [
      await publish([tapes.loan({ 'Loan ID': 'T-2' }), tapes.loan({ 'Loan ID': '' })]),
      await publish([tapes.loan({ 'Loan ID': 'T-3' }), tapes.loan({ 'Loan ID': '' })]),
    ];
    await rm(lake(gone), { recursive: true });
    const filter = { [name]: other };
    expect((await manager.get('/crud/assets', { filter })).json).toMatchObject([{ metadata: { loanTapeId: other } }]);
    expect((await manager.get('/crud/assets/statistics', { filter })).status).toBe(200);
    const errored = await manager.get('/crud/assets/errored', { filter });
    expect(errored.json).toMatchObject([{ loanTapeId: other }]);
    expectRefusal(await manager.get('/crud/assets/errored', { filter: { [name]: gone } }), 502);
  });
});

describe('DELETE /LTP/assets/deleteProcess', () => {
  const end = (query: object, body?: object) =>
    manager.call('DELETE', '/LTP/assets/deleteProcess', { query: { ...query }, body });

  it('removes a tape in progress', async () => {
    const loans = Array.from({ length: 4000 }, (_, at) => tapes.loan({ 'Loan ID': `W-${at}` }));
    const id = await tapes.begin(loans, { cutOffDate: CUT_OFF_DATE });
    expect((await end({ loanTapeId: id })).json).toEqual({ ids: [id] });
    expect((await manager.get('/crud/loanTape', { filter: { id } })).json).toEqual([]);
    expectRefusal(await end({ loanTapeId: id }), 404);
  });

  it('keeps a published tape, unless the call says to remove it', async () => {
    const id = await publish([tapes.loan({ 'Loan ID': 'T-1' })]);
    for (const body of [{ loanTapeId: id }, { loanTapeId: id, removePublished: false }]) {
      const refusal = expectRefusal(await end({}, body), 400, 'This tape is published');
      expect(refusal.flags).toHaveProperty('removePublished');
    }
    expectRefusal(await end({}), 400);
    expect((await assets(id)).json).toHaveLength(1);
    expect(existsSync(lake(id))).toBe(true);
    expect((await end({ loanTapeId: id, removePublished: true })).json).toEqual({ ids: [id] });
    // The sweep deletes published data only two weeks later.
    expect(existsSync(lake(id))).toBe(true);
    expect((await assets(id)).json).toEqual([]);
    expectRefusal(await end({ loanTapeId: id, removePublished: true }), 404);
  });
});
