import type { CalendarDate } from '../dates/calendar-date.ts';
import { type Filter, joinFilters } from '../filters/filter.ts';
import { addTime, countOf, monthSoFar, type PeriodReading, readDate, TIME_UNIT_WORDS } from './dates.ts';
import type { QuestionReader, Read } from './question-reader.ts';
import type { KnownField } from './vocabulary.ts';
import { ARTICLES, COMPARATORS, DATE_WORDS, MORE } from './words.ts';

/** "Older than 2 years", of what begins with a date: its age. */
export function readAge(reader: QuestionReader, start: number): Read | null {
  const known = reader.lexicon.known.get(reader.lexicon.subject.age ?? '');
  const isOlder = reader.word(start) === 'older';
  if (!known || !(isOlder || ['younger', 'newer'].includes(reader.word(start))) || reader.word(start + 1) !== 'than')
    return null;
  const at = start + 2;
  const count = ['a', 'an'].includes(reader.word(at)) ? 1 : countOf(reader.tokens[at]);
  const unit = TIME_UNIT_WORDS.get(reader.tokens[at + 1]?.stem ?? '');
  if (known.when !== 'behind' || count === null || !unit || count > 10_000) return null;
  const day = addTime(reader.context.today, unit, -count);
  return { filter: dateBound(reader, known, isOlder ? 'lt' : 'gt', day), next: at + 2 };
}

/** "Past maturity", "beyond their maturity date". */
export function readEnded(reader: QuestionReader, start: number): Read | null {
  if (!['past', 'beyond'].includes(reader.word(start))) return null;
  const at = ['its', 'their', 'the'].includes(reader.word(start + 1)) ? start + 2 : start + 1;
  const field = reader.find(reader.lexicon.fields, at);
  const known = field?.found.find(({ isEnd }) => isEnd);
  if (!field || !known || reader.readField(at, false)) return null;
  return { filter: dateBound(reader, known, 'lt', reader.context.today), next: field.next };
}

/** "Not due yet", "not yet due", "yet to mature": still ahead. "Already due": no longer. */
export function readYet(reader: QuestionReader, start: number): Read | null {
  const said = ['not yet', 'yet to', 'not', 'already'].find((words) =>
    words.split(' ').every((word, index) => reader.word(start + index) === word),
  );
  if (said === undefined) return null;
  const field = reader.find(reader.lexicon.fields, start + said.split(' ').length);
  const known = field?.found.find(({ field: { type }, when }) => type === 'date' && when === 'ahead');
  if (!field || !known || field.found.length > 1 || reader.readField(field.next - 1, false)) return null;
  const { today } = reader.context;
  if (said === 'already')
    return { filter: dateBound(reader, known, known.isEnd ? 'lt' : 'lte', today), next: field.next };
  const isYet = reader.word(field.next) === 'yet';
  if (said === 'not' && !isYet) return null;
  return { filter: dateBound(reader, known, 'gt', today), next: isYet ? field.next + 1 : field.next };
}

/** A date without a field, where only one field can be meant. */
export function readFreeDate(reader: QuestionReader, start: number): Read | null {
  const known = reader.lexicon.known.get(reader.lexicon.subject.date ?? '');
  const status = reader.statusBefore(start);
  const dated = known && status ? readPeriods(reader, known, start) : null;
  if (known && status && dated) {
    // "Approved last week": lists know when a draw is due, and not when it was approved.
    const said = reader.textOf(start - 1, dated.next);
    const label = `${known.field.label} ${reader.textOf(start, dated.next)}`;
    reader.doubts.push({
      text: `When a document became ${status} cannot be asked for. Do you mean its ${known.field.label.toLowerCase()}?`,
      start,
      end: dated.next,
      options: [{ label: `${said}: ${label}`, words: `and ${label}` }],
    });
    return dated;
  }
  if (!known || (/^(>|<|=|at|for|on|over|from)/.test(reader.word(start)) === false && /^\d/.test(reader.word(start))))
    return null;
  // "Repayments of 2025" and "of last month", but not "draws of 2000".
  if (reader.word(start) === 'of' && isYearNear(reader.word(start + 1), reader.context.today))
    return readPeriods(reader, known, start + 1);
  return readPeriods(reader, known, start);
}

/** One period or several: "in 2024 or 2025", "before 2027 or after 2030". */
export function readPeriods(reader: QuestionReader, known: KnownField, start: number): Read | null {
  const first = readPeriod(reader, known, start);
  if (!first) return null;
  const parts = [first.filter];
  let { next } = first;
  for (;;) {
    const joint = reader.word(next);
    const bound = DATE_WORDS.at(reader.tokens, next + 1);
    if (joint !== 'or' && !(joint === 'and' && !bound)) break;
    if (bound && !['before', 'after', 'since', 'in', 'during'].includes(reader.word(next + 1))) break;
    const period = readDate(reader.tokens, bound?.next ?? next + 1, reader.context.today);
    // "In 2024 or 2000 balance": the number belongs to another field.
    const other = period ? readPeriod(reader, known, next + 1) : null;
    if (!period || !other || reader.find(reader.lexicon.fields, other.next)) break;
    parts.push(other.filter);
    next = other.next;
  }
  return { filter: joinFilters('or', parts), next };
}

