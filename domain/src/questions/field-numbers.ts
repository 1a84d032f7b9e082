import { type Comparison, type Filter, joinFilters } from '../filters/filter.ts';
import { readLiteral } from '../filters/literal.ts';
import { compare, type DecimalText, multiply } from '../money/decimal.ts';
import { TIME_UNIT_WORDS } from './dates.ts';
import { inUnit, type NumberReading, readNumber } from './numbers.ts';
import { isNumeric, listOf, type QuestionReader, type Read, zeroOf } from './question-reader.ts';
import type { KnownField } from './vocabulary.ts';
import { ARTICLES, COMPARATORS, LATE, MORE, SIGNED } from './words.ts';

/** "over 5k", "between 5k and 10k", "5k to 10k", "5k or more", "36 or 60". */
export function readNumbers(reader: QuestionReader, known: KnownField, at: number): Read | null {
  const range = readRange(reader, at);
  if (range) {
    const low = numberFilter(reader, known, 'gte', range.low);
    const high = low && numberFilter(reader, known, 'lte', range.high);
    return low && high ? { filter: joinFilters('and', [low, high]), next: range.next } : null;
  }
  const comparator = COMPARATORS.at(reader.tokens, at);
  let start = comparator?.next ?? at;
  if (!comparator && (reader.word(start) === 'in' || reader.word(start) === 'either')) start += 1;
  while (ARTICLES.has(reader.word(start))) start += 1;
  const number = readNumber(reader.tokens, start);
  if (!number) return null;
  if (comparator) {
    const filter = numberFilter(reader, known, comparator.meaning, number);
    return filter && { filter, next: number.next };
  }
  const more = MORE.at(reader.tokens, number.next);
  if (more || number.isAtLeast) {
    const filter = numberFilter(reader, known, more?.meaning ?? 'gte', number);
    return filter && { filter, next: more?.next ?? number.next };
  }
  const filters: Filter[] = [];
  let next = number.next;
  for (let one: NumberReading | null = number; one; ) {
    const filter = numberFilter(reader, known, 'eq', one);
    if (!filter) return null;
    filters.push(filter);
    next = one.next;
    let after = next;
    if (reader.word(after) === ',') after += 1;
    if (reader.word(after) === 'or' || reader.word(after) === 'and') after += 1;
    if (after === next) break;
    one = readNumber(reader.tokens, after);
    // "5 and 60 days late": the second number begins a condition of its own.
    if (
      one &&
      (one.time !== null ||
        one.isAtLeast ||
        MORE.at(reader.tokens, one.next) ||
        reader.find(reader.lexicon.fields, one.next))
    )
      one = null;
  }
  const values = filters.flatMap((filter) => (filter.kind === 'compare' ? [filter.value] : []));
  if (filters.length === 1 || values.length < filters.length) return { filter: joinFilters('or', filters), next };
  const [first] = filters;
  return first?.kind === 'compare'
    ? { filter: { kind: 'list', field: first.field, operator: 'in', values: [...new Set(values)] }, next }
    : null;
}

interface NumberRange {
  readonly low: NumberReading;
  readonly high: NumberReading;
  /** Of the two numbers, where they are not both included. */
  readonly operators?: readonly [Comparison, Comparison];
  readonly next: number;
}

/** "More than 30 but less than 60 days late": the unit and what follows belong to both. */
function readBounds(reader: QuestionReader, start: number): NumberRange | null {
  const from = COMPARATORS.at(reader.tokens, start);
  const low = from && readNumber(reader.tokens, from.next);
  if (!low || low.time || low.looksLikeMoney || low.isPercent || !['and', 'but'].includes(reader.word(low.next)))
    return null;
  const to = COMPARATORS.at(reader.tokens, low.next + 1);
  const high = to && readNumber(reader.tokens, to.next);
  const isUp = from.meaning === 'gt' || from.meaning === 'gte';
  if (!to || !high?.time || !isUp || !(to.meaning === 'lt' || to.meaning === 'lte')) return null;
  return { low: { ...low, time: high.time }, high, operators: [from.meaning, to.meaning], next: high.next };
}

function readRange(reader: QuestionReader, start: number): NumberRange | null {
  let at = start;
  const opening = reader.word(at);
  if (opening === 'between' || opening === 'from') at += 1;
  const low = readNumber(reader.tokens, at);
  if (!low) return null;
  const joint = reader.word(low.next);
  const isJoined = joint === 'to' || joint === '-' || joint === 'through' || (opening === 'between' && joint === 'and');
  if (!isJoined) return null;
  const high = readNumber(reader.tokens, low.next + 1);
  if (!high) return null;
  // "30 to 60 days", "5 to 10k": the unit belongs to both. "500 to 10k" has two.
  const isScaled =
    high.scale !== null && low.scale === null && compare(multiply(low.value, high.scale), high.value) < 0;
  return {
    low: {
      ...low,
      value: isScaled && high.scale ? multiply(low.value, high.scale) : low.value,
      looksLikeMoney: low.looksLikeMoney || isScaled,
      currency: low.currency ?? high.currency,
      time: low.time ?? high.time,
      isPercent: low.isPercent || high.isPercent,
    },
    high,
    next: high.next,
  };
}

