import { type Filter, isEverything, joinFilters } from '../filters/filter.ts';
import { quoteText } from '../filters/spoken-value.ts';
import { JOINTS, joinAlternatives, reachesOver, type Side } from './alternatives.ts';
import { readBareField, readSeveralMeanings } from './bare-words.ts';
import { contradictionIn } from './contradiction.ts';
import { readAge, readEnded, readFreeDate, readPeriods, readYet } from './field-dates.ts';
import { readComparedNumber, readLateBy, readNumbers, readSigned } from './field-numbers.ts';
import { readIdAfter, readNumberAfter, readTexts, readTextValues } from './field-texts.ts';
import { negateFilter } from './negate-filter.ts';
import { readMissing, readNegation } from './negations.ts';
import { readSort } from './question-order.ts';
import {
  type Choice,
  type Doubt,
  isNumeric,
  MAX_CHOICES,
  type QuestionContext,
  QuestionReader,
  type Read,
  type SortedBy,
} from './question-reader.ts';
import { readSentence } from './read-sentence.ts';
import { suggestQuestions } from './suggest.ts';
import { QUESTION_LIMITS, stemsOf, tokenize } from './tokens.ts';
import type { KnownField, Lexicon } from './vocabulary.ts';
import { AGGREGATES, COMPARATORS, COPULAS, DATE_WORDS, FILLERS, MISSING } from './words.ts';

/** What a question means, or what has to be known first. */
export type QuestionReading =
  | {
      readonly kind: 'filter';
      readonly filter: Filter;
      readonly sort: readonly SortedBy[];
      readonly limit: number | null;
      /** What has to be known about the answer, as sentences. */
      readonly notes: readonly string[];
    }
  | {
      readonly kind: 'asks';
      readonly text: string;
      readonly choices: readonly Choice[];
      readonly unknown: readonly string[];
    };

/**
 * Reads a question into the filter language. Every word is accounted for: with words that mean nothing here, or several
 * things, it asks back and never guesses. Takes time in proportion to the length of the question.
 */
export function readQuestion(question: string, context: QuestionContext): QuestionReading {
  if (question.length > QUESTION_LIMITS.characters)
    return asks(`Write at most ${QUESTION_LIMITS.characters} characters.`);
  const sentence = readSentence(question.trim(), context.lexicon.subject.catalog);
  if (sentence && !usesOtherNames(sentence, context.lexicon, question)) {
    return { kind: 'filter', filter: sentence, sort: [], limit: null, notes: [] };
  }
  const tokens = tokenize(question);
  if (tokens.length === 0) return asks('Write a question, for example “60+ days late in Texas”.');
  if (tokens.length > QUESTION_LIMITS.tokens) return asks(`Write at most ${QUESTION_LIMITS.tokens} words.`);
  return new Reader(question, tokens, context).read();
}

