import type { OwedActivity } from '@tapeline/db/operations/cash/obligations.ts';
import { OBLIGATION_KIND_LABELS } from '@tapeline/domain/cash/labels.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isZero, sum } from '@tapeline/domain/money/decimal.ts';

type Named = Pick<OwedActivity, 'kind' | 'number'>;
type Sums = Pick<OwedActivity, 'amount' | 'netted' | 'allocated' | 'open' | 'overdue'>;

/** A line of the table: one call, distribution or draw, or several earlier calls of a fund that are fully paid. */
export interface OwedLine extends Sums {
  /** What the line leads to: of several, the latest. */
  readonly id: string;
  readonly name: string;
  readonly sourceTitle: string | null;
  readonly currency: string;
  readonly due: string;
}

const kindWord = (kind: Named['kind']): string => (kind === 'contribution' ? 'Call' : OBLIGATION_KIND_LABELS[kind]);

/** What whoever owes or is owed is called: "Investor". */
export const partyWord = ({ kind }: Pick<Named, 'kind'>): string =>
  kind === 'contribution' || kind === 'distribution' ? 'Investor' : 'Borrower';

/** "Call 8". */
export const owedName = ({ kind, number }: Named): string => `${kindWord(kind)} ${number ?? ''}`.trim();

export const sumsOf = (activities: readonly Sums[]): Sums => ({
  amount: sum(activities.map(({ amount }) => amount)),
  netted: sum(activities.map(({ netted }) => netted)),
  allocated: sum(activities.map(({ allocated }) => allocated)),
  open: sum(activities.map(({ open }) => open)),
  overdue: sum(activities.map(({ overdue }) => overdue)),
});

const lineOf = (activity: OwedActivity): OwedLine => ({
  id: activity.id,
  name: owedName(activity),
  sourceTitle: activity.sourceTitle,
  currency: activity.currency,
  due: formatCalendarDate(activity.dueDate),
  ...sumsOf([activity]),
});

/** "Calls 1 to 5" if nothing is missing between them, otherwise "5 earlier calls". */
function nameOfSeveral(activities: readonly OwedActivity[]): string {
  const numbers = activities.map(({ number }) => Number(number)).toSorted((a, b) => a - b);
  const [first = 0] = numbers;
  const words = `${kindWord(activities[0]!.kind)}s`;
  return numbers.every((number, index) => number === first + index)
    ? `${words} ${first} to ${numbers.at(-1)}`
    : `${numbers.length} earlier ${words.toLowerCase()}`;
}

/** "Jan 2024 to Jun 2025". */
function monthsOfSeveral(activities: readonly OwedActivity[]): string {
  const [from = '', to = ''] = [activities.at(-1)!, activities[0]!].map(({ dueDate }) =>
    formatCalendarDate(dueDate).split(' ').slice(1).join(' '),
  );
  return from === to ? from : `${from} to ${to}`;
}

/**
 * The lines of a table of activities, the latest due first: of each fund and currency, the earliest calls or distributions
 * that are fully paid are one line at the end, unless one of them is shown.
 * @param view.apart so many of the latest of a fund stay apart, even if they are fully paid
 */
export function owedLines(
  activities: readonly OwedActivity[],
  { shown, apart }: { shown: Pick<OwedActivity, 'id' | 'currency'> | null; apart: number },
): OwedLine[] {
  const joined = [
    ...Map.groupBy(activities, ({ kind, fundId, currency }) => `${kind}/${fundId}/${currency}`).values(),
  ].flatMap((ofFund) => {
    const lastOpen = ofFund.findLastIndex(({ open }) => !isZero(open));
    // Draws and invoices are of several facilities.
    const earlier = ofFund[0]!.fundId === null ? [] : ofFund.slice(Math.max(apart, lastOpen + 1));
    const isShown = earlier.some(({ id, currency }) => id === shown?.id && currency === shown.currency);
    return earlier.length < 2 || isShown ? [] : [earlier];
  });
  const hidden = new Set(joined.flat());
  return [
    ...activities.filter((activity) => !hidden.has(activity)).map(lineOf),
    ...joined.map((earlier) => ({
      ...lineOf(earlier[0]!),
      name: nameOfSeveral(earlier),
      due: monthsOfSeveral(earlier),
      ...sumsOf(earlier),
    })),
  ];
}