function readPeriod(reader: QuestionReader, known: KnownField, start: number): Read | null {
  const { today } = reader.context;
  const opening = reader.word(start);
  if (opening === 'between' || opening === 'from') {
    const range = readDateRange(reader, start + 1);
    if (range) return { filter: dateRange(reader, known, range.from, range.to), next: range.next };
  }
  const near = readAgo(reader, known, start) ?? readWithin(reader, known, start) ?? readSide(reader, known, start);
  if (near) return near;
  const words = DATE_WORDS.at(reader.tokens, start);
  const month = opening === 'since' ? monthSoFar(reader.tokens[start + 1], today) : null;
  const period = readDate(reader.tokens, words?.next ?? start, today);
  const unopened = period || (words && words.meaning !== 'in') ? null : readDateRange(reader, words?.next ?? start);
  if (unopened) return { filter: dateRange(reader, known, unopened.from, unopened.to), next: unopened.next };
  if (!period && month) return { filter: dateBound(reader, known, 'gte', month), next: start + 2 };
  if (!period) return null;
  const { from, to, next } = period;
  const isLong = from !== to && words?.meaning === 'gte' && opening === 'from';
  if (isLong && !['on', 'onwards', 'onward', 'to', 'until', 'till', 'through', '-'].includes(reader.word(next)))
    askWhetherSince(reader, start, next);
  askWhichLast(reader, words?.next ?? start, next);
  const joint = reader.word(next);
  // "2024-2025", "Jan 2024 to Mar 2024"
  if ((words?.meaning ?? 'in') === 'in' && ['-', 'to', 'through'].includes(joint)) {
    const high = readDate(reader.tokens, next + 1, today);
    if (high) return { filter: dateRange(reader, known, from, high.to), next: high.next };
  }
  if (words?.meaning === 'gte' && (joint === 'until' || joint === 'till' || joint === 'through')) {
    const high = readDate(reader.tokens, next + 1, today);
    if (high) return { filter: dateRange(reader, known, from, high.to), next: high.next };
  }
  switch (words?.meaning) {
    case 'lt':
      return { filter: dateBound(reader, known, 'lt', from), next };
    case 'gt':
      return { filter: dateBound(reader, known, 'gt', to), next };
    case 'gte':
      return { filter: dateBound(reader, known, 'gte', from), next };
    case 'lte':
      return { filter: dateBound(reader, known, 'lte', to), next };
    default:
      return { filter: dateRange(reader, known, from, to), next };
  }
}

/** Any word but a number that can as well be an amount as a year. */
const isYearNear = (word: string, today: CalendarDate): boolean =>
  !/^\d+$/.test(word) || Math.abs(Number(word) - Number(today.slice(0, 4))) <= 15;

const RANGE_JOINTS = ['and', 'to', 'until', 'till', 'through', '-'];
/** The words of a date before the joint: "the 5th of March". */
const MAX_DATE_WORDS = 4;

/** "March and May 2025", "5 and 20 March 2025": what the first date leaves out is said by the second. */
function readDateRange({ tokens, context: { today } }: QuestionReader, start: number): PeriodReading | null {
  const whole = readDate(tokens, start, today);
  if (whole && RANGE_JOINTS.includes(tokens[whole.next]?.lower ?? '')) {
    const high = readDate(tokens, whole.next + 1, today);
    return high && { from: whole.from, to: high.to, next: high.next };
  }
  for (let joint = start + 1; joint <= start + MAX_DATE_WORDS && joint < tokens.length; joint++) {
    if (!RANGE_JOINTS.includes(tokens[joint]?.lower ?? '')) continue;
    const high = readDate(tokens, joint + 1, today);
    if (!high) return null;
    for (let from = high.next - 1; from > joint; from--) {
      const completed = [...tokens.slice(start, joint), ...tokens.slice(from, high.next)];
      const low = readDate(completed, 0, today);
      if (low?.next === completed.length && low.from <= high.from)
        return { from: low.from, to: high.to, next: high.next };
    }
    return null;
  }
  return null;
}

/** "Draws from last week" can be those of that week, or all since. */
function askWhetherSince(reader: QuestionReader, start: number, end: number): void {
  const period = reader.textOf(start + 1, end);
  reader.doubts.push({
    text: `Is “${reader.textOf(start, end)}” in that time, or since it began?`,
    start,
    end,
    options: ['in', 'since'].map((word) => ({ label: `${word} ${period}`, words: `${word} ${period}` })),
  });
}

