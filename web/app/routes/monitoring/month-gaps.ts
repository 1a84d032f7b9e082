import { type CalendarDate, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { addMonths, isMonthEnd, monthEndOf } from '@tapeline/domain/dates/calendar-day.ts';

/** A chart has at most this many points between two that are known. */
const MAX_GAPS = 60;

/** The month-ends that lie between these cut-off dates and are not among them, the earliest first. Other dates have no gaps. */
export function missingMonthEnds(dates: readonly CalendarDate[]): CalendarDate[] {
  const [first] = dates;
  const last = dates.at(-1);
  if (!first || !last || !dates.every(isMonthEnd)) return [];
  const known = new Set(dates);
  const missing: CalendarDate[] = [];
  for (let index = 1; missing.length <= MAX_GAPS; index += 1) {
    const date = monthEndOf(addMonths(`${first.slice(0, 8)}01`, index));
    if (date >= last) return missing;
    if (!known.has(date)) missing.push(date);
  }
  return [];
}

/** The points of a chart, the earliest first, with a blank one for each month-end without one. */
export function withGaps<Point extends { readonly cutOffDate: CalendarDate }>(
  points: readonly Point[],
  blank: (cutOffDate: CalendarDate) => Point,
): Point[] {
  return [...points, ...missingMonthEnds(points.map(({ cutOffDate }) => cutOffDate)).map(blank)].sort((a, b) =>
    a.cutOffDate < b.cutOffDate ? -1 : 1,
  );
}

/** What a chart says of its gaps: "no tape for 31 Jul 2026", "none for 3 month-ends". Empty if it has none. */
export function gapWords(noun: string, missing: readonly CalendarDate[]): string[] {
  if (missing.length === 0) return [];
  return [
    missing.length === 1
      ? `no ${noun} for ${formatCalendarDate(missing[0]!)}`
      : `no ${noun} for ${missing.length} month-ends`,
  ];
}
