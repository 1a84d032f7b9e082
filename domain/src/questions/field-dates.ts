import type { CalendarDate } from '../dates/calendar-date.ts';
import { type Filter, joinFilters } from '../filters/filter.ts';
import { addTime, countOf, readDate, TIME_UNITS } from './dates.ts';
import type { QuestionReader, Read } from './question-reader.ts';
import type { KnownField } from './vocabulary.ts';
import { COMPARATORS, DATE_WORDS } from './words.ts';

/** A date without a field, where only one field can be meant. */
export function readFreeDate(reader: QuestionReader, start: number): Read | null {
  const known = reader.lexicon.known.get(reader.lexicon.subject.date ?? '');
  if (!known || (/^(>|<|=|at|for|on|over|from)/.test(reader.word(start)) === false && /^\d/.test(reader.word(start))))
    return null;
  return readDates(reader, known, start);
}

/** One period or several: "in 2024 or 2025", "before 2027 or after 2030". */
export function readDates(reader: QuestionReader, known: KnownField, start: number): Read | null {
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
    const low = readDate(reader.tokens, start + 1, today);
    const joint = reader.word(low?.next ?? start);
    const high =
      low && ['and', 'to', 'until', 'till', 'through', '-'].includes(joint)
        ? readDate(reader.tokens, low.next + 1, today)
        : null;
    if (low && high) return { filter: dateRange(reader, known, low.from, high.to), next: high.next };
  }
  const ago = readAgo(reader, known, start);
  if (ago) return ago;
  const words = DATE_WORDS.at(reader.tokens, start);
  const period = readDate(reader.tokens, words?.next ?? start, today);
  if (!period) return null;
  const { from, to, next } = period;
  const joint = reader.word(next);
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

/** "More than 90 days ago", "in more than 2 years". */
function readAgo(reader: QuestionReader, known: KnownField, start: number): Read | null {
  const isAhead = reader.word(start) === 'in';
  const comparator = COMPARATORS.at(reader.tokens, isAhead ? start + 1 : start);
  const at = comparator?.next ?? start;
  const count = countOf(reader.tokens[at]);
  const unit = TIME_UNITS.get(reader.tokens[at + 1]?.stem ?? '');
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
