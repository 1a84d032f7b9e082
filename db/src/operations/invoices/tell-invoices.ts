import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { paidInKind } from '@tapeline/domain/invoices/lines.ts';
import { MAIL_PAGES } from '@tapeline/domain/mail/pages.ts';
import { isZero } from '@tapeline/domain/money/decimal.ts';
import { writtenAmount } from '@tapeline/domain/money/format-figure.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { asProgram, type Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { findRecipients } from '../outbox/readers.ts';
import { tell } from '../outbox/tell.ts';
import type { InvoiceView } from './invoice-view.ts';

/** Who is told of an invoice: the users of the borrower who can read what it repaid. */
export const toldOfInvoices = (companyId: string) => ({ company: companyId, can: 'repayments/read' as const });

const nameOf = ({ number, transactionTitle }: InvoiceView): string => `Invoice ${number} of ${transactionTitle}`;

const factsOf = (invoice: InvoiceView): string[] => [
  `${invoice.transactionTitle}, ${invoice.noteTitle}`,
  `Period: ${formatCalendarDate(invoice.periodFrom)} to ${formatCalendarDate(invoice.periodTo)}`,
  `Amount: ${writtenAmount({ sum: invoice.amount ?? '0', currency: invoice.currency })}`,
  ...inKindOf(invoice),
  `Due date: ${formatCalendarDate(invoice.dueDate)}`,
  `Payment reference: ${invoice.reference}`,
];

const inKindOf = ({ lines, currency }: InvoiceView): string[] => {
  const sum = paidInKind(lines);
  return isZero(sum) ? [] : [`Interest added to the principal: ${writtenAmount({ sum, currency })}`];
};
const asks = ({ amount }: InvoiceView): boolean => !isZero(amount ?? '0');

/** Tells the borrower of a new invoice. Nobody is told of what is past. */
export async function tellIssued(session: Session, invoice: InvoiceView): Promise<void> {
  if (invoice.dueDate < todayOf(session)) return;
  await tell(session, {
    kind: 'invoiceIssued',
    resource: 'invoices',
    documentId: invoice.id,
    page: MAIL_PAGES.invoice(invoice.id),
    pageTitle: 'Open the invoice',
    to: toldOfInvoices(invoice.companyId),
    key: `invoice-issued/${invoice.id}`,
    subject: `${nameOf(invoice)} ${asks(invoice) ? `is due on ${formatCalendarDate(invoice.dueDate)}` : 'requires no payment'}`,
    lines: ['An invoice of interest and fees was issued.', '', ...factsOf(invoice)],
  });
}

/** Tells those who were told of an invoice that it is withdrawn. Called before its status changes: then they see it no more. */
export async function tellInvoiceWithdrawn(session: Session, invoice: InvoiceView): Promise<void> {
  await tell(session, {
    kind: 'noticeWithdrawn',
    resource: 'transactions',
    documentId: invoice.transactionId,
    ownedBy: { resource: 'invoices', documentId: invoice.id },
    page: MAIL_PAGES.facility(invoice.transactionId),
    pageTitle: 'Open the facility',
    to: toldOfInvoices(invoice.companyId),
    key: `invoice-withdrawn/${invoice.id}`,
    subject: `${nameOf(invoice)} is withdrawn`,
    lines: [
      'The invoice is withdrawn. Do not pay it. What you paid of it is a credit.',
      '',
      ...factsOf(invoice),
      `Reason: ${invoice.removalReason ?? ''}`,
    ],
  });
}

/** The users of the borrower who are told of an invoice when it is issued; nobody if its due date is past. */
export async function whoIsToldOfInvoice(
  session: Session,
  { companyId, transactionId, dueDate }: Pick<InvoiceView, 'companyId' | 'transactionId' | 'dueDate'>,
): Promise<{ name: string | null }[]> {
  if (dueDate < todayOf(session)) return [];
  // The borrower does not see a draft: whoever sees its facility sees the invoice once it is issued.
  const document = { resource: 'transactions', documentId: transactionId };
  const [users = []] = await asProgram(session, () =>
    findRecipients(session, [{ document, to: [toldOfInvoices(companyId)] }]),
  );
  const seesUsers = can(session.actor, 'users/read');
  return users.map(({ firstName, lastName }) => ({ name: seesUsers ? `${firstName} ${lastName}` : null }));
}
