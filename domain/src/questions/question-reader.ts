import type { CalendarDate } from '../dates/calendar-date.ts';
import type { Comparison, Filter, Literal } from '../filters/filter.ts';
import { parseFilter } from '../filters/parse.ts';
import { isStateField } from '../filters/states-of-america.ts';
import { stemsOf, type Token } from './tokens.ts';
import type { KnownField, Lexicon, Meaning, WordedCondition } from './vocabulary.ts';
import { CODES_IN_LOWER_CASE, WORDS_NOT_CODES } from './words.ts';

export const MAX_CHOICES = 8;

/** A way to write the question that leaves no doubt. */
export interface Choice {
  readonly label: string;
  readonly question: string;
}

export interface SortedBy {
  readonly path: string;
  readonly direction: 1 | -1;
}

export interface QuestionContext {
  readonly lexicon: Lexicon;
  /** The day that "last month" counts from. */
  readonly today: CalendarDate;
  /** The one currency of the amounts, whose sign needs no condition; null if they have several. */
  readonly mainCurrency: string | null;
}

/** A doubt about the words from one token to another, with what they could be replaced by. */
export interface Doubt {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly options: readonly { label: string; words: string }[];
}

/** A condition that was read, and the token after it. */
export interface Read {
  readonly filter: Filter;
  readonly next: number;
}

/** A question that is being read: its tokens, how far it was read, and what is not clear about it. */
export abstract class QuestionReader {
  readonly question: string;
  readonly tokens: readonly Token[];
  readonly context: QuestionContext;
  readonly lexicon: Lexicon;
  at = 0;
  readonly unknown = new Set<number>();
  readonly doubts: Doubt[] = [];
  /** What has to be known about the conditions that were read. */
  readonly notes = new Set<string>();
  sort: SortedBy[] = [];
  limit: number | null = null;
  /** The direction of a "top 10" that names no field yet: "top 10 loans in Texas by rate". */
  unnamedOrder: 1 | -1 | null = null;
  /** The numeric field of the condition before, which "and at most 14" refers to. */
  last: KnownField | null = null;

  constructor(question: string, tokens: readonly Token[], context: QuestionContext) {
    this.question = question;
    this.tokens = tokens;
    this.context = context;
    this.lexicon = context.lexicon;
  }

  skipUnknown(): void {
    this.unknown.add(this.at);
    this.at += 1;
  }

  word(at = this.at): string {
    return this.tokens[at]?.kind === 'quoted' ? '' : (this.tokens[at]?.lower ?? '');
  }

  /** The longest phrase of a map at a token. */
  find<Found>(map: ReadonlyMap<string, Found>, at: number): { found: Found; next: number } | null {
    const most = Math.min(this.lexicon.longest, this.tokens.length - at);
    const stems = this.tokens.slice(at, at + most).map((token) => (token.kind === 'quoted' ? '“' : token.stem));
    for (let length = most; length > 0; length--) {
      const found = map.get(stems.slice(0, length).join(' '));
      if (found !== undefined) return { found, next: at + length };
    }
    return null;
  }

  nounAt(at: number): number | null {
    for (let length = Math.min(3, this.tokens.length - at); length > 0; length--) {
      const phrase = this.tokens.slice(at, at + length).map(({ stem }) => stem);
      if (this.lexicon.nouns.has(phrase.join(' '))) return at + length;
    }
    return null;
  }

  askForBrackets(start: number): void {
    this.doubts.push({
      text: 'The “or” can be meant in several ways. Use brackets to group conditions.',
      start,
      end: this.at,
      options: [],
    });
  }

  exists(known: KnownField, exists: boolean): Filter {
    return { kind: 'exists', field: known.field, operator: 'exists', exists };
  }

  compare(known: KnownField, operator: Comparison, value: Literal): Filter {
    return { kind: 'compare', field: known.field, operator, value };
  }

  /** The one field that words mean; with several, the first, and a question which is meant. */
  pick(fields: readonly KnownField[], start: number, end: number): KnownField {
    const [first] = fields;
    if (!first) throw new Error('A phrase of the vocabulary has no field');
    if (fields.length > 1) {
      const said = this.textOf(start, end);
      const labels = fields.map(({ field }) => field.label);
      const named = labels.length > MAX_CHOICES ? [...labels.slice(0, 3), 'another field'] : labels;
      this.doubts.push({
        text: `“${said}” can mean ${listOf(named)}. Which one?`,
        start,
        end,
        options: fields.map(({ field }) => ({ label: field.label, words: field.label })),
      });
    }
    return first;
  }

