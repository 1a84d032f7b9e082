import { APPROVAL_KINDS } from '@tapeline/domain/approvals/approval-kinds.ts';
import { APPROVAL_PERMISSIONS, kindsDecidedBy } from '@tapeline/domain/approvals/approval-permissions.ts';
import { PERMISSION_KEYS, type UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Contribution } from '../../entities/capital.ts';
import { Draw } from '../../entities/draws.ts';
import { LPCommitment } from '../../entities/funds.ts';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { countApprovals, findApproval, listApprovals, placeApproval } from './approvals.ts';

let database: TestDatabase;
let tenant: TestTenant;
let other: TestTenant;
let manager: UserActor;

/** A draft call and further draws, besides the draws and corrections that a tenant has. */
async function addRequests(session: Session, { managerId, companies, fundId }: TestTenant): Promise<void> {
  const { em, now } = session;
  const company = companies[0]!;
  const draw = await em.findOneOrFail(Draw, { companyId: company.id });
  for (const dueDate of ['2026-11-03', '2026-11-02']) {
    const { transactionId, noteId, cutOffDate, draws } = draw;
    em.create(Draw, {
      id: newId(now),
      managerId,
      companyId: company.id,
      transactionId,
      noteId,
      cutOffDate,
      draws,
      dueDate,
    });
  }
  const commitments = await em.find(LPCommitment, { fundId });
  const id = newId(now);
  await session.query(
    `insert into capital_calls (cut_off_date, due_date, id, manager_id, fund_id, currency, number)
     values ('2026-10-31', '2026-11-04', $1, $2, $3, 'USD', '2')`,
    [id, managerId, fundId],
  );
  for (const one of commitments) {
    em.create(Contribution, {
      id: newId(now),
      managerId,
      fundId,
      investorKind: 'LP',
      investorLPId: one.investorLPId!,
      currency: 'USD',
      commitmentId: one.id,
      cutOffDate: '2026-10-31',
      dueDate: '2026-11-04',
      callNumber: '2',
      activityId: id,
      purposes: [{ title: 'Investments', kind: 'investments', amount: '1.50' }],
      pdfOptions: { fundLevel: false },
    });
  }
  await em.flush();
}

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    tenant = await makeTenant(session);
    other = await makeTenant(session);
    for (const one of [tenant, other]) await addRequests(session, one);
  });
  manager = testActor({ type: 'manager', managerId: tenant.managerId });
});
afterAll(() => database.close());

const ALL = { tab: 'mine', kind: null } as const;
const listed = (actor: UserActor, query: Partial<Parameters<typeof listApprovals>[1]> = {}) =>
  database.store.read(actor, (session) => listApprovals(session, { ...ALL, skip: 0, limit: 50, ...query }));

describe('the queue of a manager', () => {
  test('has every kind of its own tenant, due first, with counts and totals', async () => {
    const page = await listed(manager);
    expect(page.counts).toMatchObject({ draw: 4, correction: 2, call: 1 });
    expect(page.total).toBe(page.tabs.mine);
    expect(page.approvals).toHaveLength(page.total);
    const dues = page.approvals.map(({ due }) => due);
    expect(dues.filter((due) => due !== null)).toEqual([
      '2026-11-02',
      '2026-11-03',
      '2026-11-04',
      '2026-11-05',
      '2026-11-05',
    ]);
    // What has no date comes last.
    expect(dues.indexOf(null)).toBe(5);
    expect(page.approvals.find(({ kind }) => kind === 'call')).toMatchObject({
      number: '2',
      party: 'A fund',
      amounts: [{ sum: '3', currency: 'USD' }],
      count: 2,
    });
    expect(await database.store.read(manager, countApprovals)).toBe(page.total);
  });

  test('is read in pages, and narrowed by kind', async () => {
    const whole = await listed(manager);
    const pages = [await listed(manager, { limit: 4 }), await listed(manager, { skip: 4, limit: 50 })];
    expect(pages.flatMap(({ approvals }) => approvals)).toEqual(whole.approvals);
    const draws = await listed(manager, { kind: 'draw' });
    expect([draws.total, draws.approvals.length, draws.counts]).toEqual([4, 4, whole.counts]);
  });

  test('gives each request its neighbours, in the order of the list', async () => {
    const { approvals } = await listed(manager);
    const [first, second, third] = approvals;
    const place = (key: { kind: 'draw'; id: string } | null) =>
      database.store.read(manager, (session) => placeApproval(session, ALL, key));
    const keyOf = (one: typeof first) => ({ kind: one?.kind, id: one?.id });
    expect(await place(null)).toMatchObject({ index: 0, previous: null, next: keyOf(second), total: approvals.length });
    expect(await place(keyOf(second) as { kind: 'draw'; id: string })).toMatchObject({
      index: 1,
      previous: keyOf(first),
      next: keyOf(third),
    });
  });
});

