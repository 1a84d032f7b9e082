import type { CalendarDate } from '../dates/calendar-date.ts';
import { type Comparison, type Filter, isEverything, joinFilters, type Literal } from '../filters/filter.ts';
import { escapeLike } from '../filters/like.ts';
import { LIST_LIMITS } from '../filters/list-query.schema.ts';
import { readLiteral } from '../filters/literal.ts';
import { parseFilter } from '../filters/parse.ts';
import { addTime, countOf, readDate, TIME_UNITS } from './dates.ts';
import { negateFilter } from './negate-filter.ts';
import { inUnit, type NumberReading, readNumber } from './numbers.ts';
import { readSentence } from './read-sentence.ts';
import { QUESTION_LIMITS, stemsOf, type Token, tokenize } from './tokens.ts';
import type { KnownField, Lexicon, Meaning } from './vocabulary.ts';
import {
  ABSENCE,
  AGGREGATES,
  ARTICLES,
  COMPARATORS,
  COPULAS,
  DATE_WORDS,
  DIRECTIONS,
  FILLERS,
  HAVING,
  LATE,
  MISSING,
  MORE,
  NEGATIONS,
  PREPOSITIONS,
  SORTED,
  SUPERLATIVES,
  TEXT_WORDS,
  WORDS_NOT_CODES,
} from './words.ts';

/** A way to write the question that leaves no doubt. */
export interface Choice {
  readonly label: string;
  readonly question: string;
}

/** What a question means, or what has to be known first. */
export type Reading =
  | {
      readonly kind: 'filter';
      readonly filter: Filter;
      readonly sort: readonly SortedBy[];
      readonly limit: number | null;
    }
  | {
      readonly kind: 'asks';
      readonly text: string;
      readonly choices: readonly Choice[];
      readonly unknown: readonly string[];
    };

export interface SortedBy {
  readonly path: string;
  readonly direction: 1 | -1;
}

export interface QuestionContext {
  readonly lexicon: Lexicon;
  /** The day that "last month" counts from. */
  readonly today: CalendarDate;
  /** The currency whose sign needs no condition of its own. */
  readonly mainCurrency: string;
}

/** A doubt about the words from one token to another, with what they could be replaced by. */
interface Doubt {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly options: readonly { label: string; words: string }[];
}

/** A condition that was read, and the token after it. */
interface Read {
  readonly filter: Filter;
  readonly next: number;
}

const MOST_CHOICES = 8;

/**
 * Reads a question into the filter language. Every word is accounted for: with words that mean nothing here, or several
 * things, it asks back and never guesses. Takes time in proportion to the length of the question.
 */
export function readQuestion(question: string, context: QuestionContext): Reading {
  if (question.length > QUESTION_LIMITS.characters)
    return asks(`Write at most ${QUESTION_LIMITS.characters} characters.`);
  const sentence = readSentence(question.trim(), context.lexicon.subject.catalog);
  if (sentence && !usesOtherNames(sentence, context.lexicon)) {
    return { kind: 'filter', filter: sentence, sort: [], limit: null };
  }
  const tokens = tokenize(question);
  if (tokens.length === 0) return asks('Write a question, for example “60+ days late in Texas”.');
  if (tokens.length > QUESTION_LIMITS.tokens) return asks(`Write at most ${QUESTION_LIMITS.tokens} words.`);
  return new Reader(question, tokens, context).read();
}

const asks = (text: string, choices: readonly Choice[] = [], unknown: readonly string[] = []): Reading => ({
  kind: 'asks',
  text,
  choices,
  unknown,
});

/** "State is Texas", where the list writes TX: the name is meant, not the text. */
function usesOtherNames(filter: Filter, lexicon: Lexicon): boolean {
  if (filter.kind === 'and' || filter.kind === 'or')
    return filter.filters.some((part) => usesOtherNames(part, lexicon));
  if (filter.kind === 'not') return usesOtherNames(filter.filter, lexicon);
  if (filter.field.type !== 'text' || (filter.kind !== 'compare' && filter.kind !== 'list')) return false;
  const known = lexicon.known.get(filter.field.path);
  const values = filter.kind === 'compare' ? [filter.value] : filter.values;
  return values.some((value) => {
    if (!known || known.values.some((one) => one.value === value)) return false;
    return lexicon.values.get(stemsOf(String(value)))?.some((meaning) => meaning.known === known) ?? false;
  });
}

class Reader {
  private readonly question: string;
  private readonly tokens: readonly Token[];
  private readonly context: QuestionContext;
  private readonly lexicon: Lexicon;
  private at = 0;
  private readonly unknown = new Set<number>();
  private readonly doubts: Doubt[] = [];
  private sort: SortedBy[] = [];
  private limit: number | null = null;
  /** The numeric field of the condition before, which "and at most 14" refers to. */
  private last: KnownField | null = null;

  constructor(question: string, tokens: readonly Token[], context: QuestionContext) {
    this.question = question;
    this.tokens = tokens;
    this.context = context;
    this.lexicon = context.lexicon;
  }

