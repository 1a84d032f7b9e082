import { addDays, addMonths, type CalendarDate, isMonthEnd, monthEndOf } from '../dates/calendar-date.ts';

/** How far a date is from the cut-off date: `count` below zero is before it. */
export interface CutOffOffset {
  readonly count: number;
  readonly unit: 'd' | 'm' | 'y';
}

/** Maximum distance from the cut-off date in each unit: about a century. */
export const MAX_OFFSET = { d: 36_525, m: 1_200, y: 100 } as const;
const HOW_TO_WRITE = 'must be a distance from the cut-off date like "-90d", "-3m" or "1y"';

/** Reads `-90d`, `3m` or `1y`; `0d` is the cut-off date. */
export function readOffset(value: unknown): { offset: CutOffOffset } | { problem: string } {
  const match = typeof value === 'string' ? /^([+-]?)(\d{1,5})([dmy])$/.exec(value) : null;
  if (!match) return { problem: HOW_TO_WRITE };
  const [distance, unit] = [Number(match[2]), match[3] as CutOffOffset['unit']];
  if (distance > MAX_OFFSET[unit])
    return { problem: `is further from the cut-off date than ${MAX_OFFSET[unit]}${unit}` };
  return { offset: { count: match[1] === '-' && distance > 0 ? -distance : distance, unit } };
}

export const printOffset = ({ count, unit }: CutOffOffset): string => `${count}${unit}`;

const UNIT_WORDS = { d: 'day', m: 'month', y: 'year' } as const;

/** "the cut-off date", "90 days before the cut-off date". */
export function describeOffset({ count, unit }: CutOffOffset): string {
  if (count === 0) return 'the cut-off date';
  const distance = Math.abs(count);
  const plural = distance === 1 ? '' : 's';
  return `${distance} ${UNIT_WORDS[unit]}${plural} ${count < 0 ? 'before' : 'after'} the cut-off date`;
}

/** The offset in months; null if it is in days. */
export const offsetMonths = ({ count, unit }: CutOffOffset): number | null =>
  unit === 'd' ? null : unit === 'm' ? count : count * 12;

/** The date at an offset from a cut-off date. In months or years, the last day of a month leads to the last day of a month. */
export function dateAtOffset(cutOffDate: CalendarDate, offset: CutOffOffset): CalendarDate {
  const months = offsetMonths(offset);
  if (months === null) return addDays(cutOffDate, offset.count);
  const date = addMonths(cutOffDate, months);
  return isMonthEnd(cutOffDate) ? monthEndOf(date) : date;
}