test('another tenant’s requests are neither listed nor found', async () => {
  const theirs = await listed(testActor({ type: 'manager', managerId: other.managerId }));
  const own = new Set((await listed(manager)).approvals.map(({ id }) => id));
  expect(theirs.approvals.filter(({ id }) => own.has(id))).toEqual([]);
  for (const { kind, id } of theirs.approvals) {
    expect(await database.store.read(manager, (session) => findApproval(session, { kind, id }))).toBeNull();
  }
});

test.each(APPROVAL_KINDS)('without the permission to decide it, a %s is not listed', async (kind) => {
  const permissions = PERMISSION_KEYS.filter((key) => key !== APPROVAL_PERMISSIONS[kind]);
  const page = await listed(testActor({ type: 'manager', managerId: tenant.managerId, permissions }));
  expect(page.counts[kind]).toBeUndefined();
  expect(page.total).toBe((await listed(manager)).total - ((await listed(manager)).counts[kind] ?? 0));
});

test('what is blocked for a person, and its lines, is left out', async () => {
  const blocked = testActor({
    type: 'manager',
    managerId: tenant.managerId,
    blockedDocuments: [`funds/${tenant.fundId}`, `companies/${tenant.companies[0]!.id}`],
  });
  const page = await listed(blocked);
  expect(page.counts.call).toBeUndefined();
  expect(page.counts).toMatchObject({ draw: 1, correction: 1 });
  expect(await database.store.read(blocked, countApprovals)).toBe(page.total);
});

test('only a manager’s people decide, and an administrator who acts for one', () => {
  const of = { managerId: tenant.managerId };
  expect(kindsDecidedBy(testActor({ type: 'admin', ...of }))).toEqual(APPROVAL_KINDS);
  expect(kindsDecidedBy(testActor({ type: 'admin' }))).toEqual([]);
  for (const type of ['company', 'LP', 'LPGroup'] as const)
    expect(kindsDecidedBy(testActor({ type, ...of }))).toEqual([]);
});

test('a draw waits for others than who requested it, and is decided once it is approved', async () => {
  const id = (await listed(manager, { kind: 'draw' })).approvals[0]!.id;
  await database.store.as(SYSTEM, ({ em }) => em.nativeUpdate(Draw, { id }, { requestedBy: manager.userId }));
  expect((await listed(manager)).approvals.map((one) => one.id)).not.toContain(id);
  expect((await listed(manager, { tab: 'others' })).approvals.map((one) => one.id)).toEqual([id]);
  await database.store.as(SYSTEM, ({ em, now }) =>
    em.nativeUpdate(Draw, { id }, { status: 'Approved', decidedAt: now, exceptions: [] }),
  );
  const decided = await listed(manager, { tab: 'decided' });
  expect(decided.approvals.find((one) => one.id === id)).toMatchObject({ status: 'Approved', kind: 'draw' });
  expect((await listed(manager, { tab: 'others' })).total).toBe(0);
});
