import { canEnterRates } from '@tapeline/db/operations/currencies/enter-rates.ts';
import { courseOf, currencyRates, listRates } from '@tapeline/db/operations/currencies/rates.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { isCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { findCurrency } from '@tapeline/domain/money/currencies.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { skipOf } from '../../../components/page/skip.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { SPANS } from './rate-words.ts';

const PAGE_LENGTH = 30;

const dayOf = (text: string | null): string | null => (isCalendarDate(text) ? text : null);

export const viewCurrency = ({ db, params, url, actor }: Screen) =>
  db(async (session) => {
    const currency = findCurrency(params.code ?? '');
    if (!currency) throw new Refusal('notFound', 'This is not a currency code of ISO 4217');
    const { code, name, symbol, nativeSymbol, decimals, minorUnits } = currency;
    const today = todayOf(session);
    const span = SPANS.find((years) => String(years) === url.searchParams.get('years')) ?? SPANS[0];
    const from = `${Number(today.slice(0, 4)) - span}${today.slice(4)}`.replace(/-02-29$/, '-02-28');
    const now = await currencyRates(session);
    const before = await currencyRates(session, { on: from });
    const course = await courseOf(session, { currency: code, from, to: today });
    const origin = before.origins[code];
    const { rates, total } = await listRates(session, {
      currency: code,
      skip: skipOf(url.searchParams),
      limit: PAGE_LENGTH,
    });
    const mayEnter = code !== 'USD' && canEnterRates(actor);
    const removed = mayEnter ? dayOf(url.searchParams.get('remove')) : null;
    return {
      currency: { code, name, symbol, nativeSymbol, decimals, minorUnits },
      latest: code === 'USD' || !now.origins[code] ? null : { rate: now.rates[code] ?? '', ...now.origins[code] },
      // The course starts with the rate that was in force on its first day.
      course: [...(origin && origin.date < from ? [{ date: from, rate: before.rates[code] ?? '' }] : []), ...course],
      span,
      today,
      rates,
      total,
      limit: PAGE_LENGTH,
      mayEnter,
      hasHistory: can(actor, 'history/read'),
      saved: dayOf(url.searchParams.get('saved')),
      removes: removed,
      gone: dayOf(url.searchParams.get('removed')),
    };
  });

export type CurrencyPage = Awaited<ReturnType<typeof viewCurrency>>;
