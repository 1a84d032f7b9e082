import { obligationReference } from '@tapeline/domain/capital/payment-reference.ts';
import { addDays, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { excessPrincipal, repayablePrincipal } from '@tapeline/domain/facilities/repayable.ts';
import type { Billed } from '@tapeline/domain/invoices/interest-of-note.ts';
import type {
  InvoiceCreate,
  InvoiceIssue,
  InvoiceUpdate,
  InvoiceWithdrawal,
} from '@tapeline/domain/invoices/invoice.schema.ts';
import { accruedLines, billedCurrencies, nextPeriod, principalLine } from '@tapeline/domain/invoices/invoice-lines.ts';
import { DAYS_TO_PAY } from '@tapeline/domain/invoices/labels.ts';
import {
  type InvoiceLine,
  invoiceTotal,
  isLeftForLater,
  paidInKind,
  totalsByKind,
  unknownText,
} from '@tapeline/domain/invoices/lines.ts';
import { INVOICE_TRANSITIONS } from '@tapeline/domain/invoices/states.ts';
import { documentSumProblem } from '@tapeline/domain/money/amount.schema.ts';
import { compare, type DecimalText, isNegative, isZero } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Invoice } from '../../entities/invoices.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { lockDocumentsOfCash } from '../cash/cash-locks.ts';
import { lockNote } from '../ledger/lock-notes.ts';
import { listOf } from '../listing/define-lists.ts';
import { getDocument } from '../listing/list-documents.ts';
import { viewsOf } from '../listing/views.ts';
import { changedMetadata, createdMetadata } from '../metadata.ts';
import { refuseBorrower, requirePermission } from '../permission.ts';
import { noteNamed } from '../repayments/repayments.ts';
import { refuseSentTwice } from '../sent-requests/sent-requests.ts';
import { TRANSACTIONS } from '../transactions/transactions.ts';
import { latestToday } from '../warnings.ts';
import { amendmentsOfInvoice, billedOf } from './billed-notes.ts';
import type { InvoiceView } from './invoice-view.ts';
import { payInKind, takeBackInKind } from './paid-in-kind.ts';
import { tellInvoiceWithdrawn, tellIssued } from './tell-invoices.ts';

export const INVOICES = listOf(
  'invoices',
  {
    transaction: 't.transaction_id',
    'transaction.title': '(select title from transactions where transactions.id = t.transaction_id)',
    noteId: 't.note_id',
    noteTitle: `(select note ->> 'title' from transactions, jsonb_array_elements(notes) as note
      where transactions.id = t.transaction_id and note ->> 'id' = t.note_id)`,
    company: 't.company_id',
    from: 't.period_from',
    to: 't.period_to',
  },
  { order: 't.period_from desc, t.id desc' },
);

interface Facts
  extends Pick<InvoiceView, 'id' | 'companyName' | 'transactionTitle' | 'noteTitle' | 'received' | 'open'> {
  readonly facilityCode: number;
  readonly companyCode: number;
}

const FACTS = `
  select page.id, c.name as "companyName", c.code as "companyCode", f.title as "transactionTitle", f.code as "facilityCode",
    (select note ->> 'title' from jsonb_array_elements(f.notes) as note where note ->> 'id' = page.note_id) as "noteTitle",
    coalesce(o.allocated, 0)::text as received, o.open::text as open
  from page join companies c on c.id = page.company_id join transactions f on f.id = page.transaction_id
    left join obligations o on o.kind = 'invoice' and o.document_id = page.id`;

const VIEWS = viewsOf(INVOICES, [FACTS], (invoices, [rows = []]): InvoiceView[] => {
  const facts = new Map((rows as Pick<Facts, keyof Facts>[]).map((row) => [row.id, row]));
  return invoices.map((invoice) => {
    const known = facts.get(invoice.id);
    const transactionTitle = known?.transactionTitle ?? '';
    return {
      ...invoice,
      amount: invoiceTotal(invoice.lines),
      companyName: known?.companyName ?? '',
      transactionTitle,
      noteTitle: known?.noteTitle ?? '',
      received: known?.received ?? '0',
      open: known?.open ?? null,
      reference: obligationReference({
        kind: 'invoice',
        source: { title: transactionTitle, code: known?.facilityCode ?? 0 },
        number: String(invoice.number),
        party: { kind: 'company', code: known?.companyCode ?? 0 },
        classPlace: null,
      }),
    };
  });
});
export const listInvoices = VIEWS.list;

/** An invoice that the actor can see, also one that was withdrawn. @throws Refusal notFound */
export const getInvoice = async (session: Session, id: string): Promise<InvoiceView> => {
  const [invoice] = (await listInvoices(session, { filter: { id, status: { in: INVOICE_TRANSITIONS.states } } }))
    .documents;
  if (!invoice) throw new Refusal('notFound');
  return invoice;
};

