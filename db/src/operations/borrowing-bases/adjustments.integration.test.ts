import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { Actor, UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BaseAdjustment } from '../../entities/lending.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { findApproval, listApprovals } from '../approvals/approvals.ts';
import { getTape } from '../tapes/tapes.ts';
import {
  approveAdjustment,
  declineAdjustment,
  enterAdjustment,
  listAdjustments,
  reviewAdjustment,
  withdrawAdjustment,
} from './adjustments.ts';
import { listBorrowingBaseFigures } from './borrowing-base-figures.ts';
import { borrowingBaseVersions, getBorrowingBase, listBorrowingBases, saveBorrowingBase } from './borrowing-bases.ts';

let database: TestDatabase;
let tenant: TestTenant;
let ada: UserActor;
let ben: UserActor;
let reader: UserActor;
const as = <T>(actor: Actor, work: (session: Session) => Promise<T>) => database.store.as(actor, work);
const asSystem = <T>(work: (session: Session) => Promise<T>) => as(SYSTEM, work);

beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await asSystem(makeTenant);
  const { managerId } = tenant;
  ada = testActor({ type: 'manager', managerId });
  ben = testActor({ type: 'manager', managerId });
  reader = testActor({
    type: 'manager',
    managerId: tenant.managerId,
    permissions: ['borrowingBase/read', 'transactions/read'],
  });
});
afterAll(() => database.close());

const USD = (sum: string) => ({ sum, currency: 'USD' });
const RESULT = (hash: string) =>
  ({
    inputsHash: hash,
    totals: {
      netBB: USD('689.53'),
      reserves: [{ title: 'Interest', amount: USD('16.00') }],
      availableBase: USD('673.53'),
      balance: USD('400.00'),
      commitments: USD('700.00'),
      availability: USD('273.53'),
    },
  }) as unknown as BorrowingBaseResult;

/** A certificate of the company, calculated again. */
async function certificate(company = 0, hash = `${Math.random()}`) {
  const { tapeId } = tenant.companies[company]!;
  return asSystem(async (session) => {
    const { documents } = await listBorrowingBases(session, { filter: { loanTape: tapeId } });
    const { generationId, contractId } = documents[0]!;
    return saveBorrowingBase(session, {
      ...{ tapeId, generationId, contractId, currency: 'USD', netBB: '689.53', firstBB: '700.00', resultKey: null },
      result: RESULT(hash),
    });
  });
}

const enter = (actor: Actor, baseId: string, amount = '-25', reason = 'Disputed invoice') =>
  as(actor, (session) => enterAdjustment(session, { baseId, body: { amount, reason } }));
const refusalOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (found: unknown) => found,
  );
  if (!isRefusal(error)) throw error ?? new Error('nothing was refused');
  return [error.code, error.message, error.flags];
};

test('an adjustment that somebody else approves makes a new version, and draws and figures use it', async () => {
  const base = await certificate();
  const calculated = { status: 'Completed', noteTitle: 'Senior', failure: null };
  await asSystem((session) =>
    session.query('update loan_tapes set borrowing_base_statuses = $2::jsonb where id = $1', [
      base.tapeId,
      JSON.stringify([
        { ...calculated, noteId: base.noteId, contractId: base.contractId, borrowingBaseId: base.id },
        { ...calculated, noteId: 'another', contractId: 'another', borrowingBaseId: 'other' },
      ]),
    ]),
  );
  const entered = await enter(ada, base.id);
  const before = await asSystem((session) => getBorrowingBase(session, base.id));
  expect([before.status, before.result.totals.availableBase]).toEqual(['Active', USD('673.53')]);

  const review = await as(ben, (session) => reviewAdjustment(session, entered.id));
  expect(review.after?.totals).toMatchObject({ availableBase: USD('648.53'), availability: USD('248.53') });
  const next = await as(ben, (session) => approveAdjustment(session, { id: entered.id, baseId: base.id }));
  expect(next.result.totals).toMatchObject({
    adjustments: [{ id: entered.id, amount: USD('-25'), reason: 'Disputed invoice' }],
    availableBase: USD('648.53'),
    availability: USD('248.53'),
  });
  const earlier = await asSystem((session) => getBorrowingBase(session, base.id));
  const tape = await asSystem((session) => getTape(session, base.tapeId));
  expect(tape.borrowingBaseStatuses.map(({ borrowingBaseId }) => borrowingBaseId)).toEqual([next.id, 'other']);
  expect([earlier.status, earlier.supersededBy, earlier.result]).toEqual(['Disabled', next.id, base.result]);
  const [figures] = await as(reader, (session) => listBorrowingBaseFigures(session, { noteIds: [base.noteId] }));
  expect(figures).toMatchObject({ id: next.id, netBB: '689.53', availableBase: '648.53', availability: USD('248.53') });
  expect((await asSystem((session) => borrowingBaseVersions(session, base))).versions[0]).toMatchObject({
    calculatedBy: { entity: { id: ben.userId } },
  });
});

