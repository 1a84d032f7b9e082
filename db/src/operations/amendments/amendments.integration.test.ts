import { type AmendmentCreate, amendmentCreateSchema } from '@tapeline/domain/amendments/amendment.schema.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { invoiceCreateSchema } from '@tapeline/domain/invoices/invoice.schema.ts';
import { invoiceTotal } from '@tapeline/domain/invoices/lines.ts';
import type { Actor, UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Draw } from '../../entities/draws.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { requireDueDate } from '../draws/draw-terms.ts';
import { runChecks } from '../draws/run-checks.ts';
import { noteStanding } from '../interest/note-standing.ts';
import { createInvoice, issueInvoice, proposeInvoice, withdrawInvoice } from '../invoices/invoices.ts';
import {
  createTransaction,
  getTransaction,
  removeTransaction,
  updateTransaction,
} from '../transactions/transactions.ts';
import {
  amendmentsOfNote,
  createAmendment,
  getAmendment,
  listAmendments,
  previewAmendment,
  removeAmendment,
} from './amendments.ts';
import { facilitiesWithDueAmendments, putAmendmentsInForce } from './due-amendments.ts';
import { termsOnDay } from './terms-on-day.ts';

let database: TestDatabase;
let tenant: TestTenant;
let ada: UserActor;
let reader: UserActor;
let borrower: UserActor;
let otherBorrower: UserActor;
let facility: { transaction: string; note: string };

const TODAY = new Date('2026-11-10T12:00:00Z');
const as = <T>(actor: Actor, work: (session: Session) => Promise<T>, now = TODAY) =>
  database.store.as(actor, work, { now });
const usd = (sum: string) => ({ sum, currency: 'USD' });
const fix = (value: number) => ({ kind: 'fix' as const, value, dayCount: 'ACT/360' as const });
const TIMELINE = { contractSigning: '2025-12-15', revolvingEnd: '2027-12-15', maturity: '2028-12-15' };

beforeAll(async () => {
  database = await createTestDatabase();
  await as(SYSTEM, seedFoundations);
  tenant = await as(SYSTEM, makeTenant);
  const { managerId } = tenant;
  ada = testActor({ type: 'manager', managerId });
  reader = testActor({ type: 'manager', managerId, permissions: ['transactions/read'] });
  const ofCompany = (index: number) =>
    testActor({ type: 'company', managerId, companyId: tenant.companies[index]!.id });
  borrower = ofCompany(0);
  otherBorrower = ofCompany(1);
});
afterAll(() => database.close());

/** A facility of the worked case: 10,000,000 drawn before the first quarter of 2026. */
beforeEach(async () => {
  const document = transactionSchema.parse({
    title: `Worked ${newId()}`,
    type: 'Direct',
    industries: ['Finance'],
    company: tenant.companies[0]!.id,
    notes: [
      {
        title: 'Senior',
        mainCurrency: 'USD',
        tranches: [
          {
            sequence: 1,
            sequenceActivated: true,
            title: 'A',
            type: 'ROFR',
            terms: {
              commitments: [{ amount: usd('15000000') }],
              interest: fix(9),
              fees: [
                {
                  rate: 0.5,
                  title: 'Unused fee',
                  kind: 'Facility fee',
                  frequency: 'Quarterly',
                  feeType: 'Undrawn Amount',
                },
              ],
              timeline: TIMELINE,
            },
          },
        ],
      },
    ],
  });
  const { id, notes } = await as(ada, (session) => createTransaction(session, document));
  facility = { transaction: id, note: notes[0]!.id };
  await as(SYSTEM, async ({ em, now }) => {
    em.create(Draw, {
      id: newId(now),
      managerId: tenant.managerId,
      companyId: tenant.companies[0]!.id,
      transactionId: id,
      noteId: notes[0]!.id,
      status: 'Approved',
      cutOffDate: '2025-12-18',
      dueDate: '2025-12-20',
      draws: [{ type: 'Regular', amounts: [usd('10000000')], valueInUSD: null, amountInMainCurrency: null }],
    });
  });
});

const body = (changes: Partial<Parameters<typeof amendmentCreateSchema.parse>[0] & object> = {}): AmendmentCreate =>
  amendmentCreateSchema.parse({
    ...facility,
    title: 'First amendment',
    effectiveDate: '2026-03-15',
    tranche: 1,
    terms: { interest: fix(8.25), commitments: [{ amount: usd('20000000') }] },
    ...changes,
  });
