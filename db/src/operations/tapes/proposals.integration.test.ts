import { NORTHWIND_COMPANY } from '@tapeline/demonstration/names.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import type { OriginCell } from '@tapeline/domain/tapes/corrections.schema.ts';
import { PROPOSAL_STATUSES } from '@tapeline/domain/tapes/proposal.schema.ts';
import { PROPOSAL_TRANSITIONS } from '@tapeline/domain/tapes/states.ts';
import type { ErroredRow } from '@tapeline/domain/tapes/tape.schema.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CorrectionProposal } from '../../entities/tapes.ts';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { listCompanies } from '../companies/companies.ts';
import { historyOf } from '../history/history.ts';
import { discardErrored } from './discard-errored.ts';
import { beginGeneration, publishGeneration } from './generations.ts';
import { acceptProposal, declineProposal, getProposal, proposeCorrections, withdrawProposal } from './proposals.ts';
import { beginRerun, endRerun, publishRerun, type RerunAttempt, rerunToCancel } from './rerun-errored.ts';
import { createTape, removeTape, requireCalculable } from './tapes.ts';

let database: TestDatabase;
let company: { id: string; managerId: string };
let borrower: UserActor;
let manager: UserActor;

beforeAll(async () => {
  database = await createTestDatabase({ demonstration: true });
  company = await database.store.as(SYSTEM, async (session) => {
    const { documents } = await listCompanies(session, { filter: { 'entity.name': NORTHWIND_COMPANY } });
    return documents[0]!;
  });
  const of = { managerId: company.managerId, companyId: company.id };
  borrower = testActor({ type: 'company', firstName: 'Bea', lastName: 'Lind', ...of });
  manager = testActor({ type: 'manager', firstName: 'Mara', lastName: 'Holt', managerId: company.managerId });
});
afterAll(() => database.close());

const as = <T>(actor: UserActor | typeof SYSTEM, work: (session: Session) => Promise<T>) =>
  database.store.as(actor, work);

const ORIGIN: ErroredRow['origin'] = {
  'Loan ID': 'NW-1',
  'Principal Balance': 'see note',
  State: 'CA',
  'Loan Status': 'Current',
};
/** Rule 15 of the Northwind mapping reads the balance. */
const WRONG_BALANCE = {
  rule: 15,
  column: 'Principal Balance',
  target: 'sums.outstandingSum',
  value: 'see note',
  reason: '"see note" is not a number',
};
const errored = [2, 3, 4].map((row): ErroredRow => ({ row, origin: ORIGIN, errors: [WRONG_BALANCE] }));
const readErrored = async (_: readonly string[], rows: readonly number[]) =>
  errored.filter(({ row }) => rows.includes(row));
const findErrored = async (_: readonly string[], rows: readonly number[] | null) =>
  errored.map(({ row }) => row).filter((row) => rows?.includes(row) ?? true);
const MANIFEST = { assets: ['assets'], errored: ['errored'], columns: [], customFields: [] };
const STATISTICS = { assetsStatuses: [], sum: [], outstandingSum: [] };

/** A published tape of the company with errored rows 2, 3 and 4. */
async function publishedTape(): Promise<string> {
  return as(SYSTEM, async (session) => {
    const { id } = await createTape(session, {
      companyId: company.id,
      cutOffDate: '2026-11-30',
      mainCurrency: 'USD',
      exchangeRates: { USD: '1' },
      calculateBB: false,
      attachment: { bucket: 'loanTapes', key: newId(), name: 'n.xlsx', size: 1, type: 'text/csv', checksum: null },
    });
    const attempt = await beginGeneration(session, { tapeId: id });
    const tape = await publishGeneration(session, {
      tapeId: id,
      ...attempt,
      manifest: MANIFEST,
      counts: { dataRows: 10, assets: 7, errored: 3, discarded: 0, blankRows: 0 },
      statistics: STATISTICS,
    });
    tape.schedulerStatus = 'Completed';
    return id;
  });
}