  read(): Reading {
    const filter = this.readAll(0);
    while (this.at < this.tokens.length) this.skipUnknown();
    const unknown = this.unknownPhrases();
    const aggregate = unknown.find((phrase) => phrase.split(' ').some((word) => AGGREGATES.has(word.toLowerCase())));
    if (aggregate) {
      return asks(
        `A filter finds rows; it cannot answer “${aggregate}”. Ask which ${this.noun} you want to see, and open them in the grid for totals and groups.`,
        [],
        unknown,
      );
    }
    const [doubt] = this.doubts;
    if (unknown.length > 0) {
      const named = unknown.map((phrase) => `“${phrase}”`).join(', ');
      return asks(`I did not understand ${named}. ${this.help()}`, [], unknown);
    }
    if (doubt) return asks(doubt.text, this.choicesOf(doubt));
    if (isEverything(filter) && this.sort.length === 0 && this.limit === null && !this.asksForAll()) {
      return asks(`Say which ${this.noun} you want to see. ${this.help()}`);
    }
    return { kind: 'filter', filter, sort: this.sort, limit: this.limit };
  }

  private get noun(): string {
    return this.lexicon.subject.nouns[0] ?? 'rows';
  }

  /** "All loans", without a condition. */
  private asksForAll(): boolean {
    const words = new Set(this.tokens.map(({ lower }) => lower));
    return ['all', 'every', 'everything', 'any', 'many', 'list', 'show'].some((word) => words.has(word));
  }

  private help(): string {
    const labels = [...this.lexicon.known.values()].slice(0, 40).map(({ field }) => field.label);
    return `You can ask about ${labels.slice(0, 12).join(', ')}${labels.length > 12 ? ' and more' : ''}.`;
  }

  private unknownPhrases(): string[] {
    const places = [...this.unknown].sort((a, b) => a - b);
    const phrases: string[] = [];
    let [from, to] = [-1, -1];
    const push = () => {
      const [first, last] = [this.tokens[from], this.tokens[to]];
      if (first && last) phrases.push(this.question.slice(first.start, last.end));
    };
    for (const place of places) {
      if (place === to + 1 && from >= 0) to = place;
      else {
        push();
        [from, to] = [place, place];
      }
    }
    push();
    return phrases;
  }

  private choicesOf({ start, end, options }: Doubt): Choice[] {
    const from = this.tokens[start]?.start ?? 0;
    const to = this.tokens[end - 1]?.end ?? from;
    return options.slice(0, MOST_CHOICES).map(({ label, words }) => ({
      label,
      question: `${this.question.slice(0, from)}${words}${this.question.slice(to)}`,
    }));
  }

  private skipUnknown(): void {
    this.unknown.add(this.at);
    this.at += 1;
  }

  private word(at = this.at): string {
    return this.tokens[at]?.kind === 'quoted' ? '' : (this.tokens[at]?.lower ?? '');
  }

  /** The longest phrase of a map at a token. */
  private find<Found>(map: ReadonlyMap<string, Found>, at: number): { found: Found; next: number } | null {
    const most = Math.min(this.lexicon.longest, this.tokens.length - at);
    const stems = this.tokens.slice(at, at + most).map((token) => (token.kind === 'quoted' ? '“' : token.stem));
    for (let length = most; length > 0; length--) {
      const found = map.get(stems.slice(0, length).join(' '));
      if (found !== undefined) return { found, next: at + length };
    }
    return null;
  }

  private nounAt(at: number): number | null {
    for (let length = Math.min(3, this.tokens.length - at); length > 0; length--) {
      const phrase = this.tokens.slice(at, at + length).map(({ stem }) => stem);
      if (this.lexicon.nouns.has(phrase.join(' '))) return at + length;
    }
    return null;
  }

  /** Parts around nouns: "charged off or defaulted | loans | in Florida". */
  private readAll(depth: number): Filter {
    const parts: Filter[] = [];
    let hasAlternatives = false;
    while (this.at < this.tokens.length && this.word() !== ')') {
      const start = this.at;
      const { filter, alternatives } = this.readOr(depth);
      if (alternatives && hasAlternatives) {
        this.doubts.push({
          text: 'The question has several “or”. Write brackets around what belongs together.',
          start,
          end: this.at,
          options: [],
        });
      }
      hasAlternatives ||= alternatives;
      if (!isEverything(filter)) parts.push(filter);
      if (this.at === start) this.skipUnknown();
    }
    return joinFilters('and', parts);
  }

  private readOr(depth: number): { filter: Filter; alternatives: boolean } {
    const parts: Filter[] = [];
    for (;;) {
      const { filter, isCut } = this.readAnd(depth, parts.length > 0);
      const isOr = this.word() === 'or' || this.word() === 'nor';
      if (isEverything(filter)) {
        // An "or" with nothing on one side has no meaning.
        if (parts.length > 0) this.unknown.add(this.at - 1);
        else if (isOr) this.skipUnknown();
        if (!isOr || this.at >= this.tokens.length) break;
        if (parts.length === 0) continue;
      } else {
        parts.push(filter);
      }
      if (isCut || !(this.word() === 'or' || this.word() === 'nor')) break;
      this.at += 1;
    }
    return {
      filter: parts.length === 0 ? joinFilters('and', []) : joinFilters('or', parts),
      alternatives: parts.length > 1,
    };
  }

  /** @param isAlternative whether an "or" precedes: then a noun ends all alternatives */
  private readAnd(depth: number, isAlternative: boolean): { filter: Filter; isCut: boolean } {
    const parts: Filter[] = [];
    while (this.at < this.tokens.length) {
      const word = this.word();
      if (word === ')' || word === 'or' || word === 'nor') break;
      if (word === ',') {
        this.at += 1;
        continue;
      }
      const afterNoun = this.startsCondition() ? null : this.nounAt(this.at);
      if (afterNoun !== null) {
        this.at = afterNoun;
        if (isAlternative && parts.length > 0 && this.word() !== 'or' && this.word() !== 'nor') {
          return { filter: joinFilters('and', parts), isCut: true };
        }
        continue;
      }
      const filter = this.readUnit(depth);
      if (filter) parts.push(filter);
    }
    return { filter: joinFilters('and', parts), isCut: false };
  }

