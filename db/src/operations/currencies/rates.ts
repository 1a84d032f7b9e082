import type { CurrencyRates } from '@tapeline/domain/money/rates.ts';
import { CurrencyRate } from '../../entities/records.ts';
import type { Session } from '../../store.ts';

/** The rates in force on a day (today by default): the latest table not after it, otherwise the earliest one. */
export async function currencyRates(session: Session, command: { on?: string } = {}): Promise<CurrencyRates> {
  const on = command.on ?? session.now.toISOString().slice(0, 10);
  const table =
    (await session.em.findOne(CurrencyRate, { lastUpdate: { $lte: on } }, { orderBy: { lastUpdate: 'desc' } })) ??
    (await session.em.findOne(CurrencyRate, { lastUpdate: { $gt: on } }, { orderBy: { lastUpdate: 'asc' } }));
  if (!table) return { base: 'USD', rates: {}, lastUpdate: on };
  return { base: 'USD', rates: table.rates, lastUpdate: table.lastUpdate };
}

/**
 * The rates that a draw or repayment of a day is valued at: those of its cut-off date, or of today if that is earlier.
 * Rates of later days never change the value.
 */
export function ratesOfDay(session: Session, cutOffDate: string): Promise<CurrencyRates> {
  const today = session.now.toISOString().slice(0, 10);
  return currencyRates(session, { on: cutOffDate < today ? cutOffDate : today });
}