/** The end of the last issued invoice of a note, by currency. */
async function lastPeriods(session: Session, noteId: string): Promise<Map<string, string>> {
  const rows = await session.query<{ currency: string; last: string }>(
    `select currency, max(period_to)::text as last from invoices where note_id = $1 and status = 'Active' group by currency`,
    [noteId],
  );
  return new Map(rows.map(({ currency, last }) => [currency, last]));
}

/** What a person is asked before an invoice is prepared, with what the terms say. */
export interface InvoiceProposal {
  readonly currencies: readonly string[];
  readonly currency: string;
  /** Null if nothing is known to accrue. */
  readonly from: string | null;
  readonly to: string | null;
  readonly dueDate: string;
  readonly lines: readonly InvoiceLine[];
}

const defaultDueDate = (session: Pick<Session, 'now'>, to: string | null): string => {
  const day = addDays(todayOf(session), DAYS_TO_PAY);
  return to && to > day ? to : day;
};

/**
 * The next invoice of a note: the period after the last one, with all lines.
 * @param asked what a person chose instead
 * @throws Refusal forbidden without repayments/write; notFound
 */
export async function proposeInvoice(
  session: Session,
  {
    transaction: id,
    note: noteId,
    ...asked
  }: { transaction: string; note: string; currency?: string | null; from?: string | null; to?: string | null },
): Promise<InvoiceProposal> {
  requirePermission(session, 'repayments/write');
  refuseBorrower(session, 'The lender prepares invoices');
  const { notes, managerId } = await getDocument(session, TRANSACTIONS, id);
  const note = notes.find((one) => one.id === noteId);
  if (!note) throw new Refusal('notFound');
  const billed = await billedOf(session, note, managerId);
  const currencies = billedCurrencies(billed);
  const currency = currencies.find((one) => one === asked.currency) ?? currencies[0] ?? '';
  const next = nextPeriod(billed, currency, (await lastPeriods(session, note.id)).get(currency) ?? null);
  const from = asked.from ?? next?.from ?? null;
  const to = asked.to ?? next?.to ?? null;
  return {
    currencies,
    currency,
    from,
    to,
    dueDate: defaultDueDate(session, to),
    lines: from && to && to > from ? accruedLines(billed, currency, { from, to }) : [],
  };
}

/** @throws Refusal badRequest if an issued invoice is for a part of the period */
async function requireFreePeriod(
  session: Session,
  {
    id = null,
    noteId,
    currency,
    from,
    to,
  }: { id?: string | null; noteId: string; currency: string; from: string; to: string },
): Promise<void> {
  const [other] = await session.query<{ number: number; from: string; to: string }>(
    `select number, period_from::text as from, period_to::text as to from invoices where note_id = $1 and currency = $2 and status = 'Active'
       and id is distinct from $3 and period_from < $5 and period_to > $4 order by period_from limit 1`,
    [noteId, currency, id, from, to],
  );
  if (!other) return;
  throw new Refusal(
    'badRequest',
    `Invoice ${other.number} is for ${formatCalendarDate(other.from)} to ${formatCalendarDate(other.to)}. Choose another period, or withdraw it first`,
    { flags: { from: `is in the period of invoice ${other.number}` } },
  );
}

/** @throws Refusal badRequest if the scheduled principal is more than can be repaid on the due date */
function requirePrincipal({ ledger }: Billed, principal: DecimalText, currency: string, dueDate: string): void {
  const [excess] = excessPrincipal([{ sum: principal, currency }], repayablePrincipal(ledger, dueDate));
  if (!excess) return;
  throw new Refusal('badRequest', undefined, {
    flags: { principal: `must be at most the balance of ${writtenAmount({ sum: excess.repayable, currency })}` },
  });
}

/** @throws Refusal badRequest if there is nothing to ask for */
function requireLines(lines: readonly InvoiceLine[]): void {
  if (!lines.every(isLeftForLater)) return;
  throw new Refusal('badRequest', 'Nothing accrues in this period, so there is nothing to ask for', {
    flags: { to: 'ends a period in which nothing accrues' },
  });
}

/**
 * Prepares an invoice: a draft with all that accrues in a period. The borrower does not see it.
 * @param body as `invoiceCreateSchema` returns it
 * @throws Refusal forbidden without repayments/write and for borrowers; notFound for the facility; badRequest for a note or a currency
 *   that it does not have, a Draft facility, a period of another invoice, principal beyond the balance, and nothing to ask for
 */
