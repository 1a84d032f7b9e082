import type { Field, FieldCatalog } from '../filters/catalog.ts';
import type { Literal } from '../filters/filter.ts';
import { describeCode } from '../filters/spoken-value.ts';
import { isStateField, STATE_CODES } from '../filters/states-of-america.ts';
import { CURRENCIES } from '../money/currencies.ts';
import { stemsOf } from './tokens.ts';
import { COMMON_WORDS } from './words.ts';

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
  /** Several values can have one name: the classes "B" of two funds. */
  readonly isShared?: boolean;
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
  /** The number of a row: "call 4". */
  readonly number?: string;
  /** The percentage of "loans at 8 %". */
  readonly rate?: string;
  /** Words that mean a whole condition. */
  readonly conditions?: Readonly<Record<string, WordedCondition>>;
}

/** What words mean that are no field and no value: "overdue". */
export interface WordedCondition {
  /** In the filter language; the text `today` stands for the day of the question. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** What has to be known about it, as a sentence. */
  readonly note?: string;
}

/** A field with everything that the reader of questions knows about it. */
export interface KnownField extends FieldWords {
  readonly field: Field;
  readonly values: readonly NamedValue[];
}

/** What a phrase means of one field: several values where several have the name, such as two funds of one title. */
export interface Meaning {
  readonly known: KnownField;
  readonly values: readonly Literal[];
}

/** The phrases of a subject, by their stems. */
export interface Lexicon {
  readonly subject: Subject;
  readonly known: ReadonlyMap<string, KnownField>;
  readonly fields: ReadonlyMap<string, readonly KnownField[]>;
  readonly values: ReadonlyMap<string, readonly Meaning[]>;
  readonly nouns: ReadonlySet<string>;
  readonly conditions: ReadonlyMap<string, WordedCondition>;
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

/** The last part of a path as words: `outstandingSum` is "outstanding sum". */
const wordsOfPath = (path: string): string =>
  (path.split('.').at(-1) ?? '').replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();

/** Collects the phrases of a subject; a list of thousands of names takes milliseconds. */
export function createLexicon(subject: Subject): Lexicon {
  const known = new Map<string, KnownField>();
  const fields = new Map<string, KnownField[]>();
  const values = new Map<string, { known: KnownField; values: Literal[] }[]>();
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
  const addValue = (key: string, one: KnownField, value: Literal): void => {
    if (key === '') return;
    const others = values.get(key) ?? [];
    const same = others.find(({ known: other }) => other === one);
    if (same && !one.isReference && !one.isShared) return;
    if (!same) values.set(key, [...others, { known: one, values: [value] }]);
    else if (!same.values.includes(value)) same.values.push(value);
  };
  for (const field of subject.catalog.fields) {
    const words = subject.fields[field.path] ?? {};
    if (words.isHidden) continue;
    const one: KnownField = { ...words, field, values: valuesOf(field, words) };
    known.set(field.path, one);
    addField(field.label, one);
    for (const phrase of words.words ?? []) addField(phrase, one);
    for (const { value, words: phrases } of one.values)
      for (const phrase of phrases) addValue(stems(phrase), one, value);
  }
  const nouns = new Set(subject.nouns.map(stems));
  const isTaken = (key: string) => fields.has(key) || values.has(key) || nouns.has(key);
  for (const one of known.values()) {
    const words = wordsOfPath(one.field.path);
    if (!isTaken(stemsOf(words))) addField(words, one);
  }
  for (const [phrase, { known: one, value }] of shortNamesOf(known.values())) {
    if (!isTaken(phrase) && !COMMON_WORDS.has(phrase)) addValue(phrase, one, value);
  }
  for (const [initials, one] of initialsOf(known.values())) if (!isTaken(stemsOf(initials))) addField(initials, one);
  return {
    subject,
    known,
    fields,
    values,
    nouns,
    conditions: new Map(Object.entries(subject.conditions ?? {}).map(([phrase, meant]) => [stems(phrase), meant])),
    longest,
  };
}

/**
 * The beginnings of names of documents, where only one document of a field begins so: "Alder" for "Alder Pension Trust".
 * Several names of one document do not make it ambiguous.
 */
function shortNamesOf(fields: Iterable<KnownField>): Map<string, { known: KnownField; value: Literal }> {
  const all = new Map<string, { known: KnownField; value: Literal }>();
  const ambiguous = new Set<string>();
  for (const known of fields) {
    if (!known.isReference) continue;
    for (const { value, words } of known.values) {
      for (const name of words) {
        const parts = stemsOf(name).split(' ');
        for (let count = 1; count < parts.length; count++) {
          const phrase = parts.slice(0, count).join(' ');
          const other = all.get(phrase);
          if (other && (other.known !== known || other.value !== value)) ambiguous.add(phrase);
          all.set(phrase, { known, value });
        }
      }
    }
  }
  return new Map([...all].filter(([phrase]) => phrase.length > 2 && !ambiguous.has(phrase)));
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
