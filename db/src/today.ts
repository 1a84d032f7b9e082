import { type CalendarDate, calendarDateOf } from '@tapeline/domain/dates/calendar-day.ts';
import type { ReadSession } from './read-session.ts';

/** Today in UTC, as everywhere. */
export const todayOf = ({ now }: Pick<ReadSession, 'now'>): CalendarDate => calendarDateOf(now);