export async function createInvoice(session: Session, body: InvoiceCreate): Promise<InvoiceView> {
  requirePermission(session, 'repayments/write');
  refuseBorrower(session, 'The lender prepares invoices');
  const transaction = await getDocument(session, TRANSACTIONS, body.transaction);
  const note = noteNamed(transaction, body.noteTitle);
  const { currency, from, to } = body;
  if (transaction.status === 'Draft') {
    throw new Refusal('badRequest', `${transaction.title} is a Draft. Make it Active first`, {
      flags: { transaction: 'is a Draft' },
    });
  }
  const billed = await billedOf(session, note, transaction.managerId);
  const currencies = billedCurrencies(billed);
  if (!currencies.includes(currency)) {
    throw new Refusal('badRequest', undefined, { flags: { currency: `must be one of ${currencies.join(', ')}` } });
  }
  const problem = documentSumProblem(currency, body.principal);
  if (problem) throw new Refusal('badRequest', undefined, { flags: { principal: problem } });
  await requireFreePeriod(session, { noteId: note.id, currency, from, to });
  const dueDate = body.dueDate ?? defaultDueDate(session, to);
  const principal = body.principal?.sum ?? '0';
  requirePrincipal(billed, principal, currency, dueDate);
  const lines = [
    ...accruedLines(billed, currency, { from, to }),
    ...(isZero(principal) ? [] : [principalLine(principal)]),
  ];
  requireLines(lines);
  await refuseSentTwice(session, { noun: 'invoice', flag: 'from', sent: body });
  const { id } = session.em.create(Invoice, {
    id: newId(session.now),
    managerId: transaction.managerId,
    companyId: transaction.companyId,
    transactionId: transaction.id,
    noteId: note.id,
    currency,
    periodFrom: from,
    periodTo: to,
    dueDate,
    lines,
    amendmentIds: amendmentsOfInvoice(billed, { to, lines }),
    waterfall: body.waterfall,
    description: body.description || null,
    metadata: createdMetadata(session),
  });
  await session.em.flush();
  // A trigger counts its number.
  return VIEWS.one(session, await session.em.findOneOrFail(Invoice, { id }, { refresh: true }));
}

/** An invoice that nobody else changes until the transaction ends. @throws Refusal notFound; badRequest for a stale version */
async function lockInvoice(session: Session, id: string, version: number): Promise<Invoice> {
  const { noteId } = await getInvoice(session, id);
  // What pays it is locked first, as everybody does, and then its note.
  await lockDocumentsOfCash(session, [id]);
  await lockNote(session, noteId);
  const invoice = await session.em.findOneOrFail(Invoice, { id }, { refresh: true });
  if (invoice.version !== version) throw staleRefusal(invoice, version);
  return invoice;
}

/**
 * Changes a draft. Its interest and fees are those of its period as they are now; its principal stays as it was entered.
 * @param command.body as `invoiceUpdateSchema` returns it
 * @throws Refusal as `createInvoice` does; badRequest if its version is stale or it is not a draft
 */
export async function changeInvoice(
  session: Session,
  { id, body }: { readonly id: string; readonly body: InvoiceUpdate },
): Promise<InvoiceView> {
  requirePermission(session, 'repayments/write');
  refuseBorrower(session, 'The lender prepares invoices');
  const invoice = await lockInvoice(session, id, body.version);
  if (invoice.status !== 'Draft') {
    throw new Refusal(
      'badRequest',
      `Invoice ${invoice.number} is ${invoice.status === 'Active' ? 'issued' : 'withdrawn'}. Only a draft can change`,
    );
  }
  const { noteId, currency, transactionId, waterfall } = invoice;
  const { from, to, dueDate } = body;
  await requireFreePeriod(session, { id, noteId, currency, from, to });
  const { lines, billed } = await recalculate(session, {
    noteId,
    currency,
    transactionId,
    lines: invoice.lines,
    periodFrom: from,
    periodTo: to,
  });
  requirePrincipal(
    billed,
    totalsByKind(lines.filter(({ kind }) => kind === 'principal'))?.principal ?? '0',
    currency,
    dueDate,
  );
  requireLines(lines);
  Object.assign(invoice, {
    periodFrom: from,
    periodTo: to,
    dueDate,
    lines,
    amendmentIds: amendmentsOfInvoice(billed, { to, lines }),
    waterfall: body.waterfall ?? waterfall,
    description: body.description || null,
    metadata: changedMetadata(session, invoice.metadata),
  });
  await session.em.flush();
  return VIEWS.one(session, invoice);
}

/** Why an invoice with these lines cannot be issued; null if it can. */
export function issueProblem(lines: readonly InvoiceLine[]): string | null {
  const unknown = lines.filter((line) => line.unknown !== null);
  if (unknown.length > 0) return unknown.map((line) => `${line.title}: ${unknownText(line.unknown!)}`).join('. ');
  const totals = totalsByKind(lines);
  if (totals && isNegative(totals.fees)) return 'The rebates are more than the fees. Ask for a longer period';
  if (totals && isNegative(totals.interest)) return 'The interest is negative, which no invoice can ask for';
  const total = invoiceTotal(lines);
  if ((total !== null && !isZero(total)) || !isZero(paidInKind(lines))) return null;
  return lines.some((line) => line.corrects && !isLeftForLater(line))
    ? 'The corrections take back all that accrues in this period. Ask for a longer one'
    : 'Nothing is to be paid for this period';
}

