import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { NoteLedger } from '@tapeline/domain/facilities/ledger.ts';
import { excessPrincipal, repayablePrincipal } from '@tapeline/domain/facilities/repayable.ts';
import type { InvoiceLineKind } from '@tapeline/domain/invoices/labels.ts';
import { totalsByKind } from '@tapeline/domain/invoices/lines.ts';
import { splitByWaterfall, withParts } from '@tapeline/domain/invoices/waterfall.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import type { RepaymentPart } from '@tapeline/domain/repayments/repayment.schema.ts';
import { Invoice } from '../../entities/invoices.ts';
import { Transaction } from '../../entities/lending.ts';
import { asProgram, type Session } from '../../store.ts';
import { lockNote } from '../ledger/lock-notes.ts';
import { noteLedgers } from '../ledger/note-ledger.ts';
import { excessText, storeRepayment } from '../repayments/repayments.ts';

/** A payment, or a part of one, that pays an invoice. */
export interface InvoicePayment {
  readonly document: string;
  readonly amount: DecimalText;
  /** The value date of the payment. */
  readonly paidOn: string;
}

interface SplitPayment {
  readonly invoice: Invoice;
  readonly parts: RepaymentPart[];
  /** Why it cannot be recorded: its principal is more than the balance. */
  readonly problem: string | null;
}

/** What was paid of invoices by kind, whatever the actor can see. */
async function paidOf(
  session: Session,
  ids: readonly string[],
): Promise<Map<string, Partial<Record<InvoiceLineKind, DecimalText>>>> {
  const rows = await asProgram(session, () =>
    session.query<{ id: string; kind: InvoiceLineKind; amount: DecimalText }>(
      'select one.id, paid.kind, paid.amount::text from unnest($1::text[]) as one (id), paid_of_invoice(one.id) as paid',
      [[...ids]],
    ),
  );
  const found = new Map<string, Partial<Record<InvoiceLineKind, DecimalText>>>();
  for (const { id, kind, amount } of rows) found.set(id, { ...found.get(id), [kind]: amount });
  return found;
}

/**
 * Divides payments over what their invoices ask for, each after those before it. Their notes are locked: what can be repaid
 * stays until the transaction ends.
 */
export async function splitInvoicePayments(
  session: Session,
  payments: readonly InvoicePayment[],
): Promise<SplitPayment[]> {
  const ids = [...new Set(payments.map(({ document }) => document))];
  if (ids.length === 0) return [];
  const invoices = new Map(
    (await session.em.find(Invoice, { id: { $in: ids } })).map((invoice) => [invoice.id, invoice]),
  );
  const notes = [...new Set([...invoices.values()].map(({ noteId }) => noteId))].sort();
  for (const note of notes) await lockNote(session, note);
  const ledgers = new Map(await noteLedgers(session, notes, { isWhole: true }));
  const paid = await paidOf(session, ids);
  return payments.map(({ document, amount, paidOn }) => {
    const invoice = invoices.get(document);
    const owed = invoice && totalsByKind(invoice.lines);
    if (!invoice || !owed) throw new Refusal('notFound');
    const { currency, noteId, waterfall } = invoice;
    const before = paid.get(document) ?? {};
    const split = splitByWaterfall(amount, { order: waterfall, owed, paid: before });
    const parts = split.map((part) => ({ kind: part.kind, amount: { sum: part.amount, currency } }));
    const ledger = ledgers.get(noteId)!;
    const principal = parts.filter(({ kind }) => kind === 'principal').map((part) => part.amount);
    const [excess] = excessPrincipal(principal, repayablePrincipal(ledger, paidOn));
    paid.set(document, withParts(before, split));
    ledgers.set(noteId, withRepayment(ledger, paidOn, parts));
    return { invoice, parts, problem: excess ? excessText(excess, paidOn) : null };
  });
}

const withRepayment = (ledger: NoteLedger, cutOffDate: string, repayments: RepaymentPart[]): NoteLedger => ({
  ...ledger,
  isRecorded: true,
  repayments: [...ledger.repayments, { cutOffDate, repayments }],
});

/**
 * Records what was just allocated to invoices as repayments of their notes: balance, interest and history follow. A repayment
 * is removed when its allocation is reversed.
 * @throws Refusal badRequest if the principal is more than the balance on the value date
 */
export async function recordInvoicePayments(session: Session, allocations: readonly string[]): Promise<void> {
  if (allocations.length === 0) return;
  const rows = await session.query<InvoicePayment & { id: string }>(
    `select a.id, a.document_id as document, a.amount::text, a.paid_on::text as "paidOn" from allocations a
     where a.id = any ($1) order by a.paid_on, a.id`,
    [[...allocations]],
  );
  const splits = await splitInvoicePayments(session, rows);
  const facilities = await session.em.find(Transaction, {
    id: { $in: splits.map(({ invoice }) => invoice.transactionId) },
  });
  for (const [index, { invoice, parts, problem }] of splits.entries()) {
    if (problem) throw new Refusal('badRequest', `${problem}. Allocate less, or record the draw first`);
    const transaction = facilities.find(({ id }) => id === invoice.transactionId);
    const note = transaction?.notes.find(({ id }) => id === invoice.noteId);
    if (!transaction || !note) throw new Refusal('notFound');
    const { id: allocationId, paidOn: cutOffDate } = rows[index]!;
    await storeRepayment(session, { transaction, note, body: { cutOffDate, repayments: parts }, allocationId });
  }
}
