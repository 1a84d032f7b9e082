import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { type ForecastCurve, forecastNote, type NoteForecast } from '@tapeline/domain/forecast/note-forecast.ts';
import { billedCurrencies } from '@tapeline/domain/invoices/invoice-lines.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { getDocument } from '../listing/list-documents.ts';
import { requirePermission } from '../permission.ts';
import { TRANSACTIONS } from '../transactions/transactions.ts';
import { billedOf } from './billed-notes.ts';

export interface ForecastView extends NoteForecast {
  readonly transactionTitle: string;
  readonly noteTitle: string;
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
  const { title, notes, managerId } = await getDocument(session, TRANSACTIONS, id);
  const note = notes.find((one) => one.id === noteId);
  if (!note) throw new Refusal('notFound');
  const billed = await billedOf(session, note, managerId, { isWhole: false });
  const currencies = billedCurrencies(billed);
  const currency = currencies.find((one) => one === asked.currency) ?? currencies[0] ?? '';
  const asOf = todayOf(session);
  const names = { transactionTitle: title, noteTitle: note.title };
  return {
    ...names,
    asOf,
    currencies,
    currency,
    ...forecastNote(billed, { currency, curve: asked.curve, today: asOf }),
  };
}
