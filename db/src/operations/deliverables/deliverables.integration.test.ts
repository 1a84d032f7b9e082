import {
  type DeliverableCreate,
  deliverableCreateSchema,
  deliverableUpdateSchema,
} from '@tapeline/domain/deliverables/deliverable.schema.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { Actor, UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { StoredFile } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { saveCertificationDraft } from '../certifications/certifications.ts';
import { searchDocuments } from '../search/search.ts';
import { closeTransaction, getTransaction, removeTransaction } from '../transactions/transactions.ts';
import {
  createDeliverable,
  deliverablesInForce,
  getDeliverable,
  listDeliverables,
  removeDeliverable,
  updateDeliverable,
} from './deliverables.ts';
import { acceptItem, getItem, receiveItem, returnItem, sentItems, waiveItem, withdrawItemWaiver } from './items.ts';
import { borrowersWithDeliverables, remindOfDeliverables, remindOfItem, whoIsReminded } from './reminders.ts';

let database: TestDatabase;
let tenant: TestTenant;
let other: TestTenant;
let ada: UserActor;
let ben: UserActor;
let reader: UserActor;
let borrower: UserActor;
let otherBorrower: UserActor;
let stranger: UserActor;
let note: { transactionId: string; noteId: string };

const TODAY = new Date('2026-11-11T12:00:00Z');
const as = <T>(actor: Actor, work: (session: Session) => Promise<T>, now = TODAY) =>
  database.store.as(actor, work, { now });
const asSystem = <T>(work: (session: Session) => Promise<T>, now = TODAY) => as(SYSTEM, work, now);
const at = (day: string) => new Date(`${day}T06:00:00Z`);

beforeAll(async () => {
  database = await createTestDatabase();
  await asSystem(seedFoundations);
  tenant = await asSystem(makeTenant);
  other = await asSystem(makeTenant);
  const { managerId } = tenant;
  const permissions = ['transactions/read', 'transactions/write', 'assets/write', 'assets/read', 'borrowingBase/read'];
  ada = testActor({ type: 'manager', managerId });
  ben = testActor({ type: 'manager', managerId });
  reader = testActor({ type: 'manager', managerId, permissions: ['transactions/read'] });
  const ofCompany = (index: number) =>
    testActor({ type: 'company', managerId, companyId: tenant.companies[index]!.id });
  borrower = ofCompany(0);
  otherBorrower = ofCompany(1);
  stranger = testActor({ type: 'manager', managerId: other.managerId });
  for (const user of [ada, ben, borrower, otherBorrower]) await addUser(user, permissions);
  const [stored] = await database.query<{ transactionId: string; noteId: string }>(
    `select id as "transactionId", notes #>> '{0,id}' as "noteId" from transactions where company_id = $1`,
    [tenant.companies[0]!.id],
  );
  note = stored!;
});
afterAll(() => database.close());

async function addUser({ userId: id, type, managerId, companyId }: UserActor, permissions: string[]) {
  await asSystem(async ({ em }) => {
    const roleId = newId();
    em.create(Role, { id: roleId, title: `Lending ${roleId.slice(-8)}`, level: 12, permissions });
    const assoc = companyId ? { company: { id: companyId } } : { manager: { id: managerId! } };
    const person = { firstName: 'Ann', lastName: 'Example', email: `${id}@example.test` };
    em.create(User, { id, ...person, roleId, type, managerId, ...(companyId && { companyId }), assoc });
  });
}

beforeEach(async () => {
  await database.query(`update deliverables set status = 'Removed' where status <> 'Removed'`);
  await database.query('delete from outbox');
  await database.query('delete from notifications');
});

const refusalOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (found: unknown) => found,
  );
  if (!isRefusal(error)) throw error ?? new Error('nothing was refused');
  return [error.code, Object.entries(error.flags ?? {})[0]?.join(' ') ?? error.message];
};

