import { nameWords, similarWords } from '../entities/name-words.ts';
import { latinText } from './payment-files/latin-text.ts';

/** Names at least this alike are those of one party, for all that is known. */
export const NAME_AGREES = 0.75;
/** Below this, names have nothing in common that counts. */
export const NAME_SIMILAR = 0.5;

/** Banks cut names at 35 characters, some at 27, and a name of that length may go on. */
const SHORTEST_CUT = 27;
const SHORTEST_ABBREVIATION = 3;
const SHORTEST_MISTYPED = 5;
/** So many parties are compared with one name, chosen from so many that share a word or its beginning. */
const MAX_COMPARED = 100;
const MAX_COUNTED = 2000;
/** Words of a name that is looked for within a text. */
const MAX_NAME_WORDS = 8;
const MAX_PARTIES = 6;

/** The same sound, which each transliteration writes in another way: "Müller" is "Mueller" or "Muller". */
const SOUNDS: readonly (readonly [RegExp, string])[] = [
  [/ae/g, 'a'],
  [/oe/g, 'o'],
  [/ue/g, 'u'],
  [/kh/g, 'h'],
  [/shch|sch|sht/g, 'sh'],
  [/zh|dj|dz/g, 'z'],
  [/[yj]/g, 'i'],
  [/ck|c(?!h)|q/g, 'k'],
  [/w/g, 'v'],
  [/ph/g, 'f'],
  [/(\p{L})\1+/gu, '$1'],
];

/** Numbers of funds tell parties apart whose names are the same otherwise. */
const isNumeral = (word: string): boolean => /^(?:\d+|[ivx]+)$/.test(word);

const folded = (word: string): string =>
  isNumeral(word) ? word : SOUNDS.reduce((sounds, [sound, one]) => sounds.replace(sound, one), word);

/** Without legal forms, in Latin letters, with one way to write each sound. "S.A." is "SA", and no two words. */
function soundsOf(name: string): string[] {
  const latin = latinText(name, name.length * 4).replaceAll(/\b(\p{L})\.(?=\p{L}\b)/gu, '$1');
  return similarWords(latin).map(folded);
}

/** Whether one letter is wrong, missing, added, or exchanged with its neighbour. */
export function isOneTypoApart(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1 || left === right) return false;
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  const [a, b] = [left.slice(start), right.slice(start)];
  return (
    a.slice(1) === b.slice(1) ||
    a.slice(1) === b ||
    a === b.slice(1) ||
    (a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  );
}

/** How far one word is the other: 1 if it is, 0 if it is not. */
function wordLikeness(written: string, known: string): number {
  if (written === known) return 1;
  if (isNumeral(written) || isNumeral(known)) return 0;
  if (Math.min(written.length, known.length) >= SHORTEST_MISTYPED && isOneTypoApart(written, known)) return 0.85;
  const isShortened =
    written.length >= SHORTEST_ABBREVIATION && (known.startsWith(written) || written.startsWith(known));
  return isShortened && known.length >= SHORTEST_ABBREVIATION ? 0.8 : 0;
}

interface KnownName {
  readonly party: string;
  readonly words: readonly string[];
}

export interface LikeParty {
  readonly party: string;
  /** From 0 to 1. */
  readonly likeness: number;
}

/** Names of parties, in which what a bank writes as a name is found again. */
export interface NameIndex {
  /** The parties that a name may mean, the most alike first, without those that are less than similar. */
  named(name: string): readonly LikeParty[];
  /** The parties whose name is within a text, between other words. */
  within(text: string): readonly LikeParty[];
}

const startOf = (word: string): string => word.slice(0, 3);
/** The same for the same words in any order. */
const nameKey = (words: readonly string[]): string => words.toSorted().join(' ');
/** A beginning that is shared says less than a word. */
const BEGINNING_COUNTS = 0.3;

function append<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/**
 * @param names by party
 */
