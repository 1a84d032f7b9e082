import { Transaction } from '@tapeline/db/entities/lending.ts';
import { createInvoice, issueInvoice } from '@tapeline/db/operations/invoices/invoices.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { addDays } from '@tapeline/domain/dates/calendar-date.ts';
import { invoiceCreateSchema } from '@tapeline/domain/invoices/invoice.schema.ts';
import { asManager } from './acting.ts';
import { readData } from './data.ts';

interface Invoices {
  /** The title of the facility. */
  readonly facility: string;
  readonly invoices: readonly {
    readonly from: string;
    readonly to: string;
    readonly dueDate?: string;
    /** Days from the seeding to the due date of an invoice that is open. */
    readonly dueInDays?: number;
    readonly principal?: string;
    readonly description?: string;
  }[];
}

/** Invoices of interest, fees and principal, as far as their periods are over. Payments follow with those of everything else. */
export async function seedInvoices(session: Session, managerId: string): Promise<void> {
  for (const facility of readData<Invoices[]>('invoices')) await seedInvoicesOf(session, managerId, facility);
}

async function seedInvoicesOf(session: Session, managerId: string, { facility, invoices }: Invoices): Promise<void> {
  const { id, notes } = await session.em.findOneOrFail(Transaction, { managerId, title: facility });
  const today = todayOf(session);
  for (const { dueDate, dueInDays = 0, ...invoice } of invoices) {
    if (invoice.to > today) continue;
    const body = invoiceCreateSchema.parse({
      ...invoice,
      transaction: id,
      noteTitle: notes[0]?.title,
      currency: 'USD',
      dueDate: dueDate ?? addDays(today, dueInDays),
    });
    const draft = await asManager(session, `${invoice.to}T09:20:00.000Z`, (acting) => createInvoice(acting, body));
    const amount = { sum: draft.amount ?? '0', currency: null };
    await asManager(session, `${invoice.to}T09:35:00.000Z`, (acting) =>
      issueInvoice(acting, { id: draft.id, version: draft.version, amount }),
    );
  }
}
