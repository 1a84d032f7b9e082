import { remindAt } from '@tapeline/domain/draws/reminder.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Draw } from '../../entities/draws.ts';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { mailDecision, mailReminder, mailWaiting } from './draw-mails.ts';
import { type DrawView, viewDraw } from './draw-views.ts';
import { drawsToRemindOf, forgetWatched, listUnwatchedDraws, markWatched } from './watched-draws.ts';

let database: TestDatabase;
let tenant: TestTenant;
let roleId: string;
let noteOf: { transactionId: string; noteId: string };

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    tenant = await makeTenant(session);
    roleId = newId();
    const permissions = ['transactionDraw/read', 'transactionDraw/write'];
    session.em.create(Role, { id: roleId, title: 'Draws', level: 12, permissions });
    const [note] = await session.query<typeof noteOf>(
      `select id as "transactionId", notes #>> '{0,id}' as "noteId" from transactions where company_id = $1`,
      [tenant.companies[0]!.id],
    );
    noteOf = note!;
  });
});
afterAll(() => database.close());

const companyId = () => tenant.companies[0]!.id;

async function addUser(type: 'manager' | 'company'): Promise<string> {
  const id = newId();
  await database.store.as(SYSTEM, async ({ em }) => {
    em.create(User, {
      id,
      firstName: 'Ann',
      lastName: 'Example',
      email: `${id}@example.test`,
      roleId,
      type,
      managerId: tenant.managerId,
      ...(type === 'company'
        ? { companyId: companyId(), assoc: { company: { id: companyId() } } }
        : { assoc: { manager: { id: tenant.managerId } } }),
    });
  });
  return id;
}

const borrower = () => testActor({ type: 'company', managerId: tenant.managerId, companyId: companyId() });

/** A request that a borrower creates, and what happens in the same transaction. */
async function request(
  fields: { requestedBy: string; status?: 'Approved' | 'Rejected'; rejectionMessage?: string },
  then: (session: Session, draw: DrawView) => Promise<unknown>,
  now = new Date(),
): Promise<string> {
  const id = newId();
  await database.store.as(
    fields.status ? SYSTEM : borrower(),
    async (session) => {
      const draw = session.em.create(Draw, {
        id,
        managerId: tenant.managerId,
        companyId: companyId(),
        ...noteOf,
        cutOffDate: '2026-10-31',
        dueDate: '2026-11-09',
        draws: [
          {
            type: 'Regular',
            amounts: [{ sum: '4500000', currency: 'USD' }],
            valueInUSD: '4500000',
            amountInMainCurrency: { sum: '4500000', currency: 'USD' },
          },
        ],
        ...fields,
      });
      await session.em.flush();
      await then(session, await viewDraw(session, draw));
    },
    { now },
  );
  return id;
}

const mailsAbout = (drawId: string) =>
  database.query<{ userId: string; subject: string; text: string }>(
    'select user_id as "userId", subject, text from outbox where document_id = $1 order by user_id',
    [drawId],
  );

test('a request that waits is told to the people who can decide, and not to who requested it', async () => {
  const [decider, requester, ofBorrower] = [
    await addUser('manager'),
    await addUser('manager'),
    await addUser('company'),
  ];
  const id = await request({ requestedBy: requester }, mailWaiting);
  const mails = await mailsAbout(id);
  const people = mails.map(({ userId }) => userId);
  expect(people).toContain(decider);
  expect(people).not.toContain(requester);
  expect(people).not.toContain(ofBorrower);
  expect(mails[0]!.subject).toMatch(/^Draw \d+ of .+ waits for a decision$/);
  expect(mails[0]!.text).toContain('4,500,000.00 USD');
});

test('a decision is told to the borrower and to who requested the draw for them', async () => {
  const [other, requester, ofBorrower] = [await addUser('manager'), await addUser('manager'), await addUser('company')];
  const approved = await request({ requestedBy: requester, status: 'Approved' }, mailDecision);
  const people = (await mailsAbout(approved)).map(({ userId }) => userId);
  expect(people).toEqual(expect.arrayContaining([requester, ofBorrower]));
  expect(people).not.toContain(other);

  const rejection = { status: 'Rejected' as const, rejectionMessage: 'The last tape is late.' };
  const rejected = await request({ requestedBy: ofBorrower, ...rejection }, mailDecision);
  expect((await mailsAbout(rejected))[0]!.text).toContain('The last tape is late.');
});

test('a reminder comes once for each requested day of the transfer', async () => {
  await addUser('manager');
  let view: DrawView | undefined;
  const id = await request({ requestedBy: await addUser('company') }, async (_, draw) => {
    view = draw;
  });
  const remind = (dueDate: string) =>
    database.store.as(SYSTEM, (session) => mailReminder(session, { ...view!, dueDate }));
  const first = await remind('2026-11-09');
  expect(first).toBeGreaterThan(0);
  expect(await remind('2026-11-09')).toBe(0);
  expect(await remind('2026-11-10')).toBe(first);
  const subjects = (await mailsAbout(id)).map(({ subject }) => subject.replace(/.* is due/, 'due'));
  expect(new Set(subjects)).toEqual(new Set(['due on 9 Nov 2026', 'due on 10 Nov 2026']));
});

test('after a restore, what waits is watched again, and reminded of if its time has come', async () => {
  const version = 1;
  const requestedBy = await addUser('company');
  const waiting = await request({ requestedBy }, async (session, { id }) => markWatched(session, { id, version }));
  const decided = await request({ requestedBy, status: 'Approved' }, async (session, { id }) =>
    markWatched(session, { id, version }),
  );
  const [draw] = await database.query<{ dueDate: string }>(
    `select due_date::text as "dueDate" from draws where id = $1`,
    [waiting],
  );
  const at = Date.parse(remindAt(draw!.dueDate));
  const due = async (now: number) =>
    (await database.store.as(SYSTEM, drawsToRemindOf, { now: new Date(now) })).filter(({ drawId }) =>
      [waiting, decided].includes(drawId),
    );
  expect(await due(at - 1)).toEqual([]);
  expect(await due(at)).toEqual([{ drawId: waiting, dueDate: draw!.dueDate }]);
  const unwatched = async () => {
    const found = await database.store.as(SYSTEM, (session) =>
      listUnwatchedDraws(session, { before: new Date('2100-01-01'), after: null, limit: 100 }),
    );
    return [waiting, decided].map((id) => found.some((one) => one.id === id));
  };
  await database.store.as(SYSTEM, forgetWatched);
  expect(await unwatched()).toEqual([true, false]);
});