  /** Whether a longer phrase than the noun begins here: "loan to value". */
  private startsCondition(): boolean {
    const noun = this.nounAt(this.at);
    if (noun === null) return false;
    const field = this.find(this.lexicon.fields, this.at);
    const value = this.find(this.lexicon.values, this.at);
    return (
      Math.max(field?.next ?? 0, value?.next ?? 0) > noun ||
      (field?.next === noun && this.readField(this.at, false) !== null)
    );
  }

  private readUnit(depth: number): Filter | null {
    const start = this.at;
    if (this.word() === '(') return this.readBrackets(depth);
    const found =
      this.readSort(start) ??
      this.readMissing(start) ??
      this.readFreeDate(start) ??
      this.readComparedNumber(start) ??
      this.readNegation(start, depth) ??
      this.readPhrase(start);
    if (found) {
      this.at = found.next;
      return isEverything(found.filter) ? null : found.filter;
    }
    if (this.at !== start) return null;
    if (FILLERS.has(this.word()) && this.tokens[start]?.kind !== 'quoted') this.at += 1;
    else this.skipUnknown();
    return null;
  }

  private readBrackets(depth: number): Filter | null {
    const open = this.at;
    if (depth >= QUESTION_LIMITS.depth) {
      this.doubts.push({
        text: `Use at most ${QUESTION_LIMITS.depth} brackets within each other.`,
        start: open,
        end: open + 1,
        options: [],
      });
      this.at = this.tokens.length;
      return null;
    }
    this.at += 1;
    const filter = this.readAll(depth + 1);
    if (this.word() === ')') this.at += 1;
    else this.unknown.add(open);
    return isEverything(filter) ? null : filter;
  }

  private readNegation(start: number, depth: number): Read | null {
    const negation = NEGATIONS.at(this.tokens, start) ?? (ABSENCE.at(this.tokens, start) || null);
    if (!negation) return null;
    this.at = negation.next;
    while (this.at < this.tokens.length && FILLERS.has(this.word()) && !COMPARATORS.at(this.tokens, this.at))
      this.at += 1;
    if (this.nounAt(this.at) !== null && !this.startsCondition()) this.at = this.nounAt(this.at) ?? this.at;
    while (FILLERS.has(this.word()) && !COMPARATORS.at(this.tokens, this.at)) this.at += 1;
    const before = this.at;
    const end = this.word();
    const inner =
      before < this.tokens.length && end !== ')' && end !== 'or' && end !== ',' ? this.readUnit(depth) : null;
    if (!inner) {
      this.unknown.add(start);
      return { filter: joinFilters('and', []), next: Math.max(this.at, negation.next) };
    }
    return { filter: negateFilter(inner), next: this.at };
  }

  /** "No maturity date", "missing borrower id", "without exceptions". */
  private readMissing(start: number): Read | null {
    const absence = ABSENCE.at(this.tokens, start);
    if (!absence) return null;
    let at = absence.next;
    while (ARTICLES.has(this.word(at))) at += 1;
    const field = this.find(this.lexicon.fields, at);
    if (!field) return null;
    const known = this.pick(field.found, at, field.next);
    if (known.field.type === 'boolean') return { filter: this.compare(known, 'eq', false), next: field.next };
    if (known.isCount) return { filter: this.compare(known, 'eq', 0), next: field.next };
    return { filter: this.exists(known, false), next: field.next };
  }

  private exists(known: KnownField, exists: boolean): Filter {
    return { kind: 'exists', field: known.field, operator: 'exists', exists };
  }

  private compare(known: KnownField, operator: Comparison, value: Literal): Filter {
    return { kind: 'compare', field: known.field, operator, value };
  }

  /** The one field that words mean; with several, the first, and a question which is meant. */
  private pick(fields: readonly KnownField[], start: number, end: number): KnownField {
    const [first] = fields;
    if (!first) throw new Error('A phrase of the vocabulary has no field');
    if (fields.length > 1) {
      const said = this.textOf(start, end);
      this.doubts.push({
        text: `“${said}” can mean ${listOf(fields.map(({ field }) => field.label))}. Which one?`,
        start,
        end,
        options: fields.map(({ field }) => ({ label: field.label, words: field.label })),
      });
    }
    return first;
  }

  private textOf(start: number, end: number): string {
    return this.question.slice(this.tokens[start]?.start ?? 0, this.tokens[end - 1]?.end ?? 0);
  }

  /** The longest of a field, a value and a condition's words. */
  private readPhrase(start: number): Read | null {
    const { fields, conditions } = this.lexicon;
    const field = this.find(fields, start);
    const value = this.valueAt(start);
    const condition = this.find(conditions, start);
    const longest = Math.max(field?.next ?? 0, value?.next ?? 0, condition?.next ?? 0);
    if (longest === 0) return null;
    if (condition && condition.next === longest && !(field && this.readField(start, false))) {
      return { filter: parseFilter(condition.found, this.lexicon.subject.catalog), next: condition.next };
    }
    if (field && field.next === longest) {
      const read = this.readField(start, true);
      if (read) return read;
    }
    if (value && value.next >= (condition?.next ?? 0)) {
      const read = this.readValues(start, value);
      if (read) return read;
    }
    if (field) return this.readField(start, true) ?? this.readBareField(start, field.found, field.next);
    return null;
  }

