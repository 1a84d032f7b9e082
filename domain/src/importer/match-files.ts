import { COMMON_NAME_WORDS, indexWithin, nameWords, withoutExtension } from '../entities/name-words.ts';

/** What a file can belong to: an investor, a fund or a class of a fund. */
export interface FileOwner {
  readonly id: string;
  /** Its names, for example the title and the formal name. */
  readonly names: readonly string[];
  /** The number that files give it. */
  readonly code: number | null;
}

export interface FileMatch {
  readonly file: string;
  /** Null if no owner fits, or several do. */
  readonly ownerId: string | null;
  readonly reason: 'code' | 'name' | 'number' | 'several' | 'none';
  /** Owners that fit equally well, if there are several. */
  readonly others: readonly string[];
}

/** Words before a number that is a code: "LP-0471". */
const CODE_WORDS = new Set(['lp', 'investor', 'inv', 'fund', 'code', 'no', 'nr']);
/** Words that file names have for other reasons. */
const PERIOD = /^(q[1-4]|h[12]|fy|[12]\d{3}|[12]\d{3}(0[1-9]|1[0-2])([0-2]\d|3[01])?)$/;

/** A date such as 2026-09-30 or 30.09.2026 is no code. */
const withoutDates = (text: string): string =>
  text.replaceAll(/(?<!\d)(?:[12]\d{3}[-._ ]\d{1,2}[-._ ]\d{1,2}|\d{1,2}[-._ ]\d{1,2}[-._ ][12]\d{3})(?!\d)/g, ' ');

/**
 * Finds the owner of each file by its name: a code ("LP-0471"), else a name, else a number alone that is a code. Where
 * several fit, the longest name wins; a person decides between equals.
 * @returns one entry for each file, in their order
 */
export function matchFiles(files: readonly string[], owners: readonly FileOwner[]): FileMatch[] {
  const byCode = new Map<number, string[]>();
  for (const { id, code } of owners) if (code !== null) byCode.set(code, [...(byCode.get(code) ?? []), id]);
  const named = owners.flatMap(({ id, names }) =>
    names.flatMap((name) => {
      const all = nameWords(name);
      const bare = all.filter((word) => !COMMON_NAME_WORDS.has(word));
      return [all, bare].filter((words) => words.length > 0).map((words) => ({ id, words }));
    }),
  );
  return files.map((file) => {
    const stem = withoutExtension(file);
    const words = nameWords(stem);
    const answer = (ids: readonly string[], reason: FileMatch['reason']): FileMatch | null => {
      const [first, ...others] = [...new Set(ids)];
      if (first === undefined) return null;
      return others.length === 0
        ? { file, ownerId: first, reason, others: [] }
        : { file, ownerId: null, reason: 'several', others: [first, ...others] };
    };
    const numbers = nameWords(withoutDates(stem));
    const coded = numbers.flatMap((word, at) =>
      /^\d{1,9}$/.test(word) && CODE_WORDS.has(numbers[at - 1] ?? '') ? (byCode.get(Number(word)) ?? []) : [],
    );
    const bare = words.filter((word) => !COMMON_NAME_WORDS.has(word));
    const fitting = named.filter((one) => indexWithin(one.words, words) >= 0 || indexWithin(one.words, bare) >= 0);
    const letters = (of: readonly string[]) => of.join('').length;
    const longest = Math.max(0, ...fitting.map((one) => letters(one.words)));
    const best = fitting.filter((one) => letters(one.words) === longest).map(({ id }) => id);
    const alone = numbers.flatMap((word) =>
      /^\d{1,9}$/.test(word) && !PERIOD.test(word) ? (byCode.get(Number(word)) ?? []) : [],
    );
    return (
      answer(coded, 'code') ??
      answer(best, 'name') ??
      answer(alone, 'number') ?? { file, ownerId: null, reason: 'none', others: [] }
    );
  });
}
