import { monthNames, monthSoFar } from './dates.ts';
import type { Choice } from './question-reader.ts';
import { stemOf, type Token } from './tokens.ts';
import type { Lexicon } from './vocabulary.ts';
import { PHRASES_OF_QUESTIONS } from './words.ts';

/** More words than these are not a slip, and are not looked up. */
const MAX_WORDS = 4;
const MAX_SUGGESTIONS = 6;

/** What an unknown word can be replaced by. */
interface Slip {
  readonly token: Token;
  readonly words: readonly string[];
}

/**
 * Ways to write a question whose words were not understood: spelling ("ballance"), the beginning of a name
 * ("Bluewater"), a date that is read in two ways (3/4/2024), a month without a year. A question is never read as one
 * of them: they are offered.
 */
export function suggestQuestions(
  question: string,
  unknown: readonly Token[],
  lexicon: Lexicon,
  today: string,
): { said: readonly string[]; choices: Choice[] } {
  if (unknown.length === 0 || unknown.length > MAX_WORDS) return { said: [], choices: [] };
  // A year after a misspelled month, or an "or" between names, is understood with the words next to it.
  const slips = unknown
    .filter(({ text, lower }) => unknown.length === 1 || !(lower === 'or' || lower === 'and' || /^\d+$/.test(text)))
    .map((token): Slip => ({ token, words: wordsFor(token, lexicon, today) }));
  if (slips.length === 0 || slips.some(({ words }) => words.length === 0)) return { said: [], choices: [] };
  const most = slips.length === 1 ? MAX_SUGGESTIONS : 1;
  const questions = Array.from({ length: most }, (_, index) => {
    const isThere = slips.every(({ words }) => words.length > index);
    return isThere ? replaced(question, slips, index) : null;
  });
  const choices = questions.flatMap((one) => (one === null ? [] : [{ label: one, question: one }]));
  return { said: slips.map(({ token }) => token.text), choices };
}

function replaced(question: string, slips: readonly Slip[], index: number): string {
  let text = question;
  for (const { token, words } of [...slips].sort((a, b) => b.token.start - a.token.start)) {
    text = `${text.slice(0, token.start)}${words[index]}${text.slice(token.end)}`;
  }
  return text;
}

function wordsFor(token: Token, lexicon: Lexicon, today: string): string[] {
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(token.text);
  if (slashed) {
    const [, one = '', two = '', year = ''] = slashed;
    const day = (month: string, date: string) => `${Number(date)} ${monthNames[Number(month) - 1]} ${year}`;
    return Number(one) <= 12 && Number(two) <= 12 ? [day(one, two), day(two, one)] : [];
  }
  if (token.kind !== 'word') return [];
  const month = monthSoFar(token, today);
  if (month) {
    const year = Number(month.slice(0, 4));
    return [year, year + 1].map((one) => `${token.text} ${one}`);
  }
  const named = namesFrom(token.stem, lexicon);
  return named.length > 0 ? named : spelledLike(token.lower, lexicon);
}

/** Names of documents that begin with the word. */
function namesFrom(stem: string, { known }: Lexicon): string[] {
  if (stem.length < 3) return [];
  const names = new Set<string>();
  for (const { isReference, values } of known.values()) {
    if (!isReference) continue;
    for (const { words } of values) {
      const [name = ''] = words;
      if (stemOf((/^[\p{L}\d]+/u.exec(name)?.[0] ?? '').toLowerCase()) === stem) names.add(name);
      if (names.size > MAX_SUGGESTIONS) return [];
    }
  }
  return [...names];
}

/** Words of questions that are spelled almost so, the nearest first. */
function spelledLike(word: string, lexicon: Lexicon): string[] {
  if (word.length < 4 || word.length > 20) return [];
  const most = word.length < 8 ? 1 : 2;
  const near = new Map<string, number>();
  const all = spellings(lexicon);
  if (all.has(word)) return [];
  for (const known of all) {
    if (Math.abs(known.length - word.length) > most || known === word) continue;
    const distance = lettersBetween(word, known, most);
    if (distance <= most) near.set(known, distance);
  }
  const sorted = [...near].sort((a, b) => a[1] - b[1] || a[0].localeCompare(b[0]));
  const nearest = sorted.filter(([, distance]) => distance === sorted[0]?.[1]).map(([known]) => known);
  return nearest
    .filter((known) => !nearest.some((other) => other !== known && `${other}s` === known))
    .slice(0, MAX_SUGGESTIONS);
}

/** Every single word that questions are made of. Ids and codes are left out. */
function spellings(lexicon: Lexicon): Set<string> {
  const words = new Set<string>([...PHRASES_OF_QUESTIONS, ...monthNames.map((name) => name.toLowerCase())]);
  const add = (phrase: string) => {
    for (const word of phrase.toLowerCase().split(/[^\p{L}]+/u)) if (word.length > 3) words.add(word);
  };
  for (const noun of lexicon.subject.nouns) add(noun);
  for (const phrase of Object.keys(lexicon.subject.conditions ?? {})) add(phrase);
  for (const { field, words: own, values, isReference } of lexicon.known.values()) {
    add(field.label);
    own?.forEach(add);
    for (const { words: phrases } of isReference ? [] : values) phrases.forEach(add);
  }
  return words;
}

/** Letters that are added, left out, changed or swapped between two words; more than `most` is not counted further. */
function lettersBetween(one: string, other: string, most: number): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
      if (one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1] && i > 1 && j > 1)
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    if (Math.min(...row) > most) return most + 1;
    [before, last] = [last, row];
  }
  return last[other.length] ?? most + 1;
}
