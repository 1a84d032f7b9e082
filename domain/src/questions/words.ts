import type { Comparison } from '../filters/filter.ts';
import { stemsOf, type Token } from './tokens.ts';

/** Phrases in lower case; the longest that fits is taken. */
export class Phrases<Meaning> {
  private readonly meanings: ReadonlyMap<string, Meaning>;
  private readonly longest: number;

  constructor(groups: readonly (readonly [Meaning, string])[]) {
    this.meanings = new Map(
      groups.flatMap(([meaning, phrases]) => phrases.split(', ').map((phrase) => [phrase, meaning] as const)),
    );
    this.longest = Math.max(...[...this.meanings.keys()].map((phrase) => phrase.split(' ').length));
  }

  /** The words that the phrases are made of. */
  words(): string[] {
    return [...this.meanings.keys()].flatMap((phrase) => phrase.split(' '));
  }

  at(tokens: readonly Token[], at: number): { meaning: Meaning; next: number } | null {
    for (let length = Math.min(this.longest, tokens.length - at); length > 0; length--) {
      const phrase = tokens
        .slice(at, at + length)
        .map(({ lower }) => lower)
        .join(' ');
      const meaning = this.meanings.get(phrase);
      if (meaning !== undefined) return { meaning, next: at + length };
    }
    return null;
  }
}

export const COMPARATORS = new Phrases<Comparison>([
  [
    'gt',
    'more than, greater than, higher than, bigger than, larger than, longer than, older than, over, above, exceeding, exceeds, exceed, in excess of, beyond, north of, upwards of, >',
  ],
  [
    'gte',
    'at least, no less than, not less than, no fewer than, no lower than, minimum, minimum of, a minimum of, min, >=, ≥, greater than or equal to, more than or equal to, equal to or more than, equal to or greater than, greater or equal to, not below, not under, not less then',
  ],
  ['lt', 'less than, lower than, smaller than, shorter than, fewer than, under, below, south of, <'],
  [
    'lte',
    'at most, no more than, not more than, no greater than, no higher than, no larger than, no longer than, not over, not above, up to, maximum, maximum of, a maximum of, max, <=, ≤, less than or equal to, less or equal to, not exceeding',
  ],
  ['eq', 'exactly, equal to, equals, equal, ='],
  ['neq', 'not equal to, different from, unequal to, !=, <>'],
]);

export const DATE_WORDS = new Phrases<'lt' | 'gt' | 'gte' | 'lte' | 'in'>([
  ['lt', 'before, prior to, earlier than, <'],
  ['gt', 'after, later than, >'],
  ['gte', 'since, on or after, starting, starting from, from, no earlier than, not before, >=, ≥'],
  ['lte', 'until, till, by, through, up to, on or before, no later than, not after, <=, ≤'],
  ['in', 'in, during, on, within, over, for, at, ='],
]);

export const TEXT_WORDS = new Phrases<'contains' | 'starts' | 'ends'>([
  ['contains', 'contains, contain, containing, includes, including, include, mentions, mentioning, like'],
  ['starts', 'starts with, start with, starting with, begins with, begin with, beginning with'],
  ['ends', 'ends with, end with, ending with, ends in, ending in'],
]);

export const MISSING = new Phrases<boolean>([
  [false, 'missing, unknown, blank, empty, not known, not available, not given, not stated, n/a, null'],
  [true, 'known, not missing, available, given, present, stated, not blank, not empty, on file, on record'],
]);

export const NEGATIONS = new Phrases<true>([
  [
    true,
    "not, excluding, exclude, excludes, except, except for, other than, outside, outside of, neither, non, isn't, aren't, wasn't, weren't, don't, doesn't, apart from, anything but, everything but, all but, ignoring, leaving out, but not",
  ],
]);

/** `missing`: a field has no value. `none`: that, or the opposite of a condition: "no loans in Texas". */
export const ABSENCE = new Phrases<'missing' | 'none'>([
  [
    'none',
    "without, without a, without any, with no, no, has no, have no, having no, don't have a, don't have, doesn't have a, doesn't have, do not have a, do not have, does not have a, does not have",
  ],
  [
    'missing',
    'missing, missing a, lacking, lacking a, that lack, with missing, with unknown, with blank, with empty, unknown, blank, empty',
  ],
]);

/** Negations that leave rows out. What they reach is asked back if another condition follows them. */
export const EXCEPTIONS = new Phrases<true>([
  [
    true,
    'excluding, exclude, excludes, except, except for, other than, apart from, anything but, everything but, all but, ignoring, leaving out',
  ],
]);

export const LATE = new Phrases<true>([
  [true, 'late, past due, overdue, delinquent, dpd, in arrears, behind, behind schedule, days late, days past due'],
]);

export const MORE = new Phrases<'gte' | 'lte'>([
  [
    'gte',
    'or more, and more, or higher, or above, or over, or greater, or longer, or larger, and up, and above, and over, or better, plus, +',
  ],
  ['lte', 'or less, or lower, or below, or under, or fewer, or shorter, or smaller, and below, and under'],
]);

