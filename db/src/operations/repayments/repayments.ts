import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { commitmentsInForce } from '@tapeline/domain/facilities/in-force.ts';
import { totalIn } from '@tapeline/domain/facilities/ledger.ts';
import { excessPrincipal, repayablePrincipal } from '@tapeline/domain/facilities/repayable.ts';
import type { Amount } from '@tapeline/domain/money/amount.schema.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import type { RepaymentChange, RepaymentCreate } from '@tapeline/domain/repayments/repayment.schema.ts';
import { REPAYMENT_TRANSITIONS } from '@tapeline/domain/repayments/states.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Repayment } from '../../entities/draws.ts';
import type { StoredNote, Transaction } from '../../entities/lending.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { ratesOfDay } from '../currencies/rates.ts';
import { lockNote, lockNotesOf } from '../ledger/lock-notes.ts';
import { noteLedger } from '../ledger/note-ledger.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { refuseBorrower, requirePermission } from '../permission.ts';
import { refuseSentTwice } from '../sent-requests/sent-requests.ts';
import { TRANSACTIONS } from '../transactions/transactions.ts';
import { latestToday } from '../warnings.ts';

const NOTE_TITLE = `(select note ->> 'title' from transactions, jsonb_array_elements(notes) as note
  where transactions.id = t.transaction_id and note ->> 'id' = t.note_id)`;
const TRANSACTION_TITLE = '(select title from transactions where transactions.id = t.transaction_id)';
const partsOf = (path: string) =>
  `array(select distinct part ${path} from jsonb_array_elements(t.repayments) as part order by 1)`;

export const REPAYMENTS = listOf('repayments', {
  'transaction.id': 't.transaction_id',
  'transaction.title': TRANSACTION_TITLE,
  noteTitle: NOTE_TITLE,
  'repayments.kind': partsOf(`->> 'kind'`),
  'repayments.amount.currency': partsOf(`#>> '{amount,currency}'`),
  'amountInMainCurrency.currency': `t.amount_in_main_currency ->> 'currency'`,
  'amountInMainCurrency.sum': `(t.amount_in_main_currency ->> 'sum')::numeric`,
});

export type RepaymentView = Repayment & { transactionTitle: string; noteTitle: string };

type Titles = {
  noteId: string;
  transactionTitle: string;
  noteTitle: string;
};

const SELECT_TITLES = `
  select distinct page.note_id as "noteId", t.title as "transactionTitle", note ->> 'title' as "noteTitle"
  from page join transactions t on t.id = page.transaction_id
    join lateral jsonb_array_elements(t.notes) as note on note ->> 'id' = page.note_id`;

function withTitles(repayments: readonly Repayment[], rows: readonly Titles[]): RepaymentView[] {
  const titles = new Map(rows.map((row) => [row.noteId, row]));
  return repayments.map((repayment) => ({
    ...repayment,
    transactionTitle: titles.get(repayment.noteId)?.transactionTitle ?? '',
    noteTitle: titles.get(repayment.noteId)?.noteTitle ?? '',
  }));
}

const VIEWS = viewsOf(REPAYMENTS, [SELECT_TITLES], (repayments, [rows = []]) =>
  withTitles(repayments, rows as Titles[]),
);
export const listRepayments = VIEWS.list;

/** A note of a facility by its title. @throws Refusal badRequest */
export function noteNamed(transaction: Transaction, title: string): StoredNote {
  const note = transaction.notes.find((one) => one.title === title);
  if (note) return note;
  throw new Refusal('badRequest', `${transaction.title} has no note named ${title}`, {
    flags: { noteTitle: 'is not a note of this facility' },
  });
}

/** "The principal of USD 2.00 is more than the USD 1.00 that can be repaid on 5 Nov 2026". */
export const excessText = (
  { currency, principal, repayable }: ReturnType<typeof excessPrincipal>[number],
  day: string,
): string =>
  `The principal of ${writtenAmount({ sum: principal, currency })} is more than the ${writtenAmount({ sum: repayable, currency })} that can be repaid on ${formatCalendarDate(day)}`;

/** @throws Refusal badRequest (flag at the first principal in the currency) for principal beyond the balance */
async function requireBalance(session: Session, note: StoredNote, body: RepaymentCreate): Promise<void> {
  const principal = body.repayments.filter(({ kind }) => kind === 'principal').map(({ amount }) => amount);
  if (principal.length === 0) return;
  const repayable = repayablePrincipal(await noteLedger(session, note.id, { isWhole: true }), body.cutOffDate);
  const excess = excessPrincipal(principal, repayable);
  const [first] = excess;
  if (!first) return;
  const at = (currency: string): number =>
    body.repayments.findIndex(({ kind, amount }) => kind === 'principal' && amount.currency === currency);
  throw new Refusal('badRequest', `${excessText(first, body.cutOffDate)}. Record the draw first, or enter less`, {
    flags: Object.fromEntries(
      excess.map((one) => [
        `repayments.${at(one.currency)}.amount.sum`,
        `must be at most ${writtenAmount({ sum: one.repayable, currency: one.currency })} in total`,
      ]),
    ),
  });
}

/** The total of the parts at the rates of the repayment's date; null if a rate is missing. */
async function valuesOf(
  session: Session,
  note: StoredNote,
  { cutOffDate, repayments }: Pick<RepaymentCreate, 'cutOffDate' | 'repayments'>,
): Promise<Pick<Repayment, 'valueInUsd' | 'amountInMainCurrency'>> {
  const { rates } = await ratesOfDay(session, cutOffDate);
  const amounts = repayments.map(({ amount }) => amount);
  const known = (currency: string): Amount | null => {
    const { amount, missing } = totalIn(currency, amounts, rates);
    return missing.length === 0 ? amount : null;
  };
  const currency = commitmentsInForce(note)?.currency ?? null;
  return { valueInUsd: known('USD')?.sum ?? null, amountInMainCurrency: currency === null ? null : known(currency) };
}