const amend = (changes = {}, actor: Actor = ada, now = TODAY) =>
  as(actor, (session) => createAmendment(session, body(changes)), now);
const noteNow = async () => (await as(ada, (session) => getTransaction(session, facility.transaction))).notes[0]!;
const rateNow = async () => {
  const interest = (await noteNow()).tranches[0]?.terms.interest;
  return interest?.kind === 'fix' ? interest.value : null;
};
const invoiceOf = (from: string, to: string) =>
  invoiceCreateSchema.parse({ transaction: facility.transaction, noteTitle: 'Senior', currency: 'USD', from, to });
const issue = (from: string, to: string) =>
  as(ada, async (session) => {
    const draft = await createInvoice(session, invoiceOf(from, to));
    return issueInvoice(session, { ...draft, amount: usd(invoiceTotal(draft.lines) ?? '0') });
  });
const refusalOf = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error !== null && !isRefusal(error)) throw error;
  return error && { code: error.code, message: error.message, flags: error.flags };
};

test('an amendment changes the terms from its day, and the note of the API is the version of today', async () => {
  const { id } = await amend();
  const view = await as(ada, (session) => getAmendment(session, id));
  expect(view).toMatchObject({
    noteTitle: 'Senior',
    replaced: { interest: fix(9) },
    changes: [
      'Interest rate: 9% becomes 8.25% from 15 Mar 2026',
      'Commitments: 15,000,000.00 USD becomes 20,000,000.00 USD from 15 Mar 2026',
    ],
    usedBy: null,
  });
  const note = await noteNow();
  expect(note.tranches[0]?.terms).toMatchObject({ interest: fix(8.25), timeline: TIMELINE });
  expect(note.maxCommitments).toEqual([usd('20000000')]);
  const { maxCommitments } = await as(ada, (session) => getTransaction(session, facility.transaction));
  expect(maxCommitments).toEqual([usd('20000000')]);
  const termsOf = async (day: string) =>
    (await as(reader, (session) => termsOnDay(session, { ...facility, day }))).note.tranches[0]?.terms.interest;
  expect([await termsOf('2026-03-14'), await termsOf('2026-03-15')]).toEqual([fix(9), fix(8.25)]);
  const { interest } = await as(ada, (session) =>
    noteStanding(session, { managerId: tenant.managerId, note, asOf: '2026-04-01' }),
  );
  // 12 days of December, and the quarter of the worked case.
  expect(interest?.[0]?.accrued).toBe('251458.33');
});

test('the worked quarter is invoiced to the cent', async () => {
  await amend();
  const invoice = await issue('2026-01-01', '2026-04-01');
  expect(invoice.lines.map(({ title, amount }) => [title, amount])).toEqual([
    ['Interest', '221458.33'],
    ['Unused fee', '7430.56'],
  ]);
});

test('an amendment with an earlier date shows what it changes in an issued invoice, and the next invoice adjusts it once', async () => {
  const first = await issue('2026-01-01', '2026-04-01');
  const preview = await as(ada, (session) => previewAmendment(session, body()));
  expect(
    preview.effects.map(({ number, fee, invoiced, accrued, adjustment }) => [
      number,
      fee,
      invoiced,
      accrued,
      adjustment,
    ]),
  ).toEqual([
    [1, null, '225000.00', '221458.33', '-3541.67'],
    [1, 'Unused fee', '6250.00', '7430.56', '1180.56'],
  ]);
  // Nothing was stored.
  expect(await rateNow()).toBe(9);
  const { id } = await amend();
  const [again] = await database.query<{ lines: unknown; version: number }>(
    'select lines, version from invoices where id = $1',
    [first.id],
  );
  expect(again).toEqual({ lines: first.lines, version: first.version });
  const second = await issue('2026-04-01', '2026-07-01');
  expect(second.lines.map(({ title, amount }) => [title, amount])).toEqual([
    ['Interest', '208541.67'],
    ['Correction of invoice 1', '-3541.67'],
    ['Unused fee', '12638.89'],
    ['Correction of invoice 1, Unused fee', '1180.56'],
  ]);
  expect((await issue('2026-07-01', '2026-10-01')).lines.map(({ title }) => title)).toEqual(['Interest', 'Unused fee']);
  // Invoice 1 does not know it, invoice 2 was calculated with it: it stays.
  expect(await refusalOf(as(ada, (session) => removeAmendment(session, id)))).toMatchObject({
    code: 'badRequest',
    message: expect.stringContaining('Invoice 2 was calculated with this amendment'),
  });
  await expect(database.query(`update amendments set status = 'Removed' where id = $1`, [id])).rejects.toThrow(
    'an invoice was calculated with it',
  );
});