/** The comparison, if the number can be a value of the field. */
function numberFilter(
  reader: QuestionReader,
  known: KnownField,
  operator: Comparison,
  number: NumberReading,
): Filter | null {
  let { field } = known;
  let { value } = number;
  if (!isNumeric(known) || (number.isPercent && field.unit !== '%')) return null;
  if (number.currency && !known.money) return null;
  const { mainCurrency } = reader.context;
  if (known.onlyCurrency && known.onlyCurrency !== (number.currency ?? mainCurrency ?? known.onlyCurrency)) return null;
  if (known.money ? number.isDoubtful : field.unit === '%' && number.looksLikeMoney) return null;
  if (number.time) {
    if (known.inDays) {
      const days = reader.lexicon.known.get(known.inDays)?.field;
      const converted = inUnit(value, number.time, 'days');
      if (!days || !converted) return null;
      [field, value] = [days, converted];
    } else {
      const unit = known.time ?? (field.unit === 'days' || field.unit === 'months' ? field.unit : null);
      const converted = unit && inUnit(value, number.time, unit);
      if (!converted) return null;
      value = converted;
    }
  }
  const reading = readLiteral(field.type, field.type === 'number' ? Number(value) : value);
  if ('problem' in reading) return null;
  if (field.unit === '%' && !number.isPercent) askWhetherFraction(reader, number, value);
  const filter: Filter = { kind: 'compare', field, operator, value: reading.literal };
  if (!number.currency || number.currency === mainCurrency || known.onlyCurrency) return filter;
  const currency = typeof known.money === 'string' ? reader.lexicon.subject.catalog.resolve(known.money) : null;
  if (!currency || !('field' in currency)) return null;
  return joinFilters('and', [
    filter,
    { kind: 'compare', field: currency.field, operator: 'eq', value: number.currency },
  ]);
}

/** "Rate over 0.12" can be 0.12 % or 12 %. */
function askWhetherFraction(reader: QuestionReader, { next }: NumberReading, value: DecimalText): void {
  // 1 as well: a loan to value over 1 is over 100 %, and a rate over 1 can be.
  if (!/^(0\.\d*[1-9]|1(\.0*)?$)/.test(value)) return;
  const said = reader.textOf(next - 1, next);
  const percents = [value, multiply(value, '100')].map((percent) => `${percent}%`);
  reader.doubts.push({
    text: `Do you mean ${listOf(percents)}?`,
    start: next - 1,
    end: next,
    options: percents.map((words) => ({ label: `${words}, not ${said}`, words })),
  });
}

/** A number without its field before it: "more than 60 days late", "more than 2 notes", "over $5m". */
export function readComparedNumber(reader: QuestionReader, start: number): Read | null {
  const range = readRange(reader, start) ?? readBounds(reader, start);
  const comparator = range ? null : COMPARATORS.at(reader.tokens, start);
  let from = comparator?.next ?? start;
  while (ARTICLES.has(reader.word(from))) from += 1;
  const number = range?.high ?? readNumber(reader.tokens, from);
  if (!number || reader.tokens[from]?.kind === 'quoted') return null;
  const more = range || comparator ? null : MORE.at(reader.tokens, number.next);
  const operator = comparator?.meaning ?? more?.meaning ?? (number.isAtLeast ? 'gte' : null);
  const next = more?.next ?? number.next;
  const filterOn = (known: KnownField): Filter | null => {
    if (range) {
      const [low, high] = [
        numberFilter(reader, known, range.operators?.[0] ?? 'gte', range.low),
        numberFilter(reader, known, range.operators?.[1] ?? 'lte', range.high),
      ];
      return low && high && joinFilters('and', [low, high]);
    }
    return numberFilter(reader, known, operator ?? 'eq', number);
  };
  return (
    readRowLength(reader, next, number, range !== null, filterOn) ??
    readLateness(reader, start, next, number, operator !== null || range !== null, filterOn) ??
    readNumberOfField(reader, next, filterOn) ??
    (operator === null && !range && !number.looksLikeMoney
      ? null
      : readFreeNumber(reader, start, next, number, filterOn))
  );
}

/** "36 month loans", "loans of 12 to 24 months": what a length of time before the noun says about rows. */
function readRowLength(
  reader: QuestionReader,
  next: number,
  number: NumberReading,
  isRange: boolean,
  filterOn: (known: KnownField) => Filter | null,
): Read | null {
  const known = reader.lexicon.known.get(reader.lexicon.subject.length ?? '');
  if (!known || number.time === null || isRange || reader.nounAt(next) === null || reader.startsCondition(next))
    return null;
  const filter = filterOn(known);
  return filter && { filter, next };
}

/** "Late by more than 30 days", "overdue between 30 and 60 days". */
export function readLateBy(reader: QuestionReader, start: number): Read | null {
  const known = reader.lexicon.known.get(reader.lexicon.subject.lateness ?? '');
  const late = LATE.at(reader.tokens, start);
  if (!known || !late) return null;
  const at = ['by', 'for'].includes(reader.word(late.next)) ? late.next + 1 : late.next;
  const isCompared =
    COMPARATORS.at(reader.tokens, at) ?? readRange(reader, at) ?? readNumber(reader.tokens, at)?.isAtLeast;
  const read = isCompared ? readNumbers(reader, known, at) : null;
  return read && TIME_UNIT_WORDS.has(reader.tokens[read.next - 1]?.stem ?? '') ? read : null;
}

