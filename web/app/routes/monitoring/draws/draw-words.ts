import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { CheckRow } from '@tapeline/domain/draws/check-rules.ts';
import type { DrawCheck, DrawMessage, FoundException } from '@tapeline/domain/draws/checks.ts';
import { negate } from '@tapeline/domain/money/decimal.ts';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';

/** The name of each check, and what it measures. */
export const CHECK_TITLES: Readonly<Record<DrawMessage, readonly [title: string, note: string]>> = {
  'Missing data': ['Missing data', 'what the other checks need'],
  'Currency commitment exceeded': ['Currency commitment', 'balance and approved draws in each currency'],
  'Total commitment exceeded': ['Total commitment', 'balance and approved draws across currencies'],
  'Draw frequency exceeded': ['Draw frequency', 'number of draws'],
  'Draw limits exceeded': ['Draw limits', 'amounts of each draw type'],
  'Draw in deficit': ['Draw in deficit', 'balance and approved draws against the available base'],
  'Due Date limits exceeded': ['Due date limits', 'days after the cut-off date'],
  'Availability period ended': ['Availability period', 'days from the cut-off date to its end'],
  'Covenant breached': ['Covenants', 'tests of the agreement'],
};

type RowFacts = Pick<CheckRow, 'rule' | 'drawType' | 'currency' | 'covenant'> & { interval?: CheckRow['interval'] };

/** What a row of a check measures: "Regular, at most". */
export function rowLabel({ rule, drawType, currency, interval, covenant }: RowFacts): string {
  const type = drawType ?? 'Draw';
  switch (rule) {
    case 'borrowingBase':
      return 'Borrowing base at the cut-off date';
    case 'reserves':
      return 'Amount of a reserve';
    case 'baseAge':
      return 'Age of the borrowing base on the due date, days';
    case 'commitments':
      return 'Commitments';
    case 'rate':
      return `Rate of ${currency}`;
    case 'currencyCommitment':
    case 'totalCommitment':
    case 'deficit':
      return currency ?? 'Main currency';
    case 'frequency':
      // 'Annualy' is the spelling of the API.
      return interval ? `${type}, ${interval === 'Annualy' ? 'annually' : interval.toLowerCase()}` : type;
    case 'minimum':
      return `${type}, at least`;
    case 'maximum':
      return `${type}, at most`;
    case 'percentage':
      return `${type}, share of commitments`;
    case 'maxAmount':
      return `${type}, outstanding`;
    case 'collectionAccount':
      return `${type}, collection account`;
    case 'minDays':
      return `${type}, at least`;
    case 'maxDays':
      return `${type}, at most`;
    case 'availabilityPeriod':
      return 'Due date';
    case 'covenant':
      return covenant ? `${covenant.title}, test of ${formatCalendarDate(covenant.testDate)}` : 'Covenant';
  }
}

/** A figure of a row in its unit: money with cents, counts and days without. */
export function rowFigure({ unit }: Pick<CheckRow, 'unit'>, value: string): string {
  const isWhole = unit === 'count' || unit === 'days' || unit === 'present';
  return `${formatFigure(value, isWhole ? 0 : 2)}${unit === 'percent' ? '%' : unit === 'times' ? 'x' : ''}`;
}

/**
 * What an exception says, computed from the row that is shown beside it: "EUR, exceeded by 200,000.00". Without the row
 * (the data it measured is gone), from the exception as stored.
 */
export function exceptionText(exception: FoundException, checks: readonly DrawCheck[]): string {
  const rows = checks.find(({ message }) => message === exception.message)?.rows ?? [];
  const row = rows.find((each) => isSameRow(each, exception));
  const label = rowLabel({ ...exception, interval: row?.interval });
  if (exception.rule === 'availabilityPeriod' && row?.on && row.margin !== null) {
    return `Due ${formatCount(-Number(row.margin), 'day')} after the availability period ended on ${formatCalendarDate(row.on)}`;
  }
  if (exception.rule === 'baseAge' && row?.on && row.measured !== null && row.limit !== null) {
    return `The borrowing base of ${formatCalendarDate(row.on)} is ${formatCount(Number(row.measured), 'day')} old on the due date, and may be ${row.limit}`;
  }
  const exceededBy = row ? row.margin && negate(row.margin) : exception.exceededBy;
  if (exceededBy === null || row?.unit === 'present')
    return `${label} is ${exception.covenant ? 'unknown' : 'missing'}`;
  const unit = row?.unit ?? 'money';
  return `${label}, exceeded by ${rowFigure({ unit }, exceededBy)}${unit === 'days' ? ' days' : ''}`;
}

/** Whether two facts are about the same row. */
export const isSameRow = (a: RowFacts, b: RowFacts): boolean =>
  a.rule === b.rule && a.drawType === b.drawType && a.currency === b.currency && a.covenant?.id === b.covenant?.id;