export function indexNames(names: ReadonlyMap<string, string>): NameIndex {
  const byStart = new Map<string, KnownName[]>();
  const byWord = new Map<string, KnownName[]>();
  const byName = new Map<string, KnownName[]>();
  const counts = new Map<string, number>();
  for (const [party, name] of [...names].sort(([left], [right]) => (left < right ? -1 : 1))) {
    const known: KnownName = { party, words: soundsOf(name) };
    for (const word of new Set(known.words)) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const start of new Set(known.words.map(startOf))) append(byStart, start, known);
    for (const word of new Set(known.words)) append(byWord, word, known);
    append(byName, nameKey(known.words), known);
  }
  // "Pension" says less about who it is than "Norrland".
  const unknownWeight = Math.log(2 + names.size);
  const weights = new Map([...counts].map(([word, count]) => [word, Math.log(2 + names.size / count)]));
  const weightOf = (word: string): number => weights.get(word) ?? unknownWeight;
  // Names have few words between them: each pair is compared once.
  const compared = new Map<string, Map<string, number>>();
  function remembered(written: string, known: string): number {
    let to = compared.get(written);
    if (to === undefined) {
      to = new Map();
      compared.set(written, to);
    }
    let likeness = to.get(known);
    if (likeness === undefined) {
      likeness = wordLikeness(written, known);
      to.set(known, likeness);
    }
    return likeness;
  }

  /**
   * The names that share the most with these words: whole words before beginnings, and rare ones before common ones. However
   * many share a word, a name that has these words and no others is always among them, and so is one within a text.
   */
  function comparable(words: readonly string[], isText: boolean): Set<KnownName> {
    const found = new Set<KnownName>();
    const addNamed = (some: readonly string[]) => {
      for (const known of (byName.get(nameKey(some)) ?? []).slice(0, MAX_COMPARED)) found.add(known);
    };
    addNamed(words);
    for (const from of isText ? words.keys() : []) {
      // A name ends at the latest before a word that no name has.
      for (let to = from + 1; to <= from + MAX_NAME_WORDS && byWord.has(words[to - 1] ?? ''); to += 1)
        addNamed(words.slice(from, to));
    }

    const shared = new Map<KnownName, number>();
    const count = (lists: ReadonlyMap<string, readonly KnownName[]>, keys: readonly string[], part: number) => {
      const sharing = [...new Set(keys)].flatMap((key) => (lists.has(key) ? [{ key, list: lists.get(key)! }] : []));
      for (const { key, list } of sharing.sort((left, right) => left.list.length - right.list.length)) {
        const points = part * weightOf(key);
        // Of a common word, only those count that a rarer one has found.
        const isCommon = shared.size + list.length > MAX_COUNTED && shared.size > 0;
        for (const known of isCommon ? shared.keys() : list.slice(0, MAX_COUNTED)) {
          if (isCommon && !known.words.some((word) => word === key || startOf(word) === key)) continue;
          shared.set(known, (shared.get(known) ?? 0) + points);
        }
      }
    };
    count(byWord, words, 1);
    count(byStart, words.map(startOf), BEGINNING_COUNTS);
    const best = [...shared].sort(
      ([left, one], [right, other]) =>
        other - one || left.words.length - right.words.length || (left.party < right.party ? -1 : 1),
    );
    for (const [known] of best.slice(0, MAX_COMPARED)) found.add(known);
    return found;
  }

  function likenessOf(written: readonly string[], known: readonly string[], isCut: boolean, isText: boolean): number {
    const free = new Set(written.keys());
    let agreeing = 0;
    let missing = 0;
    let isOtherNumber = false;
    for (const word of known) {
      const weight = weightOf(word);
      let best = { index: -1, likeness: 0 };
      for (const index of free) {
        const likeness = remembered(written[index]!, word);
        if (likeness > best.likeness) best = { index, likeness };
      }
      free.delete(best.index);
      agreeing += weight * best.likeness;
      // What a bank cuts off counts half: it may be what tells two names apart.
      if (best.likeness === 0) missing += isCut ? weight / 2 : weight;
      else missing += weight * (1 - best.likeness);
      if (best.likeness === 0 && isNumeral(word)) isOtherNumber = !isCut;
    }
    if (agreeing === 0) return 0;
    const others = [...free].map((index) => written[index]!);
    const added = isText ? 0 : others.reduce((sum, word) => sum + weightOf(word), 0) / 2;
    const isAnotherFund = isOtherNumber || (!isText && others.some((word) => isNumeral(word)));
    return (agreeing / (agreeing + missing + added)) * (isAnotherFund ? 0.8 : 1);
  }

  function search(text: string, isText: boolean): readonly LikeParty[] {
    const words = isText ? nameWords(latinText(text, text.length * 4)).map(folded) : soundsOf(text);
    const isCut = !isText && text.trim().length >= SHORTEST_CUT;
    return [...comparable(words, isText)]
      .map(({ party, words: known }) => ({ party, likeness: likenessOf(words, known, isCut, isText) }))
      .filter(({ likeness }) => likeness >= (isText ? NAME_AGREES : NAME_SIMILAR))
      .sort((left, right) => right.likeness - left.likeness || (left.party < right.party ? -1 : 1))
      .slice(0, MAX_PARTIES);
  }

  // Who pays every quarter is written in the same way each time.
  const found = new Map<string, readonly LikeParty[]>();
  function searchOnce(text: string, isText: boolean): readonly LikeParty[] {
    const key = `${isText} ${text}`;
    const parties = found.get(key) ?? search(text, isText);
    found.set(key, parties);
    return parties;
  }
  return { named: (name) => searchOnce(name, false), within: (text) => searchOnce(text, true) };
}