const bodyOf = (changes: object = {}): DeliverableCreate =>
  deliverableCreateSchema.parse({
    company: tenant.companies[0]!.id,
    title: 'Financial statements',
    kind: 'financialStatements',
    frequency: 'monthly',
    firstPeriodEnd: '2026-07-31',
    daysAfter: 10,
    ...changes,
  });
const create = (changes: object = {}, actor: Actor = ada) =>
  as(actor, (session) => createDeliverable(session, bodyOf(changes)));
const statesOf = async (id: string, actor: Actor = ada, now = TODAY) =>
  Object.fromEntries(
    (await as(actor, (session) => getDeliverable(session, id), now)).items
      .filter(({ dueDate }) => dueDate <= '2026-12-31')
      .map(({ period, state }) => [period.to, state]),
  );
async function uploaded(actor: UserActor): Promise<string> {
  const id = newId();
  const { managerId, companyId } = actor;
  await asSystem(async ({ em }) => {
    em.create(StoredFile, {
      id,
      bucket: 'loanTapes',
      key: `deliverables/${id}/Statements.pdf`,
      name: 'Statements.pdf',
      size: 1,
      type: 'application/pdf',
      checksum: 'none',
      status: 'Active',
      managerId,
      companyId,
      createdByUserId: actor.userId,
      createdAt: TODAY,
    });
  });
  return id;
}
const send = async (id: string, periodEnd: string, actor: UserActor = borrower) => {
  const document = await uploaded(actor);
  return as(actor, (session) => receiveItem(session, { id, periodEnd }, { document }));
};
const itemOf = async (id: string, periodEnd: string, actor: Actor = ada) =>
  (await as(actor, (session) => getItem(session, { id, periodEnd }))).item;
const reason = 'The agreement allows it';
const messages = (kind: string) =>
  database.query<{ subject: string; user: string }>(
    `select title as subject, user_id as user from notifications where kind = $1 order by title, user_id`,
    [kind],
  );

