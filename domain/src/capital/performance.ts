import { type CalendarDate, calendarDateOf } from '../dates/calendar-date.ts';
import { type DecimalText, isZero, sum } from '../money/decimal.ts';
import type { RateOfReturn } from '../returns/irr.ts';
import {
  type CapitalFigures,
  type CapitalLedger,
  capitalFigures,
  capitalFlows,
  type Multiples,
  multiples,
  returnOf,
  totalFigures,
} from './capital-figures.ts';

/** Multiples and rates of return as of a day. Unknown figures are null. */
export interface PerformancePoint extends Multiples {
  readonly date: CalendarDate;
  readonly net: RateOfReturn;
  readonly gross: RateOfReturn;
}

/** The last days of the quarters after a day and before another, and the other day itself; evenly thinned out to `most`. */
export function performanceDates(from: CalendarDate, until: CalendarDate, most: number): CalendarDate[] {
  const ends: CalendarDate[] = [];
  const [year = 0, month = 1] = from.split('-').map(Number);
  for (let quarter = Math.floor((month - 1) / 3) + 1; ; quarter += 1) {
    const end = calendarDateOf(new Date(Date.UTC(year, quarter * 3, 0)));
    if (end >= until) break;
    if (end > from) ends.push(end);
  }
  const every = Math.max(1, Math.ceil((ends.length + 1) / Math.max(1, most)));
  const thinned = ends.filter((_, index) => (ends.length - index) % every === 0);
  return [...thinned, until];
}

/**
 * The commitments of a day, which count from their closing on, and which have a net asset value; all of them if none has.
 * What the others paid and received is left out.
 */
function valuedOn(ledgers: readonly CapitalLedger[], date: CalendarDate): readonly CapitalLedger[] {
  const closed = ledgers.filter(({ commitment }) => commitment.closingDate <= date);
  const valued = closed.filter((ledger) => capitalFigures(ledger, date).nav !== null);
  return valued.length === 0 ? closed : valued;
}

/** The figures of a fund's investors together, as of each day: of those who have a net asset value. */
export const performanceCourse = (
  ledgers: readonly CapitalLedger[],
  dates: readonly CalendarDate[],
): PerformancePoint[] =>
  dates.map((date) => {
    const valued = valuedOn(ledgers, date);
    const figures: CapitalFigures = totalFigures(valued.map((ledger) => capitalFigures(ledger, date)));
    return {
      date,
      ...multiples(figures),
      net: returnOf(valued, date, 'net'),
      gross: returnOf(valued, date, 'gross'),
    };
  });

/** What a rate of return is calculated from, on one day. */
export interface PerformanceFlow {
  readonly when: CalendarDate;
  readonly kind: 'call' | 'distribution' | 'nav';
  readonly net: DecimalText;
  readonly gross: DecimalText;
}

/** The flows of a fund's investors together by day, and the NAV at the end: of those who have a net asset value. */
export function performanceFlows(ledgers: readonly CapitalLedger[], at: CalendarDate): PerformanceFlow[] {
  const closed = valuedOn(ledgers, at);
  const of = (kind: 'call' | 'distribution', side: 'net' | 'gross') =>
    Map.groupBy(
      closed.flatMap((ledger) =>
        capitalFlows(kind === 'call' ? { ...ledger, distributions: [] } : { ...ledger, calls: [] }, at, side),
      ),
      ({ when }) => when,
    );
  const flows = (['call', 'distribution'] as const).flatMap((kind) => {
    const [net, gross] = [of(kind, 'net'), of(kind, 'gross')];
    const total = (own: typeof net, when: CalendarDate) => sum((own.get(when) ?? []).map(({ amount }) => amount));
    return [...net.keys()].map(
      (when): PerformanceFlow => ({ when, kind, net: total(net, when), gross: total(gross, when) }),
    );
  });
  const { nav, grossNav } = totalFigures(closed.map((ledger) => capitalFigures(ledger, at)));
  return [
    ...flows
      .filter(({ net, gross }) => !(isZero(net) && isZero(gross)))
      .sort((a, b) => (a.when === b.when ? a.kind.localeCompare(b.kind) : a.when < b.when ? -1 : 1)),
    ...(nav === null || grossNav === null ? [] : [{ when: at, kind: 'nav' as const, net: nav, gross: grossNav }]),
  ];
}
