import { amendmentCreateSchema } from '@tapeline/domain/amendments/amendment.schema.ts';
import { bankAccountCreateSchema, paymentCreateSchema } from '@tapeline/domain/cash/cash.schema.ts';
import {
  COVENANT_TERMS,
  covenantCreateSchema,
  covenantUpdateSchema,
} from '@tapeline/domain/covenants/covenant.schema.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { facilityFigureCreateSchema } from '@tapeline/domain/facility-figures/facility-figure.schema.ts';
import { pricingText } from '@tapeline/domain/interest/pricing-text.ts';
import { invoiceCreateSchema, invoiceUpdateSchema } from '@tapeline/domain/invoices/invoice.schema.ts';
import type { UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Draw } from '../../entities/draws.ts';
import { Company, Manager, Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { addEntity } from '../../testing/entities.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createAmendment, previewAmendment } from '../amendments/amendments.ts';
import { listCalendarEvents } from '../calendar/calendar-events.ts';
import { createBankAccount } from '../cash/bank-accounts.ts';
import { matchPayments } from '../cash/match-payments.ts';
import { listObligations } from '../cash/obligations.ts';
import { allocatePayment, createPayment, getPayment, reverseAllocation } from '../cash/payments.ts';
import { testAgain } from '../covenants/breaches.ts';
import { createCovenant, getCovenant, removeCovenant, updateCovenant } from '../covenants/covenants.ts';
import { createFacilityFigure, removeFacilityFigure, reviewFacilityFigure } from '../covenants/facility-figures.ts';
import { noteStanding } from '../interest/note-standing.ts';
import { changeRepayments, createRepayment, listRepayments, removeRepayments } from '../repayments/repayments.ts';
import { createTransaction, getTransaction, updateTransaction } from '../transactions/transactions.ts';
import { forecastOfNote } from './forecast.ts';
import {
  changeInvoice,
  createInvoice,
  getInvoice,
  issueInvoice,
  listInvoices,
  proposeInvoice,
  withdrawInvoice,
} from './invoices.ts';

const NOW = new Date('2026-05-01T12:00:00Z');
const QUARTER = { from: '2026-01-01', to: '2026-04-01' };

let database: TestDatabase;
let managerId: string;
let companyId: string;
let userId: string;
let account: string;
let facility: { id: string; notes: { id: string }[] };

const manager = (fields: Partial<UserActor> = {}) => testActor({ type: 'manager', managerId, ...fields });
const borrower = (fields: Partial<UserActor> = {}) =>
  testActor({ type: 'company', managerId, companyId, userId, ...fields });
const as = <Result>(work: (session: Session) => Promise<Result>, actor = manager(), now = NOW) =>
  database.store.as(actor, work, { now, isKeyed: true });

const unusedFee = {
  rate: 0.5,
  title: 'Unused fee',
  kind: 'Facility fee',
  frequency: 'Quarterly',
  feeType: 'Undrawn Amount',
};
const terms = {
  commitments: [{ amount: { sum: 15_000_000, currency: 'USD' } }],
  interest: { kind: 'fix', value: 9, dayCount: 'ACT/360' },
  fees: [unusedFee],
  timeline: { contractSigning: '2026-01-01', maturity: '2029-01-01' },
};

async function addFacility(more: object = {}) {
  return as((session) =>
    createTransaction(
      session,
      transactionSchema.parse({
        title: 'Northgate Card Loans',
        type: 'Direct',
        industries: ['Consumer'],
        company: companyId,
        notes: [
          {
            title: 'Senior',
            mainCurrency: 'USD',
            tranches: [
              { sequence: 1, sequenceActivated: true, title: 'A', type: 'ROFR', terms: { ...terms, ...more } },
            ],
          },
        ],
      }),
    ),
  );
}

const addDraw = (dueDate: string, sum: string) =>
  as(async ({ em }) => {
    em.create(Draw, {
      id: newId(),
      managerId,
      companyId,
      transactionId: facility.id,
      noteId: facility.notes[0]!.id,
      status: 'Approved',
      cutOffDate: dueDate,
      dueDate,
      draws: [{ type: 'Regular', amounts: [{ sum, currency: 'USD' }], valueInUSD: null, amountInMainCurrency: null }],
    });
  });

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, seedFoundations);
});
beforeEach(async () => {
  [managerId, companyId, userId] = [newId(), newId(), newId()];
  await database.store.as(SYSTEM, async ({ em }) => {
    em.create(Manager, { id: managerId, entityId: addEntity(em, managerId, 'Harbour') });
    em.create(Company, { id: companyId, managerId, entityId: addEntity(em, managerId, 'Northgate') });
    const roleId = newId();
    em.create(Role, {
      id: roleId,
      managerId,
      title: 'Reader',
      level: 12,
      permissions: ['repayments/read', 'transactions/read'],
    });
    em.create(User, {
      id: userId,
      firstName: 'Bea',
      lastName: 'Lind',
      email: `${userId}@example.test`,
      type: 'company',
      assoc: { company: { id: companyId } },
      managerId,
      companyId,
      roleId,
    });
  });
  facility = await addFacility();
  await addDraw('2026-01-01', '10000000');
  account = (
    await as((session) =>
      createBankAccount(
        session,
        bankAccountCreateSchema.parse({
          title: 'Collections',
          bankName: 'First Tidewater',
          accountNumber: 'US64 0210 0002 1000 4471',
          currency: 'USD',
          openingDate: '2026-01-01',
        }),
      ),
    )
  ).id;
});
afterAll(() => database.close());

const body = (more: object = {}) =>
  invoiceCreateSchema.parse({
    transaction: facility.id,
    noteTitle: 'Senior',
    currency: 'USD',
    ...QUARTER,
    dueDate: '2026-05-15',
    principal: { sum: 500_000, currency: 'USD' },
    ...more,
  });
const prepare = (more: object = {}, actor = manager()) => as((session) => createInvoice(session, body(more)), actor);
const issue = (invoice: { id: string; version: number; amount: string | null }, actor = manager(), now = NOW) =>
  as(
    (session) =>
      issueInvoice(session, {
        id: invoice.id,
        version: invoice.version,
        amount: { sum: invoice.amount ?? '0', currency: null },
      }),
    actor,
    now,
  );
const issued = async (more: object = {}) => issue(await prepare(more));
const pay = (amount: string, more: object = {}) =>
  as((session) =>
    createPayment(
      session,
      paymentCreateSchema.parse({ bankAccount: account, direction: 'in', amount, bookedOn: '2026-04-20', ...more }),
    ),
  );
const payInvoice = (document: string, amount: string, more: object = {}) =>
  pay(amount, { allocations: [{ kind: 'invoice', document, amount }], ...more });