test('it can be removed while no issued invoice was calculated with it, also one of earlier days', async () => {
  const { id } = await amend();
  await issue('2026-01-01', '2026-03-15');
  await as(ada, (session) => removeAmendment(session, id));
  expect(await rateNow()).toBe(9);
  expect(await as(ada, (session) => amendmentsOfNote(session, facility.note))).toEqual([]);
  const other = await amend();
  const draft = await issue('2026-03-15', '2026-04-01');
  expect(await refusalOf(as(ada, (session) => removeAmendment(session, other.id)))).toMatchObject({
    code: 'badRequest',
  });
  await as(ada, (session) => withdrawInvoice(session, { ...draft, reason: 'Sent by mistake' }));
  await as(ada, (session) => removeAmendment(session, other.id));
  expect(await refusalOf(as(ada, (session) => removeAmendment(session, other.id)))).toMatchObject({ code: 'notFound' });
});

test('an amendment of a later day comes into force on it', async () => {
  const { id } = await amend({ effectiveDate: '2026-11-11' });
  expect(await rateNow()).toBe(9);
  const proposal = await as(ada, (session) =>
    proposeInvoice(session, { ...facility, from: '2026-11-01', to: '2026-11-21' }),
  );
  // 10 days at 9%, 10 days at 8.25%.
  expect(proposal.lines[0]?.amount).toBe('47916.67');
  const tomorrow = new Date('2026-11-11T00:00:01Z');
  const due = () => as(SYSTEM, facilitiesWithDueAmendments, tomorrow);
  expect(await as(SYSTEM, facilitiesWithDueAmendments)).not.toContain(facility.transaction);
  expect(await due()).toContain(facility.transaction);
  expect(await as(SYSTEM, (session) => putAmendmentsInForce(session, facility.transaction), tomorrow)).toBe(1);
  expect(await rateNow()).toBe(8.25);
  expect(await due()).not.toContain(facility.transaction);
  expect(await as(SYSTEM, (session) => putAmendmentsInForce(session, facility.transaction), tomorrow)).toBe(0);
  expect(await as(ada, (session) => getAmendment(session, id))).toMatchObject({ replaced: { interest: fix(9) } });
});

test('what was agreed before comes into force also if the commitments are then below what is drawn', async () => {
  const less = { terms: { commitments: [{ amount: usd('8000000') }] } };
  expect(await refusalOf(amend(less))).toMatchObject({
    message: expect.stringContaining(
      'would be 8,000,000.00 USD, below its balance and approved draws of 10,000,000.00 USD',
    ),
  });
  expect((await noteNow()).maxCommitments).toEqual([usd('15000000')]);
  await amend({ ...less, effectiveDate: '2026-11-11' });
  const tomorrow = new Date('2026-11-11T00:00:01Z');
  await as(SYSTEM, (session) => putAmendmentsInForce(session, facility.transaction), tomorrow);
  expect((await noteNow()).maxCommitments).toEqual([usd('8000000')]);
  // No other change goes below it.
  await expect(
    database.query(
      `update transactions set notes = jsonb_set(notes, '{0,tranches,0,terms,commitments,0,amount,sum}', '"7000000"') where id = $1`,
      [facility.transaction],
    ),
  ).rejects.toThrow('below what is drawn');
});