describe('the items of a deliverable', () => {
  test('are due until their date, late after it, and received, returned and accepted as files are sent', async () => {
    const { id } = await create();
    expect(await statesOf(id)).toEqual({
      '2026-07-31': 'late',
      '2026-08-31': 'late',
      '2026-09-30': 'late',
      '2026-10-31': 'late',
      '2026-11-30': 'due',
    });
    // It was due on the day before.
    expect((await statesOf(id, ada, at('2026-11-10')))['2026-10-31']).toBe('due');

    await send(id, '2026-10-31');
    expect(await itemOf(id, '2026-10-31')).toMatchObject({
      state: 'received',
      isToReview: true,
      dueDate: '2026-11-10',
      receivedOn: '2026-11-11',
      sent: { status: 'Received', fileName: 'Statements.pdf' },
    });
    // Those who can accept it are told, and not the borrower.
    expect((await messages('deliverableReceived')).map(({ user }) => user).sort()).toEqual(
      [ada.userId, ben.userId].sort(),
    );

    await as(ben, (session) => returnItem(session, { id, periodEnd: '2026-10-31' }, { reason: 'Page 3 is missing' }));
    expect(await itemOf(id, '2026-10-31', borrower)).toMatchObject({
      state: 'late',
      receivedOn: null,
      sent: { status: 'Returned', reason: 'Page 3 is missing' },
    });
    await send(id, '2026-10-31');
    await as(ben, (session) => acceptItem(session, { id, periodEnd: '2026-10-31' }));
    expect(await itemOf(id, '2026-10-31')).toMatchObject({ state: 'accepted', isToReview: false });
    const sent = await as(borrower, (session) => sentItems(session, id));
    expect(sent.map(({ status, reason: why }) => [status, why])).toEqual([
      ['Accepted', null],
      ['Returned', 'Page 3 is missing'],
    ]);
    expect((await messages('deliverableDecided')).map(({ subject, user }) => [subject, user])).toEqual([
      ['Financial statements, Oct 2026 was accepted', borrower.userId],
      ['Financial statements, Oct 2026 was returned', borrower.userId],
    ]);
    // Accepted by mistake.
    await as(ada, (session) => returnItem(session, { id, periodEnd: '2026-10-31' }, { reason }));
    expect((await itemOf(id, '2026-10-31')).state).toBe('late');
  });

  test('are waived with a reason, which can be withdrawn', async () => {
    const { id } = await create();
    const key = { id, periodEnd: '2026-10-31' };
    await as(ada, (session) => waiveItem(session, key, { reason }));
    expect(await itemOf(id, key.periodEnd, borrower)).toMatchObject({ state: 'waived', sent: { reason } });
    expect(await refusalOf(send(id, key.periodEnd))).toEqual([
      'badRequest',
      'This was already waived. Reload the page',
    ]);
    expect((await refusalOf(as(ada, (session) => waiveItem(session, key, { reason }))))[0]).toBe('badRequest');
    await as(ada, (session) => withdrawItemWaiver(session, key, { reason }));
    expect((await itemOf(id, key.periodEnd)).state).toBe('late');
    await send(id, key.periodEnd);
    expect((await itemOf(id, key.periodEnd)).state).toBe('received');
  });

  test('a file is received once, whoever sends it at the same time', async () => {
    const { id } = await create();
    const sent = await Promise.allSettled([0, 1, 2].map(() => send(id, '2026-10-31')));
    expect(sent.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await as(ada, (session) => sentItems(session, id))).toHaveLength(1);
  });

  test('what is received needs no review if the deliverable says so', async () => {
    const { id } = await create({ needsReview: false });
    await send(id, '2026-10-31');
    expect(await itemOf(id, '2026-10-31')).toMatchObject({ state: 'received', isToReview: false });
    expect(await messages('deliverableReceived')).toEqual([]);
  });

  test('the reviewer and the sender alone are told, while they are users', async () => {
    const { id } = await create({ reviewer: ben.userId, sender: borrower.userId });
    await send(id, '2026-10-31', ada);
    expect((await messages('deliverableReceived')).map(({ user }) => user)).toEqual([ben.userId]);
    await database.query(`update users set status = 'Disabled' where id = $1`, [ben.userId]);
    await send(id, '2026-09-30');
    await database.query(`update users set status = 'Active' where id = $1`, [ben.userId]);
    expect((await messages('deliverableReceived')).map(({ user }) => user).sort()).toEqual(
      [ada.userId, ben.userId].sort(),
    );
  });

  test('everyone who can review is told where the reviewer no longer can', async () => {
    const { id } = await create({ reviewer: ben.userId });
    const without = (keys: string[]) =>
      database.query('update users set exclusive_resources = $2 where id = $1', [ben.userId, keys]);
    await without(['transactions/write']);
    await send(id, '2026-10-31');
    expect((await messages('deliverableReceived')).map(({ user }) => user)).toEqual([ada.userId]);
    await without([]);
  });

  test('a deliverable can be ended after its reviewer left, and gets no other who is no user', async () => {
    const { id, version } = await create({ reviewer: ben.userId });
    const { company: _, ...terms } = bodyOf({ reviewer: ben.userId });
    const ended = (more: object) =>
      as(ada, (session) =>
        updateDeliverable(session, {
          id,
          body: deliverableUpdateSchema.parse({ ...terms, version, status: 'Disabled', ...more }),
        }),
      );
    await database.query(`update users set status = 'Disabled' where id = $1`, [ben.userId]);
    expect(await refusalOf(ended({ reviewer: borrower.userId }))).toEqual([
      'badRequest',
      'reviewer is not a user of the manager who can change facilities',
    ]);
    expect((await ended({})).status).toBe('Disabled');
    await database.query(`update users set status = 'Active' where id = $1`, [ben.userId]);
  });

  test('no file is sent for another period, a removed deliverable, or one that has ended', async () => {
    const created = await create();
    const { id } = created;
    expect(await refusalOf(send(id, '2026-10-30'))).toEqual(['notFound', expect.anything()]);
    const missing = as(borrower, (session) =>
      receiveItem(session, { id, periodEnd: '2026-10-31' }, { document: newId() }),
    );
    expect(await refusalOf(missing)).toEqual(['badRequest', 'document is not an uploaded file']);
    const { company: _, ...terms } = bodyOf();
    const body = deliverableUpdateSchema.parse({ ...terms, version: created.version, status: 'Disabled' });
    await as(ada, (session) => updateDeliverable(session, { id, body }));
    expect(await refusalOf(send(id, '2026-10-31'))).toEqual([
      'badRequest',
      'This deliverable has ended. Begin it again first',
    ]);
    await as(ada, (session) => removeDeliverable(session, id));
    expect((await refusalOf(send(id, '2026-10-31')))[0]).toBe('notFound');
  });
});