const repayments = async (status = 'Active') =>
  (
    await as((session) =>
      listRepayments(session, { filter: { status, noteId: facility.notes[0]!.id }, sort: { code: 1 } }),
    )
  ).documents.map(({ cutOffDate, repayments: parts }) => [
    cutOffDate,
    ...parts.map(({ kind, amount }) => `${kind} ${amount.sum}`),
  ]);
const standing = async (asOf: string) => {
  const [note] = (await as((session) => getTransaction(session, facility.id))).notes;
  return as((session) => noteStanding(session, { managerId, note: note as never, asOf }));
};
const owed = async (document: string, actor = manager()) =>
  (await as((session) => listObligations(session, { activity: document }), actor)).obligations[0];

describe('a note with a minimum usage, a pricing grid, a default margin and a prepayment fee', () => {
  const prepayment = { title: 'Prepayment fee', kind: 'Prepayment fee', frequency: 'Ending', onPrepayment: true };
  const priced = {
    interest: {
      ...terms.interest,
      pricingGrid: { tiers: [{ from: 60, rate: 8.5 }] },
      defaultMargin: 2,
    },
    defaultEvents: [{ from: '2026-02-10', to: '2026-02-24', reason: 'Interest not paid' }],
    fees: [
      { rate: 2, title: 'Minimum usage fee', kind: 'Facility fee', frequency: 'Quarterly', minimumUsage: 80 },
      { ...prepayment, rate: 2, months: { end: 2 } },
      { ...prepayment, rate: 1, months: { start: 2, end: 12 } },
    ],
  };
  const lines = async (period = QUARTER) =>
    (
      await as((session) =>
        proposeInvoice(session, { transaction: facility.id, note: facility.notes[0]!.id, currency: 'USD', ...period }),
      )
    ).lines.map(({ title, amount }) => [title, amount]);
  const repay = (cutOffDate: string, amount: string, scheduled = false) =>
    as((session) =>
      createRepayment(session, {
        transaction: facility.id,
        noteTitle: 'Senior',
        cutOffDate,
        scheduled,
        repayments: [{ kind: 'principal', amount: { sum: amount, currency: 'USD' } }],
      }),
    );

  // 10,000,000 of 15,000,000 is 66.67%: 8.5% for 59 days, of which 14 in default, and 9% on 8,000,000 (53.33%) for 31 days.
  // 12,000,000 less 10,000,000 for 59 days, and less 8,000,000 for 31 days, at 2%. 1% of 2,000,000: two months are over.
  test('is invoiced by the day, and a prepayment is charged unless it was due', async () => {
    facility = await addFacility(priced);
    await addDraw('2026-01-01', '10000000');
    expect(await lines()).toEqual([
      ['Interest', '220277.78'],
      ['Minimum usage fee', '10000.00'],
    ]);
    const early = await repay('2026-03-01', '2000000');
    expect(early.scheduled).toBe(false);
    expect(await lines()).toEqual([
      ['Interest', '209083.33'],
      ['Minimum usage fee', '13444.44'],
      ['Prepayment fee', '20000.00'],
    ]);
    await as((session) => removeRepayments(session, [early.id]));
    expect((await repay('2026-03-01', '2000000', true)).scheduled).toBe(true);
    expect(await lines()).toEqual([
      ['Interest', '209083.33'],
      ['Minimum usage fee', '13444.44'],
    ]);
  });

  // From 1 April: 10,000,000 x 8.5% and 2,000,000 x 2% for 91 days.
  test('is forecast to its maturity, for who may read repayments', async () => {
    facility = await addFacility(priced);
    await addDraw('2026-01-01', '10000000');
    await issued({ principal: null });
    const forecast = (session: Session) =>
      forecastOfNote(session, {
        transaction: facility.id,
        note: facility.notes[0]!.id,
        curve: { points: [], shift: 0 },
      });
    const { periods, ...found } = await as(forecast);
    expect(found).toMatchObject({ asOf: '2026-05-01', currency: 'USD', maturity: '2029-01-01' });
    expect(periods).toHaveLength(11);
    expect(periods[0]).toMatchObject({
      ...{ from: '2026-04-01', to: '2026-07-01', balance: '10000000.00', unknown: [] },
      ...{ interest: '214861.11', fees: '10111.11', total: '224972.22' },
    });
    expect(periods.at(-1)).toMatchObject({ to: '2029-01-01' });
    expect((await as(forecast, borrower())).total).toBe(found.total);
    await expect(as(forecast, testActor({ type: 'manager', managerId: newId() }))).rejects.toThrow('Not found');
    await expect(as(forecast, borrower({ companyId: newId() }))).rejects.toThrow();
    await expect(as(forecast, manager({ permissions: ['transactions/read'] }))).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  test('says before a repayment is recorded what a prepayment costs', async () => {
    facility = await addFacility(priced);
    await addDraw('2026-01-01', '10000000');
    const { notes } = await as((session) => getTransaction(session, facility.id));
    const standing = await as((session) => noteStanding(session, { managerId, note: notes[0]!, asOf: '2026-02-01' }));
    expect(standing.prepayment).toMatchObject([{ currency: 'USD', lines: [{ amount: '200000.00' }] }]);
  });
});

describe('a note whose pricing grid follows a covenant', () => {
  const leverage = (more: object = {}) =>
    as((session) =>
      createCovenant(
        session,
        covenantCreateSchema.parse({
          ...{ transaction: facility.id, note: facility.notes[0]!.id, title: 'Leverage', formula: '[Leverage]' },
          ...{ unit: 'times', bound: 'atMost', steps: [{ from: '2025-12-31', limit: 5 }] },
          ...{ frequency: 'quarterly', firstTest: '2025-12-31' },
          ...more,
        }),
      ),
    );
  const price = async (covenant: string) => {
    const { version, ...stored } = await as((session) => getTransaction(session, facility.id));
    const [note] = stored.notes;
    const interest = {
      ...terms.interest,
      pricingGrid: {
        test: { covenant, daysAfter: 30 },
        tiers: [
          { from: 3, rate: 9.5 },
          { from: 4, rate: 10 },
        ],
      },
    };
    const document = transactionSchema.parse({
      ...{ title: stored.title, type: 'Direct', industries: stored.industries, company: companyId },
      notes: [{ ...note, tranches: [{ ...note!.tranches[0]!, terms: { ...terms, interest, fees: [] } }] }],
    });
    return as((session) => updateTransaction(session, { id: facility.id, version, document }));
  };
  const report = async (date: string, value: number) => {
    const body = facilityFigureCreateSchema.parse({ company: companyId, title: 'Leverage', date, value });
    const { id } = await as((session) => createFacilityFigure(session, body));
    await as((session) => reviewFacilityFigure(session, id));
    return id;
  };
  const proposed = async (period = QUARTER) =>
    (
      await as((session) =>
        proposeInvoice(session, { transaction: facility.id, note: facility.notes[0]!.id, currency: 'USD', ...period }),
      )
    ).lines.map(({ title, amount, pieces }) => [title, amount, ...pieces.map(pricingText)]);

  // 10,000,000 x 9% x 29 / 360 = 72,500.00 before the first result counts, and 61 days at 10% without one or at 9.5% for 3.2.
  test('has the rate of each result from its day on, and corrects what another result changes', async () => {
    const covenant = await leverage();
    await price(covenant.id);
    expect(await proposed()).toEqual([
      ['Interest', '241944.44', 'Before the first test', 'Covenant not tested: highest rate'],
    ]);
    await report('2025-12-31', 3.2);
    expect(await proposed()).toEqual([['Interest', '233472.22', 'Before the first test', 'Tested at 3.2: from 3']]);
    await issued({ principal: null });
    // The second quarter: nothing is known of 31 March from 30 April on. 29 days at 9.5% and 62 at 10%.
    const second = { from: '2026-04-01', to: '2026-07-01' };
    expect(await proposed(second)).toEqual([
      ['Interest', '248750.00', 'Tested at 3.2: from 3', 'Covenant not tested: highest rate'],
    ]);
    // The figure of December was wrong: 61 days at 9% instead of 9.5%.
    const [wrong] = await database.query<{ id: string }>('select id from facility_figures where company_id = $1', [
      companyId,
    ]);
    await as((session) => removeFacilityFigure(session, wrong!.id));
    await report('2025-12-31', 2.5);
    await as((session) => testAgain(session, covenant.id));
    expect(await proposed(second)).toEqual([
      ['Interest', '244722.22', 'Tested at 2.5: below the first tier', 'Covenant not tested: highest rate'],
      ['Correction of invoice 1', '-8472.22', 'Tested at 3.2: from 3', 'Tested at 2.5: below the first tier'],
    ]);
    await report('2026-03-31', 2.9);
    expect((await proposed(second))[0]).toEqual([
      'Interest',
      '227500.00',
      'Tested at 2.5: below the first tier',
      'Tested at 2.9: below the first tier',
    ]);
    const forecast = await as((session) =>
      forecastOfNote(session, {
        transaction: facility.id,
        note: facility.notes[0]!.id,
        curve: { points: [], shift: 0 },
      }),
    );
    // Nothing is tested yet after today: the last result goes on.
    expect(forecast.periods.at(-1)?.rates).toEqual({ lowest: '9', highest: '9' });
    const { notes } = await as((session) => getTransaction(session, facility.id));
    const standing = await as((session) => noteStanding(session, { managerId, note: notes[0]!, asOf: '2026-04-01' }));
    expect(standing.interest?.[0]?.accrued).toBe('225000.00');
    expect(standing.names).toEqual({ [covenant.id]: 'Leverage' });
  });

  test('names a covenant of its own, which stays while it prices the note', async () => {
    const covenant = await leverage();
    await expect(price(newId())).rejects.toMatchObject({
      flags: { 'notes.0.tranches.0.terms.interest.pricingGrid.test.covenant': 'is not a covenant of this note' },
    });
    const own = facility;
    facility = await addFacility();
    await expect(price(covenant.id)).rejects.toMatchObject({ code: 'badRequest' });
    await expect(
      database.query(`update transactions set notes = jsonb_set(notes, '{0,terms}', $2) where id = $1`, [
        facility.id,
        JSON.stringify({
          interest: {
            kind: 'fix',
            value: 9,
            pricingGrid: { test: { covenant: covenant.id }, tiers: [{ from: 3, rate: 8 }] },
          },
        }),
      ]),
    ).rejects.toThrow('a pricing grid names a covenant of its note');
    facility = own;
    await price(covenant.id);
    await expect(as((session) => removeCovenant(session, covenant.id))).rejects.toMatchObject({ code: 'badRequest' });
    const remove = () => database.query(`update covenants set status = 'Removed' where id = $1`, [covenant.id]);
    await expect(remove()).rejects.toThrow('a covenant that prices a note stays');
    const other = await leverage({ title: 'Not named' });
    await as((session) => removeCovenant(session, other.id));
    await expect(as((session) => getCovenant(session, other.id))).rejects.toMatchObject({ code: 'notFound' });
  });

  // 61 of 90 days at 9.5% instead of 9%.
  test('shows what an amendment by a covenant changes with its results, and names it once it is replaced', async () => {
    const covenant = await leverage();
    await report('2025-12-31', 3.2);
    await issued({ principal: null });
    const [note] = (await as((session) => getTransaction(session, facility.id))).notes;
    const pricingGrid = { test: { covenant: covenant.id, daysAfter: 30 }, tiers: [{ from: 3, rate: 9.5 }] };
    const amendment = (effectiveDate: string, interest: object) =>
      amendmentCreateSchema.parse({
        ...{ transaction: facility.id, note: note!.id, tranche: 1, title: `From ${effectiveDate}`, effectiveDate },
        terms: { interest },
      });
    const ratchet = amendment('2026-01-02', { ...terms.interest, pricingGrid });
    const { effects } = await as((session) => previewAmendment(session, ratchet));
    expect(effects.map(({ fee, adjustment }) => [fee, adjustment])).toEqual([[null, '8472.22']]);
    await as((session) => createAmendment(session, ratchet));
    const plain = await as((session) => createAmendment(session, amendment('2026-04-01', terms.interest)));
    expect(plain.changes).toEqual([
      'Pricing grid: 9.5% from 3, by Leverage 30 days after its test date no longer applies from 1 Apr 2026',
    ]);
  });

  test('goes on with the last result of a covenant that is disabled', async () => {
    const covenant = await leverage();
    await report('2025-12-31', 3.2);
    await price(covenant.id);
    await as((session) =>
      updateCovenant(session, {
        id: covenant.id,
        body: covenantUpdateSchema.parse({
          ...pick(covenant, ...COVENANT_TERMS),
          status: 'Disabled',
          version: covenant.version,
        }),
      }),
    );
    expect(await proposed({ from: '2026-04-01', to: '2026-07-01' })).toEqual([
      ['Interest', '240138.89', 'Tested at 3.2: from 3'],
    ]);
  });
});

describe('a note whose interest is partly paid in kind', () => {
  const inKind = (points: number) => ({ interest: { ...terms.interest, paidInKind: points }, fees: [] });
  const note = () => facility.notes[0]!.id;
  const balance = async () => (await standing('2026-05-01')).position.balance;
  const prepared = async (points: number) => {
    facility = await addFacility(inKind(points));
    await addDraw('2026-01-01', '10000000');
    return prepare({ principal: null });
  };

  // 10,000,000 x 9% x 90 / 360 = 225,000.00, of which 3 points are 75,000.00.
  test('adds it to the principal when its invoice is issued, and takes it off when that is withdrawn', async () => {
    const draft = await prepared(3);
    expect(draft.lines.map(({ title, amount }) => [title, amount])).toEqual([
      ['Interest', '225000.00'],
      ['Interest paid in kind', '-75000.00'],
    ]);
    expect([draft.amount, await balance()]).toMatchObject(['150000', [{ sum: '10000000' }]]);
    const invoice = await issue(draft);
    expect(await balance()).toEqual([{ sum: '10075000', currency: 'USD' }]);
    expect(await repayments()).toEqual([['2026-04-01', 'interest 75000', 'principal -75000']]);
    // Nothing was received, so the calendar has the invoice alone.
    const { events } = await as((session) =>
      listCalendarEvents(session, { from: '2026-04-01', to: '2026-04-30', limit: 100 }),
    );
    expect(events.filter(({ kind }) => kind === 'repayment')).toEqual([]);
    // What is invoiced and not paid, and 30 days of 9% on 10,075,000.
    expect((await standing('2026-05-01')).interest).toMatchObject([
      { accrued: '300562.50', paid: '75000.00', unpaid: '225562.50' },
    ]);
    expect(await owed(invoice.id)).toMatchObject({ amount: '150000.00', open: '150000.00' });
    const { lines } = await as((session) =>
      proposeInvoice(session, { transaction: facility.id, note: note(), from: '2026-04-01', to: '2026-07-01' }),
    );
    // 10,075,000 for 91 days, and nothing is corrected.
    expect(lines.map(({ amount }) => amount)).toEqual(['229206.25', '-76402.08']);
    await payInvoice(invoice.id, '150000');
    expect((await owed(invoice.id))?.open).toBe('0.00');
    const [entry] = (await as((session) => listRepayments(session, { filter: { noteId: note() }, sort: { code: 1 } })))
      .documents;
    const remove = [{ id: entry!.id, version: entry!.version, status: 'Removed' as const }];
    await expect(as((session) => changeRepayments(session, remove))).rejects.toThrow('Withdraw the invoice');
    await expect(database.query(`update repayments set status = 'Removed' where id = $1`, [entry!.id])).rejects.toThrow(
      'what an issued invoice pays in kind is added to the principal',
    );
    const { version } = await as((session) => getInvoice(session, invoice.id));
    await as((session) => withdrawInvoice(session, { id: invoice.id, version, reason: 'Wrong period' }));
    expect(await balance()).toEqual([{ sum: '10000000', currency: 'USD' }]);
    expect(await repayments()).toEqual([]);
  });

  test('asks for nothing where all of it is paid in kind', async () => {
    const draft = await prepared(9);
    expect(draft.amount).toBe('0');
    const invoice = await issue(draft);
    expect(await owed(invoice.id)).toMatchObject({ amount: '0.00', open: '0.00', state: 'paid' });
    expect(await balance()).toEqual([{ sum: '10225000', currency: 'USD' }]);
    const [told] = await database.query<{ title: string }>(
      `select title from notifications where document_id = $1 and kind = 'invoiceIssued'`,
      [invoice.id],
    );
    expect(told?.title).toBe('Invoice 1 of Northgate Card Loans requires no payment');
  });

  test('is not taken off again once it is repaid', async () => {
    const invoice = await issue(await prepared(3));
    await as((session) =>
      createRepayment(session, {
        ...{ transaction: facility.id, noteTitle: 'Senior', cutOffDate: '2026-04-20' },
        repayments: [{ kind: 'principal', amount: { sum: '10000000.01', currency: 'USD' } }],
      }),
    );
    const withdraw = () =>
      as((session) => withdrawInvoice(session, { id: invoice.id, version: invoice.version, reason: 'Wrong' }));
    await expect(withdraw()).rejects.toThrow('has been repaid since');
    const [last] = (await as((session) => listRepayments(session, { filter: { noteId: note() }, sort: { code: -1 } })))
      .documents;
    await as((session) => removeRepayments(session, [last!.id]));
    expect((await withdraw()).status).toBe('Removed');
  });
});

describe('an invoice', () => {
  test('has the interest, the fees and the scheduled principal of its period, numbered in its facility', async () => {
    const invoice = await prepare();
    expect(invoice).toMatchObject({
      status: 'Draft',
      number: 1,
      amount: '731250',
      transactionTitle: 'Northgate Card Loans',
      companyName: 'Northgate',
      open: null,
    });
    expect(invoice.lines.map(({ kind, title, amount }) => [kind, title, amount])).toEqual([
      ['interest', 'Interest', '225000.00'],
      ['fees', 'Unused fee', '6250.00'],
      ['principal', 'Principal', '500000'],
    ]);
    expect(invoice.reference).toMatch(/^NCL\d+-I1-\d{3}-\d$/);
    expect((await prepare({ from: '2026-04-01', to: '2026-05-01' })).number).toBe(2);
  });

  test('is prepared for whoever may write repayments, and no borrower', async () => {
    await expect(
      prepare({}, manager({ permissions: ['payments/write', 'repayments/read', 'transactions/read'] })),
    ).rejects.toThrow('permission');
    await expect(prepare({}, borrower())).rejects.toThrow('The lender prepares invoices');
  });

  test.each([
    ['currency', { currency: 'EUR', principal: null }, 'must be one of USD'],
    ['noteTitle', { noteTitle: 'Junior' }, 'is not a note of this facility'],
    [
      'principal',
      { principal: { sum: 10_000_000.01, currency: 'USD' } },
      'must be at most the balance of 10,000,000.00 USD',
    ],
    [
      'to',
      { from: '2025-11-01', to: '2025-12-01', dueDate: '2026-02-01', principal: null },
      'ends a period in which nothing accrues',
    ],
  ])('is refused with a flag on %s', async (flag, more, text) => {
    await expect(prepare(more)).rejects.toMatchObject({ flags: { [flag]: text } });
  });

  test('asks for principal up to the balance', async () => {
    expect((await prepare({ principal: { sum: 10_000_000, currency: 'USD' } })).amount).toBe('10231250');
  });

  test('of periods that meet are both issued, and of periods that overlap only one, also by two people at once', async () => {
    await issued();
    await expect(prepare({ from: '2026-03-31', to: '2026-05-01' })).rejects.toMatchObject({
      flags: { from: 'is in the period of invoice 1' },
    });
    const next = { from: '2026-04-01', to: '2026-05-01', principal: null };
    const [one, other] = [await prepare(next), await prepare({ ...next, from: '2026-04-30' })];
    const results = await Promise.allSettled([issue(one), issue(other)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(
      database.query(
        `insert into invoices (id, status, manager_id, company_id, transaction_id, note_id, currency, period_from, period_to, due_date, lines, waterfall, issued_on)
         select $2, status, manager_id, company_id, transaction_id, note_id, currency, '2026-03-31', '2026-04-01', due_date, lines, waterfall, issued_on
         from invoices where status = 'Active' and transaction_id = $1 limit 1`,
        [facility.id, newId()],
      ),
    ).rejects.toThrow('another invoice is for a part of the period');
  });

  test('is issued for what the person saw, when its period is over and all lines are known', async () => {
    const invoice = await prepare();
    await expect(issue({ ...invoice, version: invoice.version + 1 })).rejects.toThrow();
    await expect(issue({ ...invoice, amount: '731249.99' })).rejects.toMatchObject({
      flags: { amount: 'must be 731,250.00 USD' },
    });
    await addDraw('2026-03-31', '360000');
    await expect(issue(invoice)).rejects.toThrow('The amount is 731,335.00 USD now');
    expect(await issue({ ...invoice, amount: '731335' })).toMatchObject({
      status: 'Active',
      issuedOn: '2026-05-01',
      open: '731335.00',
    });
    await expect(issue({ ...invoice, version: invoice.version + 1 })).rejects.toThrow();
    const future = await prepare({ from: '2026-04-01', to: '2026-05-03', principal: null });
    await expect(issue(future)).rejects.toThrow('The period ends on 3 May 2026. Issue the invoice when it is over');
    expect((await issue(future, manager(), new Date('2026-05-03T00:00:00Z'))).status).toBe('Active');
  });

  test('whose principal was repaid since is not issued', async () => {
    const invoice = await prepare({ principal: { sum: 10_000_000, currency: 'USD' } });
    await as((session) =>
      createRepayment(session, {
        transaction: facility.id,
        noteTitle: 'Senior',
        cutOffDate: '2026-04-10',
        repayments: [{ kind: 'principal', amount: { sum: '0.01', currency: 'USD' } }],
      }),
    );
    await expect(issue(invoice)).rejects.toMatchObject({
      flags: { principal: 'must be at most the balance of 9,999,999.99 USD' },
    });
  });

  test('with an unknown line cannot be issued, by the operation and the database', async () => {
    facility = await addFacility({ fees: [{ ...unusedFee, feeType: null }] });
    await addDraw('2026-01-01', '10000000');
    const invoice = await prepare();
    expect(invoice.amount).toBeNull();
    await expect(issue(invoice)).rejects.toThrow('Unused fee: The terms do not say what the percentage is of');
    await expect(
      database.query(`update invoices set status = 'Active', issued_on = '2026-05-01' where id = $1`, [invoice.id]),
    ).rejects.toThrow('invoices_issued');
  });

  test('never changes once it is issued', async () => {
    const { id } = await issued();
    for (const change of [
      `due_date = '2026-06-01'`,
      `lines = '[]'`,
      `status = 'Draft'`,
      `waterfall = '["interest", "fees", "principal"]'`,
    ])
      await expect(database.query(`update invoices set ${change} where id = $1`, [id])).rejects.toThrow();
    await expect(database.query(`update invoices set status = 'Removed' where id = $1`, [id])).rejects.toThrow(
      'invoices_removed',
    );
  });

  test('is seen by its borrower once it is issued, until it is withdrawn, and by nobody else', async () => {
    const invoice = await prepare();
    const seen = async (actor = borrower()) =>
      (await as((session) => listInvoices(session, {}), actor)).documents.map(({ number }) => number);
    expect(await seen()).toEqual([]);
    const active = await issue(invoice);
    expect(await seen()).toEqual([1]);
    expect(await seen(borrower({ companyId: newId() }))).toEqual([]);
    expect(await seen(manager({ managerId: newId() }))).toEqual([]);
    expect(await seen(manager({ blockedDocuments: [`transactions/${facility.id}`] }))).toEqual([]);
    const told = await database.query<{ kind: string }>('select kind from notifications where user_id = $1', [userId]);
    expect(told).toEqual([{ kind: 'invoiceIssued' }]);
    await expect(
      as(
        (session) => withdrawInvoice(session, { id: active.id, version: active.version, reason: 'Wrong' }),
        borrower(),
      ),
    ).rejects.toThrow('The lender withdraws invoices');
    await as((session) => withdrawInvoice(session, { id: active.id, version: active.version, reason: 'Wrong period' }));
    expect(await seen()).toEqual([]);
    expect(
      (
        await database.query<{ kind: string }>('select kind from notifications where user_id = $1 order by kind', [
          userId,
        ])
      ).map(({ kind }) => kind),
    ).toEqual(['invoiceIssued', 'noticeWithdrawn']);
  });

  test('that is next goes on where the last one ended', async () => {
    const propose = (more: object = {}) =>
      as((session) => proposeInvoice(session, { transaction: facility.id, note: facility.notes[0]!.id, ...more }));
    expect(await propose()).toMatchObject({ ...QUARTER, currency: 'USD', currencies: ['USD'], dueDate: '2026-05-31' });
    await issued();
    expect(await propose()).toMatchObject({ from: '2026-04-01', to: '2026-07-01', dueDate: '2026-07-01' });
    expect((await propose({ to: '2026-05-01' })).lines.map(({ amount }) => amount)).toEqual(['75000.00', '2083.33']);
  });
});

describe('what changes after its invoice', () => {
  const repaid = (cutOffDate: string, sum: string) =>
    as((session) =>
      createRepayment(session, {
        transaction: facility.id,
        noteTitle: 'Senior',
        cutOffDate,
        repayments: [{ kind: 'principal', amount: { sum, currency: 'USD' } }],
      }),
    );
  const SECOND = { from: '2026-04-01', to: '2026-05-01', principal: null };
  const interestOf = ({ lines }: { lines: readonly { kind: string; title: string; amount: string | null }[] }) =>
    lines.flatMap(({ kind, title, amount }) => (kind === 'interest' ? [[title, amount]] : []));

  test('is corrected by the next invoice, so that the invoices of the note add up to what accrued', async () => {
    const first = await issued({ principal: null });
    await repaid('2026-03-16', '2000000');
    const proposal = await as((session) =>
      proposeInvoice(session, { transaction: facility.id, note: facility.notes[0]!.id, to: '2026-05-01' }),
    );
    const expected = [
      ['Interest', '60000.00'],
      ['Correction of invoice 1', '-8000.00'],
    ];
    expect(interestOf(proposal)).toEqual(expected);
    const second = await issued(SECOND);
    expect(interestOf(second)).toEqual(expected);
    expect(second.lines[1]).toMatchObject({
      corrects: { invoice: first.id, number: 1, from: '2026-01-01', to: '2026-04-01', why: ['balance'] },
      accrued: { to: '217000.00', from: '225000.00' },
    });
    const accrued = (await standing('2026-05-01')).interest?.[0]?.accrued;
    expect(accrued).toBe('277000.00');
    // A payment pays the interest of both lines.
    await payInvoice(second.id, second.amount!);
    expect((await repayments()).at(-1)).toEqual(['2026-04-20', 'fees 3361.11', 'interest 52000']);
  });

  test('is corrected on a draft that was prepared before, which is issued only for what the person saw', async () => {
    await issued({ principal: null });
    const draft = await prepare(SECOND);
    await repaid('2026-03-16', '2000000');
    await expect(issue(draft)).rejects.toThrow('The amount is 55,361.11 USD now');
    const changed = await as((session) =>
      changeInvoice(session, {
        id: draft.id,
        body: invoiceUpdateSchema.parse({
          version: draft.version,
          from: SECOND.from,
          to: SECOND.to,
          dueDate: '2026-05-15',
        }),
      }),
    );
    expect(interestOf(await issue(changed))).toEqual([
      ['Interest', '60000.00'],
      ['Correction of invoice 1', '-8000.00'],
    ]);
  });

  test('never makes the interest of an invoice negative, by the operation and the database', async () => {
    await issued({ principal: null });
    await repaid('2026-01-02', '9000000');
    const draft = await prepare(SECOND);
    // 200,250.00 are too much, of which the 7,500.00 of April are taken back.
    expect(interestOf(draft)).toEqual([
      ['Interest', '7500.00'],
      ['Correction of invoice 1', '-7500.00'],
    ]);
    const active = await issue(draft);
    // The unused fee of April, and what was undrawn for 89 days of the first quarter.
    expect(active.amount).toBe('16958.33');
    await expect(
      database.query(
        `insert into invoices (id, status, manager_id, company_id, transaction_id, note_id, currency, period_from, period_to, due_date, lines, waterfall, issued_on)
         select $2, status, manager_id, company_id, transaction_id, note_id, currency, '2026-05-01', '2026-06-01', '2026-06-01',
           jsonb_set(lines, '{1,amount}', '"-7500.01"'), waterfall, issued_on from invoices where id = $1`,
        [active.id, newId()],
      ),
    ).rejects.toThrow('invoices_issued');
  });

  test('is corrected whether or not the person sees the invoice that it is about', async () => {
    const first = await issued({ principal: null });
    await repaid('2026-03-16', '2000000');
    const hidden = manager({ blockedDocuments: [`invoices/${first.id}`] });
    expect(interestOf(await prepare(SECOND, hidden))).toHaveLength(2);
  });

  const feesOf = ({ lines }: { lines: readonly { kind: string; title: string; amount: string | null }[] }) =>
    lines.flatMap(({ kind, title, amount }) => (kind === 'fees' ? [[title, amount]] : []));

  test('corrects the fees as well, and never makes them negative, by the operation and the database', async () => {
    const first = await issued({ principal: null });
    expect(first.lines.find(({ kind }) => kind === 'fees')).toMatchObject({ title: 'Unused fee', tranche: 1 });
    const late = await repaid('2026-03-16', '2000000');
    const second = await issued(SECOND);
    const correction = ['Correction of invoice 1, Unused fee', '444.44'];
    expect(feesOf(second)).toEqual([['Unused fee', '2916.67'], correction]);
    expect(second.lines.at(-1)).toMatchObject({
      corrects: { invoice: first.id, number: 1, fee: 'Unused fee', why: ['balance'] },
      accrued: { to: '6694.44', from: '6250.00' },
    });
    await as((session) => removeRepayments(session, [late.id]));
    const third = await issued({ from: '2026-05-01', to: '2026-05-02', principal: null });
    expect(feesOf(third)).toEqual([
      ['Unused fee', '69.44'],
      ['Correction of invoice 1, Unused fee', '-69.44'],
      // Nothing is left to take it back from.
      ['Correction of invoice 2, Unused fee', '0.00'],
    ]);
    await expect(
      database.query(
        `insert into invoices (id, status, manager_id, company_id, transaction_id, note_id, currency, period_from, period_to, due_date, lines, waterfall, issued_on)
         select $2, status, manager_id, company_id, transaction_id, note_id, currency, '2026-05-02', '2026-06-01', '2026-06-01',
           jsonb_set(lines, array[(jsonb_array_length(lines) - 1)::text, 'amount'], '"-0.01"'), waterfall, issued_on from invoices where id = $1`,
        [third.id, newId()],
      ),
    ).rejects.toThrow('invoices_issued');
  });

  test('shows a credit that is left for later, of which alone no invoice is prepared', async () => {
    facility = await addFacility({ fees: [] });
    await addDraw('2026-01-01', '10000000');
    await issued({ principal: null });
    await repaid('2026-03-31', '10000000');
    const note = facility.notes[0]!.id;
    const proposal = await as((session) =>
      proposeInvoice(session, { transaction: facility.id, note, to: '2026-05-01' }),
    );
    expect(proposal.lines.map(({ title, amount }) => [title, amount])).toEqual([['Correction of invoice 1', '0.00']]);
    await expect(prepare(SECOND)).rejects.toThrow('Nothing accrues in this period');
    await addDraw('2026-04-01', '1000000');
    expect(interestOf(await prepare(SECOND))).toEqual([
      ['Interest', '7500.00'],
      ['Correction of invoice 1', '-2500.00'],
    ]);
  });

  test('is taken back with the invoice that corrected it', async () => {
    const first = await issued({ principal: null });
    await repaid('2026-03-16', '2000000');
    const second = await issued(SECOND);
    await as((session) => withdrawInvoice(session, { id: first.id, version: first.version, reason: 'Wrong account' }));
    const again = await prepare({ principal: null });
    expect(interestOf(again)).toEqual([
      ['Interest', '217000.00'],
      ['Correction of invoice 1', '8000.00'],
    ]);
    await as((session) => withdrawInvoice(session, { id: second.id, version: second.version, reason: 'Both' }));
    expect(interestOf(await prepare({ principal: null }))).toEqual([['Interest', '217000.00']]);
  });
});

describe('a draft', () => {
  const change = (invoice: { id: string; version: number }, more: object = {}, actor = manager()) =>
    as(
      (session) =>
        changeInvoice(session, {
          id: invoice.id,
          body: invoiceUpdateSchema.parse({
            version: invoice.version,
            ...QUARTER,
            dueDate: '2026-05-15',
            ...more,
          }),
        }),
      actor,
    );

  test('changes its period, whose lines are calculated again, its due date and its text; the principal stays', async () => {
    const draft = await prepare({ description: 'First quarter' });
    const changed = await change(draft, { to: '2026-03-02', dueDate: '2026-06-01', description: 'Two months' });
    expect(changed).toMatchObject({
      status: 'Draft',
      version: draft.version + 1,
      periodFrom: '2026-01-01',
      periodTo: '2026-03-02',
      dueDate: '2026-06-01',
      description: 'Two months',
      waterfall: draft.waterfall,
    });
    expect(changed.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['interest', '150000.00'],
      ['fees', '4166.67'],
      ['principal', '500000'],
    ]);
    expect((await change(changed, { waterfall: ['principal', 'interest', 'fees'] })).description).toBeNull();
  });

  test('that is saved as it was keeps its version', async () => {
    const draft = await prepare();
    expect((await change(draft)).version).toBe(draft.version);
  });

  test('is refused a stale version, the period of another invoice, one of nothing, and principal beyond the balance', async () => {
    await issued();
    const draft = await prepare({
      from: '2026-04-01',
      to: '2026-05-01',
      principal: { sum: 10_000_000, currency: 'USD' },
    });
    await expect(change({ ...draft, version: draft.version + 1 })).rejects.toMatchObject({
      flags: { version: expect.anything() },
    });
    await expect(change(draft, { from: '2026-03-31', to: '2026-05-01' })).rejects.toMatchObject({
      flags: { from: 'is in the period of invoice 1' },
    });
    await as((session) =>
      createRepayment(session, {
        transaction: facility.id,
        noteTitle: 'Senior',
        cutOffDate: '2026-05-01',
        repayments: [{ kind: 'principal', amount: { sum: '0.01', currency: 'USD' } }],
      }),
    );
    await expect(change(draft, { from: '2026-04-01', to: '2026-05-01' })).rejects.toMatchObject({
      flags: { principal: 'must be at most the balance of 9,999,999.99 USD' },
    });
    const bare = await prepare({ from: '2026-04-01', to: '2026-05-01', principal: null });
    await expect(change(bare, { from: '2025-11-01', to: '2025-12-01' })).rejects.toMatchObject({
      flags: { to: 'ends a period in which nothing accrues' },
    });
  });

  test('is changed by whoever may write repayments, and no borrower', async () => {
    const draft = await prepare();
    await expect(
      change(draft, {}, manager({ permissions: ['payments/write', 'repayments/read', 'transactions/read'] })),
    ).rejects.toThrow('permission');
    await expect(change(draft, {}, borrower())).rejects.toThrow('The lender prepares invoices');
    await expect(change(draft, {}, manager({ managerId: newId() }))).rejects.toMatchObject({ code: 'notFound' });
  });

  test('does not change once it is issued or withdrawn', async () => {
    const active = await issued();
    await expect(change(active)).rejects.toThrow('Invoice 1 is issued. Only a draft can change');
    const { id, version } = await prepare({ from: '2026-04-01', to: '2026-05-01' });
    const removed = await as((session) => withdrawInvoice(session, { id, version, reason: 'Too early' }));
    await expect(change(removed)).rejects.toThrow('Invoice 2 is withdrawn. Only a draft can change');
  });
});

describe('paying an invoice', () => {
  test('divides each payment by the waterfall, and records a repayment on its value date', async () => {
    const { id } = await issued();
    await payInvoice(id, '6250.00');
    await payInvoice(id, '6250.01', { bookedOn: '2026-04-21', valuedOn: '2026-04-22' });
    await payInvoice(id, '718749.99', { bookedOn: '2026-04-23' });
    expect(await repayments()).toEqual([
      ['2026-04-20', 'fees 6250'],
      ['2026-04-22', 'interest 6250.01'],
      ['2026-04-23', 'interest 218749.99', 'principal 500000'],
    ]);
    expect(await owed(id)).toMatchObject({ kind: 'invoice', direction: 'in', open: '0.00', state: 'paid' });
    const after = await standing('2026-04-23');
    expect(after.position.balance).toEqual([{ sum: '9500000', currency: 'USD' }]);
    expect(after.interest?.[0]).toMatchObject({ paid: '225000.00' });
  });

  test('follows the order of the invoice', async () => {
    const { id } = await issued({ waterfall: ['principal', 'interest', 'fees'] });
    await payInvoice(id, '500000.01');
    expect(await repayments()).toEqual([['2026-04-20', 'principal 500000', 'interest 0.01']]);
  });

  test('a reversal removes the repayment with the reason, and what it paid is open again', async () => {
    const { id } = await issued();
    const first = await payInvoice(id, '6250');
    await payInvoice(id, '225000.00', { bookedOn: '2026-04-21' });
    await as((session) =>
      reverseAllocation(session, first.id, {
        allocation: first.allocations[0]!.id,
        reason: 'Meant for another invoice',
      }),
    );
    expect(await repayments('Removed')).toEqual([['2026-04-20', 'fees 6250']]);
    const [removed] = await database.query<{ reason: string; version: number }>(
      `select removal_reason as reason, version from repayments where status = 'Removed' and transaction_id = $1`,
      [facility.id],
    );
    expect(removed).toEqual({ reason: 'Meant for another invoice', version: 2 });
    await payInvoice(id, '6250.01', { bookedOn: '2026-04-22' });
    expect((await repayments()).at(-1)).toEqual(['2026-04-22', 'fees 6250', 'principal 0.01']);
  });

  test('its repayment is not removed by itself, by the operations and the database', async () => {
    const { id } = await issued();
    await payInvoice(id, '6250');
    const own = await as((session) =>
      createRepayment(session, {
        transaction: facility.id,
        noteTitle: 'Senior',
        cutOffDate: '2026-04-25',
        repayments: [{ kind: 'fees', amount: { sum: '1', currency: 'USD' } }],
      }),
    );
    const [paid] = (
      await as((session) => listRepayments(session, { filter: { transaction: facility.id }, sort: { code: 1 } }))
    ).documents;
    const removed = (repayment: { id: string; version: number }) =>
      as((session) => changeRepayments(session, [{ id: repayment.id, version: repayment.version, status: 'Removed' }]));
    await expect(removed(paid!)).rejects.toThrow('follows from a payment of an invoice');
    await expect(as((session) => removeRepayments(session, [paid!.id]))).rejects.toThrow(
      'follows from a payment of an invoice',
    );
    for (const change of [`status = 'Removed'`, `cut_off_date = '2026-04-19'`, 'allocation_id = null'])
      await expect(database.query(`update repayments set ${change} where id = $1`, [paid!.id])).rejects.toThrow(
        'follows the payment',
      );
    expect((await removed(own))[0]?.status).toBe('Removed');
  });

  test('never pays more than is open, also by two people at once', async () => {
    const { id } = await issued({ principal: null });
    const payments = [await pay('231250'), await pay('231250', { bookedOn: '2026-04-21' })];
    const allocate = (payment: { id: string; version: number }, sum: string) =>
      as((session) =>
        allocatePayment(session, payment.id, {
          version: payment.version,
          allocations: [{ kind: 'invoice', document: id, amount: { sum, currency: null } }],
        }),
      );
    await expect(allocate(payments[0]!, '231250.01')).rejects.toThrow();
    const results = await Promise.allSettled([allocate(payments[0]!, '231250'), allocate(payments[1]!, '0.01')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await repayments()).toHaveLength(1);
  });

  test('principal is paid up to the balance of the value date', async () => {
    const { id } = await issued({
      principal: { sum: 10_000_000, currency: 'USD' },
      waterfall: ['principal', 'fees', 'interest'],
    });
    await as((session) =>
      createRepayment(session, {
        transaction: facility.id,
        noteTitle: 'Senior',
        cutOffDate: '2026-04-19',
        repayments: [{ kind: 'principal', amount: { sum: '1000000', currency: 'USD' } }],
      }),
    );
    await expect(payInvoice(id, '9000000.01')).rejects.toThrow(
      'The principal of 9,000,000.01 USD is more than the 9,000,000.00 USD that can be repaid on 20 Apr 2026',
    );
    await payInvoice(id, '9000000.00');
    expect((await standing('2026-04-20')).position.balance).toEqual([{ sum: '0', currency: 'USD' }]);
  });

  test('withdrawing it makes what was paid a credit, and removes the repayments', async () => {
    const { id } = await issued();
    const payment = await payInvoice(id, '6250');
    const { version } = await as((session) => getInvoice(session, id));
    await as((session) => withdrawInvoice(session, { id, version, reason: 'Wrong period' }));
    expect(await repayments()).toEqual([]);
    expect(await as((session) => getPayment(session, payment.id))).toMatchObject({ allocated: '0', credit: '6250' });
    expect(await owed(id)).toBeUndefined();
    expect((await issued()).number).toBe(2);
  });

  test('a bank line that states its reference pays it by itself, except for principal beyond the balance', async () => {
    const { id, reference } = await issued({ principal: null });
    // The account is known once the borrower has paid from it.
    const from = { counterpartyAccount: 'DE89370400440532013000', counterpartyName: 'Northgate' };
    await payInvoice(id, '1000', from);
    const payment = await pay('230250', { ...from, bookedOn: '2026-04-21', remittance: `Invoice ${reference}` });
    expect(await as((session) => matchPayments(session))).toEqual([payment.id]);
    expect((await repayments()).at(-1)).toEqual(['2026-04-21', 'fees 5250', 'interest 225000']);

    const other = await issued({
      from: '2026-04-01',
      to: '2026-05-01',
      principal: { sum: 10_000_000, currency: 'USD' },
    });
    const early = await pay(other.amount!, { ...from, bookedOn: '2026-01-02', remittance: other.reference });
    await as((session) =>
      createRepayment(session, {
        transaction: facility.id,
        noteTitle: 'Senior',
        cutOffDate: '2026-04-25',
        repayments: [{ kind: 'principal', amount: { sum: '1', currency: 'USD' } }],
      }),
    );
    expect(await as((session) => matchPayments(session))).toEqual([]);
    expect((await as((session) => getPayment(session, early.id))).allocations).toEqual([]);
  });

  test.each([
    ['pay it together', 0],
    ['wait together if one would repay more principal than the balance', 1],
  ])('bank lines that each pay a part %s', async (_, repaid) => {
    const from = { counterpartyAccount: 'DE89370400440532013000', counterpartyName: 'Northgate' };
    const { id, reference, amount } = await issued({ principal: { sum: 10_000_000, currency: 'USD' } });
    await payInvoice(id, '1000', from);
    if (repaid > 0) {
      await as((session) =>
        createRepayment(session, {
          transaction: facility.id,
          noteTitle: 'Senior',
          cutOffDate: '2026-04-19',
          repayments: [{ kind: 'principal', amount: { sum: String(repaid), currency: 'USD' } }],
        }),
      );
    }
    // The first one pays fees and interest alone.
    const parts = [
      await pay('2000', { ...from, remittance: reference }),
      await pay(String(Number(amount) - 3000), { ...from, bookedOn: '2026-04-21', remittance: reference }),
    ].map((part) => part.id);
    expect((await as((session) => matchPayments(session))).toSorted()).toEqual(repaid > 0 ? [] : parts.toSorted());
    expect(Number((await owed(id))?.allocated)).toBe(repaid > 0 ? 1000 : Number(amount));
  });

  test('an allocation without its repayment, or with another one, is refused by the database', async () => {
    const { id } = await issued();
    const payment = await pay('100');
    const insert = (more: (allocation: string) => [string, unknown[]][]) =>
      as(async (session) => {
        const allocation = newId();
        await session.query(
          `insert into allocations (id, payment_id, obligation_kind, document_id, amount) values ($1, $2, 'invoice', $3, 100)`,
          [allocation, payment.id, id],
        );
        for (const [sql, values] of more(allocation)) await session.query(sql, values);
      });
    await expect(insert(() => [])).rejects.toThrow('recorded as a repayment');
    const repayment =
      (sum: number, kind = 'fees', date = '2026-04-20') =>
      (allocation: string): [string, unknown[]][] => [
        [
          `insert into repayments (id, manager_id, company_id, transaction_id, note_id, cut_off_date, repayments, allocation_id)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [
            newId(),
            managerId,
            companyId,
            facility.id,
            facility.notes[0]!.id,
            date,
            JSON.stringify([{ kind, amount: { sum: String(sum), currency: 'USD' } }]),
            allocation,
          ],
        ],
      ];
    await expect(insert(repayment(99.99))).rejects.toThrow('changes with the payment alone');
    await expect(insert(repayment(100, 'fees', '2026-04-21'))).rejects.toThrow('changes with the payment alone');
    await insert(repayment(100));
    expect(await repayments()).toEqual([['2026-04-20', 'fees 100']]);
  });

  test('a borrower sees what it owes and what was received', async () => {
    const { id } = await issued();
    await payInvoice(id, '231250');
    const actor = borrower({ permissions: ['repayments/read', 'transactions/read'] });
    expect(await owed(id, actor)).toMatchObject({ amount: '731250.00', allocated: '231250', open: '500000.00' });
  });
});