test('a calculation of other inputs keeps approved adjustments, and one of the same changes nothing', async () => {
  const base = await certificate(0, 'other');
  expect(base.result.totals).toMatchObject({ availableBase: USD('648.53'), availability: USD('248.53') });
  expect((await certificate(0, 'other')).id).toBe(base.id);
});

test('the person who entered it can neither approve nor decline it, by the operation or in SQL', async () => {
  const base = await certificate();
  const entered = await enter(ada, base.id, '10');
  const own = 'You entered this adjustment, so someone else must decide';
  expect(await refusalOf(as(ada, (session) => approveAdjustment(session, { id: entered.id })))).toEqual([
    'badRequest',
    own,
    undefined,
  ]);
  expect(
    await refusalOf(as(ada, (session) => declineAdjustment(session, { id: entered.id, reason: 'Not now' }))),
  ).toEqual(['badRequest', own, undefined]);
  await expect(
    as(ada, (session) =>
      session.query(
        `update base_adjustments set status = 'Approved', decided_by = entered_by, decided_at = now() where id = $1`,
        [entered.id],
      ),
    ),
  ).rejects.toThrow('base_adjustments_second');
  expect(await refusalOf(as(ben, (session) => withdrawAdjustment(session, { id: entered.id })))).toEqual([
    'badRequest',
    'Someone else entered this adjustment. Decline it with a reason instead',
    undefined,
  ]);
  await expect(
    asSystem((session) =>
      session.query(
        `update base_adjustments set status = 'Withdrawn', decided_by = '{"id": "ben"}', decided_at = now() where id = $1`,
        [entered.id],
      ),
    ),
  ).rejects.toThrow('base_adjustments_withdrawn');
  const withdrawn = await as(ada, (session) => withdrawAdjustment(session, { id: entered.id }));
  expect(withdrawn.status).toBe('Withdrawn');
  expect((await refusalOf(as(ben, (session) => approveAdjustment(session, { id: entered.id }))))?.[1]).toBe(
    'This adjustment was already withdrawn. Reload the page',
  );
});

test('a decision is final and what was entered stays, also in SQL', async () => {
  const base = await certificate();
  const entered = await enter(ada, base.id, '10');
  await as(ben, (session) => declineAdjustment(session, { id: entered.id, reason: 'The invoice is paid' }));
  const write = (set: string) => asSystem((session) => session.query(`update base_adjustments set ${set}`));
  await expect(
    write(`status = 'Requested', decided_by = null, decided_at = null, decline_reason = null`),
  ).rejects.toThrow('the request is decided');
  const open = await enter(ada, base.id, '11');
  await expect(
    asSystem((session) => session.query('update base_adjustments set amount = 12 where id = $1', [open.id])),
  ).rejects.toThrow('what was entered stays');
  await as(ada, (session) => withdrawAdjustment(session, { id: open.id }));
});

