import { selectionFigures, selectionReturns } from '@tapeline/db/operations/capital/figures.ts';
import type { Session } from '@tapeline/db/store.ts';
import { daysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import type { FundFigureQuery } from '@tapeline/domain/funds/fund.schema.ts';
import type { ShownCapital } from '../components/figures/capital-key-figures.tsx';

/** Screens show no IRR over less than this. */
const SHORTEST_RETURN_DAYS = 365;

/** The capital figures that screens show of a selection of funds and investors. */
export async function readCapital(session: Session, query: FundFigureQuery): Promise<ShownCapital> {
  const figures = await selectionFigures(session, query);
  const returns = await selectionReturns(session, query);
  const first = returns.items[0]?.when;
  const isShort = first === undefined || daysBetween(first, returns.cutOffDate) < SHORTEST_RETURN_DAYS;
  return {
    currency: figures.currency,
    called: figures.called,
    unfunded: figures.unfunded,
    distributed: figures.distributed,
    nav: figures.nav,
    navDate: figures.navDate,
    dpi: figures.dpi,
    tvpi: figures.tvpi,
    netIrr: returns.net === null || isShort ? null : (returns.net * 100).toFixed(2).replace('-', '−'),
    irrReason: isShort ? 'Not shown for less than 12 months' : returns.reason,
    ratesDate: figures.ratesDate,
  };
}