  textOf(start: number, end: number): string {
    return this.question.slice(this.tokens[start]?.start ?? 0, this.tokens[end - 1]?.end ?? 0);
  }

  valueAt(at: number): { found: readonly Meaning[]; next: number } | null {
    const value = this.find(this.lexicon.values, at);
    if (!value) return null;
    const found = value.found.filter(({ known, values: [literal] }) => {
      if (known.isNamed === false) return false;
      if (value.next > at + 1) return true;
      const token = this.tokens[at];
      const text = token?.text ?? '';
      // A part of a name is written as a name: with a capital letter.
      if (known.isReference && !/^[\p{Lu}\d]/u.test(text))
        return known.values.some(
          ({ words }) => words.length > 0 && words.some((word) => stemsOf(word) === token?.stem),
        );
      // "B rated loans": one letter is a value where its field follows.
      if (text.length === 1 && /^\p{Lu}$/u.test(text)) {
        return this.find(this.lexicon.fields, at + 1)?.found.includes(known) ?? false;
      }
      if (text.length < 2 || token?.kind !== 'word') return false;
      // A code is written in capitals; the words IN and OR are never codes.
      const isCode =
        typeof literal === 'string' && /^[A-Z]{2,3}$/.test(literal) && literal.toLowerCase() === text.toLowerCase();
      if (isCode && (text !== literal || WORDS_NOT_CODES.has(text)))
        return isStateField(known.field) && CODES_IN_LOWER_CASE.has(text);
      return known.isNamed === true || !/\.(currency|unit)$/.test(known.field.path);
    });
    return found.length > 0 ? { found, next: value.next } : null;
  }

  /** The status that the word before a token names: "approved | last week". */
  statusBefore(at: number): string | null {
    const status = this.lexicon.known.get('status');
    const value = status && at > 0 ? this.lexicon.values.get(this.tokens[at - 1]?.stem ?? '') : undefined;
    const isStatus = value?.some(({ known }) => known === status) ?? false;
    return isStatus && this.nounAt(at - 1) === null ? this.word(at - 1) : null;
  }

  namedOf(known: KnownField, at: number): { values: readonly Literal[]; next: number } | null {
    const value = this.find(this.lexicon.values, at);
    const meaning = value?.found.find((one) => one.known === known);
    return value && meaning ? { values: meaning.values, next: value.next } : null;
  }

  /** The filter of words that mean a whole condition. */
  meantBy({ filter }: WordedCondition): Filter {
    const dated = JSON.stringify(filter).replaceAll('"today"', JSON.stringify(this.context.today));
    return parseFilter(dated, this.lexicon.subject.catalog);
  }

  /** "Repayments of principal and interest": of a list, one of the values can be meant, or all of them. */
  askWhetherAll({ field: { label } }: KnownField, values: readonly Literal[], start: number, end: number): void {
    const each = values.map((value) => `${label} is “${value}”`);
    this.doubts.push({
      text: `Do you mean “${this.textOf(start, end)}” together, or one of them?`,
      start,
      end,
      options: [
        { label: `Each with ${values.join(' and ')}`, words: `(${each.join(' and ')})` },
        { label: `Those with ${listOf(values.map(String))}`, words: `(${each.join(' or ')})` },
      ],
    });
  }

  oneOf(known: KnownField, values: readonly Literal[]): Filter {
    const all = [...new Set(values)];
    const [only] = all;
    if (only !== undefined && all.length === 1) return this.compare(known, 'eq', only);
    return { kind: 'list', field: known.field, operator: 'in', values: all };
  }

  /** Whether a longer phrase than the noun begins here: "loan to value". */
  startsCondition(start = this.at): boolean {
    const noun = this.nounAt(start);
    if (noun === null) return false;
    const field = this.find(this.lexicon.fields, start);
    const value = this.find(this.lexicon.values, start);
    return (
      Math.max(field?.next ?? 0, value?.next ?? 0) > noun ||
      (field?.next === noun && this.readField(start, false) !== null)
    );
  }

  /** One condition at the current token; null if there is none. */
  abstract readUnit(depth: number): Filter | null;

  /** A field and what is said about it. @param asksBack whether an ambiguous field is reported */
  abstract readField(start: number, asksBack: boolean): Read | null;
}

export const isNumeric = ({ field }: KnownField): boolean => field.type === 'number' || field.type === 'decimal';

export const zeroOf = ({ field }: KnownField): Literal => (field.type === 'number' ? 0 : '0');

export const listOf = (labels: readonly string[]): string =>
  labels.length < 2 ? labels.join('') : `${labels.slice(0, -1).join(', ')} or ${labels.at(-1)}`;