const asks = (text: string, choices: readonly Choice[] = [], unknown: readonly string[] = []): QuestionReading => ({
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
  read(): QuestionReading {
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
      const tokens = [...this.unknown].flatMap((index) => this.tokens[index] ?? []);
      const { choices } = suggestQuestions(this.question, tokens, this.lexicon, this.context.today);
      if (choices.length > 0)
        return asks(`I did not understand ${named}. Did you mean one of these?`, choices, unknown);
      return asks(`I did not understand ${named}. ${this.help()}`, [], unknown);
    }
    if (doubt) return asks(doubt.text, this.choicesOf(doubt));
    const contradiction = contradictionIn(filter);
    if (contradiction) return asks(contradiction);
    if (isEverything(filter) && this.sort.length === 0 && this.limit === null && !this.asksForAll()) {
      return asks(`Say which ${this.noun} you want to see. ${this.help()}`);
    }
    return { kind: 'filter', filter, sort: this.sort, limit: this.limit, notes: [...this.notes] };
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
    const indexes = [...this.unknown].sort((a, b) => a - b);
    const phrases: string[] = [];
    let [from, to] = [-1, -1];
    const push = () => {
      const [first, last] = [this.tokens[from], this.tokens[to]];
      if (first && last) phrases.push(this.question.slice(first.start, last.end));
    };
    for (const index of indexes) {
      if (index === to + 1 && from >= 0) to = index;
      else {
        push();
        [from, to] = [index, index];
      }
    }
    push();
    return phrases;
  }

  private choicesOf({ start, end, options }: Doubt): Choice[] {
    const from = this.tokens[start]?.start ?? 0;
    const to = this.tokens[end - 1]?.end ?? from;
    return options.slice(0, MAX_CHOICES).map(({ label, words }) => ({
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
    const sides: Side[] = [];
    const start = this.at;
    let isDoubtful = false;
    for (;;) {
      const { filter, isCut, hasNoun, hasComma, side } = this.readAnd(depth, parts.length > 0);
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
        sides.push(side);
      }
      if (isCut || !(this.word() === 'or' || this.word() === 'nor')) break;
      this.at += 1;
    }
    if (reachesOver(sides)) this.askForBrackets(start);
    return {
      filter: parts.length === 0 ? joinFilters('and', []) : joinAlternatives(parts),
      alternatives: parts.length > 1,
    };
  }

  /** @param isAlternative whether an "or" precedes: then a noun ends all alternatives */
  private readAnd(
    depth: number,
    isAlternative: boolean,
  ): { filter: Filter; isCut: boolean; hasNoun: boolean; hasComma: boolean; side: Side } {
    const parts: Filter[] = [];
    const side = { parts: 0, opens: false, closes: false };
    let end = this.at;
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
        const id = readIdAfter(this, afterNoun) ?? readNumberAfter(this, afterNoun);
        if (id) {
          parts.push(id.filter);
          this.at = id.next;
        }
        if (isAlternative && parts.length > 0 && this.word() !== 'or' && this.word() !== 'nor') {
          return { filter: joinFilters('and', parts), isCut: true, hasNoun, hasComma, side };
        }
        continue;
      }
      const start = this.at;
      const filter = this.readUnit(depth);
      if (!filter) continue;
      const isBare = parts.length > 0 && !this.tokens.slice(end, start).some(({ lower }) => JOINTS.has(lower));
      side.opens ||= isBare && side.parts === 1;
      side.closes = isBare;
      side.parts += 1;
      end = this.at;
      parts.push(filter);
      if (before) {
        hasComma = true;
        // "Late, charged off": both can be meant, or either.
        if (this.areStates(before, filter)) this.askForBrackets(start);
      }
      before = null;
    }
    return { filter: joinFilters('and', parts), isCut: false, hasNoun, hasComma, side };
  }

  /** Whether one condition says how late a loan is, and the other its status. */
  private areStates(...filters: readonly Filter[]): boolean {
    const { lateness, status } = this.lexicon.subject;
    const paths = new Set(filters.map((filter) => ('field' in filter ? filter.field.path : null)));
    return lateness !== undefined && status !== undefined && paths.has(lateness) && paths.has(status);
  }

  readUnit(depth: number): Filter | null {
    const start = this.at;
    if (this.word() === '(') return this.readBrackets(depth);
    if (AGGREGATES.has(this.word()) && this.word(start + 1) === 'of') {
      this.skipUnknown();
      return null;
    }
    const found =
      readSort(this, start) ??
      this.readLongCondition(start) ??
      readMissing(this, start) ??
      readAge(this, start) ??
      readEnded(this, start) ??
      readYet(this, start) ??
      readFreeDate(this, start) ??
      readLateBy(this, start) ??
      readSigned(this, start) ??
      readComparedNumber(this, start) ??
      readNegation(this, start, depth) ??
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
        text: `Use at most ${QUESTION_LIMITS.depth} levels of brackets.`,
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

  /** Words that mean a whole condition, of which one alone can mean something else: "not paid", "without exceptions". */
  private readLongCondition(start: number): Read | null {
    const condition = this.find(this.lexicon.conditions, start);
    return condition && condition.next > start + 1 && this.lateFollows(condition.next) ? this.readPhrase(start) : null;
  }

  /** Whether nothing follows that makes the words a part of a longer phrase: "past due by more than 30 days". */
  private lateFollows(next: number): boolean {
    return !['by', 'for'].includes(this.word(next)) && !DATE_WORDS.at(this.tokens, next);
  }

  /** The longest of a field, a value and a condition's words. */
  private readPhrase(start: number): Read | null {
    const { fields, conditions } = this.lexicon;
    const field = this.find(fields, start);
    const value = this.valueAt(start);
    const condition = this.find(conditions, start);
    const longest = Math.max(field?.next ?? 0, value?.next ?? 0, condition?.next ?? 0);
    if (longest === 0) return null;
    const several = readSeveralMeanings(this, start, longest, { field, value, condition });
    if (several) return several;
    if (condition && condition.next === longest && !(field && this.readField(start, false))) {
      if (condition.found.note) this.notes.add(condition.found.note);
      return { filter: this.meantBy(condition.found), next: condition.next };
    }
    if (field && field.next === longest) {
      const read = this.readField(start, true);
      if (read) return read;
    }
    if (value && value.next >= Math.max(condition?.next ?? 0, field?.next ?? 0)) {
      const read = readTextValues(this, start, value);
      if (read) return read;
    }
    if (field) return this.readField(start, true) ?? readBareField(this, start, field.found, field.next);
    return null;
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
      else if (this.word(at) === 'other' && this.word(at + 1) === 'than') {
        isNegated = !isNegated;
        at += 1;
      } else break;
    }
    const missing = MISSING.at(this.tokens, at);
    if (missing && (at > from || missing.meaning === false || this.word(at) === 'on')) {
      const other = this.word(missing.next) === 'or' ? MISSING.at(this.tokens, missing.next + 1) : null;
      const next = other?.meaning === missing.meaning ? other.next : missing.next;
      return { filter: this.exists(known, missing.meaning !== isNegated), next };
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
        return readPeriods(this, known, at);
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
