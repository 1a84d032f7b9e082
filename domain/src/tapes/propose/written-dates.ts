import { addMonths, type CalendarDate, isCalendarDate } from '../../dates/calendar-date.ts';
import { MONTH_NAMES, monthNamed } from '../../dates/month-names.ts';

/** A date that a text names. */
export interface DateInText {
  readonly date: CalendarDate;
  /** As written. */
  readonly text: string;
  /** Where it begins in the text. */
  readonly at: number;
}

/** Short names of months that are words of their own in file names, as in "data set 2026". */
const OTHER_WORDS = new Set(['set', 'out', 'ago', 'gen', 'mag', 'lip', 'lug', 'des']);

const YEAR = String.raw`(?<year>(?:19|20|21)\d{2})`;
const SHORT_YEAR = String.raw`(?<year>(?:19|20|21)\d{2}|['’]?\d{2})`;
const MONTH = '(?<month>0[1-9]|1[0-2])';
const DAY = String.raw`(?<day>[0-2]?\d|3[01])`;
const BETWEEN = '[-_./ ]';
const NAMES = Object.values(MONTH_NAMES)
  .flat(2)
  .filter((name) => !OTHER_WORDS.has(name))
  .flatMap((name) => [name, name.normalize('NFD').replaceAll(/\p{M}/gu, '')]);
const NAME = `(?<name>${[...new Set(NAMES)].sort((a, b) => b.length - a.length).join('|')})\\.?`;
const OF = String.raw`(?:[\s._,'’-]|de |of )*`;
const NUMBER_BEFORE = String.raw`(?<![\d])`;
const NUMBER_AFTER = String.raw`(?![\d])`;
const WORD_BEFORE = String.raw`(?<![\p{L}])`;
const WORD_AFTER = String.raw`(?![\p{L}])`;

/** Each form of a date, the most specific first: what one has read is not read again by those after it. */
const FORMS: readonly RegExp[] = [
  `${NUMBER_BEFORE}${YEAR}(?<sep>${BETWEEN}?)${MONTH}\\k<sep>(?<day>0[1-9]|[12]\\d|3[01])${NUMBER_AFTER}`,
  `${NUMBER_BEFORE}(?<first>\\d{1,2})(?<sep>${BETWEEN})(?<second>\\d{1,2})\\k<sep>${SHORT_YEAR}${NUMBER_AFTER}`,
  `${NUMBER_BEFORE}${DAY}(?:st|nd|rd|th)?${OF}${WORD_BEFORE}${NAME}${OF}${SHORT_YEAR}${NUMBER_AFTER}`,
  `${WORD_BEFORE}${NAME}${OF}${DAY}(?:st|nd|rd|th)?[\\s,._-]+${YEAR}${NUMBER_AFTER}`,
  `${WORD_BEFORE}${NAME}${OF}${SHORT_YEAR}${NUMBER_AFTER}`,
  `${NUMBER_BEFORE}${YEAR}${OF}${WORD_BEFORE}${NAME}${WORD_AFTER}`,
  `${WORD_BEFORE}[qt](?<quarter>[1-4])${OF}${SHORT_YEAR}${NUMBER_AFTER}`,
  `${NUMBER_BEFORE}${YEAR}${OF}[qt](?<quarter>[1-4])${NUMBER_AFTER}${WORD_AFTER}`,
  `${NUMBER_BEFORE}${YEAR}${BETWEEN}?${MONTH}${NUMBER_AFTER}`,
  `${NUMBER_BEFORE}${MONTH}${BETWEEN}${YEAR}${NUMBER_AFTER}`,
].map((form) => new RegExp(form, 'giu'));

/** Longer texts name no date that a person would read. */
const MAX_CHARACTERS = 1_000;

/**
 * The dates that a text such as a file name or a title names. A month or a quarter is its last day. A date whose day and
 * month can be exchanged (03/04/2026) is left out, unless points separate its parts: then the day comes first.
 */
export function datesIn(text: string): DateInText[] {
  let rest = text.slice(0, MAX_CHARACTERS);
  const found: DateInText[] = [];
  for (const form of FORMS) {
    rest = rest.replaceAll(form, (...match) => {
      const groups = match.at(-1) as Record<string, string | undefined>;
      const whole = match[0] as string;
      const at = match.at(-3) as number;
      const date = dateOf(groups);
      if (date !== null) found.push({ date, text: text.slice(at, at + whole.length).trim(), at });
      return '\u0000'.repeat(whole.length);
    });
  }
  return found.sort((a, b) => a.at - b.at);
}

/** Null if the date does not exist, or if its day and month can be exchanged. */
function dateOf(groups: Record<string, string | undefined>): CalendarDate | null {
  const digits = (groups.year ?? '').replace(/\D/g, '');
  const year = digits.length === 2 ? 2000 + Number(digits) : Number(digits);
  if (groups.first !== undefined) return numericDate(year, groups);
  const month = groups.quarter
    ? Number(groups.quarter) * 3
    : groups.name
      ? monthNamed(groups.name)
      : Number(groups.month);
  if (month === null) return null;
  return groups.day === undefined ? endOfMonth(year, month) : validDate(year, month, Number(groups.day));
}

function numericDate(year: number, { first, second, sep }: Record<string, string | undefined>) {
  const [one, two] = [Number(first), Number(second)];
  const dayFirst = validDate(year, two, one);
  const monthFirst = validDate(year, one, two);
  if (dayFirst !== null && monthFirst !== null && dayFirst !== monthFirst) return sep === '.' ? dayFirst : null;
  return dayFirst ?? monthFirst;
}

const padded = (value: number): string => String(value).padStart(2, '0');

function validDate(year: number, month: number, day: number): CalendarDate | null {
  const date = `${year}-${padded(month)}-${padded(day)}`;
  return year >= 1950 && year <= 2150 && isCalendarDate(date) ? date : null;
}

const endOfMonth = (year: number, month: number): CalendarDate | null =>
  validDate(year, month, 1) && addMonths(`${year}-01-31`, month - 1);
