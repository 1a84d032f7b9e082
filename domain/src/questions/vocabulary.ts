import type { Field, FieldCatalog } from '../filters/catalog.ts';
import type { Literal } from '../filters/filter.ts';
import { describeCode } from '../filters/spoken-value.ts';
import { isStateField, STATE_CODES } from '../filters/states-of-america.ts';
import { CURRENCIES } from '../money/currencies.ts';
import { stemsOf } from './tokens.ts';

/** A value that a field can have, with the words that mean it. */
export interface NamedValue {
  readonly value: Literal;
  readonly words: readonly string[];
}

/** What a question says about one field besides its label. */
export interface FieldWords {
  readonly words?: readonly string[];
  /** Values that mean this field where they are written without it: "in Texas". */
  readonly values?: readonly NamedValue[];
  /** Whether a question can name the field's values without the field. Default: yes. */
  readonly isNamed?: boolean;
  /** The field counts something: "with exceptions" means more than none. */
  readonly isCount?: boolean;
  /** Rows often have an amount of 0: "no arrears" can mean that, or that nothing is known. */
  readonly isOftenZero?: boolean;
  /** The field is left to another one with the same meaning. */
  readonly isHidden?: boolean;
  /** The field with the same length of time in days. */
  readonly inDays?: string;
  /** The unit of a length of time that the field holds. */
  readonly time?: 'days' | 'months';
  /** The field is an amount of money; the path of its currency, if it has one. */
  readonly money?: string | true;
  /** The one currency of the field's amounts. */
  readonly onlyCurrency?: string;
  /** Whether the date lies ahead, such as a maturity, or has passed: what "within 90 days" means. */
  readonly when?: 'ahead' | 'behind';
  /** The date, once it has passed, is a state: "past maturity". */
  readonly isEnd?: boolean;
  /** The field holds ids of documents, which a question names: "the company contains Acme". */
  readonly isReference?: boolean;
}

