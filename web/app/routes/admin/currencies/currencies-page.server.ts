import { canEnterRates } from '@tapeline/db/operations/currencies/enter-rates.ts';
import { currencyRates } from '@tapeline/db/operations/currencies/rates.ts';
import { lastRefreshes } from '@tapeline/db/operations/currencies/refreshes.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { CURRENCIES } from '@tapeline/domain/money/currencies.ts';
import { convertAmount } from '@tapeline/domain/money/rates.ts';
import { isRefreshing } from '../../../commands/rates.server.ts';
import { parseForm } from '../../../http/parse-form.ts';
import type { Screen } from '../../../http/screen.server.ts';
import { convertSchema } from './rate-forms.ts';

/** How the refresh went that the address speaks of: still running, or as recorded. */
export type RefreshShown = 'running' | 'ended' | null;

async function refreshOf({ context, actor, db, url }: Screen) {
  if (!canEnterRates(actor)) return null;
  const { succeeded, failed } = await db(lastRefreshes);
  const asked = url.searchParams.has('refresh');
  const isRunning = asked && (await isRefreshing(context));
  return {
    /** Without its path and search part, which can contain a key. */
    host: context.environment.ratesUrl ? new URL(context.environment.ratesUrl).host : null,
    succeeded,
    failed,
    shown: (asked ? (isRunning ? 'running' : 'ended') : null) as RefreshShown,
  };
}

/** The conversion that the address asks for. */
async function conversionOf({ db, url }: Screen) {
  if (!url.searchParams.has('sum')) return { lastResult: null, conversion: null };
  const submission = parseForm(url.searchParams, convertSchema);
  if (submission.status !== 'success') return { lastResult: submission.reply(), conversion: null };
  const { sum, from, to, on } = submission.value;
  const table = await db((session) => currencyRates(session, { on }));
  return { lastResult: null, conversion: { ...convertAmount({ sum, currency: from }, to, table), on } };
}

export async function viewCurrencies(screen: Screen) {
  const { db, url, actor } = screen;
  const { table, today } = await db(async (session) => ({
    table: await currencyRates(session),
    today: todayOf(session),
  }));
  const showsAll = url.searchParams.get('view') === 'all';
  const rows = CURRENCIES.map(({ code, name, symbol, nativeSymbol, decimals, minorUnits }) => ({
    code,
    name,
    symbol,
    nativeSymbol,
    decimals,
    minorUnits,
    rate: code === 'USD' ? '1' : (table.rates[code] ?? null),
    origin: code === 'USD' ? null : (table.origins[code] ?? null),
  }));
  const rated = rows.filter(({ rate }) => rate !== null);
  return {
    rows: showsAll ? rows : rated,
    showsAll,
    total: rows.length,
    rated: rated.length,
    lastUpdate: rated.length > 1 ? table.lastUpdate : null,
    today,
    mayEnter: canEnterRates(actor),
    actsFor: actor.type === 'admin' ? actor.assocTitle : null,
    refresh: await refreshOf(screen),
    ...(await conversionOf(screen)),
  };
}

export type CurrenciesPage = Awaited<ReturnType<typeof viewCurrencies>>;
