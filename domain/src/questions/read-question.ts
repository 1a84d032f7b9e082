import { type Filter, isEverything, joinFilters } from '../filters/filter.ts';
import { parseFilter } from '../filters/parse.ts';
import { filterToSentence } from '../filters/sentence.ts';
import { quoteText } from '../filters/spoken-value.ts';
import { contradictionIn } from './contradiction.ts';
import { readDates, readFreeDate } from './field-dates.ts';
import { readComparedNumber, readNumbers } from './field-numbers.ts';
import { readTexts, readValues } from './field-texts.ts';
import { negateFilter } from './negate-filter.ts';
import { readSort } from './question-order.ts';
import {
  type Choice,
  type Doubt,
  isNumeric,
  listOf,
  type QuestionContext,
  QuestionReader,
  type Read,
  type SortedBy,
} from './question-reader.ts';
import { readSentence } from './read-sentence.ts';
import { QUESTION_LIMITS, stemsOf, tokenize } from './tokens.ts';
import type { KnownField, Lexicon, Meaning } from './vocabulary.ts';
import {
  ABSENCE,
  AGGREGATES,
  ARTICLES,
  COMPARATORS,
  COPULAS,
  DATE_WORDS,
  FILLERS,
  HAVING,
  MISSING,
  NEGATIONS,
} from './words.ts';

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

const MOST_CHOICES = 8;

/**
 * Reads a question into the filter language. Every word is accounted for: with words that mean nothing here, or several
 * things, it asks back and never guesses. Takes time in proportion to the length of the question.
 */
