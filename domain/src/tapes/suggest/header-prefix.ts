import { splitCases } from './split-words.ts';

/** Fewer headers than this can begin with the same word by chance. */
const MIN_HEADERS = 6;
/** Some columns of an export come from elsewhere. */
const MIN_SHARE = 0.8;

const FIRST_WORD = /^\p{L}[\p{L}\p{N}]*(?=[^\p{L}\p{N}]+\p{L})/u;

const firstWordOf = (header: string): string | null =>
  FIRST_WORD.exec(splitCases(header).trim())?.[0].toLowerCase() ?? null;

/**
 * The word that almost all headers begin with: an export names its record in each column ("MLR-LOAN-TYPE",
 * "MLR-PROP-CITY"). Null if there is none.
 */
export function sharedPrefix(headers: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const header of headers) {
    const word = firstWordOf(header);
    if (word !== null) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const least = Math.max(MIN_HEADERS, headers.length * MIN_SHARE);
  return [...counts].find(([, count]) => count >= least)?.[0] ?? null;
}

/** A header without the word that almost all headers begin with. */
export function withoutPrefix(header: string, prefix: string | null): string {
  if (prefix === null || firstWordOf(header) !== prefix) return header;
  return splitCases(header)
    .trim()
    .slice(prefix.length)
    .replace(/^[^\p{L}\p{N}]+/u, '');
}