test('an update of the facility changes the version in force, and not those before it', async () => {
  const { id } = await amend();
  const edited = await as(ada, (session) => getTransaction(session, facility.transaction));
  const [note] = edited.notes;
  const [tranche] = note!.tranches;
  const document = transactionSchema.parse({
    ...edited,
    notes: [
      { ...note, tranches: [{ ...tranche, terms: { ...tranche!.terms, interest: fix(8), maxBaseAgeDays: 30 } }] },
    ],
  });
  const { id: transactionId, version } = edited;
  await as(ada, (session) => updateTransaction(session, { id: transactionId, version, document }));
  const termsOf = async (day: string) =>
    (await as(ada, (session) => termsOnDay(session, { ...facility, day }))).note.tranches[0]?.terms;
  expect(await termsOf('2026-03-14')).toMatchObject({ interest: fix(9) });
  expect((await termsOf('2026-03-14'))?.maxBaseAgeDays).toBeUndefined();
  expect(await termsOf('2026-03-15')).toMatchObject({ interest: fix(8), maxBaseAgeDays: 30 });
  expect((await as(ada, (session) => getAmendment(session, id))).changes[0]).toBe(
    'Interest rate: 9% becomes 8% from 15 Mar 2026',
  );
  // What an amendment changes stays part of the note.
  const now = await as(ada, (session) => getTransaction(session, facility.transaction));
  const without = transactionSchema.parse({ ...now, notes: [{ ...now.notes[0], tranches: [] }] });
  expect(
    await refusalOf(
      as(ada, (session) => updateTransaction(session, { id: transactionId, version: now.version, document: without })),
    ),
  ).toMatchObject({ code: 'badRequest' });
});

test('terms that an invoice was calculated with are amended, not edited', async () => {
  await amend();
  await issue('2026-03-15', '2026-04-01');
  const edited = await as(ada, (session) => getTransaction(session, facility.transaction));
  const [note] = edited.notes;
  const document = transactionSchema.parse({
    ...edited,
    notes: [
      { ...note, tranches: note!.tranches.map((one) => ({ ...one, terms: { ...one.terms, interest: fix(8) } })) },
    ],
  });
  const { version } = edited;
  expect(
    await refusalOf(as(ada, (session) => updateTransaction(session, { id: facility.transaction, version, document }))),
  ).toMatchObject({ message: expect.stringContaining('Amend the terms from a day on instead of editing them') });
  // What is no term of an amendment is edited as before.
  const renamed = transactionSchema.parse({ ...edited, title: `${edited.title}, renamed` });
  await as(ada, (session) => updateTransaction(session, { id: facility.transaction, version, document: renamed }));
  expect(await rateNow()).toBe(8.25);
});

test('checks of a draw use the terms of its due date, at the form and in the database', async () => {
  await amend({
    effectiveDate: '2026-12-01',
    terms: { commitments: [{ amount: usd('20000000') }], timeline: { maturity: '2026-12-31', revolvingEnd: null } },
  });
  const note = await noteNow();
  const limitOn = (dueDate: string) =>
    as(ada, async (session) => {
      const request = {
        cutOffDate: '2026-11-10',
        dueDate,
        draws: [{ type: 'Regular' as const, amounts: [usd('6000000')] }],
      };
      const { checks } = await runChecks(session, { request, note, drawId: null, stage: 'request' });
      const total = checks.find(({ message }) => message === 'Total commitment exceeded')!;
      return [total.rows[0]?.limit, total.exceptions.length];
    });
  expect([await limitOn('2026-11-30'), await limitOn('2026-12-01')]).toEqual([
    ['15000000.00', 1],
    ['20000000.00', 0],
  ]);
  const due = (day: string) => refusalOf(as(ada, (session) => requireDueDate(session, note, day)));
  expect(await due('2026-12-31')).toBeNull();
  expect(await due('2027-01-01')).toMatchObject({ flags: { dueDate: 'is after the maturity on 31 Dec 2026' } });
  const insert = (day: string) =>
    as(SYSTEM, async ({ em, now }) => {
      em.create(Draw, {
        id: newId(now),
        managerId: tenant.managerId,
        companyId: tenant.companies[0]!.id,
        transactionId: facility.transaction,
        noteId: facility.note,
        cutOffDate: '2026-11-10',
        dueDate: day,
        draws: [{ type: 'Regular', amounts: [usd('1')], valueInUSD: null, amountInMainCurrency: null }],
      });
    });
  await insert('2026-12-31');
  await expect(insert('2027-01-01')).rejects.toThrow();
  // An extension counts as well.
  await amend({ effectiveDate: '2026-12-15', terms: { timeline: { maturity: '2029-12-31' } } });
  await insert('2029-12-31');
  await expect(insert('2030-01-01')).rejects.toThrow();
});

