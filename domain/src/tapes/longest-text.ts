import { parsePattern, sizeOf } from '../filters/pattern.ts';

/** Maximum length of a text that a mapping reads or makes, in characters; the same as for an Excel cell. */
export const LONGEST_TEXT = 32_767;

/**
 * Maximum text length times pattern length. The worst-case time of a search grows with it, to about 20 ms at this
 * value.
 */
const MAX_PATTERN_WORK = 1_000_000;

/** Maximum length of a text that a regexExtract searches, in characters. A longer text makes its row errored. */
export const longestSearched = (pattern: string): number =>
  Math.min(LONGEST_TEXT, Math.floor(MAX_PATTERN_WORK / sizeOf(parsePattern(pattern, false))));