describe('what is received in the product', () => {
  test('a tape marks the item of its period received, and no other', async () => {
    const { id } = await create({ title: 'Tape', kind: 'tape' });
    const [tape] = await database.query<{ cutOffDate: string }>(
      'select cut_off_date::text as "cutOffDate" from loan_tapes where id = $1',
      [tenant.companies[0]!.tapeId],
    );
    const setDay = (day: string) =>
      database.query('update loan_tapes set cut_off_date = $2 where id = $1', [tenant.companies[0]!.tapeId, day]);
    const received = async () => Object.entries(await statesOf(id)).filter(([, state]) => state === 'received');
    for (const [day, period] of [
      ['2026-10-31', '2026-10-31'],
      ['2026-10-01', '2026-10-31'],
      ['2026-09-30', '2026-09-30'],
      ['2026-11-01', '2026-11-30'],
    ] as const) {
      await setDay(day);
      expect([day, await received()]).toEqual([day, [[period, 'received']]]);
    }
    // Before the first period.
    await setDay('2026-06-30');
    expect(await received()).toEqual([]);
    await setDay('2026-10-31');
    expect((await itemOf(id, '2026-10-31', borrower)).source).toMatchObject({
      resource: 'loanTapes',
      id: tenant.companies[0]!.tapeId,
      cutOffDate: '2026-10-31',
    });
    // One that is not published, or removed, is no tape.
    await database.query(`update loan_tapes set status = 'Removed' where id = $1`, [tenant.companies[0]!.tapeId]);
    expect(await received()).toEqual([]);
    await database.query(`update loan_tapes set status = 'Active' where id = $1`, [tenant.companies[0]!.tapeId]);
    // That of another borrower is not either.
    const { id: otherId } = await create({ title: 'Tape', kind: 'tape', company: tenant.companies[1]!.id });
    await database.query(`update loan_tapes set status = 'Removed' where id = $1`, [tenant.companies[1]!.tapeId]);
    expect((await itemOf(otherId, '2026-10-31')).state).toBe('late');
    await database.query(`update loan_tapes set status = 'Active' where id = $1`, [tenant.companies[1]!.tapeId]);

    expect(await refusalOf(send(id, '2026-09-30'))).toEqual([
      'badRequest',
      'Upload the loan tape instead: it fulfils this when it is published',
    ]);
    const returned = as(ada, (session) => returnItem(session, { id, periodEnd: '2026-10-31' }, { reason }));
    expect(await refusalOf(returned)).toEqual([
      'badRequest',
      'Only a file can be returned. Remove the tape, or ask the borrower for another one',
    ]);
    await as(ada, (session) => acceptItem(session, { id, periodEnd: '2026-10-31' }));
    expect((await itemOf(id, '2026-10-31')).state).toBe('accepted');
    expect((await refusalOf(as(ada, (session) => acceptItem(session, { id, periodEnd: '2026-09-30' }))))[0]).toBe(
      'badRequest',
    );
    await setDay(tape!.cutOffDate);
  });

  test('a tape of another month of the quarter is not the one that is owed', async () => {
    const { id } = await create({ title: 'Tape', kind: 'tape', frequency: 'quarterly', firstPeriodEnd: '2026-12-31' });
    const setDay = (day: string) =>
      database.query('update loan_tapes set cut_off_date = $2 where id = $1', [tenant.companies[0]!.tapeId, day]);
    expect(await itemOf(id, '2026-12-31')).toMatchObject({ state: 'due', source: null });
    await setDay('2026-12-01');
    expect((await itemOf(id, '2026-12-31')).state).toBe('received');
    await setDay('2026-10-31');
  });

  test('what was accepted and then removed is owed again, and can be accepted or waived again', async () => {
    const { id } = await create({ title: 'Tape', kind: 'tape' });
    const key = { id, periodEnd: '2026-10-31' };
    const setStatus = (status: string) =>
      database.query('update loan_tapes set status = $2 where id = $1', [tenant.companies[0]!.tapeId, status]);
    await as(ada, (session) => acceptItem(session, key));
    await setStatus('Removed');
    expect((await itemOf(id, key.periodEnd)).state).toBe('late');
    await as(ada, (session) => waiveItem(session, key, { reason }));
    expect((await itemOf(id, key.periodEnd)).state).toBe('waived');
    expect((await as(ada, (session) => sentItems(session, id))).map(({ status }) => status)).toEqual([
      'Waived',
      'Returned',
    ]);
    await setStatus('Active');
  });

  test('a certificate that the contract requires is received once the borrower submits it', async () => {
    const owed = await create({
      title: 'Certificate',
      kind: 'certificate',
      transaction: note.transactionId,
      note: note.noteId,
    });
    const [base] = await database.query<{ id: string; day: string; tape: string; contract: string }>(
      `select id, cut_off_date::text as day, tape_id as tape, contract_id as contract from borrowing_bases
       where note_id = $1 and status = 'Active'`,
      [note.noteId],
    );
    const certify = (value: object | null) =>
      database.query(`update contracts set body = body - 'certification' || $2::jsonb where id = $1`, [
        base!.contract,
        JSON.stringify(value ? { certification: value } : {}),
      ]);
    await certify({ drawsUseAccepted: false });
    expect((await itemOf(owed.id, base!.day)).source).toBeNull();
    await as(borrower, (session) => saveCertificationDraft(session, { baseId: base!.id, body: { lines: null } }));
    expect((await itemOf(owed.id, base!.day)).source).toBeNull();
    await database.query(
      `update certifications set status = 'Submitted', submitted_by = '{"id": "x"}', submitted_at = '2026-11-08T09:00:00Z',
         text = 'We certify the figures above', signed_name = 'Bea Lind', signed_title = 'CFO' where base_id = $1`,
      [base!.id],
    );
    expect(await itemOf(owed.id, base!.day)).toMatchObject({ state: 'received', receivedOn: '2026-11-08' });
    await certify(null);
  });

  test('a certificate of the note marks the item of its period received', async () => {
    const { id } = await create({
      title: 'Certificate',
      kind: 'certificate',
      transaction: note.transactionId,
      note: note.noteId,
    });
    const [base] = await database.query<{ id: string; day: string }>(
      `select id, cut_off_date::text as day from borrowing_bases where note_id = $1 and status = 'Active'`,
      [note.noteId],
    );
    const [found] = (await as(ada, (session) => getDeliverable(session, id))).items.filter(({ source }) => source);
    expect(found).toMatchObject({
      state: 'received',
      period: { to: base!.day },
      source: { resource: 'borrowingBases', id: base!.id },
    });
    const [second] = await database.query<{ transactionId: string; noteId: string }>(
      `select id as "transactionId", notes #>> '{0,id}' as "noteId" from transactions where company_id = $1`,
      [tenant.companies[1]!.id],
    );
    expect(
      await refusalOf(
        create({ title: 'Theirs', kind: 'certificate', transaction: second!.transactionId, note: second!.noteId }),
      ),
    ).toEqual(['badRequest', 'note is not a note of this borrower']);
  });
});

