import {
  addDays,
  type CalendarDate,
  calendarDateOf,
  fromEpochDay,
  isCalendarDate,
  type TimeUnit,
  toEpochDay,
} from '../dates/calendar-date.ts';
import type { Token } from './tokens.ts';

/** The days that a phrase means, both included, and the token after it. */
export interface PeriodReading {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  readonly next: number;
}

export const TIME_UNIT_WORDS: ReadonlyMap<string, TimeUnit> = new Map([
  ['day', 'days'],
  ['week', 'weeks'],
  ['month', 'months'],
  ['mo', 'months'],
  ['quarter', 'quarters'],
  ['year', 'years'],
  ['yr', 'years'],
]);

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** In words, as questions write them. */
export const monthNames: readonly string[] =
  'January February March April May June July August September October November December'.split(' ');
const FULL_MONTHS = monthNames.map((name) => name.toLowerCase());
const ORDINALS = ['first', 'second', 'third', 'fourth'];
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, count) => [word, count] as const),
  ...'fifteen eighteen twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index) => [word, index < 2 ? 15 + index * 3 : index * 10] as const),
]);

const isoOf = (year: number, month: number, day: number): CalendarDate =>
  calendarDateOf(new Date(Date.UTC(year, month, day)));
const lastDay = (year: number, month: number): CalendarDate => isoOf(year, month + 1, 0);

function monthOf(token: Token | undefined): number | null {
  if (token?.kind !== 'word') return null;
  const full = FULL_MONTHS.indexOf(token.lower);
  if (full >= 0) return full;
  const short = token.lower === 'sept' ? 8 : MONTHS.indexOf(token.lower);
  return short >= 0 ? short : null;
}

function yearOf(token: Token | undefined): number | null {
  return token && /^(19|20|21)\d\d$/.test(token.text) ? Number(token.text) : null;
}

function dayOf(token: Token | undefined): number | null {
  const match = token && /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(token.lower);
  return match ? Number(match[1]) : null;
}

/** A whole number in digits or words. */
export function countOf(token: Token | undefined): number | null {
  if (!token) return null;
  if (/^\d{1,6}$/.test(token.text)) return Number(token.text);
  return NUMBER_WORDS.get(token.lower) ?? null;
}

/** The day that many units later (or earlier); the last day of a shorter month. */
export function addTime(day: CalendarDate, unit: TimeUnit, count: number): CalendarDate {
  if (unit === 'days' || unit === 'weeks') return addDays(day, count * (unit === 'weeks' ? 7 : 1));
  const months = count * (unit === 'years' ? 12 : unit === 'quarters' ? 3 : 1);
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const index = year * 12 + month - 1 + months;
  const [toYear, toMonth] = [Math.floor(index / 12), index % 12];
  return isoOf(toYear, toMonth, Math.min(date, Number(lastDay(toYear, toMonth).slice(8))));
}

/** "July": the latest one that has begun. */
export function monthSoFar(token: Token | undefined, today: CalendarDate): CalendarDate | null {
  const month = monthOf(token);
  if (month === null) return null;
  const [year = 0, current = 1] = today.split('-').map(Number);
  return isoOf(month < current ? year : year - 1, month, 1);
}

/** The week (from Monday), month, quarter or year that holds the day, moved by a number of them. */
function periodAround(
  today: CalendarDate,
  unit: string,
  moved: number,
): { from: CalendarDate; to: CalendarDate } | null {
  const [year = 0, month = 1] = today.split('-').map(Number);
  if (unit === 'days') return { from: addTime(today, 'days', moved), to: addTime(today, 'days', moved) };
  if (unit === 'weeks') {
    // 1970-01-01 was a Thursday.
    const day = toEpochDay(today);
    const monday = day - ((day + 3) % 7) + moved * 7;
    return { from: fromEpochDay(monday), to: fromEpochDay(monday + 6) };
  }
  if (unit === 'months') return { from: isoOf(year, month - 1 + moved, 1), to: isoOf(year, month + moved, 0) };
  if (unit === 'quarters') {
    const first = Math.floor((month - 1) / 3) * 3 + moved * 3;
    return { from: isoOf(year, first, 1), to: isoOf(year, first + 3, 0) };
  }
  if (unit === 'years') return { from: isoOf(year + moved, 0, 1), to: isoOf(year + moved, 11, 31) };
  return null;
}