/** "In the last year" can be the calendar year before, or the twelve months up to today. */
function askWhichLast(reader: QuestionReader, start: number, end: number): void {
  const unit = TIME_UNIT_WORDS.get(reader.tokens[start + 2]?.stem ?? '');
  if (reader.word(start) !== 'the' || reader.word(start + 1) !== 'last' || end !== start + 3 || !unit) return;
  const one = unit.slice(0, -1);
  if (unit === 'days') return;
  reader.doubts.push({
    text: `“${reader.textOf(start, end)}” can be the calendar ${one} before this one, or the ${one} up to today. Which one?`,
    start,
    end,
    options: [
      { label: `The calendar ${one} before this one`, words: `last ${one}` },
      { label: `The ${one} up to today`, words: `the last 1 ${one}` },
    ],
  });
}

/** "Within 90 days": after today of what lies ahead, such as maturity; before it of what has happened. */
function readWithin(reader: QuestionReader, known: KnownField, start: number): Read | null {
  const isIn = reader.word(start) === 'in' && known.when === 'ahead';
  if (!(isIn || reader.word(start) === 'within') || !known.when) return null;
  const at = ARTICLES.has(reader.word(start + 1)) ? start + 1 : start;
  const count = at > start ? 1 : countOf(reader.tokens[at + 1]);
  const next = at > start ? at + 2 : start + 3;
  const unit = TIME_UNIT_WORDS.get(reader.tokens[next - 1]?.stem ?? '');
  if (count === null || !unit || count > 10_000 || reader.word(next) === 'of') return null;
  const { today } = reader.context;
  const other = addTime(today, unit, known.when === 'ahead' ? count : -count);
  const isLess = MORE.at(reader.tokens, next)?.meaning === 'lte';
  if (isIn && !isLess) {
    const said = reader.textOf(start, next);
    reader.doubts.push({
      text: `Is “${said}” up to that day, or on that day?`,
      start,
      end: next,
      options: [
        { label: `Up to ${other}`, words: `within ${reader.textOf(start + 1, next)}` },
        { label: `On ${other}`, words: `on ${other}` },
      ],
    });
  }
  const [from, to] = known.when === 'ahead' ? [today, other] : [other, today];
  const end = isLess ? (MORE.at(reader.tokens, next)?.next ?? next) : next;
  return { filter: dateRange(reader, known, from, to), next: end };
}

/** "In the past", "in the future". */
function readSide(reader: QuestionReader, known: KnownField, start: number): Read | null {
  if (reader.word(start) !== 'in' || reader.word(start + 1) !== 'the') return null;
  const operator = { past: 'lt', future: 'gt' } as const;
  const word = reader.word(start + 2);
  if ((word !== 'past' && word !== 'future') || readDate(reader.tokens, start + 1, reader.context.today)) return null;
  return { filter: dateBound(reader, known, operator[word], reader.context.today), next: start + 3 };
}

/** "More than 90 days ago", "less than a year ago", "in more than 2 years". */
function readAgo(reader: QuestionReader, known: KnownField, start: number): Read | null {
  const isAhead = reader.word(start) === 'in';
  const comparator = COMPARATORS.at(reader.tokens, isAhead ? start + 1 : start);
  const at = comparator?.next ?? start;
  const count = comparator && ['a', 'an'].includes(reader.word(at)) ? 1 : countOf(reader.tokens[at]);
  const unit = TIME_UNIT_WORDS.get(reader.tokens[at + 1]?.stem ?? '');
  const joint = reader.word(at + 2);
  const isAgo = joint === 'ago' || joint === 'old';
  const isFromNow = (joint === 'from' && reader.word(at + 3) === 'now') || (isAhead && comparator !== null && !isAgo);
  if (!comparator || count === null || !unit || count > 10_000 || !(isAgo || isFromNow)) return null;
  const day = addTime(reader.context.today, unit, isAgo ? -count : count);
  const opposite = { gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte', eq: 'eq', neq: 'neq' } as const;
  const operator = isAgo ? opposite[comparator.meaning] : comparator.meaning;
  const next = at + (isAgo ? 3 : joint === 'from' ? 4 : 2);
  if (operator === 'eq' || operator === 'neq') return { filter: dateRange(reader, known, day, day), next };
  return { filter: dateBound(reader, known, operator, day), next };
}

function dateRange(reader: QuestionReader, known: KnownField, from: CalendarDate, to: CalendarDate): Filter {
  if (from === to && known.field.type === 'date') return reader.compare(known, 'eq', from);
  return joinFilters('and', [dateBound(reader, known, 'gte', from), dateBound(reader, known, 'lte', to)]);
}

/** A bound by calendar days; of an instant, the day includes all its hours. */
function dateBound(
  reader: QuestionReader,
  known: KnownField,
  operator: 'lt' | 'lte' | 'gt' | 'gte',
  day: CalendarDate,
): Filter {
  if (known.field.type === 'date') return reader.compare(known, operator, day);
  const isNextDay = operator === 'lte' || operator === 'gt';
  const midnight = `${isNextDay ? addTime(day, 'days', 1) : day}T00:00:00.000Z`;
  return reader.compare(known, operator === 'lte' || operator === 'lt' ? 'lt' : 'gte', midnight);
}