/**
 * Stores a repayment whose note is locked and whose principal was checked.
 * @param allocationId of the payment of an invoice that it follows from
 * @param invoiceId of the invoice whose interest it pays in kind
 */
export async function storeRepayment(
  session: Session,
  {
    transaction,
    note,
    body,
    allocationId = null,
    invoiceId = null,
  }: {
    transaction: Transaction;
    note: StoredNote;
    body: Pick<RepaymentCreate, 'cutOffDate' | 'repayments'> & { scheduled?: boolean };
    allocationId?: string | null;
    invoiceId?: string | null;
  },
): Promise<Repayment> {
  const repayment = session.em.create(Repayment, {
    id: newId(session.now),
    managerId: transaction.managerId,
    companyId: transaction.companyId,
    transactionId: transaction.id,
    noteId: note.id,
    cutOffDate: body.cutOffDate,
    repayments: body.repayments,
    scheduled: body.scheduled ?? false,
    ...(await valuesOf(session, note, body)),
    allocationId,
    invoiceId,
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  return repayment;
}

/**
 * Records a repayment of a note. Its principal reduces the balance from its date on.
 * @param body as `repaymentCreateSchema` returns it
 * @throws Refusal forbidden without `repayments/write` and for borrowers; notFound for the transaction; badRequest for
 *   a note that it does not have, a Draft transaction, a date in the future, and principal beyond the balance
 */
export async function createRepayment(session: Session, body: RepaymentCreate): Promise<RepaymentView> {
  requirePermission(session, 'repayments/write');
  refuseBorrower(session, 'The lender records repayments');
  const transaction = await getDocument(session, TRANSACTIONS, body.transaction);
  const note = noteNamed(transaction, body.noteTitle);
  if (transaction.status === 'Draft') {
    throw new Refusal('badRequest', `${transaction.title} is a Draft. Make it Active first`, {
      flags: { transaction: 'is a Draft' },
    });
  }
  if (body.cutOffDate > latestToday(session.now)) {
    throw new Refusal('badRequest', 'Record a repayment on the day it is received', {
      flags: { cutOffDate: 'must not be in the future' },
    });
  }
  await refuseSentTwice(session, { noun: 'repayment', flag: 'repayments', sent: body });
  await lockNote(session, note.id);
  await requireBalance(session, note, body);
  const repayment = await storeRepayment(session, { transaction, note, body });
  return { ...repayment, transactionTitle: transaction.title, noteTitle: note.title };
}

/** @throws Refusal notFound, with a flag at each id that is unknown or not visible */
async function findAll(session: Session, ids: readonly string[]): Promise<Map<string, Repayment>> {
  const found = await session.em.find(Repayment, { id: { $in: [...ids] } });
  const byId = new Map(found.map((repayment) => [repayment.id, repayment]));
  const unknown = ids.flatMap((id, index) => (byId.has(id) ? [] : [[`${index}.id`, 'is not a repayment'] as const]));
  if (unknown.length > 0) throw new Refusal('notFound', undefined, { flags: Object.fromEntries(unknown) });
  return byId;
}

const FOLLOWS_PAYMENT =
  'This repayment follows from a payment of an invoice. Reverse the allocation of the payment, and the repayment is removed with it';

const PAID_IN_KIND =
  'This interest was added to the principal when its invoice was issued. Withdraw the invoice, and it is removed with it';

/**
 * Changes the status of repayments, all of them or none: Active to Removed.
 * @throws Refusal notFound; forbidden as `createRepayment` does; badRequest for a stale version, another transition,
 *   and a repayment that follows from an invoice or its payment
 */
export async function changeRepayments(
  session: Session,
  changes: readonly RepaymentChange[],
): Promise<RepaymentView[]> {
  requirePermission(session, 'repayments/write');
  refuseBorrower(session, 'The lender removes repayments');
  const ids = changes.map(({ id }) => id);
  await lockNotesOf(session, 'repayments', ids);
  const byId = await findAll(session, ids);
  const changed = changes.map(({ id, version, status, removalReason }) => {
    const repayment = byId.get(id)!;
    if (repayment.version !== version) throw staleRefusal(repayment, version);
    if (REPAYMENT_TRANSITIONS.enter(repayment.status, status) !== repayment.status) {
      if (repayment.allocationId) throw new Refusal('badRequest', FOLLOWS_PAYMENT);
      if (repayment.invoiceId) throw new Refusal('badRequest', PAID_IN_KIND);
      repayment.status = status;
      repayment.removalReason = removalReason || null;
      repayment.metadata = changedMetadata(session, repayment.metadata);
    }
    return repayment;
  });
  await session.em.flush();
  return VIEWS.all(session, changed);
}

/** Removes repayments (soft delete), all of them or none. @throws Refusal as `changeRepayments` does */
export async function removeRepayments(session: Session, ids: readonly string[]): Promise<void> {
  requirePermission(session, 'repayments/write');
  await lockNotesOf(session, 'repayments', ids);
  const byId = await findAll(session, ids);
  await changeRepayments(
    session,
    [...byId.values()].map(({ id, version }) => ({ id, version, status: 'Removed' })),
  );
}

/** One repayment, also a removed one. @throws Refusal notFound */
export async function getRepayment(session: Session, id: string): Promise<RepaymentView> {
  const [repayment] = (await listRepayments(session, { filter: { id, status: { in: REPAYMENT_TRANSITIONS.states } } }))
    .documents;
  if (!repayment) throw new Refusal('notFound');
  return repayment;
}
