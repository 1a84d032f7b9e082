/** A longer header is a sentence, whose first words say what it is about. */
const MAX_WORDS = 25;

/** The rest of a longer header is not examined. */
export const MAX_HEADER = 500;

/** The words of a header that are compared with names; spaces separate them. */
export const firstWords = (spaced: string): string[] => spaced.split(' ', MAX_WORDS);

/**
 * Separates the words of a header where the case changes: `currentBalance` is `current Balance`, and `FDICNumber` is
 * `FDIC Number`.
 */
export const splitCases = (header: string): string =>
  header
    .slice(0, MAX_HEADER)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2');

/** Longer words are not taken apart. */
const MAX_COMPOUND = 100;
/** Longer than any part of a compound. */
const MAX_PART = 20;

/** The parts of a word written without spaces, as few as possible; null if it does not consist of such parts. */
export function fewestParts(word: string, isPart: (part: string) => boolean): string[] | null {
  if (word.length > MAX_COMPOUND) return null;
  const best: (string[] | null)[] = [[]];
  for (let end = 1; end <= word.length; end += 1) {
    let fewest: string[] | null = null;
    for (let start = Math.max(0, end - MAX_PART); start < end; start += 1) {
      const before = best[start];
      const part = word.slice(start, end);
      if (!before || !isPart(part)) continue;
      if (fewest === null || before.length + 1 < fewest.length) fewest = [...before, part];
    }
    best.push(fewest);
  }
  return best[word.length] ?? null;
}
