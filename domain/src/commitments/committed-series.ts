import type { CalendarDate } from '../dates/calendar-date.ts';
import { add, type DecimalText } from '../money/decimal.ts';
import { activeCommitmentAt, type CommitmentTerms, holdingPercentage } from './active-commitment.ts';

/** The total of commitments after each day on which it changes, the earliest first. */
export function committedSeries(
  commitments: readonly CommitmentTerms[],
): { date: CalendarDate; amount: DecimalText }[] {
  const changes = commitments.flatMap(({ closingDate, activeCommitment, deltas }) => [
    { date: closingDate, amount: activeCommitment },
    ...deltas.map(({ date, amount }) => ({ date, amount })),
  ]);
  const byDay = new Map<CalendarDate, DecimalText>();
  for (const { date, amount } of changes) byDay.set(date, add(byDay.get(date) ?? '0', amount));
  let total: DecimalText = '0';
  return [...byDay]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([date, amount]) => {
      total = add(total, amount);
      return { date, amount: total };
    });
}

/** A commitment and its share from a day on, until the next. */
export interface ShareStep {
  readonly date: CalendarDate;
  readonly active: DecimalText;
  /** Percent of everything that is committed; null if nothing is. */
  readonly percentage: DecimalText | null;
}

/** A commitment and its share of all of them, from its closing date on, on each day on which either changes. */
export function shareSeries(commitment: CommitmentTerms, all: readonly CommitmentTerms[]): ShareStep[] {
  const steps = committedSeries(all)
    .filter(({ date }) => date >= commitment.closingDate)
    .map(({ date, amount }): ShareStep => {
      const active = activeCommitmentAt(commitment, date);
      return { date, active, percentage: holdingPercentage(active, amount) };
    });
  return steps.filter(
    ({ active, percentage }, index) =>
      index === 0 || steps[index - 1]?.active !== active || steps[index - 1]?.percentage !== percentage,
  );
}