/** Of a balance, in front of it: "negative balance". */
export const SIGNED = new Phrases<Comparison>([
  ['lt', 'negative'],
  ['gt', 'positive'],
  ['neq', 'nonzero'],
]);

export const SUPERLATIVES = new Phrases<{ by: 'size' | 'age' | 'any'; direction: 1 | -1 }>([
  [{ by: 'size', direction: -1 }, 'largest, biggest, top'],
  [{ by: 'size', direction: 1 }, 'smallest, bottom'],
  [{ by: 'age', direction: 1 }, 'oldest, earliest'],
  [{ by: 'age', direction: -1 }, 'newest, latest, most recent, youngest'],
  [{ by: 'any', direction: -1 }, 'highest, longest, greatest'],
  [{ by: 'any', direction: 1 }, 'lowest, shortest, least'],
]);

export const SORTED = new Phrases<true>([
  [true, 'sorted by, ordered by, ranked by, sort by, order by, rank by, in order of, sort them by, order them by'],
]);

export const DIRECTIONS = new Phrases<1 | -1>([
  [
    1,
    'ascending, asc, lowest first, smallest first, oldest first, earliest first, low to high, from low to high, increasing',
  ],
  [
    -1,
    'descending, desc, highest first, largest first, biggest first, newest first, latest first, high to low, from high to low, decreasing',
  ],
]);

/** Figures over several rows, which a filter cannot state. */
export const AGGREGATES: ReadonlySet<string> = new Set(
  'average, avg, mean, median, sum, total, totals, group, grouped, per, breakdown, percentage, proportion, ratio, weighted, compare, trend, forecast, predict, why'.split(
    ', ',
  ),
);

/** Words that change nothing where a condition may begin. */
export const FILLERS: ReadonlySet<string> = new Set(
  "the, a, an, all, any, each, every, of, in, with, at, for, to, on, by, from, is, are, was, were, be, been, being, has, have, had, having, that, that's, which, who, whose, what, what's, where, when, show, me, list, find, give, get, see, display, tell, us, please, we, i, our, my, do, does, did, there, can, you, could, would, like, need, want, those, these, ones, them, it, its, their, they, and, but, also, only, just, how, many, count, number, located, based, as, well, both, either, let's, hi, hello, thanks, been, go, today's, anything, everything, something, pls, plz, pay, paying, carry, carrying, bear, bearing, worth, still, made, far, so, inclusive, am, get, got".split(
    ', ',
  ),
);
export const HAVING: ReadonlySet<string> = new Set(['with', 'has', 'have', 'having', 'had', 'carry', 'carrying']);
export const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an', 'any', 'some']);
/** Words between a field and its value. */
export const COPULAS: ReadonlySet<string> = new Set([
  'is',
  'are',
  'was',
  'were',
  'be',
  'of',
  'at',
  'with',
  ':',
  'being',
  'been',
  'worth',
  'for',
]);
/** Words before one of several values: "in California or in Texas". */
export const PREPOSITIONS: ReadonlySet<string> = new Set([
  'in',
  'of',
  'for',
  'to',
  'from',
  'by',
  'with',
  'either',
  'is',
  'are',
]);
/** Codes of states that are read in lower case too: no word of English is spelled so. */
export const CODES_IN_LOWER_CASE: ReadonlySet<string> = new Set(
  'ak, az, ca, fl, ga, il, ks, ky, mn, nc, nd, nh, nj, nm, nv, ny, ri, sc, sd, tn, tx, ut, vt, wi, wv, wy'.split(', '),
);
/** Codes that are words of English as well, and are never read without their field. */
export const WORDS_NOT_CODES: ReadonlySet<string> = new Set([
  'IN',
  'OR',
  'ME',
  'OK',
  'HI',
  'ID',
  'ALL',
  'TOP',
  'TRY',
  'CUP',
  'PEN',
  'GEL',
]);

/** The single words of all of these, for finding a word that was misspelled. */
export const PHRASES_OF_QUESTIONS: readonly string[] = [
  ...[COMPARATORS, DATE_WORDS, TEXT_WORDS, MISSING, NEGATIONS, LATE, SUPERLATIVES, SORTED, DIRECTIONS].flatMap(
    (phrases) => phrases.words(),
  ),
  ...FILLERS,
  ...COPULAS,
  ...AGGREGATES,
  // Words that mean nothing here, but are spelled correctly.
  ...'ever, never, because, then, still, same, much, very, more, most, less, least, near, value, values, times, left, next, past'.split(
    ', ',
  ),
  ...'million, thousand, billion, percent, dollars, euros, pounds, quarter, quarters, month, months, years, weeks, yesterday, today, tomorrow, between, since'.split(
    ', ',
  ),
].filter((word) => word.length > 3);

/** The stems of these words, which never mean a name that begins with them. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(PHRASES_OF_QUESTIONS.map(stemsOf));