test('terms that are not valid, the same, or of a note, tranche or day that cannot be amended are refused', async () => {
  const flagsOf = async (changes: object) => {
    const refusal = await refusalOf(amend(changes));
    return refusal?.flags ?? null;
  };
  expect(await flagsOf({ tranche: 2 })).toEqual({ tranche: 'is not a tranche of this note' });
  expect(await flagsOf({ note: newId() })).toEqual({ note: 'is not a note of this facility' });
  expect(await flagsOf({ effectiveDate: '2025-12-15' })).toEqual({
    effectiveDate: 'must be after the contract signing on 15 Dec 2025',
  });
  expect(await flagsOf({ effectiveDate: '2025-12-16' })).toBeNull();
  expect(await flagsOf({ terms: { interest: fix(8.25) } })).toEqual({ terms: 'are those of the day already' });
  expect(await flagsOf({ terms: { timeline: { maturity: '2025-12-01' } } })).toEqual({
    'terms.timeline.maturity': 'must be after the contract signing',
  });
  expect(await flagsOf({ terms: { timeline: { maturity: null } } })).toMatchObject({
    'terms.timeline.maturity': expect.any(String),
  });
  expect(await flagsOf({ effectiveDate: '2026-04-01', terms: { interest: fix(7) }, document: newId() })).toEqual({
    document: 'is not an uploaded file',
  });
});

test('a note has at most 100 amendments', async () => {
  const { id } = await amend();
  await database.query(
    `insert into amendments (id, manager_id, company_id, transaction_id, note_id, title, effective_date, tranche, terms, changes)
     select lpad(to_hex(number), 24, 'e'), manager_id, company_id, transaction_id, note_id, title, '2090-01-01', tranche, terms, changes
     from amendments, generate_series(1, 98) as number where id = $1`,
    [id],
  );
  await amend({ effectiveDate: '2026-04-01', terms: { interest: fix(7) } });
  expect(await refusalOf(amend({ effectiveDate: '2026-05-01', terms: { interest: fix(6) } }))).toMatchObject({
    message: 'A note has at most 100 amendments',
  });
  await database.query(
    `update amendments set status = 'Removed' where note_id = $1 and effective_date = '2090-01-01'`,
    [facility.note],
  );
});

test('a facility or a note with amendments is not removed', async () => {
  await amend();
  await database.query(`update draws set status = 'Removed' where transaction_id = $1`, [facility.transaction]);
  expect(await refusalOf(as(ada, (session) => removeTransaction(session, { id: facility.transaction })))).toMatchObject(
    {
      message: 'This facility has amendments, so it cannot be removed. Close it instead',
    },
  );
});

test('borrowers and readers see amendments of their facilities and cannot write', async () => {
  const { id } = await amend();
  const seenBy = async (actor: Actor) =>
    (await as(actor, (session) => listAmendments(session, { filter: { note: facility.note } }))).total;
  const stranger = testActor({ type: 'manager', managerId: newId() });
  const blocked = { ...ada, blockedDocuments: [`transactions/${facility.transaction}`] };
  expect(await Promise.all([ada, reader, borrower, otherBorrower, stranger, blocked].map(seenBy))).toEqual([
    1, 1, 1, 0, 0, 0,
  ]);
  for (const actor of [reader, borrower]) {
    expect(await refusalOf(amend({ effectiveDate: '2026-05-01' }, actor))).toMatchObject({ code: 'forbidden' });
    expect(await refusalOf(as(actor, (session) => removeAmendment(session, id)))).toMatchObject({ code: 'forbidden' });
    expect(await refusalOf(as(actor, (session) => previewAmendment(session, body())))).toMatchObject({
      code: 'forbidden',
    });
  }
  for (const actor of [stranger, blocked]) {
    expect(await refusalOf(amend({ effectiveDate: '2026-05-01' }, actor))).toMatchObject({ code: 'notFound' });
    expect(await refusalOf(as(actor, (session) => getAmendment(session, id)))).toMatchObject({ code: 'notFound' });
    expect(
      await refusalOf(as(actor, (session) => termsOnDay(session, { ...facility, day: '2026-01-01' }))),
    ).toMatchObject({ code: 'notFound' });
  }
  // Below the permissions of roles, row-level security refuses what a borrower writes.
  const changed = await as(borrower, (session) =>
    session.query<{ id: string }>(`update amendments set remark = 'x' where id = $1 returning id`, [id]),
  );
  expect(changed).toEqual([]);
});