const propose = (
  tapeId: string,
  rows: readonly number[] = [2],
  cells: Record<string, OriginCell> = { 'Principal Balance': 1200.5 },
  actor = borrower,
) =>
  as(actor, (session) =>
    proposeCorrections(session, {
      tapeId,
      corrections: rows.map((row) => ({ row, cells })),
      on: null,
      comment: 'As the servicer confirmed',
      readErrored,
    }),
  );
const accept = (id: string, actor = manager) => as(actor, (session) => acceptProposal(session, { id, findErrored }));
const publish = (attempt: RerunAttempt, rows: readonly number[] = [2], made = 1) =>
  as(SYSTEM, async (session) => {
    await publishRerun(session, { attempt, manifest: MANIFEST, rows, made, statistics: STATISTICS });
    await endRerun(session, { attempt, failure: null });
  });
const stateOf = (id: string) => as(SYSTEM, async (session) => (await getProposal(session, id)).status);

describe('a borrower', () => {
  test('proposes cells that made the row fail, and nothing of the tape changes', async () => {
    const tapeId = await publishedTape();
    const proposal = await propose(tapeId);
    expect(proposal).toMatchObject({
      status: 'Proposed',
      tapeId,
      comment: 'As the servicer confirmed',
      correctedRows: [
        {
          row: 2,
          cells: { 'Principal Balance': { before: 'see note', after: 1200.5 } },
          reasons: 'Principal Balance: "see note" is not a number',
        },
      ],
    });
    const { documents } = await as(SYSTEM, (session) =>
      historyOf(session, [{ resource: 'correctionProposals', ids: [proposal.id] }]),
    );
    const [history] = documents;
    expect(history).toMatchObject({
      operation: 'Insert',
      changedBy: { entity: { id: borrower.userId, firstName: 'Bea', lastName: 'Lind' } },
    });
  });

  test.each([
    ['another cell of the row', { State: 'NY' }, 'assets.0.originData.State'],
    [
      'another cell beside the failing one',
      { 'Principal Balance': 5, 'Loan Status': 'Paid Off' },
      'assets.0.originData.Loan Status',
    ],
    ['a column that the tape lacks', { Balance: 5 }, 'assets.0.originData.Balance'],
  ])('does not change %s', async (_, cells, flag) => {
    await expect(propose(await publishedTape(), [2], cells)).rejects.toMatchObject({
      code: 'badRequest',
      flags: { [flag]: expect.any(String) },
    });
  });

  test('may send the other cells as they were read, but must change something', async () => {
    const tapeId = await publishedTape();
    const { correctedRows } = await propose(tapeId, [2], { ...ORIGIN, 'Principal Balance': 7 });
    expect(correctedRows[0]?.cells).toEqual({ 'Principal Balance': { before: 'see note', after: 7 } });
    await expect(propose(tapeId, [3], { ...ORIGIN })).rejects.toThrow('does not change any cell');
    await expect(propose(tapeId, [9])).rejects.toMatchObject({
      flags: { 'assets.0': 'is not an errored row of this tape' },
    });
  });

  test('has a row in one open proposal at a time, and takes it back', async () => {
    const tapeId = await publishedTape();
    const first = await propose(tapeId, [2, 3]);
    await expect(propose(tapeId, [3, 4])).rejects.toThrow(`Row 3 is in proposal ${first.code}`);
    await expect(as(manager, (session) => withdrawProposal(session, { id: first.id }))).rejects.toMatchObject({
      code: 'forbidden',
    });
    await as(borrower, (session) => withdrawProposal(session, { id: first.id }));
    await expect(propose(tapeId, [3, 4])).resolves.toMatchObject({ status: 'Proposed' });
    await expect(accept(first.id)).rejects.toThrow('A proposal cannot go from Withdrawn to Accepted');
  });

  test('who proposes the same row twice at once is heard once', async () => {
    const tapeId = await publishedTape();
    const both = await Promise.allSettled([propose(tapeId), propose(tapeId)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('runs nothing again, decides nothing, cancels no re-run, calculates nothing, removes nothing published', async () => {
    const tapeId = await publishedTape();
    const { id } = await propose(tapeId);
    const refused = (work: (session: Session) => Promise<unknown>) =>
      expect(as(borrower, work)).rejects.toMatchObject({ code: 'forbidden' });
    await refused((session) => beginRerun(session, { tapeId, rows: [2], on: null, by: null, findErrored }));
    await refused((session) => acceptProposal(session, { id, findErrored }));
    await refused((session) => declineProposal(session, { id, reason: 'No' }));
    await refused((session) => discardErrored(session, { tapeId, rows: null, findErrored }));
    await refused((session) => requireCalculable(session, tapeId));
    await refused((session) => removeTape(session, { id: tapeId }));
    await accept(id);
    await refused((session) => rerunToCancel(session, tapeId));
    await expect(as(borrower, (session) => withdrawProposal(session, { id }))).rejects.toThrow(
      'Mara Holt has accepted',
    );
    await refused((session) =>
      createTape(session, {
        companyId: company.id,
        cutOffDate: '2026-11-30',
        mainCurrency: 'USD',
        exchangeRates: {},
        calculateBB: true,
        attachment: { bucket: 'loanTapes', key: newId(), name: 'n', size: 1, type: 'text/csv', checksum: null },
      }),
    );
  });

  test('of another company, or an investor, finds neither tape nor proposal', async () => {
    const tapeId = await publishedTape();
    const { id } = await propose(tapeId);
    for (const actor of [
      testActor({ type: 'company', managerId: company.managerId, companyId: newId() }),
      testActor({ type: 'manager', managerId: newId() }),
      testActor({ type: 'LP', managerId: company.managerId, lpIds: [newId()] }),
    ]) {
      await expect(propose(tapeId, [3], undefined, actor)).rejects.toMatchObject({ code: 'notFound' });
      await expect(as(actor, (session) => getProposal(session, id))).rejects.toMatchObject({ code: 'notFound' });
      await expect(accept(id, actor)).rejects.toMatchObject({ code: 'notFound' });
    }
    await expect(propose(tapeId, [3], undefined, manager)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('a proposal', () => {
  test('is Accepted with the publication of its rows, and both deeds are in the history', async () => {
    const tapeId = await publishedTape();
    const other = await propose(tapeId, [3]);
    const { id } = await propose(tapeId, [2]);
    const { attempt } = await accept(id);
    expect(await stateOf(id)).toBe('Proposed');
    await publish(attempt);
    expect([await stateOf(id), await stateOf(other.id)]).toEqual(['Accepted', 'Proposed']);
    const { documents: history } = await as(SYSTEM, (session) =>
      historyOf(session, [{ resource: 'correctionProposals', ids: [id] }]),
    );
    const decided = history.find(({ updatedFields }) => updatedFields.some(({ field }) => field === 'decidedBy'));
    expect(decided?.changedBy.entity).toEqual({ id: manager.userId, firstName: 'Mara', lastName: 'Holt' });
    expect(history.at(-1)?.changedBy.entity).toMatchObject({ id: borrower.userId });
    await expect(accept(id)).rejects.toThrow('A proposal cannot go from Accepted to Accepted');
  });

  test('that two managers accept at once is run once', async () => {
    const { id } = await propose(await publishedTape());
    const both = await Promise.allSettled([accept(id), accept(id)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'badRequest' } });
  });

  test('stays open where its re-run fails, and can be declined with a reason then', async () => {
    const { id } = await propose(await publishedTape());
    const { attempt } = await accept(id);
    const decline = () => as(manager, (session) => declineProposal(session, { id, reason: 'Not as the bank says' }));
    await expect(decline()).rejects.toThrow('Mara Holt has accepted this proposal');
    await as(SYSTEM, (session) => endRerun(session, { attempt, failure: 'The worker was lost' }));
    expect(await stateOf(id)).toBe('Proposed');
    expect(await decline()).toMatchObject({
      status: 'Declined',
      decidedBy: 'Mara Holt',
      declineReason: 'Not as the bank says',
    });
    await expect(as(borrower, (session) => withdrawProposal(session, { id }))).rejects.toThrow(
      'cannot go from Declined',
    );
  });

  test('stays open while other rows are published, and is then accepted on the tape as it is', async () => {
    const tapeId = await publishedTape();
    const [first, second] = [await propose(tapeId, [2]), await propose(tapeId, [3])];
    await publish((await accept(first.id)).attempt, [2]);
    const { attempt } = await accept(second.id);
    expect(attempt.baseGenerationId).not.toBe(second.generationId);
    await publish(attempt, [3]);
    expect([await stateOf(first.id), await stateOf(second.id)]).toEqual(['Accepted', 'Accepted']);
  });

  test('is outdated where one of its rows is reprocessed or discarded, or the tape is removed', async () => {
    const again = await publishedTape();
    const [first, other] = [await propose(again, [2, 3]), await propose(again, [4])];
    const attempt = await as(manager, (session) =>
      beginRerun(session, { tapeId: again, rows: [3], on: null, by: 'Mara Holt', findErrored }),
    );
    await publish(attempt, [3]);
    expect([await stateOf(first.id), await stateOf(other.id)]).toEqual(['Outdated', 'Proposed']);
    await expect(accept(first.id)).rejects.toThrow('cannot go from Outdated');

    const discarded = await publishedTape();
    const [gone, left] = [await propose(discarded, [2]), await propose(discarded, [3])];
    await as(manager, (session) => discardErrored(session, { tapeId: discarded, rows: [2], findErrored }));
    expect([await stateOf(gone.id), await stateOf(left.id)]).toEqual(['Outdated', 'Proposed']);
    await as(manager, (session) => removeTape(session, { id: discarded }));
    expect(await stateOf(left.id)).toBe('Outdated');
  });

  test('made while the tape is published again is refused or outdated, never left open on what is gone', async () => {
    const tapeId = await publishedTape();
    const attempt = await as(manager, (session) =>
      beginRerun(session, { tapeId, rows: [4], on: null, by: null, findErrored }),
    );
    const [proposed] = await Promise.allSettled([propose(tapeId, [4]), publish(attempt, [4])]);
    if (proposed.status === 'fulfilled') expect(await stateOf(proposed.value.id)).toBe('Outdated');
    else expect(proposed.reason).toMatchObject({ code: 'badRequest' });
  });
});

describe('the database', () => {
  test('lets nobody change what was proposed, nor anything that is decided', async () => {
    const { id } = await propose(await publishedTape());
    const change = (sql: string) =>
      as(SYSTEM, ({ query }) => query(`update correction_proposals set ${sql} where id = $1`, [id]));
    await expect(change(`comment = 'other'`)).rejects.toThrow('what was proposed cannot change');
    await as(borrower, (session) => withdrawProposal(session, { id }));
    await expect(change(`status = 'Proposed'`)).rejects.toThrow('the proposal is Withdrawn');
    await expect(as(SYSTEM, ({ query }) => query('delete from correction_proposals'))).rejects.toThrow(
      'permission denied',
    );
  });

  test('lets a borrower withdraw, and set no other status', async () => {
    const { id } = await propose(await publishedTape());
    const set = (status: string) =>
      as(borrower, ({ query }) =>
        query(`update correction_proposals set status = $2, decided_by = 'Me', decided_at = now() where id = $1`, [
          id,
          status,
        ]),
      );
    await expect(set('Withdrawn')).rejects.toThrow('row-level security');
    await expect(set('Outdated')).rejects.toThrow('row-level security');
    expect(await stateOf(id)).toBe('Proposed');
  });

  test('knows the states of the transition table', async () => {
    expect(PROPOSAL_TRANSITIONS.states).toEqual([...PROPOSAL_STATUSES]);
    const [constraint] = await as(SYSTEM, ({ query }) =>
      query<{ definition: string }>(
        `select pg_get_constraintdef(oid) as definition from pg_constraint where conname = 'correction_proposals_status_check'`,
      ),
    );
    expect([...constraint!.definition.matchAll(/'(\w+)'/g)].map(([, name]) => name)).toEqual([...PROPOSAL_STATUSES]);
    expect(CorrectionProposal.meta.tableName).toBe('correction_proposals');
  });
});

describe('the manager’s people', () => {
  /** Who was told of the proposal, and whether it requires an action of them. */
  const told = async (id: string) => {
    const rows = await database.query<{ email: string; type: string; action: boolean }>(
      `select u.email, u.type, n.action_required as action from notifications n join users u on u.id = n.user_id
       where n.document_id = $1 and n.kind = 'correctionProposed'`,
      [id],
    );
    expect(rows.map(({ email }) => email)).toEqual(
      expect.arrayContaining(['analyst@tapeline.test', 'manager@tapeline.test']),
    );
    const distinct = <Value>(values: Value[]) => [...new Set(values)];
    return { types: distinct(rows.map(({ type }) => type)), action: distinct(rows.map(({ action }) => action)) };
  };
  const waiting = { types: ['manager'], action: [true] };
  const done = { types: ['manager'], action: [false] };

  test('are told of a proposal, which requires an action until it is declined, withdrawn or outdated', async () => {
    const tapeId = await publishedTape();
    const [first, second, third] = [await propose(tapeId, [2]), await propose(tapeId, [3]), await propose(tapeId, [4])];
    expect(await told(first.id)).toEqual(waiting);
    await as(manager, (session) => declineProposal(session, { id: first.id, reason: 'Not confirmed' }));
    await as(borrower, (session) => withdrawProposal(session, { id: second.id }));
    expect([await told(first.id), await told(second.id), await told(third.id)]).toEqual([done, done, waiting]);
    await as(manager, (session) => removeTape(session, { id: tapeId }));
    expect(await told(third.id)).toEqual(done);
  });

  test('are not asked any more once an accepted proposal is published', async () => {
    const tapeId = await publishedTape();
    const { id } = await propose(tapeId);
    const { attempt } = await accept(id);
    expect(await told(id)).toEqual(waiting);
    await publish(attempt);
    expect(await told(id)).toEqual(done);
  });
});

describe('the borrower’s people', () => {
  /** What they are told of a decision, by email and in the product. Nobody else is. */
  const told = async (id: string) => {
    const rows = await database.query<{
      type: string;
      companyId: string | null;
      level: string;
      text: string;
      mail: string;
    }>(
      `select u.type, u.company_id as "companyId", n.level, n.title || ' ' || n.description as text,
         o.subject || ' ' || o.text as mail
       from notifications n join users u on u.id = n.user_id
         left join outbox o on o.key = n.key and o.user_id = n.user_id
       where n.document_id = $1 and n.kind = 'correctionDecided'`,
      [id],
    );
    for (const { type, companyId, text, mail } of rows) {
      expect([type, companyId]).toEqual(['company', company.id]);
      expect(mail).toBe(text);
    }
    return rows.map(({ level, text }) => ({ level, text }));
  };

  test('are told by email and in the product that a correction was accepted, once it is published', async () => {
    const tapeId = await publishedTape();
    const { id } = await propose(tapeId);
    const { attempt } = await accept(id);
    expect(await told(id)).toEqual([]);
    await publish(attempt);
    const [one, ...others] = await told(id);
    expect(one).toEqual({ level: 'info', text: expect.stringContaining('accepted') });
    expect(others).toEqual(others.map(() => one));
  });

  test('and that it was declined, with the reason; not what they withdrew themselves', async () => {
    const tapeId = await publishedTape();
    const [declined, withdrawn] = [await propose(tapeId, [2]), await propose(tapeId, [3])];
    await as(manager, (session) =>
      declineProposal(session, { id: declined.id, reason: 'The servicer says otherwise' }),
    );
    await as(borrower, (session) => withdrawProposal(session, { id: withdrawn.id }));
    const [one] = await told(declined.id);
    expect(one).toEqual({ level: 'warning', text: expect.stringContaining('The servicer says otherwise') });
    expect(await told(withdrawn.id)).toEqual([]);
  });
});
