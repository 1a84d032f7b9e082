import { activeCommitmentAt } from '../commitments/active-commitment.ts';
import { addDays, type CalendarDate } from '../dates/calendar-date.ts';
import { type DecimalText, isZero, sum } from '../money/decimal.ts';
import { type ShownReturn, shownReturn } from '../returns/shown-return.ts';
import { type CapitalAccountLines, capitalAccount, totalAccount } from './capital-account.ts';
import {
  type CapitalLedger,
  callAmount,
  capitalFigures,
  capitalFlows,
  multiples,
  returnOf,
  totalFigures,
} from './capital-figures.ts';
import type { HoldingOf, Letterhead, NoticeFund, NoticeInvestor } from './notice-parts.ts';

/** What a statement says besides its figures. */
export interface StatementFacts {
  readonly letterhead: Letterhead;
  readonly fund: NoticeFund;
  readonly investor: NoticeInvestor;
  /** The day the statement is issued. It also dates the file, so that the same statement gives the same bytes. */
  readonly issueDate: CalendarDate;
  readonly cutOffDate: CalendarDate;
  /** Share in percent, at the cut-off date; null for a statement that was made before it was calculated. */
  readonly holdingPercent: DecimalText | null;
  /** The fund, or the class if the statement is of a class. */
  readonly holdingOf: HoldingOf;
  /** The titles of the funds that a statement of a main fund adds up; none for one of a single fund. */
  readonly covers?: readonly string[];
}

export const STATEMENT_PERIODS = ['quarter', 'yearToDate', 'sinceInception'] as const;

export interface StatementPeriod {
  /** The first and the last day. */
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  /** Null if the net asset value at either end is unknown. */
  readonly lines: CapitalAccountLines | null;
}

/** An investor's capital account statement. An unknown figure is null, never zero. */
export interface CapitalAccountStatement extends StatementFacts {
  readonly periods: Readonly<Record<(typeof STATEMENT_PERIODS)[number], StatementPeriod>>;
  readonly commitment: DecimalText;
  /** Calls due. */
  readonly called: DecimalText;
  /** Calls issued that are due later: they already reduce what is unfunded. */
  readonly calledNotDue: DecimalText;
  readonly unfunded: DecimalText;
  readonly recallable: DecimalText;
  readonly dpi: DecimalText | null;
  readonly rvpi: DecimalText | null;
  readonly tvpi: DecimalText | null;
  readonly netIrr: ShownReturn;
  /** The earliest date of the net asset values that the closing balance follows from. */
  readonly navDate: CalendarDate | null;
  /** Closing balances of the latest quarters, oldest first. */
  readonly history: readonly { readonly date: CalendarDate; readonly closing: DecimalText | null }[];
}

export type StatementFigures = Omit<CapitalAccountStatement, keyof StatementFacts>;

/** A statement as it is stored: what was sent never changes. */
export type StoredStatement = StatementFigures & Partial<Pick<StatementFacts, 'holdingPercent' | 'covers'>>;

/** Quarters in the chart of closing balances. */
const MAX_QUARTERS = 6;

const startOfYear = (date: CalendarDate): CalendarDate => `${date.slice(0, 4)}-01-01`;
function startOfQuarter(date: CalendarDate): CalendarDate {
  const month = Math.floor((Number(date.slice(5, 7)) - 1) / 3) * 3 + 1;
  return `${date.slice(0, 4)}-${String(month).padStart(2, '0')}-01`;
}

/** The net IRR of several ledgers together as documents show it. */
export function shownNetIrr(ledgers: readonly CapitalLedger[], at: CalendarDate): ShownReturn {
  const days = ledgers.flatMap((ledger) => capitalFlows(ledger, at, 'net')).map(({ when }) => when);
  return shownReturn(returnOf(ledgers, at, 'net'), days.sort()[0], at);
}

/** The statement of one investor. @throws RangeError without a ledger */
export const capitalAccountStatement = (
  facts: StatementFacts,
  ledgers: readonly CapitalLedger[],
): CapitalAccountStatement => ({ ...facts, ...statementFigures(ledgers, facts.cutOffDate) });

/**
 * The figures of one investor's statement.
 * @param ledgers the investor's documents, one ledger for each fund and class that the statement covers
 * @throws RangeError without a ledger
 */
export function statementFigures(ledgers: readonly CapitalLedger[], to: CalendarDate): StatementFigures {
  const inception = ledgers.map(({ commitment }) => commitment.closingDate).sort()[0];
  if (inception === undefined) throw new RangeError('A statement covers at least one commitment');
  const period = (from: CalendarDate, isFirst: boolean): StatementPeriod => ({
    from,
    to,
    lines: totalAccount(ledgers.map((ledger) => capitalAccount(ledger, isFirst ? null : addDays(from, -1), to))),
  });
  const figures = totalFigures(ledgers.map((ledger) => capitalFigures(ledger, to)));
  return {
    periods: {
      quarter: period(startOfQuarter(to), false),
      yearToDate: period(startOfYear(to), false),
      sinceInception: period(inception, true),
    },
    commitment: sum(ledgers.map(({ commitment }) => activeCommitmentAt(commitment, to))),
    called: figures.called,
    calledNotDue: sum(
      ledgers.flatMap(({ calls }) =>
        calls.filter((call) => call.cutOffDate <= to && call.dueDate > to).map(callAmount),
      ),
    ),
    unfunded: figures.unfunded,
    recallable: figures.recallableCapital,
    ...multiples(figures),
    netIrr: shownNetIrr(ledgers, to),
    navDate: figures.navDate,
    history: quartersUntil(to, inception).map((date) => ({
      date,
      closing: totalFigures(ledgers.map((ledger) => capitalFigures(ledger, date))).nav,
    })),
  };
}

/** The ends of the latest quarters since a day, oldest first. The last one is the day itself. */
function quartersUntil(last: CalendarDate, inception: CalendarDate): CalendarDate[] {
  const ends = [last];
  for (let end = addDays(startOfQuarter(last), -1); end >= inception && ends.length < MAX_QUARTERS; ) {
    ends.unshift(end);
    end = addDays(startOfQuarter(end), -1);
  }
  return ends;
}

/** Whether a statement has a line of transfers of the interest: most interests are never transferred. */
export const hasTransfers = ({ periods }: Pick<CapitalAccountStatement, 'periods'>): boolean =>
  STATEMENT_PERIODS.some((name) => !isZero(periods[name].lines?.transfers ?? '0'));

/** What an investor paid in and received over a period, and what it gave away or took over. */
export const netCapitalActivity = ({
  contributions,
  distributions,
  transfers = '0',
}: CapitalAccountLines): DecimalText => sum([contributions, distributions, transfers]);

/** What the account earned over a period: opening + net capital activity + net result = closing. */
export const netResult = (lines: CapitalAccountLines): DecimalText =>
  sum([
    lines.investmentIncome,
    lines.feesAndExpenses,
    lines.taxes,
    lines.realizedGains,
    lines.writeOffs,
    lines.unrealizedChange,
  ]);
