import { stemsOf, tokenize } from './tokens.ts';

interface Named<List> {
  readonly list: List;
  /** What the rows of the list are called. */
  readonly nouns: readonly string[];
}

/**
 * The lists that a question can be about: the first noun decides, of several together the last: "facilities with
 * commitments" are facilities, and "fund commitments" are commitments. Several lists have a noun such as "investors";
 * the other nouns of the question decide between them. Words of a name ("Harbor Fund II") are no nouns.
 */
export function listsNamed<List>(question: string, lists: readonly Named<List>[], names: readonly string[]): List[] {
  const stems = tokenize(question).map(({ kind, stem }) => (kind === 'quoted' ? '“' : stem));
  const isName = wordsOfNames(stems, names);
  const nouns = new Map<string, Set<List>>();
  for (const { list, nouns: own } of lists) {
    for (const noun of own) {
      const key = stemsOf(noun);
      nouns.set(key, (nouns.get(key) ?? new Set()).add(list));
    }
  }
  const found: { at: number; next: number; lists: Set<List> }[] = [];
  for (let at = 0; at < stems.length; ) {
    const length = [3, 2, 1].find((words) => !isName[at] && nouns.has(stems.slice(at, at + words).join(' ')));
    const named = length === undefined ? undefined : nouns.get(stems.slice(at, at + length).join(' '));
    if (length !== undefined && named) found.push({ at, next: at + length, lists: named });
    at += length ?? 1;
  }
  const [first] = found;
  if (!first) return [];
  let head = first;
  for (const one of found.slice(1)) if (one.at === head.next) head = one;
  const counts = [...head.lists].map((list) => [list, found.filter((one) => one.lists.has(list)).length] as const);
  const most = Math.max(...counts.map(([, count]) => count));
  return counts.filter(([, count]) => count === most).map(([list]) => list);
}

/** For each word whether it is part of a name of several words. */
function wordsOfNames(stems: readonly string[], names: readonly string[]): boolean[] {
  const said = ` ${stems.join(' ')} `;
  const isName = stems.map(() => false);
  for (const name of names) {
    const key = stemsOf(name);
    if (!key.includes(' ')) continue;
    for (let at = said.indexOf(` ${key} `); at >= 0; at = said.indexOf(` ${key} `, at + 1)) {
      const first = said.slice(0, at + 1).split(' ').length - 2;
      isName.fill(true, first, first + key.split(' ').length);
    }
  }
  return isName;
}