describe('reminders', () => {
  const remind = (day: string) =>
    asSystem((session) => remindOfDeliverables(session, tenant.companies[0]!.id), at(day));
  const reminded = () =>
    database.query<{ key: string; user: string }>(
      `select key, user_id as user from outbox where kind = 'deliverableDue' order by created_at, key`,
    );

  test('are sent once for each item and day, however often the workflow runs at the same time', async () => {
    const { id } = await create({ firstPeriodEnd: '2026-10-31' });
    expect((await asSystem(borrowersWithDeliverables)).includes(tenant.companies[0]!.id)).toBe(true);
    expect(await remind('2026-11-04')).toBe(0);
    const counts = await Promise.all([remind('2026-11-05'), remind('2026-11-05'), remind('2026-11-05')]);
    expect(counts.sort()).toEqual([0, 0, 1]);
    expect(await reminded()).toEqual([
      { key: `deliverableDue/${id}/2026-10-31/2026-11-10/before`, user: borrower.userId },
    ]);
    for (const day of [
      '2026-11-06',
      '2026-11-09',
      '2026-11-10',
      '2026-11-10',
      '2026-11-11',
      '2026-11-17',
      '2026-11-24',
    ])
      await remind(day);
    expect((await reminded()).map(({ key }) => key.split('/').at(-1))).toEqual([
      'before',
      'due',
      'late1',
      'late5',
      'late10',
    ]);
  });

  test('are not sent for what was received, accepted or waived, and again for what was returned', async () => {
    const { id } = await create({ firstPeriodEnd: '2026-10-31' });
    const key = { id, periodEnd: '2026-10-31' };
    await as(ada, (session) => waiveItem(session, key, { reason }));
    expect(await remind('2026-11-10')).toBe(0);
    await as(ada, (session) => withdrawItemWaiver(session, key, { reason }));
    await send(id, key.periodEnd);
    expect(await remind('2026-11-11')).toBe(0);
    await as(ada, (session) => returnItem(session, key, { reason: 'Page 3 is missing' }));
    expect(await remind('2026-11-11')).toBe(1);
    const [mail] = await database.query<{ text: string }>(`select text from outbox where kind = 'deliverableDue'`);
    expect(mail?.text).toContain('What you sent was returned: Page 3 is missing');
    expect(await reminded()).toHaveLength(1);
  });

  test('are those that the deliverable has, and none once it has ended', async () => {
    const created = await create({ firstPeriodEnd: '2026-10-31', reminders: ['due'] });
    for (const day of ['2026-11-05', '2026-11-10', '2026-11-11']) await remind(day);
    expect((await reminded()).map(({ key }) => key.split('/').at(-1))).toEqual(['due']);
    const { company: _, ...terms } = bodyOf({ firstPeriodEnd: '2026-10-31' });
    const body = deliverableUpdateSchema.parse({ ...terms, version: created.version, status: 'Disabled' });
    await as(ada, (session) => updateDeliverable(session, { id: created.id, body }));
    expect(await remind('2026-11-17')).toBe(0);
  });

  test('can be sent by hand, once a day, to those whom the preview names', async () => {
    const { id } = await create({ firstPeriodEnd: '2026-10-31', reminders: [] });
    const key = { id, periodEnd: '2026-10-31' };
    const who = await as(ada, async (session) => whoIsReminded(session, await getDeliverable(session, id)));
    expect(who).toEqual([{ name: 'Ann Example', email: `${borrower.userId}@example.test` }]);
    await as(ada, (session) => remindOfItem(session, key));
    expect(await reminded()).toMatchObject([{ user: borrower.userId }]);
    expect(await refusalOf(as(ben, (session) => remindOfItem(session, key)))).toEqual([
      'badRequest',
      'A reminder was already sent today',
    ]);
    expect((await refusalOf(as(borrower, (session) => remindOfItem(session, key))))[0]).toBe('forbidden');
    await as(ada, (session) => waiveItem(session, key, { reason }));
    expect(await refusalOf(as(ada, (session) => remindOfItem(session, key)))).toEqual([
      'badRequest',
      'Nothing is owed for this period',
    ]);
  });

  test('the manager is told once of a tape that is late by what was agreed, and not of those long past', async () => {
    await create({ title: 'Tape', kind: 'tape', firstPeriodEnd: '2026-06-30' });
    await remind('2026-10-12');
    await remind('2026-10-13');
    expect((await messages('tapeLate')).map(({ user }) => user).sort()).toEqual([ada.userId, ben.userId].sort());
  });

  test('reviewers are told once of a tape that waits for acceptance', async () => {
    await create({ title: 'Tape', kind: 'tape', reviewer: ben.userId });
    await remind('2026-11-11');
    await remind('2026-11-12');
    expect((await messages('deliverableReceived')).map(({ user }) => user)).toEqual([ben.userId]);
  });
});

