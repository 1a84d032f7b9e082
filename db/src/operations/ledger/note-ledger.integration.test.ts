import { balancesOf, EMPTY_LEDGER } from '@tapeline/domain/facilities/ledger.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Draw, Repayment } from '../../entities/draws.ts';
import { newId } from '../../ids.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { noteLedger, noteLedgers } from './note-ledger.ts';

let database: TestDatabase;
let tenant: TestTenant;
/** One note per company of the tenant: it has a Pending draw and an Active repayment of USD 10 on 31 Oct 2026. */
let notes: { noteId: string; transactionId: string; companyId: string }[];
const asSystem = <T>(work: (session: Session) => Promise<T>) => database.store.as(SYSTEM, work);

beforeAll(async () => {
  database = await createTestDatabase();
  tenant = await asSystem(makeTenant);
  notes = await asSystem((session) =>
    session.query(
      `select note_id as "noteId", transaction_id as "transactionId", company_id as "companyId" from draws order by id`,
    ),
  );
});
afterAll(() => database.close());

const usd = (sum: string) => ({ sum, currency: 'USD' });
const eur = (sum: string) => ({ sum, currency: 'EUR' });
const ofNote = (index: number) => ({
  ...notes[index]!,
  managerId: tenant.managerId,
  cutOffDate: '2026-10-01',
  valueInUsd: null,
  amountInMainCurrency: null,
});
const drawn = (status: Draw['status'], dueDate: string, amounts: { sum: string; currency: string }[]) => ({
  id: newId(new Date()),
  ...ofNote(0),
  status,
  dueDate,
  draws: [{ type: 'Regular' as const, amounts, valueInUSD: null, amountInMainCurrency: null }],
});

test('A ledger has the approved draws and active repayments of a note, and nothing else', async () => {
  await asSystem(async ({ em }) => {
    em.create(Draw, drawn('Approved', '2026-10-20', [usd('1000000.55'), eur('300')]));
    em.create(Draw, drawn('Rejected', '2026-10-20', [usd('7')])).rejectionMessage = 'Not needed';
    em.create(Repayment, {
      id: newId(new Date()),
      ...ofNote(0),
      status: 'Removed',
      repayments: [{ kind: 'principal', amount: usd('5') }],
    });
    await em.flush();
  });
  const ledger = await asSystem((session) => noteLedger(session, notes[0]!.noteId));
  expect(balancesOf(ledger, { until: '2026-10-30' })).toEqual([eur('300'), usd('1000000.55')]);
  expect(balancesOf(ledger, { until: '2026-10-31' })).toEqual([eur('300'), usd('999990.55')]);
});

test('A note whose only draw is pending has a known balance, and one without any draw has an unknown one', async () => {
  const unknown = newId(new Date());
  const found = await asSystem((session) => noteLedgers(session, [notes[1]!.noteId, unknown]));
  expect(balancesOf(found.get(notes[1]!.noteId)!)).toEqual([usd('-10')]);
  expect(found.get(unknown)).toEqual(EMPTY_LEDGER);
  expect(await asSystem((session) => noteLedgers(session, []))).toEqual(new Map());
});

test('A borrower reads the ledger of its own notes only', async () => {
  const [own, other] = notes as [(typeof notes)[0], (typeof notes)[0]];
  const borrower = testActor({ type: 'company', managerId: tenant.managerId, companyId: own.companyId });
  const found = await database.store.as(borrower, (session) => noteLedgers(session, [own.noteId, other.noteId]));
  expect(found.get(own.noteId)).toMatchObject({ isRecorded: true });
  expect(found.get(other.noteId)).toEqual(EMPTY_LEDGER);
});
