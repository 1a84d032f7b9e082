import type { CalendarDate } from '../../dates/calendar-date.ts';
import { add, type DecimalText } from '../../money/decimal.ts';
import type { LoanFate } from '../loan-fate.ts';
import type { LoanLives } from '../loan-lives.ts';
import type { LifeCell } from '../vintages.ts';
import { calendarMonths, type FateFacts, fateOf } from './fate-of.ts';

/** A loan as one tape shows it. */
export interface LoanObservation extends FateFacts {
  readonly assetId: string | null;
  readonly row: number;
  readonly dateFinanced: CalendarDate | null;
  readonly original: { readonly sum: DecimalText; readonly currency: string } | null;
}

/**
 * The lives of loans from tapes in ascending order of cut-off date, at most one a month. A loan is observed from its
 * first month if there was a tape before it was originated, otherwise from the first tape that shows it open.
 */
export function livesFromTapes(
  tapes: readonly { readonly cutOffDate: CalendarDate; readonly loans: readonly LoanObservation[] }[],
): LoanLives {
  const leftOut = { withoutId: 0, withoutDate: 0, closedBefore: 0, undated: 0 };
  const byLoan = new Map<string, { cutOffDate: CalendarDate; loan: LoanObservation }[]>();
  for (const { cutOffDate, loans } of tapes) {
    for (const loan of [...loans].sort((a, b) => a.row - b.row)) {
      if (loan.assetId === null) leftOut.withoutId += 1;
      else byLoan.set(loan.assetId, [...(byLoan.get(loan.assetId) ?? []), { cutOffDate, loan }]);
    }
  }
  const opening = tapes[0]?.cutOffDate ?? '';
  const lives: Life[] = [];
  for (const observations of byLoan.values()) {
    const first = observations[0]!;
    const financed = observations.find(({ loan }) => loan.dateFinanced !== null)?.loan.dateFinanced ?? null;
    if (financed === null || financed > first.cutOffDate) {
      leftOut.withoutDate += 1;
      continue;
    }
    const ends = observations.flatMap(({ cutOffDate, loan }) => {
      const fate = fateOf(loan, cutOffDate);
      return fate ? [{ ...fate, cutOffDate }] : [];
    });
    const end = ends[0] ?? null;
    const open = observations.find(({ cutOffDate, loan }) => fateOf(loan, cutOffDate) === null)?.cutOffDate ?? null;
    const isObservedFromStart = opening < financed;
    if (!isObservedFromStart && (open === null || (end !== null && end.cutOffDate <= open))) {
      leftOut.closedBefore += 1;
      continue;
    }
    const entry = isObservedFromStart ? -1 : calendarMonths(financed, open!);
    const last = observations[observations.length - 1]!.cutOffDate;
    lives.push({
      financed,
      entry,
      exit: end
        ? Math.max(entry + 1, calendarMonths(financed, end.date ?? end.cutOffDate))
        : calendarMonths(financed, last),
      fate: end?.fate ?? null,
      original: observations.find(({ loan }) => loan.original !== null)?.loan.original ?? null,
    });
  }
  return { cells: gather(lives), leftOut };
}

/** The lives of loans from the dates of one tape that lists every loan ever made, closed ones too. */
export function livesFromDates(tape: {
  readonly cutOffDate: CalendarDate;
  readonly loans: readonly LoanObservation[];
}): LoanLives {
  const leftOut = { withoutId: 0, withoutDate: 0, closedBefore: 0, undated: 0 };
  const lives: Life[] = [];
  for (const loan of tape.loans) {
    const end = fateOf(loan, tape.cutOffDate);
    if (loan.dateFinanced === null || loan.dateFinanced > tape.cutOffDate) leftOut.withoutDate += 1;
    else if (end !== null && end.date === null) leftOut.undated += 1;
    else {
      lives.push({
        financed: loan.dateFinanced,
        entry: -1,
        exit: Math.max(0, calendarMonths(loan.dateFinanced, end?.date ?? tape.cutOffDate)),
        fate: end?.fate ?? null,
        original: loan.original,
      });
    }
  }
  return { cells: gather(lives), leftOut };
}

interface Life {
  financed: CalendarDate;
  entry: number;
  exit: number;
  fate: LoanFate | null;
  original: { readonly sum: DecimalText; readonly currency: string } | null;
}

function gather(lives: readonly Life[]): LifeCell[] {
  const cells = new Map<string, LifeCell>();
  for (const { financed, entry, exit, fate, original } of lives) {
    const originated = financed.slice(0, 7);
    const currency = original?.currency ?? null;
    const key = [originated, entry, exit, fate, currency].join(' ');
    const known = cells.get(key) ?? { originated, entry, exit, fate, currency, count: 0, original: null };
    cells.set(key, {
      ...known,
      count: known.count + 1,
      original: original === null ? known.original : add(known.original ?? '0', original.sum),
    });
  }
  return [...cells.values()];
}