describe('access', () => {
  test('a borrower reads and sends what it owes; it changes and decides nothing', async () => {
    const created = await create();
    const { id, version } = created;
    const key = { id, periodEnd: '2026-10-31' };
    const listed = (actor: Actor) => as(actor, async (session) => (await listDeliverables(session)).total);
    const before = await listed(stranger);
    expect(await listed(borrower)).toBe(1);
    expect([await listed(otherBorrower), before]).toEqual([0, 0]);
    for (const actor of [otherBorrower, stranger]) {
      expect((await refusalOf(as(actor, (session) => getDeliverable(session, id))))[0]).toBe('notFound');
      expect((await refusalOf(send(id, key.periodEnd, actor)))[0]).toBe('notFound');
    }
    await send(id, key.periodEnd);
    const { company: _, ...terms } = bodyOf();
    const body = deliverableUpdateSchema.parse({ ...terms, version });
    for (const actor of [borrower, reader]) {
      expect((await refusalOf(create({ title: 'Another' }, actor)))[0]).toBe('forbidden');
      expect((await refusalOf(as(actor, (session) => updateDeliverable(session, { id, body }))))[0]).toBe('forbidden');
      expect((await refusalOf(as(actor, (session) => removeDeliverable(session, id))))[0]).toBe('forbidden');
      expect((await refusalOf(as(actor, (session) => acceptItem(session, key))))[0]).toBe('forbidden');
      expect((await refusalOf(as(actor, (session) => returnItem(session, key, { reason }))))[0]).toBe('forbidden');
      expect((await refusalOf(as(actor, (session) => waiveItem(session, key, { reason }))))[0]).toBe('forbidden');
    }
    expect((await refusalOf(send(id, '2026-09-30', reader)))[0]).toBe('forbidden');
  });

  test('the database refuses what the operations do', async () => {
    const { id } = await create();
    const asBorrower = (sql: string) =>
      as(borrower, (session) => session.query(sql, [id, tenant.managerId, tenant.companies[0]!.id, newId()])).then(
        () => 'done',
        (error: { message: string }) => error.message,
      );
    const insert = (columns: string, values: string) =>
      asBorrower(`insert into deliverable_items (id, deliverable_id, manager_id, company_id, period_end${columns})
        values ($4, $1, $2, $3, '2026-10-31'${values})`);
    expect(await insert(', status, decided_by, decided_at, reason', `, 'Waived', '{}', now(), 'Because'`)).toContain(
      'row-level security',
    );
    expect(await insert(', received_on', `, '2026-11-11'`)).not.toBe('done');
    await send(id, '2026-10-31');
    await asBorrower(`update deliverable_items set status = 'Accepted', decided_by = '{}', decided_at = now()
      where deliverable_id = $1 and manager_id = $2 and company_id = $3 and id <> $4`);
    expect((await itemOf(id, '2026-10-31')).state).toBe('received');
    const forged = database.query(`update deliverable_items set received_on = '2026-11-01' where deliverable_id = $1`, [
      id,
    ]);
    await expect(forged).rejects.toThrow('what was sent stays');
  });

  test('what is blocked for a user is hidden with its borrower and its facility', async () => {
    const ofNote = await create({ title: 'Of the note', transaction: note.transactionId, note: note.noteId });
    const ofBorrower = await create({ title: 'Of the borrower' });
    await send(ofNote.id, '2026-10-31');
    const blocked = (document: string) =>
      testActor({ type: 'manager', managerId: tenant.managerId, blockedDocuments: [document] });
    const seen = (actor: Actor) =>
      as(actor, async (session) => [
        (await deliverablesInForce(session)).map(({ id }) => id).sort(),
        (await sentItems(session, ofNote.id)).length,
      ]);
    expect(await seen(ada)).toEqual([[ofNote.id, ofBorrower.id].sort(), 1]);
    expect(await seen(blocked(`transactions/${note.transactionId}`))).toEqual([[ofBorrower.id], 0]);
    expect(await seen(blocked(`companies/${tenant.companies[0]!.id}`))).toEqual([[], 0]);
  });
});

