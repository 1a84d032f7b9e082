import type { AssetStatus } from '../statuses.ts';
import foreign from './foreign-words.json' with { type: 'json' };
import { fewestParts, firstWords, splitCases } from './split-words.ts';
import { ABBREVIATIONS, NAME_WORDS } from './target-synonyms.ts';

/** A language of headers other than English, as `de`. */
export type Language = keyof typeof foreign.languages;

/** Lower case without accents: `Fälligkeit` and `FALLIGKEIT` are the same word. */
export const folded = (word: string): string =>
  word
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss');

/** The spellings of a word without its accents: `währung` is `wahrung` and `waehrung`. */
const spellingsOf = (word: string): string[] => [
  folded(word),
  folded(word.replace(/[äöüøå]/g, (letter) => UMLAUTS[letter]!)),
];
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' };

const LANGUAGES = Object.keys(foreign.languages) as Language[];
const DICTIONARIES = new Map(
  LANGUAGES.map((language) => {
    const words: Readonly<Record<string, string>> = foreign.languages[language];
    const entries = Object.entries(words).flatMap(([english, forms]) =>
      forms.split(' ').flatMap((form) => spellingsOf(form).map((spelling) => [spelling, english] as const)),
    );
    return [language, new Map(entries)];
  }),
);

/** Words that English has too, with another meaning: they are foreign only on a tape in that language. */
const ENGLISH: ReadonlySet<string> = new Set([
  ...NAME_WORDS,
  ...Object.keys(ABBREVIATIONS),
  ...'payer pays begin stan pant firma prima land cap tan note fine start rest final region contract capital nominal file'.split(
    ' ',
  ),
]);
/** Shorter words mean something in several languages. */
const MIN_LETTERS = 4;

/** Words that mean the same whatever the language of the tape. */
const EVERYWHERE = new Map<string, string>();
const meanings = new Map<string, Set<string>>();
for (const words of DICTIONARIES.values()) {
  for (const [word, english] of words) meanings.set(word, (meanings.get(word) ?? new Set()).add(english));
}
for (const [word, english] of meanings) {
  const [only, ...others] = english;
  if (others.length === 0 && word.length >= MIN_LETTERS && !ENGLISH.has(word)) EVERYWHERE.set(word, only!);
}

/** The English words for a foreign one; undefined if it is none. */
export const translated = (word: string, language: Language | null): string | undefined =>
  meaningOf(folded(word), language);

/** @param plain the folded word */
function meaningOf(plain: string, language: Language | null): string | undefined {
  const own = language === null ? undefined : DICTIONARIES.get(language);
  return own?.get(plain) ?? EVERYWHERE.get(plain) ?? (own && inflected(plain, own));
}

/** Shorter stems are shared by words of different meanings. */
const MIN_STEM = 5;
const MAX_ENDING = 3;

/** The meaning of a word that differs in its ending alone: `concedida` is `concedido`. */
function inflected(plain: string, dictionary: ReadonlyMap<string, string>): string | undefined {
  if (plain.length < MIN_STEM + 1) return undefined;
  const least = Math.max(MIN_STEM, plain.length - MAX_ENDING);
  const meanings = new Set<string>();
  for (const [word, english] of dictionary) {
    if (word.length <= plain.length + MAX_ENDING - 1 && word.length > least && word.startsWith(plain.slice(0, least))) {
      meanings.add(english);
    }
  }
  const [only, ...others] = meanings;
  return others.length === 0 ? only : undefined;
}

/** Parts of compounds are at least this long: `fec` and `vencimiento`. */
const MIN_PART = 3;

/** The parts of a compound of foreign words, as few as possible; null if it is none. */
export const compoundParts = (word: string, language: Language | null): string[] | null =>
  partsOf(folded(word), (part) => meaningOf(part, language) !== undefined);

// "Nr" is a short form of its own in compounds: `lånenr`.
const partsOf = (compound: string, isWord: (part: string) => boolean): string[] | null =>
  fewestParts(compound.replace(/(?<=\p{L}{3})nr$/u, 'nummer'), (part) => part.length >= MIN_PART && isWord(part));

const PHRASES = new Map(
  Object.entries(foreign.phrases).flatMap(([english, phrases]) =>
    phrases.split(', ').map((phrase) => [folded(phrase), english] as const),
  ),
);
const ANY_PHRASE = new RegExp(`(?<!\\p{L})(?:${[...PHRASES.keys()].join('|')})(?!\\p{L})`, 'gu');

/** Translates phrases that mean more than their words: `tipo de interés` is an interest rate, not a kind of interest. */
export function translatePhrases(spaced: string): string {
  const plain = folded(spaced);
  const english = plain.replaceAll(ANY_PHRASE, (phrase) => PHRASES.get(phrase)!);
  return english === plain ? spaced : english;
}

/** A tape is in a language if this share of its headers have a word of it, and at least so many of them. */
const MIN_SHARE = 0.3;
const MIN_HEADERS = 3;

/** The language of a tape's headers; null if it is English or none that is known. */
export function languageOf(headers: readonly string[]): Language | null {
  const words = headers.map((header) =>
    firstWords(splitCases(header).replace(/[^\p{L}]+/gu, ' '))
      .map(folded)
      .filter((word) => word.length > 2 && !ENGLISH.has(word)),
  );
  const counts = LANGUAGES.map((language) => {
    const dictionary = DICTIONARIES.get(language)!;
    const own = words.filter((some) =>
      some.some(
        (word) => dictionary.has(word) || (word.length > 7 && partsOf(word, (part) => dictionary.has(part)) !== null),
      ),
    );
    return { language, count: own.length };
  }).sort((a, b) => b.count - a.count);
  const [most] = counts;
  return most && most.count >= MIN_HEADERS && most.count >= headers.length * MIN_SHARE ? most.language : null;
}

const STATUSES = new Map(
  Object.entries(foreign.statuses).flatMap(([status, words]) =>
    words.split(' ').flatMap((word) => spellingsOf(word).map((spelling) => [spelling, status as AssetStatus] as const)),
  ),
);

/** The status that a word of another language means; null if it is none. */
export function foreignStatus(text: string): AssetStatus | null {
  const found = folded(text)
    .split(/[^a-z]+/)
    .find((word) => STATUSES.has(word));
  return found === undefined ? null : STATUSES.get(found)!;
}
