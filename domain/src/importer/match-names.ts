import { isId } from '../documents/id.schema.ts';
import { similarWords } from '../entities/name-words.ts';
import { classNameOf } from '../funds/class-title.ts';

/** The collections whose documents rows name. */
export const NAMED_COLLECTIONS = ['LPs', 'funds', 'mainFunds'] as const;
export type NamedCollection = (typeof NAMED_COLLECTIONS)[number];

/** Names that are matched in one step. */
export const MAX_MATCHED_NAMES = 50;

/** The form in which names are compared: case, kinds of letters and the number of spaces do not matter. */
export const nameKey = (text: string): string => text.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** The same name with the last name first: "Keller, Anna" is Anna Keller. Null for a text without exactly one comma. */
export function firstNameFirst(text: string): string | null {
  const [last = '', first = '', ...more] = text.split(',').map((part) => part.trim());
  return first === '' || last === '' || more.length > 0 ? null : `${first} ${last}`;
}

/** The forms of a text of which one must be a name of what it names. */
export const nameKeysOf = (text: string): string[] => {
  const turned = firstNameFirst(text);
  return [nameKey(text), ...(turned === null ? [] : [nameKey(turned)])];
};

interface NamedClass {
  readonly name: string;
  readonly uniqueKey: string;
}

/** A name without the word for a class: "Klasse A" and "Class A" are "a". */
export const bare = (text: string): string =>
  nameKey(text).replace(/^(?:share |fund |unit )?(?:class|series|klasse|classe|clase|anteilsklasse) /, '');

/** The class that a text names: by its key, its name, or a beginning that only it has. Null if none or several fit. */
export function classNamed(text: string, classes: readonly NamedClass[]): NamedClass | null {
  const only = (fits: (one: NamedClass) => boolean): NamedClass | null => {
    const [first, ...more] = classes.filter(fits);
    return first && more.length === 0 ? first : null;
  };
  const key = nameKey(text);
  const short = bare(text);
  const names = ({ name, uniqueKey }: NamedClass) => [
    nameKey(name),
    bare(name),
    ...(isId(uniqueKey) ? [] : [nameKey(uniqueKey)]),
  ];
  return (
    only(({ uniqueKey }) => uniqueKey === text.trim()) ??
    only((one) => names(one).includes(key)) ??
    only((one) => names(one).includes(short)) ??
    only((one) => short !== '' && names(one).some((name) => name.startsWith(short)))
  );
}

/** What a person calls a class: its key, or its name if the key was generated. */
export const shownClass = ({ name, uniqueKey }: NamedClass): string => (isId(uniqueKey) ? name : uniqueKey);

/** The same for a key; a class that the fund no longer has has no name. */
export function shownClassOf(classes: readonly NamedClass[], key: string | null): string | null {
  const found = classes.find(({ uniqueKey }) => uniqueKey === key);
  return found ? shownClass(found) : classNameOf(classes, key);
}

/** Candidates that are offered for a name. */
export const MAX_CANDIDATES = 5;
/** Below this, two names are not similar. */
const MIN_LIKENESS = 0.34;

const letterPairs = (words: readonly string[]): Set<string> =>
  new Set(words.flatMap((word) => Array.from({ length: word.length + 1 }, (_, at) => ` ${word} `.slice(at, at + 2))));

/** The pairs of letters of a name, without its legal form, accents and the order of its words. */
const pairsOf = (name: string): Set<string> => letterPairs(similarWords(name));

/**
 * The documents that each of some names probably means, the likeliest first. Names are compared by the pairs of letters that they
 * share, which are looked up.
 */
export function likeliestOf<One extends { readonly names: readonly string[] }>(
  texts: readonly string[],
  all: readonly One[],
): Map<string, One[]> {
  const names = all.flatMap((one, of) => one.names.map((name) => ({ of, pairs: pairsOf(name) })));
  const having = new Map<string, number[]>();
  for (const [at, { pairs }] of names.entries()) {
    for (const pair of pairs) {
      const known = having.get(pair);
      if (known) known.push(at);
      else having.set(pair, [at]);
    }
  }
  return new Map(
    texts.map((text) => {
      const meant = pairsOf(text);
      const common = new Uint16Array(names.length);
      for (const pair of meant) for (const at of having.get(pair) ?? []) common[at] = (common[at] ?? 0) + 1;
      const likeness = new Float64Array(all.length);
      for (const [at, { of, pairs }] of names.entries())
        likeness[of] = Math.max(likeness[of] ?? 0, (2 * (common[at] ?? 0)) / (meant.size + pairs.size));
      const likely: { one: One; alike: number }[] = [];
      for (const [of, alike] of likeness.entries()) {
        const one = all[of];
        if (!one || alike < MIN_LIKENESS || alike <= (likely[MAX_CANDIDATES - 1]?.alike ?? 0)) continue;
        likely.push({ one, alike });
        likely.sort((a, b) => b.alike - a.alike);
        likely.length = Math.min(likely.length, MAX_CANDIDATES);
      }
      return [text, likely.map(({ one }) => one)];
    }),
  );
}
