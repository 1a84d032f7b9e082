import type { Comparison } from '../filters/filter.ts';
import type { Token } from './tokens.ts';

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
    'more than, greater than, higher than, bigger than, larger than, longer than, older than, over, above, exceeding, exceeds, exceed, in excess of, beyond, north of, >',
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
  [true, 'known, not missing, available, given, present, stated, not blank, not empty'],
]);

export const NEGATIONS = new Phrases<true>([
  [
    true,
    "not, excluding, exclude, excludes, except, except for, other than, outside, outside of, neither, non, isn't, aren't, wasn't, weren't, don't, doesn't, apart from, anything but, everything but, all but, ignoring, leaving out, but not",
  ],
]);

export const ABSENCE = new Phrases<true>([
  [
    true,
    "without, without a, without any, with no, no, missing, missing a, lacking, lacking a, that lack, has no, have no, having no, with missing, with unknown, don't have a, don't have, doesn't have a, doesn't have, do not have a, do not have, does not have a, does not have",
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
  "the, a, an, all, any, each, every, of, in, with, at, for, to, on, by, from, is, are, was, were, be, been, being, has, have, had, having, that, that's, which, who, whose, what, what's, where, when, show, me, list, find, give, get, see, display, tell, us, please, we, i, our, my, do, does, did, there, can, you, could, would, like, need, want, those, these, ones, them, it, its, their, they, and, but, also, only, just, how, many, count, number, located, based, as, well, both, either, let's, hi, hello, thanks, been, go, today's, anything, everything, something, ever".split(
    ', ',
  ),
);
export const HAVING: ReadonlySet<string> = new Set(['with', 'has', 'have', 'having', 'had']);
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