export function readQuestion(question: string, context: QuestionContext): Reading {
  if (question.length > QUESTION_LIMITS.characters)
    return asks(`Write at most ${QUESTION_LIMITS.characters} characters.`);
  const sentence = readSentence(question.trim(), context.lexicon.subject.catalog);
  if (sentence && !usesOtherNames(sentence, context.lexicon, question)) {
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

/** "State is Texas", where the list writes TX: the name is meant, not the text, unless it is quoted. */
function usesOtherNames(filter: Filter, lexicon: Lexicon, question: string): boolean {
  if (filter.kind === 'and' || filter.kind === 'or')
    return filter.filters.some((part) => usesOtherNames(part, lexicon, question));
  if (filter.kind === 'not') return usesOtherNames(filter.filter, lexicon, question);
  if (filter.field.type !== 'text' || (filter.kind !== 'compare' && filter.kind !== 'list')) return false;
  const known = lexicon.known.get(filter.field.path);
  const values = filter.kind === 'compare' ? [filter.value] : filter.values;
  return values.some((value) => {
    if (!known || known.values.some((one) => one.value === value)) return false;
    if (question.includes(quoteText(String(value)))) return false;
    return lexicon.values.get(stemsOf(String(value)))?.some((meaning) => meaning.known === known) ?? false;
  });
}

class Reader extends QuestionReader {
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
    const contradiction = contradictionIn(filter);
    if (contradiction) return asks(contradiction);
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

  /** Parts around nouns: "charged off or defaulted | loans | in Florida". */
  private readAll(depth: number): Filter {
    const parts: Filter[] = [];
    let hasAlternatives = false;
    while (this.at < this.tokens.length && this.word() !== ')') {
      const start = this.at;
      const { filter, alternatives } = this.readOr(depth);
      if (alternatives && hasAlternatives) this.askForBrackets(start);
      hasAlternatives ||= alternatives;
      if (!isEverything(filter)) parts.push(filter);
      if (this.at === start) this.skipUnknown();
    }
    return joinFilters('and', parts);
  }

  private readOr(depth: number): { filter: Filter; alternatives: boolean } {
    const parts: Filter[] = [];
    const start = this.at;
    let isDoubtful = false;
    for (;;) {
      const { filter, isCut, hasNoun, hasComma } = this.readAnd(depth, parts.length > 0);
      // "Late loans in Texas or charged off loans in Florida": the end can belong to one or to both.
      const isEither = (isCut && isDoubtful) || (hasComma && ['or', 'nor'].includes(this.word()));
      if (isEither) this.askForBrackets(start);
      isDoubtful ||= hasNoun;
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
      filter: parts.length === 0 ? joinFilters('and', []) : joinAlternatives(parts),
      alternatives: parts.length > 1,
    };
  }

  /** @param isAlternative whether an "or" precedes: then a noun ends all alternatives */
  private readAnd(
    depth: number,
    isAlternative: boolean,
  ): { filter: Filter; isCut: boolean; hasNoun: boolean; hasComma: boolean } {
    const parts: Filter[] = [];
    let hasNoun = false;
    let hasComma = false;
    let before: Filter | null = null;
    while (this.at < this.tokens.length) {
      const word = this.word();
      if (word === ')' || word === 'or' || word === 'nor') break;
      if (word === ',') {
        this.at += 1;
        before = parts.at(-1) ?? null;
        continue;
      }
      const afterNoun = this.startsCondition() ? null : this.nounAt(this.at);
      if (afterNoun !== null) {
        this.at = afterNoun;
        hasNoun ||= parts.length > 0;
        if (isAlternative && parts.length > 0 && this.word() !== 'or' && this.word() !== 'nor') {
          return { filter: joinFilters('and', parts), isCut: true, hasNoun, hasComma };
        }
        continue;
      }
      const start = this.at;
      const filter = this.readUnit(depth);
      if (!filter) continue;
      parts.push(filter);
      if (before) {
        hasComma = true;
        // "Late, charged off": both can be meant, or either.
        if (this.areStates(before, filter)) this.askForBrackets(start);
      }
      before = null;
    }
    return { filter: joinFilters('and', parts), isCut: false, hasNoun, hasComma };
  }

  /** Whether one condition says how late a loan is, and the other its status. */
  private areStates(...filters: readonly Filter[]): boolean {
    const { lateness, status } = this.lexicon.subject;
    const paths = new Set(filters.map((filter) => ('field' in filter ? filter.field.path : null)));
    return lateness !== undefined && status !== undefined && paths.has(lateness) && paths.has(status);
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
      readSort(this, start) ??
      this.readMissing(start) ??
      readFreeDate(this, start) ??
      readComparedNumber(this, start) ??
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
    const doubts = this.doubts.length;
    const end = this.word();
    const inner =
      before < this.tokens.length && end !== ')' && end !== 'or' && end !== ',' ? this.readUnit(depth) : null;
    if (!inner) {
      if (this.doubts.length === doubts) this.unknown.add(start);
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

  /** The longest of a field, a value and a condition's words. */
  private readPhrase(start: number): Read | null {
    const { fields, conditions } = this.lexicon;
    const field = this.find(fields, start);
    const value = this.valueAt(start);
    const condition = this.find(conditions, start);
    const longest = Math.max(field?.next ?? 0, value?.next ?? 0, condition?.next ?? 0);
    if (longest === 0) return null;
    const several = this.readSeveralMeanings(start, longest, { field, value, condition });
    if (several) return several;
    if (condition && condition.next === longest && !(field && this.readField(start, false))) {
      return { filter: parseFilter(condition.found, this.lexicon.subject.catalog), next: condition.next };
    }
    if (field && field.next === longest) {
      const read = this.readField(start, true);
      if (read) return read;
    }
    if (value && value.next >= (condition?.next ?? 0)) {
      const read = readValues(this, start, value);
      if (read) return read;
    }
    if (field) return this.readField(start, true) ?? this.readBareField(start, field.found, field.next);
    return null;
  }

  /** Words that are a value as well as a field of yes and no, or a condition: "delinquent", "past due". */
  private readSeveralMeanings(
    start: number,
    end: number,
    {
      field,
      value,
      condition,
    }: {
      field: { found: readonly KnownField[]; next: number } | null;
      value: { found: readonly Meaning[]; next: number } | null;
      condition: { found: Readonly<Record<string, unknown>>; next: number } | null;
    },
  ): Read | null {
    const flag = field?.next === end ? field.found.find((known) => known.field.type === 'boolean') : undefined;
    if (value?.next !== end || !(flag || condition?.next === end) || (field && this.readField(start, false)))
      return null;
    const said = this.textOf(start, end);
    const named = value.found.map(({ known, value: literal }) => ({
      label: `${known.field.label}: ${said}`,
      words: `(${known.field.label} is “${literal}”)`,
    }));
    const isTrue = flag ? [{ label: `${flag.field.label} is yes`, words: `(${flag.field.label} is yes)` }] : [];
    const meant =
      condition?.next === end
        ? [filterToSentence(parseFilter(condition.found, this.lexicon.subject.catalog))].map((sentence) => ({
            label: sentence,
            words: `(${sentence})`,
          }))
        : [];
    const options = [...named, ...isTrue, ...meant];
    this.doubts.push({
      text: `“${said}” can mean ${listOf(options.map(({ label }) => label))}. Which one?`,
      start,
      end,
      options,
    });
    return { filter: joinFilters('and', []), next: end };
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
  readField(start: number, asksBack: boolean): Read | null {
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
        return readNumbers(this, known, at);
      case 'date':
      case 'instant':
        return readDates(this, known, at);
      case 'boolean':
        return this.readBoolean(known, at);
      case 'text':
        return readTexts(this, known, at, hasCopula);
    }
  }

  private readBoolean(known: KnownField, at: number): Read | null {
    const value = TRUTHS.get(this.word(at));
    return value === undefined ? null : { filter: this.compare(known, 'eq', value), next: at + 1 };
  }
}

const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['true', true],
  ['no', false],
  ['false', false],
]);

/** "Pending or in review": alternatives of one field as one list. */
function joinAlternatives(parts: readonly Filter[]): Filter {
  const [first] = parts;
  if (first?.kind !== 'compare' && first?.kind !== 'list') return joinFilters('or', parts);
  const values = parts.map((part) => {
    if (part.kind === 'compare' && part.operator === 'eq') return part.field === first.field ? [part.value] : null;
    return part.kind === 'list' && part.operator === 'in' && part.field === first.field ? part.values : null;
  });
  const all = values.flatMap((some) => some ?? []);
  if (parts.length < 2 || values.includes(null) || first.field.type !== 'text') return joinFilters('or', parts);
  return { kind: 'list', field: first.field, operator: 'in', values: [...new Set(all)] };
}

function exampleOf({ field, values }: KnownField): string {
  const [first] = values;
  if (first) return `is ${first.words[0]}`;
  if (field.type === 'date' || field.type === 'instant') return 'is before March 2026';
  return field.type === 'text' ? 'contains …' : 'is over 10';
}