/**
 * A date or a period at a token: "31 Oct 2026", "March 2024", "Q1 2025", "last quarter", "the next 6 months". Null if
 * there is none, or if it cannot be known: "March" without a year, 3/4/2024.
 */
export function readDate(tokens: readonly Token[], start: number, today: CalendarDate): PeriodReading | null {
  let at = start;
  if (tokens[at]?.lower === 'the') at += 1;
  const token = tokens[at];
  if (!token || token.kind === 'quoted') return null;
  return (
    readEdge(tokens, at, today) ??
    readWrittenDate(tokens, at, today) ??
    readQuarter(tokens, at, today) ??
    readRelative(tokens, at, today)
  );
}

/** "end of March 2024", "beginning of this year", "the end of the year", "year end", "year end 2025". */
function readEdge(tokens: readonly Token[], at: number, today: CalendarDate): PeriodReading | null {
  const edge = tokens[at]?.lower;
  const unit = TIME_UNIT_WORDS.get(tokens[at]?.stem ?? '');
  if (unit && tokens[at + 1]?.lower === 'end') {
    const named = readDate(tokens, tokens[at + 2]?.lower === 'of' ? at + 3 : at + 2, today);
    const last = named?.to ?? periodAround(today, unit, 0)?.to;
    return last ? { from: last, to: last, next: named?.next ?? at + 2 } : null;
  }
  if ((edge !== 'end' && edge !== 'start' && edge !== 'beginning') || tokens[at + 1]?.lower !== 'of') return null;
  const own = tokens[at + 2]?.lower === 'the' ? TIME_UNIT_WORDS.get(tokens[at + 3]?.stem ?? '') : undefined;
  const current = own ? periodAround(today, own, 0) : null;
  const period = readDate(tokens, at + 2, today) ?? (current && { ...current, next: at + 4 });
  if (!period) return null;
  const day = edge === 'end' ? period.to : period.from;
  return { from: day, to: day, next: period.next };
}

function readWrittenDate(tokens: readonly Token[], at: number, today: CalendarDate): PeriodReading | null {
  const [first, second, third] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  const single = (day: CalendarDate, next: number) => (isCalendarDate(day) ? { from: day, to: day, next } : null);
  if (first && /^\d{4}-\d{2}-\d{2}$/.test(first.text)) return single(first.text, at + 1);
  const slashed = first && /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(first.text);
  if (slashed) {
    const [one, two] = [Number(slashed[1]), Number(slashed[2])];
    // 3/4/2024 is a day in March or in April, depending on who writes it.
    if (one <= 12 && two <= 12 && one !== two) return null;
    const [month, day] = one > 12 ? [two, one] : [one, two];
    return single(`${slashed[3]}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`, at + 1);
  }
  const written = (year: number, month: number, day: number, next: number) =>
    single(`${year}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`, next);
  const month = monthOf(first);
  if (month !== null) {
    const named = namedYear(tokens, second?.lower === 'of' ? at + 2 : at + 1, today);
    if (named) return { from: isoOf(named.year, month, 1), to: lastDay(named.year, month), next: named.next };
    const day = dayOf(second);
    const comma = third?.text === ',' ? 1 : 0;
    const year = yearOf(tokens[at + 2 + comma]);
    return day !== null && year !== null ? written(year, month, day, at + 3 + comma) : null;
  }
  const day = dayOf(first);
  const of = second?.lower === 'of' ? 1 : 0;
  const dayMonth = monthOf(tokens[at + 1 + of]);
  const dayYear = yearOf(tokens[at + 2 + of]);
  if (day !== null && dayMonth !== null && dayYear !== null) return written(dayYear, dayMonth, day, at + 3 + of);
  const year = yearOf(first);
  return year !== null && !/^q[1-4]$/.test(second?.lower ?? '')
    ? { from: isoOf(year, 0, 1), to: isoOf(year, 11, 31), next: at + 1 }
    : null;
}

