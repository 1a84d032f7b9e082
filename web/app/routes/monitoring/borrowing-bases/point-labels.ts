import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';

/** "31 Oct", or "Oct 26" if the points span several years. */
export function pointLabels(bases: readonly { cutOffDate: string }[]): string[] {
  const years = new Set(bases.map((base) => base.cutOffDate.slice(0, 4)));
  return bases.map((base) => {
    const [day, month, year] = formatCalendarDate(base.cutOffDate).split(' ');
    return years.size > 1 ? `${month} ${year?.slice(2)}` : `${day} ${month}`;
  });
}
