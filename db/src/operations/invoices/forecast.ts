import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type ForecastCurve, forecastNote, type NoteForecast } from '@tapeline/domain/forecast/note-forecast.ts';
import { billedCurrencies } from '@tapeline/domain/invoices/invoice-lines.ts';
import type { IssuedInvoice } from '@tapeline/domain/invoices/lines.ts';
import type { Session } from '../../store.ts';
import { amendmentsOf } from '../amendments/note-amendments.ts';
import { baseRateFixings } from '../interest/base-rates.ts';
import { noteLedger } from '../ledger/note-ledger.ts';
import { getDocument } from '../listing/list-documents.ts';
import { requirePermission } from '../permission.ts';
import { TRANSACTIONS } from '../transactions/transactions.ts';

export interface ForecastView extends NoteForecast {
  readonly asOf: string;
  readonly currencies: readonly string[];
  readonly currency: string;
}

/**
 * The interest and fees of a note for the rest of its term, of what the actor sees of it.
 * @throws Refusal forbidden without repayments/read; notFound for a facility or a note
 */
export async function forecastOfNote(
  session: Session,
  {
    transaction: id,
    note: noteId,
    ...asked
  }: { transaction: string; note: string; currency?: string | null | undefined; curve: ForecastCurve },
): Promise<ForecastView> {
  requirePermission(session, 'repayments/read');
  const { notes, managerId } = await getDocument(session, TRANSACTIONS, id);
  const note = notes.find((one) => one.id === noteId);
  if (!note) throw new Refusal('notFound');
  const billed = {
    note,
    amendments: await amendmentsOf(session, note.id),
    ledger: await noteLedger(session, note.id),
    fixings: await baseRateFixings(session, managerId),
    // Their periods alone count: what they asked for is not forecast.
    issued: (
      await session.query<Omit<IssuedInvoice, 'lines'>>(
        `select id, number, currency, period_from::text as from, period_to::text as to from invoices
         where note_id = $1 and status = 'Active' order by period_from`,
        [note.id],
      )
    ).map((invoice) => ({ ...invoice, lines: [] })),
  };
  const currencies = billedCurrencies(billed);
  const currency = currencies.find((one) => one === asked.currency) ?? currencies[0] ?? '';
  const asOf = session.now.toISOString().slice(0, 10);
  return { asOf, currencies, currency, ...forecastNote(billed, { currency, curve: asked.curve, today: asOf }) };
}