const DAYS_AWAY: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', -1],
  ['tomorrow', 1],
]);
const TO_DATE: ReadonlyMap<string, TimeUnit> = new Map([
  ['ytd', 'years'],
  ['qtd', 'quarters'],
  ['mtd', 'months'],
]);
const PERIODS_AWAY: ReadonlyMap<string, number> = new Map([
  ['last', -1],
  ['previous', -1],
  ['prior', -1],
  ['past', -1],
  ['this', 0],
  ['current', 0],
  ['next', 1],
  ['coming', 1],
]);

function readRelative(tokens: readonly Token[], at: number, today: CalendarDate): PeriodReading | null {
  const word = tokens[at]?.lower ?? '';
  const plain = DAYS_AWAY.get(word);
  if (plain !== undefined) {
    const day = addTime(today, 'days', plain);
    return { from: day, to: day, next: at + 1 };
  }
  const toDate = TO_DATE.get(word);
  if (toDate) return { from: periodAround(today, toDate, 0)?.from ?? today, to: today, next: at + 1 };
  const unit = TIME_UNIT_WORDS.get(tokens[at + 1]?.stem ?? '');
  if (unit && tokens[at + 2]?.lower === 'to' && tokens[at + 3]?.lower === 'date' && /^(this|current)$/.test(word)) {
    return { from: periodAround(today, unit, 0)?.from ?? today, to: today, next: at + 4 };
  }
  const own = TIME_UNIT_WORDS.get(tokens[at]?.stem ?? '');
  if (own && tokens[at + 1]?.lower === 'to' && tokens[at + 2]?.lower === 'date') {
    return { from: periodAround(today, own, 0)?.from ?? today, to: today, next: at + 3 };
  }
  const moved = PERIODS_AWAY.get(word);
  if (moved === undefined) return null;
  if (unit && word !== 'past') {
    const period = periodAround(today, unit, moved);
    return period && { ...period, next: at + 2 };
  }
  const count = unit ? 1 : countOf(tokens[at + 1]);
  const many = unit ?? TIME_UNIT_WORDS.get(tokens[at + 2]?.stem ?? '');
  if (count === null || !many || moved === 0 || count > 10_000) return null;
  const other = addTime(today, many, moved * count);
  const next = at + (unit ? 2 : 3);
  return moved < 0 ? { from: other, to: today, next } : { from: today, to: other, next };
}

/** A year in digits, or "this year", "last year". */
function namedYear(tokens: readonly Token[], at: number, today: CalendarDate): { year: number; next: number } | null {
  const year = yearOf(tokens[at]);
  if (year !== null) return { year, next: at + 1 };
  const moved = PERIODS_AWAY.get(tokens[at]?.lower ?? '');
  if (moved === undefined || tokens[at]?.lower === 'past' || tokens[at + 1]?.lower !== 'year') return null;
  return { year: Number(today.slice(0, 4)) + moved, next: at + 2 };
}

/** "Q1 2025", "2025 Q1", "H1 last year", "the first half of 2025", "the last quarter of this year". */
function readQuarter(tokens: readonly Token[], at: number, today: CalendarDate): PeriodReading | null {
  const [first, second] = [tokens[at], tokens[at + 1]];
  const build = (year: number, part: number, months: number, next: number) => ({
    from: isoOf(year, part * months, 1),
    to: isoOf(year, (part + 1) * months, 0),
    next,
  });
  const part = /^([qh])([1-4])$/.exec(first?.lower ?? '');
  if (part) {
    const named = namedYear(tokens, second?.lower === 'of' ? at + 2 : at + 1, today);
    if (!named || (part[1] === 'h' && Number(part[2]) > 2)) return null;
    return build(named.year, Number(part[2]) - 1, part[1] === 'q' ? 3 : 6, named.next);
  }
  const leading = yearOf(first);
  const trailing = /^q([1-4])$/.exec(second?.lower ?? '');
  if (leading !== null && trailing) return build(leading, Number(trailing[1]) - 1, 3, at + 2);
  const months = { quarter: 3, half: 6 }[second?.lower ?? ''];
  const parts = months === undefined ? 0 : 12 / months;
  const ordinal = first?.lower === 'last' ? parts - 1 : ORDINALS.indexOf(first?.lower ?? '');
  if (months === undefined || ordinal < 0 || ordinal >= parts) return null;
  const named = namedYear(tokens, tokens[at + 2]?.lower === 'of' ? at + 3 : at + 2, today);
  return named && build(named.year, ordinal, months, named.next);
}