test('titles are unique for a borrower, people belong to it and to the manager, and it has at most 100', async () => {
  await create();
  expect(await refusalOf(create({ title: 'financial STATEMENTS' }))).toEqual([
    'badRequest',
    'title is the title of another deliverable of this borrower',
  ]);
  await create({ transaction: note.transactionId, note: note.noteId });
  expect(await refusalOf(create({ title: 'Audit', sender: otherBorrower.userId }))).toEqual([
    'badRequest',
    'sender is not a user of this borrower who can upload tapes',
  ]);
  expect(await refusalOf(create({ title: 'Audit', reviewer: borrower.userId }))).toEqual([
    'badRequest',
    'reviewer is not a user of the manager who can change facilities',
  ]);
  // Of the right side, and without the permission.
  const without = testActor({ type: 'company', managerId: tenant.managerId, companyId: tenant.companies[0]!.id });
  await addUser(without, ['transactions/read', 'assets/read']);
  await addUser(reader, ['transactions/read']);
  expect(await refusalOf(create({ title: 'Audit', sender: without.userId }))).toEqual([
    'badRequest',
    'sender is not a user of this borrower who can upload tapes',
  ]);
  expect(await refusalOf(create({ title: 'Audit', reviewer: reader.userId }))).toEqual([
    'badRequest',
    'reviewer is not a user of the manager who can change facilities',
  ]);
  await as(ada, async (session) => {
    for (let index = 2; index < 100; index += 1) await createDeliverable(session, bodyOf({ title: `Report ${index}` }));
  });
  expect(await refusalOf(create({ title: 'Report 100' }))).toEqual([
    'badRequest',
    'A borrower has at most 100 deliverables. Remove one first',
  ]);
});

