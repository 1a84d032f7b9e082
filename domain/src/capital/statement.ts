import { type CalendarDate, daysBetween, fromEpochDay, toEpochDay } from '../dates/calendar-date.ts';
import { capitalAccount, type StatementPeriod, type StoredStatement, totalAccount } from './capital-account.ts';
import { type CapitalLedger, capitalFigures, multiples, returnOf, totalFigures } from './capital-figures.ts';

const dayBefore = (date: CalendarDate): CalendarDate => fromEpochDay(toEpochDay(date) - 1);

/** The last day before each period that ends on `to`: calendar quarters and years. Null since inception. */
export function periodStarts(to: CalendarDate): Record<StatementPeriod, CalendarDate | null> {
  const [year, month] = to.split('-') as [string, string];
  const firstMonth = Math.floor((Number(month) - 1) / 3) * 3 + 1;
  return {
    quarter: dayBefore(`${year}-${String(firstMonth).padStart(2, '0')}-01`),
    yearToDate: dayBefore(`${year}-01-01`),
    sinceInception: null,
  };
}

/** Rates of return over less than this are not shown. */
const SHORTEST_RETURN_DAYS = 365;
const TOO_SHORT = 'Not shown for less than 12 months';

/** The statement of several commitments of one investor together, as of a day. */
export function statementOf(ledgers: readonly CapitalLedger[], to: CalendarDate): StoredStatement {
  const starts = periodStarts(to);
  const accountFrom = (from: CalendarDate | null) =>
    totalAccount(ledgers.map((ledger) => capitalAccount(ledger, from, to)));
  const figures = totalFigures(ledgers.map((ledger) => capitalFigures(ledger, to)));
  const { dpi, tvpi } = multiples(figures);
  const first = ledgers.flatMap(({ calls }) => calls.map(({ dueDate }) => dueDate)).sort()[0];
  const isShort = first === undefined || daysBetween(first, to) < SHORTEST_RETURN_DAYS;
  const net = returnOf(ledgers, to, 'net');
  return {
    periods: {
      quarter: accountFrom(starts.quarter),
      yearToDate: accountFrom(starts.yearToDate),
      sinceInception: accountFrom(starts.sinceInception),
    },
    footer: {
      commitment: figures.activeCommitment,
      called: figures.called,
      unfunded: figures.unfunded,
      recallableCapital: figures.recallableCapital,
      dpi,
      tvpi,
      netIrr: isShort ? null : net.rate,
      irrReason: isShort ? TOO_SHORT : (net.reason ?? null),
    },
  };
}
