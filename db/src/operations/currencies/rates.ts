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
