import { formatCalendarDate } from '../../dates/calendar-date.ts';
import { formatFigure } from '../../money/format-figure.ts';
import type { LatestRowCounts, LoanMonthColumns } from './latest-rows.schema.ts';

const counted = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${formatFigure(count)} ${many}`;

/** How many rows remain, of which month, and what is left out and why. */
export function latestRowsInWords(
  { idColumn, monthColumn }: LoanMonthColumns,
  { rows, loans, later, withoutId, withoutMonth, lostLoans, misfits, tied, behind, latestMonth }: LatestRowCounts,
): string[] {
  const row = (count: number) => counted(count, 'row is', 'rows are');
  const lost = lostLoans === 0 ? '' : `, and with them ${counted(lostLoans, 'loan', 'loans')}`;
  return [
    `${formatFigure(loans)} of ${formatFigure(rows)} rows remain: the latest of each “${idColumn}”. The latest “${monthColumn}” is ${latestMonth.text} (${formatCalendarDate(latestMonth.date)}).`,
    ...(behind > 0
      ? [
          `${counted(behind, 'loan has its', 'loans have their')} latest row in an earlier month. Check whether ${behind === 1 ? 'it is' : 'they are'} repaid.`,
        ]
      : []),
    ...(tied > 0
      ? [
          `${counted(tied, 'loan has', 'loans have')} several rows of the same latest month, of which the last one in the sheet is used.`,
        ]
      : []),
    ...(later > 0 ? [`${row(later)} left out because of a later month than the cut-off date.`] : []),
    ...(withoutMonth > 0
      ? [`${row(withoutMonth)} left out because “${monthColumn}” is not a month that can be read${lost}.`]
      : []),
    ...(withoutId > 0 ? [`${row(withoutId)} left out because “${idColumn}” is blank.`] : []),
    ...(misfits > 0 ? [`${row(misfits)} left out because of more fields than the header has.`] : []),
  ];
}

const MAX_NAME = 250;
const NAMED = ', latest rows';

/** The name of the file with the latest rows: "ledger, latest rows.xlsx". */
export function latestRowsName(name: string, kind: 'xlsx' | 'csv'): string {
  const bare = name.replace(/\.[A-Za-z0-9]{1,10}$/, '');
  return `${bare.slice(0, MAX_NAME - NAMED.length - kind.length - 1)}${NAMED}.${kind}`;
}