/** A list that questions are asked about. */
export interface Subject {
  /** What its rows are called: "loans". The first is used in answers. */
  readonly nouns: readonly string[];
  readonly catalog: FieldCatalog;
  /** By the path of the field. */
  readonly fields: Readonly<Record<string, FieldWords>>;
  /** Sorts "largest"; "top 10" without a field. */
  readonly size?: string;
  /** Sorts "oldest" and "newest". */
  readonly age?: string;
  /** The field of a date or an amount without a field, where only one can be meant. */
  readonly date?: string;
  readonly money?: string;
  /** How late a loan is, in days. */
  readonly lateness?: string;
  /** What has become of a loan: current, paid, charged off. */
  readonly status?: string;
  /** How long a row runs: "36 month loans". */
  readonly length?: string;
  /** What a row is known by: "loan LC-1001". */
  readonly id?: string;
  /** Words that mean a whole condition. */
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A field with everything that the reader of questions knows about it. */
export interface KnownField extends FieldWords {
  readonly field: Field;
  readonly values: readonly NamedValue[];
}

/** One value of one field, as a phrase means it. */
export interface Meaning {
  readonly known: KnownField;
  readonly value: Literal;
}

/** The phrases of a subject, by their stems. */
export interface Lexicon {
  readonly subject: Subject;
  readonly known: ReadonlyMap<string, KnownField>;
  readonly fields: ReadonlyMap<string, readonly KnownField[]>;
  readonly values: ReadonlyMap<string, readonly Meaning[]>;
  readonly nouns: ReadonlySet<string>;
  readonly conditions: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** The most words of a phrase. */
  readonly longest: number;
}

const CURRENCY_WORDS: Readonly<Record<string, readonly string[]>> = {
  USD: ['dollars', 'us dollars', 'american dollars'],
  EUR: ['euros', 'euro'],
  GBP: ['pounds', 'sterling', 'british pounds'],
  JPY: ['yen'],
  CHF: ['swiss francs', 'francs'],
};
const CURRENCY_VALUES: readonly NamedValue[] = CURRENCIES.map(({ code }) => ({
  value: code,
  words: [code, ...(CURRENCY_WORDS[code] ?? [])],
}));

/** Two-letter codes and single letters that are words of English as well: only read after their field. */
export const isShortCode = (phrase: string): boolean => phrase.length < 4 && !phrase.includes(' ');

/** The last part of a path as words: `outstandingSum` is "outstanding sum". */
const wordsOfPath = (path: string): string =>
  (path.split('.').at(-1) ?? '').replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();

/** Collects the phrases of a subject; a list of thousands of names takes milliseconds. */
export function createLexicon(subject: Subject): Lexicon {
  const known = new Map<string, KnownField>();
  const fields = new Map<string, KnownField[]>();
  const values = new Map<string, Meaning[]>();
  let longest = 1;
  const stems = (phrase: string): string => {
    const key = stemsOf(phrase);
    longest = Math.max(longest, key.split(' ').length);
    return key;
  };
  const addField = (phrase: string, one: KnownField): void => {
    const key = stems(phrase);
    const others = fields.get(key);
    if (!others) fields.set(key, [one]);
    else if (!others.includes(one)) others.push(one);
  };
  for (const field of subject.catalog.fields) {
    const words = subject.fields[field.path] ?? {};
    if (words.isHidden) continue;
    const one: KnownField = { ...words, field, values: valuesOf(field, words) };
    known.set(field.path, one);
    addField(field.label, one);
    for (const phrase of words.words ?? []) addField(phrase, one);
    for (const { value, words: phrases } of one.values) {
      for (const phrase of phrases) {
        const key = stems(phrase);
        if (key === '') continue;
        const others = values.get(key) ?? [];
        if (others.every((other) => other.known !== one)) values.set(key, [...others, { known: one, value }]);
      }
    }
  }
  const nouns = new Set(subject.nouns.map(stems));
  const isTaken = (key: string) => fields.has(key) || values.has(key) || nouns.has(key);
  for (const one of known.values()) {
    const words = wordsOfPath(one.field.path);
    if (!isTaken(stemsOf(words))) addField(words, one);
  }
  for (const [initials, one] of initialsOf(known.values())) if (!isTaken(stemsOf(initials))) addField(initials, one);
  return {
    subject,
    known,
    fields,
    values,
    nouns,
    conditions: new Map(Object.entries(subject.conditions ?? {}).map(([phrase, filter]) => [stems(phrase), filter])),
    longest,
  };
}

/** "dti" for "Debt to income": the initials of labels of three words or more, where only one has them. */
function initialsOf(fields: Iterable<KnownField>): Map<string, KnownField> {
  const found = new Map<string, KnownField | null>();
  for (const one of fields) {
    const words = one.field.label.split(/[\s-]+/);
    if (words.length < 3) continue;
    const initials = words.map((word) => word.charAt(0).toLowerCase()).join('');
    found.set(initials, found.has(initials) || !/^[a-z]+$/.test(initials) ? null : one);
  }
  return new Map([...found].flatMap(([initials, one]) => (one ? [[initials, one] as const] : [])));
}

function valuesOf(field: Field, words: FieldWords): NamedValue[] {
  const codes = (field.values ?? []).map((code) => ({ value: code, words: [code, describeCode(code)] }));
  const isCurrency = field.path === 'currency' || field.path.endsWith('Currency') || field.path.endsWith('.currency');
  const own = words.values ?? [];
  if (isCurrency) return [...CURRENCY_VALUES];
  if (isStateField(field)) return [...own, ...statesBesides(own)];
  return [...codes, ...own];
}

/** The states by name, with the code or the name as the list writes them. */
function statesBesides(own: readonly NamedValue[]): NamedValue[] {
  const written = new Set(own.map(({ value }) => String(value)));
  return Object.entries(STATE_CODES).map(([name, code]) => ({
    value: written.has(name) && !written.has(code) ? name : code,
    words: [name, code],
  }));
}