test('a stale version is refused, the kind stays what it is, and the search finds it', async () => {
  const created = await create({ title: 'Quarterly compliance pack' });
  const { id, version } = created;
  const { company: _, ...terms } = bodyOf({ title: 'Quarterly compliance pack' });
  const body = (changes: object) => deliverableUpdateSchema.parse({ ...terms, version, ...changes });
  await as(ada, (session) => updateDeliverable(session, { id, body: body({ daysAfter: 30 }) }));
  expect((await refusalOf(as(ada, (session) => updateDeliverable(session, { id, body: body({}) }))))[0]).toBe(
    'badRequest',
  );
  const asTape = as(ada, (session) =>
    updateDeliverable(session, { id, body: body({ kind: 'tape', version: version + 1 }) }),
  );
  expect((await refusalOf(asTape))[1]).toContain('cannot change between');
  for (const [actor, count] of [
    [ada, 1],
    [borrower, 1],
    [otherBorrower, 0],
  ] as const) {
    const found = await as(actor, (session) => searchDocuments(session as never, 'compliance pack'));
    expect(JSON.stringify(found).includes(id) ? 1 : 0).toBe(count);
  }
});

test('a note with deliverables stays, and they end with their facility', async () => {
  const { id } = await create({ transaction: note.transactionId, note: note.noteId });
  expect((await refusalOf(as(ada, (session) => removeTransaction(session, { id: note.transactionId }))))[0]).toBe(
    'badRequest',
  );
  const transaction = await as(ada, (session) => getTransaction(session, note.transactionId));
  await as(ada, (session) => closeTransaction(session, { id: note.transactionId, version: transaction.version }));
  expect((await as(ada, (session) => getDeliverable(session, id))).status).toBe('Disabled');
});