/** "Negative balance", "positive arrears". */
export function readSigned(reader: QuestionReader, start: number): Read | null {
  const sign = SIGNED.at(reader.tokens, start);
  const field = sign && reader.find(reader.lexicon.fields, sign.next);
  const able = field?.found.filter(isNumeric) ?? [];
  if (!sign || !field || able.length === 0 || reader.readField(sign.next, false)) return null;
  const known = reader.pick(able, sign.next, field.next);
  return { filter: reader.compare(known, sign.meaning, zeroOf(known)), next: field.next };
}

function readLateness(
  reader: QuestionReader,
  start: number,
  from: number,
  number: NumberReading,
  isCompared: boolean,
  filterOn: (known: KnownField) => Filter | null,
): Read | null {
  const lateness = reader.lexicon.known.get(reader.lexicon.subject.lateness ?? '');
  const late = LATE.at(reader.tokens, from);
  if (!lateness || !late || (number.time === null && reader.word(from) !== 'dpd' && reader.word(from) !== 'days'))
    return null;
  const filter = filterOn(lateness);
  if (!filter) return null;
  if (!isCompared) {
    const said = reader.textOf(start, late.next);
    reader.doubts.push({
      text: `Do you mean at least or exactly “${said}”?`,
      start,
      end: late.next,
      options: ['at least', 'exactly', 'at most'].map((words) => ({
        label: `${words} ${said}`,
        words: `${words} ${said}`,
      })),
    });
  }
  reader.last = lateness;
  return { filter, next: late.next };
}

/** "More than 2 notes", "at least 24 months on book". */
function readNumberOfField(
  reader: QuestionReader,
  from: number,
  filterOn: (known: KnownField) => Filter | null,
): Read | null {
  let at = from;
  while (reader.word(at) === 'of' || reader.word(at) === 'in' || ARTICLES.has(reader.word(at))) at += 1;
  const field = reader.find(reader.lexicon.fields, at);
  if (!field || reader.nounAt(at) === field.next) return null;
  const able = field.found.filter((known) => isNumeric(known) && filterOn(known));
  const [first] = able;
  // "over 5k interest rate above 7": the field belongs to what follows it.
  if (!first || reader.readField(at, false)) return null;
  const known = reader.pick(able, at, field.next);
  const filter = filterOn(known);
  reader.last = known;
  return filter && { filter, next: field.next };
}

const SIZES: ReadonlySet<string> = new Set(['bigger', 'larger', 'smaller']);

/** The word before a noun, or before the token if no noun ends there. */
function beforeNoun(reader: QuestionReader, at: number): number {
  const length = [3, 2, 1].find((words) => reader.nounAt(at - words) === at);
  return at - (length ?? 0) - 1;
}

/** A number whose field follows from the condition before, or from what only one field can be. */
function readFreeNumber(
  reader: QuestionReader,
  start: number,
  next: number,
  number: NumberReading,
  filterOn: (known: KnownField) => Filter | null,
): Read | null {
  const before = reader.word(start - 1);
  const continued =
    reader.last && (before === 'and' || before === 'or' || before === 'but') ? filterOn(reader.last) : null;
  if (continued && reader.last) return { filter: continued, next };
  // "Loans at 8 per cent or more", "fixed rate loans over 9%"
  const isRate = before === 'at' || reader.word(beforeNoun(reader, start)) === 'rate';
  const rate = isRate && number.isPercent ? reader.lexicon.known.get(reader.lexicon.subject.rate ?? '') : null;
  const onRate = rate ? filterOn(rate) : null;
  if (rate && onRate) {
    reader.last = rate;
    return { filter: onRate, next };
  }
  const { money, size } = reader.lexicon.subject;
  // "Loans bigger than $25k": what "the biggest loan" compares.
  const isOfSize = SIZES.has(reader.word(start)) && reader.word(start + 1) === 'than';
  const single = reader.lexicon.known.get(money ?? (isOfSize ? size : undefined) ?? '');
  const onSingle = single && !number.isPercent && !number.time ? filterOn(single) : null;
  if (onSingle && single) {
    reader.last = single;
    return { filter: onSingle, next };
  }
  const able = [...reader.lexicon.known.values()].filter((known) =>
    number.looksLikeMoney
      ? known.money && filterOn(known)
      : number.isPercent && known.field.unit === '%' && filterOn(known),
  );
  const said = reader.textOf(start, next);
  if (able.length === 0 || !(number.looksLikeMoney || number.isPercent)) return null;
  reader.doubts.push({
    text: `Which amount is “${said}”?`,
    start,
    end: next,
    options: able.map(({ field }) => ({ label: `${field.label} ${said}`, words: `${field.label} ${said}` })),
  });
  return { filter: joinFilters('and', []), next };
}
