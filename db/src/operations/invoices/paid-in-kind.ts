import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { excessPrincipal, repayablePrincipal } from '@tapeline/domain/facilities/repayable.ts';
import { paidInKind } from '@tapeline/domain/invoices/lines.ts';
import { isZero } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { paidInKindParts } from '@tapeline/domain/repayments/in-kind.ts';
import { Repayment } from '../../entities/draws.ts';
import type { Invoice } from '../../entities/invoices.ts';
import type { Session } from '../../store.ts';
import { noteLedger } from '../ledger/note-ledger.ts';
import { getDocument } from '../listing/list-documents.ts';
import { storeChange } from '../metadata.ts';
import { storeRepayment } from '../repayments/repayments.ts';
import { TRANSACTIONS } from '../transactions/transactions.ts';

/** Adds the interest that an invoice does not ask for to the principal, from the end of its period on. */
export async function payInKind(session: Session, invoice: Invoice): Promise<void> {
  const { id, lines, currency, periodTo: cutOffDate, transactionId, noteId } = invoice;
  const added = paidInKind(lines);
  if (isZero(added)) return;
  const transaction = await getDocument(session, TRANSACTIONS, transactionId);
  const stored = transaction.notes.find((one) => one.id === noteId)!;
  await storeRepayment(session, {
    transaction,
    note: stored,
    body: { cutOffDate, repayments: paidInKindParts(added, currency) },
    invoiceId: id,
  });
}

/**
 * Takes what an invoice added to the principal off it again.
 * @throws Refusal badRequest if it was repaid since
 */
export async function takeBackInKind(
  session: Session,
  { id, noteId, periodTo, currency }: Invoice,
  reason: string,
): Promise<void> {
  const repayment = await session.em.findOne(Repayment, { invoiceId: id, status: 'Active' });
  if (!repayment) return;
  const added = repayment.repayments.find(({ kind }) => kind === 'interest')!.amount.sum;
  const ledger = await noteLedger(session, noteId, { isWhole: true });
  const [excess] = excessPrincipal([{ sum: added, currency }], repayablePrincipal(ledger, periodTo));
  if (excess) {
    throw new Refusal(
      'badRequest',
      `${writtenAmount({ sum: added, currency })} of interest was added to the principal and has been repaid since. Remove that repayment first`,
    );
  }
  await storeChange(session, repayment, { status: 'Removed', removalReason: reason });
}