test('two people who decide at once: one decision holds', async () => {
  const base = await certificate();
  const entered = await enter(ada, base.id, '1');
  const cleo = testActor({ type: 'manager', managerId: tenant.managerId });
  const ends = await Promise.allSettled([
    as(ben, (session) => approveAdjustment(session, { id: entered.id })),
    as(cleo, (session) => declineAdjustment(session, { id: entered.id, reason: 'Not agreed' })),
  ]);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('two adjustments that are approved at once both count', async () => {
  const base = await certificate();
  const before = Number(base.result.totals.availableBase?.sum);
  const entered = [await enter(ada, base.id, '2'), await enter(ada, base.id, '4')];
  await Promise.all(entered.map(({ id }) => as(ben, (session) => approveAdjustment(session, { id }))));
  const { versions } = await asSystem((session) => borrowingBaseVersions(session, base));
  const latest = await asSystem((session) => getBorrowingBase(session, versions[0]!.id));
  expect(Number(latest.result.totals.availableBase?.sum)).toBeCloseTo(before + 6, 2);
});

test('it is refused for zero decimals too many, a superseded version, a file that is none, and without permission', async () => {
  const base = await certificate();
  expect((await refusalOf(enter(ada, base.id, '1.005')))?.[2]).toEqual({ amount: 'must have at most 2 decimals' });
  await expect(enter(ada, base.id, '1.05')).resolves.toBeDefined();
  const next = await certificate();
  expect(next.id).not.toBe(base.id);
  expect((await refusalOf(enter(ada, base.id)))?.[1]).toBe('This version is superseded. Adjust the latest one');
  const body = { amount: '1', reason: 'With a file', document: 'nothing' };
  expect((await refusalOf(as(ada, (session) => enterAdjustment(session, { baseId: next.id, body }))))?.[2]).toEqual({
    document: 'is not an uploaded file',
  });
  expect((await refusalOf(enter(reader, next.id)))?.[0]).toBe('forbidden');
});

test('a certificate has at most fifty adjustments', async () => {
  const base = await certificate(1);
  for (let entered = 0; entered < 50; entered++) await enter(ada, base.id, '1');
  expect((await refusalOf(enter(ada, base.id, '1')))?.[1]).toBe('A certificate has at most 50 adjustments');
  await expect(
    asSystem((session) =>
      session.query(
        `insert into base_adjustments (id, manager_id, company_id, tape_id, contract_id, transaction_id, amount, currency, reason, entered_by, entered_at)
         select reverse(id), manager_id, company_id, tape_id, contract_id, transaction_id, 1, 'USD', 'One too many', entered_by, now()
         from base_adjustments where tape_id = $1 limit 1`,
        [base.tapeId],
      ),
    ),
  ).rejects.toThrow('a certificate has at most 50 adjustments');
});

test('the borrower sees approved ones; another tenant, and a person for whom the base is blocked, see none', async () => {
  const base = await certificate();
  const count = async (actor: Actor) => as(actor, (session) => session.em.count(BaseAdjustment));
  const { companyId, managerId } = base;
  const approved = (await as(ada, (session) => listAdjustments(session, base.id))).filter(
    ({ status }) => status === 'Approved',
  );
  expect(approved.length).toBeGreaterThan(2);
  expect(await count(testActor({ type: 'company', managerId, companyId }))).toBe(approved.length);
  const other = await asSystem(makeTenant);
  expect(await count(testActor({ type: 'manager', managerId: other.managerId }))).toBe(0);
  for (const blocked of [
    `borrowingBases/${base.id}`,
    `loanTapes/${base.tapeId}`,
    `contracts/${base.contractId}`,
    `transactions/${base.transactionId}`,
    `companies/${companyId}`,
  ]) {
    const person = testActor({ type: 'manager', managerId, blockedDocuments: [blocked] });
    const seen = await as(person, (session) => session.query('select tape_id from base_adjustments'));
    expect(
      seen.filter(({ tape_id }) => tape_id === base.tapeId),
      JSON.stringify(blocked),
    ).toEqual([]);
  }
});

test('Approvals has it for everyone who decides but the person who entered it', async () => {
  const base = await certificate();
  const entered = await enter(ada, base.id, '-7.5');
  const key = { kind: 'adjustment', id: entered.id } as const;
  const found = await as(ben, (session) => findApproval(session, key));
  expect(found).toMatchObject({
    tab: 'mine',
    approval: { parentId: base.id, amounts: [USD('-7.5')], status: 'Requested' },
  });
  expect((await as(ada, (session) => findApproval(session, key)))?.tab).toBe('others');
  expect(await as(reader, (session) => findApproval(session, key))).toBeNull();
  await as(ben, (session) => declineAdjustment(session, { id: entered.id, reason: 'Not agreed' }));
  const decided = await as(ada, (session) =>
    listApprovals(session, { tab: 'decided', kind: 'adjustment', skip: 0, limit: 50 }),
  );
  expect(decided.approvals.find(({ id }) => id === entered.id)).toMatchObject({ status: 'Declined' });
});