  /** A field that nothing is said about: "with recoveries", "recallable". */
  private readBareField(start: number, fields: readonly KnownField[], next: number): Read | null {
    const known = this.pick(fields, start, next);
    if (known.field.type === 'boolean') return { filter: this.compare(known, 'eq', true), next };
    let before = start - 1;
    while (ARTICLES.has(this.word(before))) before -= 1;
    if (!HAVING.has(this.word(before))) {
      this.doubts.push({
        text: `What about ${known.field.label}? Write, for example, “${known.field.label} ${exampleOf(known)}”.`,
        start,
        end: next,
        options: [],
      });
      return { filter: joinFilters('and', []), next };
    }
    if (known.isCount) return { filter: this.compare(known, 'gt', 0), next };
    return { filter: this.exists(known, true), next };
  }

  /** A field and what is said about it. @param asksBack whether an ambiguous field is reported */
  private readField(start: number, asksBack: boolean): Read | null {
    const field = this.find(this.lexicon.fields, start);
    if (!field) return null;
    const saved = [this.doubts.length, this.last] as const;
    const readable = field.found.flatMap((known) => {
      const read = this.readPredicate(known, field.next);
      return read ? [{ known, read }] : [];
    });
    const [first] = readable;
    if (!asksBack) {
      this.doubts.length = saved[0];
      this.last = saved[1];
      return first?.read ?? null;
    }
    if (!first) return null;
    const known = this.pick(
      readable.map((one) => one.known),
      start,
      field.next,
    );
    if (isNumeric(known)) this.last = known;
    return first.read;
  }

  private readPredicate(known: KnownField, from: number): Read | null {
    let at = from;
    let isNegated = false;
    for (; at < this.tokens.length; at++) {
      if (COPULAS.has(this.word(at)) && !COMPARATORS.at(this.tokens, at)) continue;
      const longer = COMPARATORS.at(this.tokens, at) ?? DATE_WORDS.at(this.tokens, at) ?? MISSING.at(this.tokens, at);
      if (longer && this.word(at) === 'not') break;
      if (['not', "isn't", "aren't", "wasn't", 'neither'].includes(this.word(at))) isNegated = !isNegated;
      else break;
    }
    const missing = MISSING.at(this.tokens, at);
    if (missing && (at > from || missing.meaning === false)) {
      return { filter: this.exists(known, missing.meaning !== isNegated), next: missing.next };
    }
    const read = this.readValueOf(known, at, at > from);
    return read && isNegated ? { filter: negateFilter(read.filter), next: read.next } : read;
  }

  private readValueOf(known: KnownField, at: number, hasCopula: boolean): Read | null {
    switch (known.field.type) {
      case 'number':
      case 'decimal':
        return this.readNumbers(known, at);
      case 'date':
      case 'instant':
        return this.readDates(known, at);
      case 'boolean':
        return this.readBoolean(known, at);
      case 'text':
        return this.readTexts(known, at, hasCopula);
    }
  }

  private readBoolean(known: KnownField, at: number): Read | null {
    const value = { yes: true, true: true, no: false, false: false }[this.word(at)];
    return value === undefined ? null : { filter: this.compare(known, 'eq', value), next: at + 1 };
  }

  // --- numbers ---

