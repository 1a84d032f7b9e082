import { z } from 'zod';
import { CHOSEN } from '../documents/chosen.ts';
import { REQUIRED } from '../errors/required.ts';
import { isCalendarDate } from './calendar-day.ts';

// Beside their schemas for those who read input; pages that only show dates load no schema.
export {
  addBusinessDays,
  addDays,
  addMonths,
  businessDaysBetween,
  type CalendarDate,
  calendarDateOf,
  DAYS_PER,
  daysBetween,
  formatCalendarDate,
  fromEpochDay,
  isCalendarDate,
  isMonthEnd,
  monthEndOf,
  type TimeUnit,
  toEpochDay,
} from './calendar-day.ts';

const HOW_TO_WRITE = 'Enter a date as YYYY-MM-DD, for example 2026-10-31';

/** Any day of the calendar, as of a birth or of a company that was founded long ago. */
export const anyDateSchema = z
  .string({ error: ({ input }) => (input === undefined || input === null ? REQUIRED : HOW_TO_WRITE) })
  .refine(isCalendarDate, { message: HOW_TO_WRITE })
  .meta({ format: 'date', example: '2026-10-31' })
  .register(CHOSEN, { is: 'day' });

const FIRST_DAY = '1950-01-01';
/** The last day that can be entered. */
export const LAST_DAY = '2150-12-31';

/** A date of business. */
export const calendarDateSchema = anyDateSchema.refine((date) => date >= FIRST_DAY && date <= LAST_DAY, {
  message: 'must be between 1950 and 2150',
});