/** The lines of a draft as they would be issued now, with what they are calculated from. @throws Refusal notFound */
async function recalculate(
  session: Session,
  invoice: Pick<Invoice, 'transactionId' | 'noteId' | 'currency' | 'periodFrom' | 'periodTo' | 'lines'>,
): Promise<{ lines: InvoiceLine[]; billed: Billed }> {
  const { notes, managerId } = await getDocument(session, TRANSACTIONS, invoice.transactionId);
  const note = notes.find(({ id }) => id === invoice.noteId);
  if (!note) throw new Refusal('notFound');
  const billed = await billedOf(session, note, managerId);
  const { currency, periodFrom: from, periodTo: to } = invoice;
  const entered = invoice.lines.filter(({ kind }) => kind === 'principal');
  return { billed, lines: [...accruedLines(billed, currency, { from, to }), ...entered] };
}

/**
 * The lines of a draft as they would be issued now: what was drawn, repaid, fixed or agreed since it was prepared counts.
 * @throws Refusal notFound
 */
export const currentLines = async (session: Session, invoice: Invoice): Promise<InvoiceLine[]> =>
  (await recalculate(session, invoice)).lines;

/**
 * Issues an invoice: its lines are calculated once more and never change again, and the borrower is told.
 * @throws Refusal forbidden without repayments/write; notFound; badRequest if its version is stale, it is not a draft, its period is
 *   not over or belongs to another invoice, a line is unknown, or the amount is not the one that the person saw
 */
export async function issueInvoice(
  session: Session,
  { id, version, amount }: InvoiceIssue & { readonly id: string },
): Promise<InvoiceView> {
  requirePermission(session, 'repayments/write');
  refuseBorrower(session, 'The lender issues invoices');
  const invoice = await lockInvoice(session, id, version);
  INVOICE_TRANSITIONS.require(invoice.status, 'Active');
  const { noteId, currency, periodFrom: from, periodTo: to } = invoice;
  if (to > latestToday(session.now)) {
    throw new Refusal('badRequest', `The period ends on ${formatCalendarDate(to)}. Issue the invoice when it is over`, {
      flags: { to: 'is in the future' },
    });
  }
  await requireFreePeriod(session, { id, noteId, currency, from, to });
  const { lines, billed } = await recalculate(session, invoice);
  const problem = issueProblem(lines);
  if (problem) throw new Refusal('badRequest', problem);
  requirePrincipal(billed, totalsByKind(lines)?.principal ?? '0', currency, invoice.dueDate);
  const total = invoiceTotal(lines) ?? '0';
  if (compare(total, amount.sum) !== 0) {
    throw new Refusal(
      'badRequest',
      `The amount is ${writtenAmount({ sum: total, currency })} now. Check the lines, and issue it again`,
      { flags: { amount: `must be ${writtenAmount({ sum: total, currency })}` } },
    );
  }
  Object.assign(invoice, {
    status: 'Active',
    lines,
    amendmentIds: amendmentsOfInvoice(billed, { to, lines }),
    issuedOn: todayOf(session),
    metadata: changedMetadata(session, invoice.metadata),
  });
  await session.em.flush();
  await payInKind(session, invoice);
  const view = await VIEWS.one(session, invoice);
  await tellIssued(session, view);
  return view;
}

/**
 * Withdraws an invoice with a reason. What was paid of it is a credit of the borrower, and the repayments that followed are
 * removed; so is what it added to the principal. A draft is discarded.
 * @throws Refusal forbidden without repayments/write; notFound; badRequest if its version is stale or it is withdrawn already, or
 *   the principal that it added was repaid
 */
export async function withdrawInvoice(
  session: Session,
  { id, version, reason }: InvoiceWithdrawal & { readonly id: string },
): Promise<InvoiceView> {
  requirePermission(session, 'repayments/write');
  refuseBorrower(session, 'The lender withdraws invoices');
  const invoice = await lockInvoice(session, id, version);
  INVOICE_TRANSITIONS.require(invoice.status, 'Removed');
  if (invoice.status === 'Active')
    await tellInvoiceWithdrawn(session, { ...(await VIEWS.one(session, invoice)), removalReason: reason });
  await takeBackInKind(session, invoice, reason);
  Object.assign(invoice, {
    status: 'Removed',
    removalReason: reason,
    metadata: changedMetadata(session, invoice.metadata),
  });
  await session.em.flush();
  return VIEWS.one(session, invoice);
}