  /** "over 5k", "between 5k and 10k", "5k to 10k", "5k or more", "36 or 60". */
  private readNumbers(known: KnownField, at: number): Read | null {
    const range = this.readRange(at);
    if (range) {
      const low = this.numberFilter(known, 'gte', range.low);
      const high = low && this.numberFilter(known, 'lte', range.high);
      return low && high ? { filter: joinFilters('and', [low, high]), next: range.next } : null;
    }
    const comparator = COMPARATORS.at(this.tokens, at);
    let start = comparator?.next ?? at;
    if (!comparator && (this.word(start) === 'in' || this.word(start) === 'either')) start += 1;
    while (ARTICLES.has(this.word(start))) start += 1;
    const number = readNumber(this.tokens, start);
    if (!number) return null;
    if (comparator) {
      const filter = this.numberFilter(known, comparator.meaning, number);
      return filter && { filter, next: number.next };
    }
    const more = MORE.at(this.tokens, number.next);
    if (more || number.isAtLeast) {
      const filter = this.numberFilter(known, more?.meaning ?? 'gte', number);
      return filter && { filter, next: more?.next ?? number.next };
    }
    const filters: Filter[] = [];
    let next = number.next;
    for (let one: NumberReading | null = number; one; ) {
      const filter = this.numberFilter(known, 'eq', one);
      if (!filter) return null;
      filters.push(filter);
      next = one.next;
      let after = next;
      if (this.word(after) === ',') after += 1;
      if (this.word(after) === 'or' || this.word(after) === 'and') after += 1;
      if (after === next) break;
      one = readNumber(this.tokens, after);
      // "5 and 60 days late": the second number begins a condition of its own.
      if (
        one &&
        (one.time !== null ||
          one.isAtLeast ||
          MORE.at(this.tokens, one.next) ||
          this.find(this.lexicon.fields, one.next))
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

  private readRange(start: number): { low: NumberReading; high: NumberReading; next: number } | null {
    let at = start;
    const opening = this.word(at);
    if (opening === 'between' || opening === 'from') at += 1;
    const low = readNumber(this.tokens, at);
    if (!low) return null;
    const joint = this.word(low.next);
    const isJoined =
      joint === 'to' || joint === '-' || joint === 'through' || (opening === 'between' && joint === 'and');
    if (!isJoined) return null;
    const high = readNumber(this.tokens, low.next + 1);
    if (!high) return null;
    // "30 to 60 days": the unit belongs to both.
    return {
      low: { ...low, time: low.time ?? high.time, isPercent: low.isPercent || high.isPercent },
      high,
      next: high.next,
    };
  }

  /** The comparison, if the number can be a value of the field. */
  private numberFilter(known: KnownField, operator: Comparison, number: NumberReading): Filter | null {
    let { field } = known;
    let { value } = number;
    if (!isNumeric(known) || (number.isPercent && field.unit !== '%')) return null;
    if (number.currency && !known.money) return null;
    if (number.time) {
      if (known.inDays) {
        const days = this.lexicon.known.get(known.inDays)?.field;
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
    const filter: Filter = { kind: 'compare', field, operator, value: reading.literal };
    if (!number.currency || number.currency === this.context.mainCurrency) return filter;
    const currency = typeof known.money === 'string' ? this.lexicon.subject.catalog.resolve(known.money) : null;
    if (!currency || !('field' in currency)) return null;
    return joinFilters('and', [
      filter,
      { kind: 'compare', field: currency.field, operator: 'eq', value: number.currency },
    ]);
  }

  /** A number without its field before it: "more than 60 days late", "more than 2 notes", "over $5m". */
  private readComparedNumber(start: number): Read | null {
    const range = this.readRange(start);
    const comparator = range ? null : COMPARATORS.at(this.tokens, start);
    let from = comparator?.next ?? start;
    while (ARTICLES.has(this.word(from))) from += 1;
    const number = range?.high ?? readNumber(this.tokens, from);
    if (!number || this.tokens[from]?.kind === 'quoted') return null;
    const more = range || comparator ? null : MORE.at(this.tokens, number.next);
    const operator = comparator?.meaning ?? more?.meaning ?? (number.isAtLeast ? 'gte' : null);
    const next = more?.next ?? number.next;
    const filterOn = (known: KnownField): Filter | null => {
      if (range) {
        const [low, high] = [this.numberFilter(known, 'gte', range.low), this.numberFilter(known, 'lte', range.high)];
        return low && high && joinFilters('and', [low, high]);
      }
      return this.numberFilter(known, operator ?? 'eq', number);
    };
    return (
      this.readLateness(start, next, number, operator !== null || range !== null, filterOn) ??
      this.readNumberOfField(next, filterOn) ??
      (operator === null && !range && !number.looksLikeMoney
        ? null
        : this.readFreeNumber(start, next, number, filterOn))
    );
  }

  private readLateness(
    start: number,
    from: number,
    number: NumberReading,
    isCompared: boolean,
    filterOn: (known: KnownField) => Filter | null,
  ): Read | null {
    const lateness = this.lexicon.known.get(this.lexicon.subject.lateness ?? '');
    const late = LATE.at(this.tokens, from);
    if (!lateness || !late || (number.time === null && this.word(from) !== 'dpd' && this.word(from) !== 'days'))
      return null;
    const filter = filterOn(lateness);
    if (!filter) return null;
    if (!isCompared) {
      const said = this.textOf(start, late.next);
      this.doubts.push({
        text: `Do you mean at least or exactly “${said}”?`,
        start,
        end: late.next,
        options: ['at least', 'exactly', 'at most'].map((words) => ({
          label: `${words} ${said}`,
          words: `${words} ${said}`,
        })),
      });
    }
    this.last = lateness;
    return { filter, next: late.next };
  }

  /** "More than 2 notes", "at least 24 months on book". */
  private readNumberOfField(from: number, filterOn: (known: KnownField) => Filter | null): Read | null {
    let at = from;
    while (this.word(at) === 'of' || this.word(at) === 'in' || ARTICLES.has(this.word(at))) at += 1;
    const field = this.find(this.lexicon.fields, at);
    if (!field || this.nounAt(at) === field.next) return null;
    const able = field.found.filter((known) => isNumeric(known) && filterOn(known));
    const [first] = able;
    // "over 5k interest rate above 7": the field belongs to what follows it.
    if (!first || this.readField(at, false)) return null;
    const known = this.pick(able, at, field.next);
    const filter = filterOn(known);
    this.last = known;
    return filter && { filter, next: field.next };
  }

  /** A number whose field follows from the condition before, or from what only one field can be. */
  private readFreeNumber(
    start: number,
    next: number,
    number: NumberReading,
    filterOn: (known: KnownField) => Filter | null,
  ): Read | null {
    const before = this.word(start - 1);
    const continued =
      this.last && (before === 'and' || before === 'or' || before === 'but') ? filterOn(this.last) : null;
    if (continued && this.last) return { filter: continued, next };
    const single = this.lexicon.known.get(this.lexicon.subject.money ?? '');
    const onSingle = single && !number.isPercent && !number.time ? filterOn(single) : null;
    if (onSingle && single) {
      this.last = single;
      return { filter: onSingle, next };
    }
    const able = [...this.lexicon.known.values()].filter((known) =>
      number.looksLikeMoney
        ? known.money && filterOn(known)
        : number.isPercent && known.field.unit === '%' && filterOn(known),
    );
    const said = this.textOf(start, next);
    if (able.length === 0 || !(number.looksLikeMoney || number.isPercent)) return null;
    this.doubts.push({
      text: `Which amount is “${said}”?`,
      start,
      end: next,
      options: able.map(({ field }) => ({ label: `${field.label} ${said}`, words: `${field.label} ${said}` })),
    });
    return { filter: joinFilters('and', []), next };
  }

  // --- dates ---

  /** A date without a field, where only one field can be meant. */
  private readFreeDate(start: number): Read | null {
    const known = this.lexicon.known.get(this.lexicon.subject.date ?? '');
    if (!known || (/^(>|<|=|at|for|on|over|from)/.test(this.word(start)) === false && /^\d/.test(this.word(start))))
      return null;
    return this.readDates(known, start);
  }

  private readDates(known: KnownField, start: number): Read | null {
    const { today } = this.context;
    const opening = this.word(start);
    if (opening === 'between' || opening === 'from') {
      const low = readDate(this.tokens, start + 1, today);
      const joint = this.word(low?.next ?? start);
      const high =
        low && ['and', 'to', 'until', 'till', 'through', '-'].includes(joint)
          ? readDate(this.tokens, low.next + 1, today)
          : null;
      if (low && high) return { filter: this.dateRange(known, low.from, high.to), next: high.next };
    }
    const ago = this.readAgo(known, start);
    if (ago) return ago;
    const words = DATE_WORDS.at(this.tokens, start);
    const period = readDate(this.tokens, words?.next ?? start, today);
    if (!period) return null;
    const { from, to, next } = period;
    const joint = this.word(next);
    if (words?.meaning === 'gte' && (joint === 'until' || joint === 'till' || joint === 'through')) {
      const high = readDate(this.tokens, next + 1, today);
      if (high) return { filter: this.dateRange(known, from, high.to), next: high.next };
    }
    switch (words?.meaning) {
      case 'lt':
        return { filter: this.dateBound(known, 'lt', from), next };
      case 'gt':
        return { filter: this.dateBound(known, 'gt', to), next };
      case 'gte':
        return { filter: this.dateBound(known, 'gte', from), next };
      case 'lte':
        return { filter: this.dateBound(known, 'lte', to), next };
      default:
        return { filter: this.dateRange(known, from, to), next };
    }
  }

  /** "More than 90 days ago", "in more than 2 years". */
  private readAgo(known: KnownField, start: number): Read | null {
    const isAhead = this.word(start) === 'in';
    const comparator = COMPARATORS.at(this.tokens, isAhead ? start + 1 : start);
    const at = comparator?.next ?? start;
    const count = countOf(this.tokens[at]);
    const unit = TIME_UNITS.get(this.tokens[at + 1]?.stem ?? '');
    const joint = this.word(at + 2);
    const isAgo = joint === 'ago' || joint === 'old';
    const isFromNow = (joint === 'from' && this.word(at + 3) === 'now') || (isAhead && comparator !== null && !isAgo);
    if (!comparator || count === null || !unit || count > 10_000 || !(isAgo || isFromNow)) return null;
    const day = addTime(this.context.today, unit, isAgo ? -count : count);
    const opposite = { gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte', eq: 'eq', neq: 'neq' } as const;
    const operator = isAgo ? opposite[comparator.meaning] : comparator.meaning;
    const next = at + (isAgo ? 3 : joint === 'from' ? 4 : 2);
    if (operator === 'eq' || operator === 'neq') return { filter: this.dateRange(known, day, day), next };
    return { filter: this.dateBound(known, operator, day), next };
  }

  private dateRange(known: KnownField, from: CalendarDate, to: CalendarDate): Filter {
    if (from === to && known.field.type === 'date') return this.compare(known, 'eq', from);
    return joinFilters('and', [this.dateBound(known, 'gte', from), this.dateBound(known, 'lte', to)]);
  }

  /** A bound by calendar days; of an instant, the day includes all its hours. */
  private dateBound(known: KnownField, operator: 'lt' | 'lte' | 'gt' | 'gte', day: CalendarDate): Filter {
    if (known.field.type === 'date') return this.compare(known, operator, day);
    const isNextDay = operator === 'lte' || operator === 'gt';
    const midnight = `${isNextDay ? addTime(day, 'days', 1) : day}T00:00:00.000Z`;
    return this.compare(known, operator === 'lte' || operator === 'lt' ? 'lt' : 'gte', midnight);
  }

  // --- texts and named values ---

  private valueAt(at: number): { found: readonly Meaning[]; next: number } | null {
    const value = this.find(this.lexicon.values, at);
    if (!value) return null;
    const found = value.found.filter(({ known, value: literal }) => {
      if (known.isNamed === false) return false;
      if (value.next > at + 1) return true;
      const token = this.tokens[at];
      const text = token?.text ?? '';
      if (text.length < 2 || token?.kind !== 'word') return false;
      // A code is written in capitals; the words IN and OR are never codes.
      const isCode =
        typeof literal === 'string' && /^[A-Z]{2,3}$/.test(literal) && literal.toLowerCase() === text.toLowerCase();
      if (isCode && (text !== literal || WORDS_NOT_CODES.has(text))) return false;
      return !(known.field.path.endsWith('.currency') || known.field.path.endsWith('.unit'));
    });
    return found.length > 0 ? { found, next: value.next } : null;
  }

  /** "Charged off or defaulted", "California, Texas and New York". */
  private readValues(start: number, first: { found: readonly Meaning[]; next: number }): Read | null {
    let fields = first.found.map(({ known }) => known);
    const groups: (readonly Meaning[])[] = [first.found];
    let next = first.next;
    const places: { comma: boolean; word: boolean; next: number }[] = [];
    for (;;) {
      let at = next;
      const comma = this.word(at) === ',';
      if (comma) at += 1;
      const word = ['or', 'and', 'nor', '/'].includes(this.word(at));
      if (word) at += 1;
      if (!comma && !word) break;
      while (PREPOSITIONS.has(this.word(at)) || ARTICLES.has(this.word(at))) at += 1;
      const value = this.valueAt(at);
      const longer = this.find(this.lexicon.fields, at);
      if (!value || (longer && longer.next > value.next) || (longer && this.readField(at, false))) break;
      const shared = fields.filter((known) => value.found.some((meaning) => meaning.known === known));
      if (shared.length === 0) break;
      fields = shared;
      groups.push(value.found);
      places.push({ comma, word, next });
      next = value.next;
    }
    // "Texas, or Florida with ...": a comma before the "or" of two separates them.
    const [only] = places;
    if (only && places.length === 1 && only.comma && only.word && this.word(only.next + 1) === 'or') {
      groups.length = 1;
      next = only.next;
      fields = first.found.map(({ known }) => known);
    }
    const [known] = fields;
    if (!known) return null;
    if (fields.length > 1) this.askWhichField(start, next, fields, groups);
    const label = this.find(this.lexicon.fields, next);
    if (label?.found.includes(known) && !this.readField(next, false)) next = label.next;
    const values = groups.flatMap((group) => group.filter((one) => one.known === known).map(({ value }) => value));
    return { filter: this.oneOf(known, values), next };
  }

  private oneOf(known: KnownField, values: readonly Literal[]): Filter {
    const all = [...new Set(values)];
    const [only] = all;
    if (only !== undefined && all.length === 1) return this.compare(known, 'eq', only);
    return { kind: 'list', field: known.field, operator: 'in', values: all };
  }

  private askWhichField(
    start: number,
    end: number,
    fields: readonly KnownField[],
    groups: readonly (readonly Meaning[])[],
  ): void {
    const said = this.textOf(start, end);
    this.doubts.push({
      text: `“${said}” can be ${listOf(fields.map(({ field }) => field.label))}. Which one?`,
      start,
      end,
      options: fields.map((known) => {
        const values = groups.flatMap((group) =>
          group.filter((one) => one.known === known).map(({ value }) => String(value)),
        );
        const words = values.map((value) => `“${value}”`);
        return { label: `${known.field.label}: ${said}`, words: `(${known.field.label} is ${words.join(' or ')})` };
      }),
    });
  }

  private readTexts(known: KnownField, start: number, hasCopula: boolean): Read | null {
    const words = TEXT_WORDS.at(this.tokens, start);
    if (words) {
      const text = this.readText(words.next);
      if (!text) return null;
      const escaped = escapeLike(text.text);
      const pattern =
        words.meaning === 'contains'
          ? escaped === text.text
            ? text.text
            : `%${escaped}%`
          : words.meaning === 'starts'
            ? `${escaped}%`
            : `%${escaped}`;
      return { filter: { kind: 'like', field: known.field, operator: 'like', pattern }, next: text.next };
    }
    let at = start;
    const isNegated = this.word(at) === 'neither' || (this.word(at) === 'not' && this.word(at + 1) === 'in');
    if (isNegated) at += 1;
    if (['in', 'either', 'one', 'any', 'none', 'as', '=', ':'].includes(this.word(at)))
      at += this.word(at + 1) === 'of' ? 2 : 1;
    const isNone = this.word(start) === 'none';
    const values: Literal[] = [];
    let next = at;
    for (let from = at; ; ) {
      const one = this.readOneText(known, from, hasCopula || at > start || values.length > 0);
      if (!one) break;
      values.push(one.value);
      next = one.next;
      let after = next;
      const comma = this.word(after) === ',';
      if (comma) after += 1;
      const joint = this.word(after);
      if (joint === 'or' || joint === 'and' || joint === 'nor' || joint === '/') after += 1;
      if (after === next) break;
      while (PREPOSITIONS.has(this.word(after)) && this.namedOf(known, after + 1)) after += 1;
      // A second value is taken only where it is known to be one, or quoted: other words begin a condition.
      if (!this.namedOf(known, after) && this.tokens[after]?.kind !== 'quoted') break;
      const longer = this.find(this.lexicon.fields, after);
      if (longer && this.readField(after, false)) break;
      from = after;
    }
    if (values.length === 0) return null;
    const filter = this.oneOf(known, values);
    return { filter: isNegated || isNone ? negateFilter(filter) : filter, next };
  }

  private namedOf(known: KnownField, at: number): { value: Literal; next: number } | null {
    const value = this.find(this.lexicon.values, at);
    const meaning = value?.found.find((one) => one.known === known);
    return value && meaning ? { value: meaning.value, next: value.next } : null;
  }

  private readOneText(known: KnownField, at: number, hasCopula: boolean): { value: string; next: number } | null {
    const named = this.namedOf(known, at);
    if (named) return { value: String(named.value), next: named.next };
    if (this.tokens[at]?.kind === 'quoted') return { value: this.tokens[at]?.text ?? '', next: at + 1 };
    if (known.values.length > 0) return null;
    // Without "is", only a name or a number is taken as a value, not the next word of the question.
    const text = this.readText(at);
    const isName = /^[\p{Lu}\d]/u.test(text?.text ?? '');
    if (!text || (!hasCopula && !isName && !['by', 'number'].includes(this.word(at - 1)))) return null;
    return { value: text.text, next: text.next };
  }

  /** A text as written: in quotes, or one word with the capitalised words and numbers that follow it. */
  private readText(start: number): { text: string; next: number } | null {
    const first = this.tokens[start];
    if (!first) return null;
    if (first.kind === 'quoted') return first.text === '' ? null : { text: first.text, next: start + 1 };
    if (first.kind === 'mark' || FILLERS.has(first.lower) || first.lower === 'or' || NEGATIONS.at(this.tokens, start))
      return null;
    let at = start + 1;
    for (let one = this.tokens[at]; one; one = this.tokens[at]) {
      const isGlued = one.start === this.tokens[at - 1]?.end && one.text !== ',' && one.text !== ')';
      const isGlue = one.text === '-' && isGlued;
      if (!isGlued && !isGlue && !(one.kind !== 'mark' && one.kind !== 'quoted' && /^[\p{Lu}]/u.test(one.text))) break;
      if (/^(OR|AND)$/i.test(one.text)) break;
      at += 1;
    }
    return { text: this.textOf(start, at), next: at };
  }

  // --- order and number of rows ---

  /** "Top 10 by balance", "20 largest", "the 5 loans with the highest rate", "sorted by maturity date". */
  private readSort(start: number): Read | null {
    const done = (next: number): Read => ({ filter: joinFilters('and', []), next });
    const sorted = SORTED.at(this.tokens, start);
    if (sorted) {
      const key = this.readKey(sorted.next);
      if (!key) return null;
      this.addSort(key.known, key.direction ?? 1, start, key.next);
      return done(key.next);
    }
    let at = start;
    const before = this.readLimit(at);
    if (before) at = before.next;
    let noun = before ? this.nounAt(at) : null;
    if (noun !== null) {
      at = noun;
      while (['with', 'by', 'that', 'have', 'of', 'having'].includes(this.word(at)) || ARTICLES.has(this.word(at)))
        at += 1;
    }
    const superlative =
      SUPERLATIVES.at(this.tokens, at) ??
      (this.word(at) === 'first' && countOf(this.tokens[at + 1]) !== null
        ? { meaning: { by: 'first', direction: 1 } as const, next: at + 1 }
        : null);
    if (!superlative) return null;
    at = superlative.next;
    const after = before ?? this.readLimit(at);
    if (after && !before) at = after.next;
    noun = this.nounAt(at);
    const field = this.find(this.lexicon.fields, at);
    if (noun !== null && !(field && field.next > noun)) at = noun;
    const { by, direction } = superlative.meaning;
    const own = this.readKey(at);
    const isNamed = this.word(at) === 'by' || this.word(at) === 'in' || this.word(at) === 'ranked';
    const key = isNamed
      ? this.readKey(this.word(at + 1) === 'by' ? at + 2 : at + 1)
      : own && !this.readField(at, false)
        ? own
        : null;
    if (key) {
      at = key.next;
      this.addSort(key.known, key.direction ?? direction, start, at);
    } else if (by !== 'first') {
      const { size, age } = this.lexicon.subject;
      const known = this.lexicon.known.get((by === 'size' ? size : by === 'age' ? age : undefined) ?? '');
      if (!known || (this.word(at) === 'by' && by === 'size')) return null;
      this.sort = [{ path: known.field.path, direction }];
    }
    if (after) {
      if (after.count < 1 || after.count > LIST_LIMITS.limit) {
        this.doubts.push({ text: `Ask for 1 to ${LIST_LIMITS.limit} rows.`, start, end: at, options: [] });
      }
      this.limit = after.count;
    }
    return done(at);
  }

  private readLimit(at: number): { count: number; next: number } | null {
    const count = countOf(this.tokens[at]);
    return count === null ? null : { count, next: at + 1 };
  }

  private readKey(start: number): { known: KnownField; direction: 1 | -1 | null; next: number } | null {
    let at = start;
    while (ARTICLES.has(this.word(at)) || this.word(at) === 'their') at += 1;
    const leading = SUPERLATIVES.at(this.tokens, at);
    if (leading) at = leading.next;
    const field = this.find(this.lexicon.fields, at);
    if (!field) return null;
    const known = field.found.length > 1 ? this.pickSort(field.found, at, field.next) : field.found[0];
    if (!known) return null;
    const direction = DIRECTIONS.at(this.tokens, field.next);
    return {
      known,
      direction: direction?.meaning ?? leading?.meaning.direction ?? null,
      next: direction?.next ?? field.next,
    };
  }

  private pickSort(fields: readonly KnownField[], start: number, end: number): KnownField | undefined {
    if (this.doubts.every((doubt) => doubt.start !== start)) this.pick(fields, start, end);
    return fields[0];
  }

  private addSort(known: KnownField, direction: 1 | -1, start: number, end: number): void {
    if (this.sort.length > 0) {
      this.doubts.push({ text: 'The question names two orders. Use one.', start, end, options: [] });
    }
    this.sort = [{ path: known.field.path, direction }];
  }
}

const isNumeric = ({ field }: KnownField): boolean => field.type === 'number' || field.type === 'decimal';

const listOf = (labels: readonly string[]): string =>
  labels.length < 2 ? labels.join('') : `${labels.slice(0, -1).join(', ')} or ${labels.at(-1)}`;

function exampleOf({ field, values }: KnownField): string {
  const [first] = values;
  if (first) return `is ${first.words[0]}`;
  if (field.type === 'date' || field.type === 'instant') return 'is before March 2026';
  return field.type === 'text' ? 'contains …' : 'is over 10';
}
