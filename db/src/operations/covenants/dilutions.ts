import type { DilutionFigures } from '@tapeline/domain/borrowing-base/dilution.ts';
import { addMonths, type CalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { timesPerYear } from '@tapeline/domain/dates/reporting-periods.ts';
import type { ContractReserve } from '@tapeline/domain/facilities/contract.schema.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import type { ReadSession } from '../../read-session.ts';
import { type FigureRow, reviewedFigures } from './covenant-figures.ts';

/**
 * What the dilution reserves of a contract read: the reviewed figures of the twelve months to a cut-off date. A reserve is
 * left out unless both of its figures are there for each period, for the same days and in one currency.
 */
export async function dilutionsOf(
  session: ReadSession,
  {
    companyId,
    reserves,
    cutOffDate,
  }: { companyId: string; reserves: readonly ContractReserve[]; cutOffDate: CalendarDate },
): Promise<DilutionFigures[]> {
  const asked = reserves.flatMap((reserve, rule) => (reserve.kind === 'dilution' ? [{ reserve, rule }] : []));
  if (asked.length === 0) return [];
  const names = asked.flatMap(({ reserve: { credits, sales } }) => [credits, sales]);
  const window = { after: addMonths(cutOffDate, -12), to: cutOffDate, names };
  const byName = Map.groupBy(await reviewedFigures(session, companyId, window), ({ title }) => title.toLowerCase());
  return asked.flatMap(({ reserve, rule }) => {
    const [credits, sales] = [reserve.credits, reserve.sales].map((name) => byName.get(name.toLowerCase()) ?? []);
    if (!credits || !sales || !isWhole(credits, sales, timesPerYear(reserve.frequency))) return [];
    return [{ rule, credits: sum(credits.map(({ value }) => value)), sales: sum(sales.map(({ value }) => value)) }];
  });
}

/** Whether both figures are there for each of so many periods. */
function isWhole(credits: readonly FigureRow[], sales: readonly FigureRow[], periods: number): boolean {
  const days = (figures: readonly FigureRow[]) => figures.map(({ on }) => on).join();
  const currencies = new Set([...credits, ...sales].map(({ currency }) => currency));
  return credits.length === periods && days(credits) === days(sales) && currencies.size === 1;
}
