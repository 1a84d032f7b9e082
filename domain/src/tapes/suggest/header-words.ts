import { isCurrencyCode } from '../../money/minor-units.ts';
import { compoundParts, type Language, translated, translatePhrases } from './foreign-words.ts';
import { fewestParts, firstWords, MAX_HEADER, splitCases } from './split-words.ts';
import { ABBREVIATIONS, NAME_WORDS, OTHER_NAMES, TARGET_NAMES, type TargetNames } from './target-synonyms.ts';

/**
 * Splits a header into English words. `CURR_BAL`, `currentBalance` and `currentbalance` all become `current balance`.
 * @param language of the tape, for words that mean something else in English
 */
export function wordsOf(header: string, language: Language | null = null): string[] {
  const named = header
    .slice(0, MAX_HEADER)
    .replace(UNIT_IN_BRACKETS, ' ')
    .replace(/['’]s\b/g, '')
    // What Salesforce adds to the names of custom fields.
    .replace(/__[cr]$/i, '')
    .replace(/(?<=[a-z])(?:On|[_ ]on)$/, ' date')
    .replace(/\bo\/s\b/gi, 'outstanding')
    .replace(/(?<![\p{L}.])p\.? ?a\.?(?![\p{L}])/giu, ' ')
    .replace(/(?<!\p{L})n[º°]/giu, ' number ')
    .replace(/\bdays?[ _]*p(ast)?[ _.]*d(ue)?\b/gi, 'days past due')
    .replace(/\b(?:number|count|nbr|num|no)[ _.]*of[ _]*(?=days)/gi, ' ')
    .replaceAll('#', ' number ');
  const spaced = translatePhrases(
    splitCases(named)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim(),
  );
  return firstWords(spaced)
    .flatMap((word) => piecesOf(word, language))
    .filter(
      (word) =>
        word !== '' && !/^\d{4,}$/.test(word) && !isNoise(word) && !(language !== null && FOREIGN_NOISE.has(word)),
    )
    .flatMap((word) => spell(word, language).split(' '))
    .filter((word) => !isNoise(word));
}

/** "BALANCE_TZS" is a balance. */
const isNoise = (word: string): boolean =>
  NOISE.has(word) || (word.length === 3 && !VOCABULARY.has(word) && isCurrencyCode(word.toUpperCase()));

const spell = (word: string, language: Language | null): string =>
  (language === null ? undefined : translated(word, language)) ??
  ABBREVIATIONS[word] ??
  (VOCABULARY.has(word) ? word : translated(word, null)) ??
  misspelt(word) ??
  word;

/** Shorter words are one letter away from too many others. */
const MIN_MISSPELT = 7;

/** The only known word that one letter more, less or other makes of it: `amoritized` is `amortized`. */
function misspelt(word: string): string | undefined {
  if (word.length < MIN_MISSPELT) return undefined;
  const singular = word.replace(/s$/, '');
  if (VOCABULARY.has(singular)) return singular;
  const near = LONG_WORDS.filter((known) => isOneLetterOff(word, known));
  return near.length === 1 ? near[0] : undefined;
}

function isOneLetterOff(one: string, other: string): boolean {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && long[at] === short[at]) at += 1;
  if (long.length > short.length) return long.slice(at + 1) === short.slice(at);
  const isSwapped = long[at] === short[at + 1] && long[at + 1] === short[at];
  return long.slice(at + 1) === short.slice(at + 1) || (isSwapped && long.slice(at + 2) === short.slice(at + 2));
}

/** The unit of the figures; it does not help to identify the field. */
const UNIT_IN_BRACKETS =
  /[([]\s*(?:in )?(?:us|ca)?[$€£¥%]?\s*(?:mm|m|k|millions?|000'?s?|thousands?|usd|eur|gbp|bps|days?|months?|mths?|monate|years?|yrs?|jahre|% ?p\.?a\.?|p\.?a\.?|[dmy]{1,4}[-/.][dmy]{1,4}[-/.][dmy]{2,4}|y\/n)?\s*[)\]]/gi;

const NOISE = new Set(
  'of the at in to for as by on and bps cents percent derived calculated calc euros dollars reais rupees shillings pesos naira'.split(
    ' ',
  ),
);
/** Articles and prepositions of other languages. */
const FOREIGN_NOISE = new Set(
  'der die das des dem den von am im zum zur de du d l la le les à au aux un une el los las del en da do dos di della van het een w z na po v ve em i pr per por para bis mit a ao con sin sur pour op aan voor met av til för'.split(
    ' ',
  ),
);

/**
 * Splits a word written without spaces (`termmonths` is `term months`) into the fewest known words; unchanged if
 * impossible.
 */
function piecesOf(word: string, language: Language | null): string[] {
  if (word.length < 6 || VOCABULARY.has(word) || translated(word, language) !== undefined) return [word];
  const pieces = fewestParts(word, (piece) => VOCABULARY.has(piece) && (piece.length >= 3 || SHORT_PIECES.has(piece)));
  if (pieces && pieces.length <= 5) return pieces;
  return compoundParts(word, language) ?? [word];
}

const SHORT_PIECES = new Set(['of', 'in', 'id', 'no', 'as', 'on']);
const VOCABULARY: ReadonlySet<string> = new Set([
  ...NAME_WORDS,
  ...Object.keys(ABBREVIATIONS),
  ...Object.values(ABBREVIATIONS).flatMap((words) => words.split(' ')),
  ...SHORT_PIECES,
]);

/** Whether a word, in lower case, is part of a name or an abbreviation. */
export const isKnownWord = (word: string): boolean => VOCABULARY.has(word);

const LONG_WORDS = [...VOCABULARY].filter((word) => word.length >= MIN_MISSPELT);

const NAMES = TARGET_NAMES.map((names) => ({
  names,
  spelt: [names.names, names.vague].flatMap((list, which) =>
    list.map((name, rank) => ({ words: new Set(wordsOf(name)), rank, isVague: which === 1 })),
  ),
}));
/** The number of fields whose names contain a word: `date` says little, `recoveries` identifies a field. */
const COMMONNESS = new Map<string, number>();
for (const { spelt } of NAMES) {
  for (const word of new Set(spelt.flatMap(({ words }) => [...words])))
    COMMONNESS.set(word, (COMMONNESS.get(word) ?? 0) + 1);
}
/** A word that is in no field's name has the most weight: it makes the column something else. */
const WEIGHTS = new Map([...COMMONNESS].map(([word, fields]) => [word, 1 / Math.log2(2 + fields)]));
function weigh(words: Iterable<string>): number {
  let sum = 0;
  for (const word of words) sum += WEIGHTS.get(word) ?? 1;
  return sum;
}

/** Time since another event is not a field's value, however similar its name is to "months since origination". */
const isSinceOtherEvent = (words: ReadonlySet<string>): boolean =>
  words.has('since') && !SINCE_ORIGINATION.some((word) => words.has(word));

const SINCE_ORIGINATION = ['original', 'issue', 'issued', 'funding', 'funded', 'opened'];

/** Words that show that a figure belongs to another loan, to another party, or to a plan. */
const OF_ANOTHER = new Set([
  'previous',
  'prior',
  'earlier',
  'former',
  'planned',
  'projected',
  'budget',
  'budgeted',
  'bureau',
  'guarantor',
  'insurance',
  'tax',
]);
/** Factor on the likeness if a header contains such a word. */
const OTHERS_LIKENESS = 0.6;

/** How similar two names are: 1 if they share every word. */
function likeness(words: ReadonlySet<string>, name: ReadonlySet<string>): number {
  const shared = [...words].filter((word) => name.has(word));
  // Not by weights, whose sums are rounded in the order of the words.
  const alike =
    shared.length === words.size && shared.length === name.size
      ? 1
      : (2 * weigh(shared)) / (weigh(words) + weigh(name));
  const isOfAnother = [...words].some((word) => OF_ANOTHER.has(word) && !name.has(word));
  return isOfAnother ? alike * OTHERS_LIKENESS : alike;
}

/** How similar a header is to a name, from 0 to 1. */
export const nameLikeness = (header: string, name: string): number =>
  likeness(new Set(wordsOf(header)), new Set(wordsOf(name)));

/** Names by their words: a header is compared only with those that share one. */
function byWord<Name extends { readonly words: ReadonlySet<string> }>(names: readonly Name[]) {
  const index = new Map<string, Name[]>();
  for (const name of names) {
    for (const word of name.words) index.set(word, [...(index.get(word) ?? []), name]);
  }
  return (words: ReadonlySet<string>): Set<Name> => new Set([...words].flatMap((word) => index.get(word) ?? []));
}

const othersSharing = byWord(OTHER_NAMES.map((name) => ({ words: new Set(wordsOf(name)) })));

/** The words of a header, with and without the text in brackets: "Loan-to-Value (LTV)" says the same thing twice. */
function readingsOf(header: string, language: Language | null): ReadonlySet<string>[] {
  const examined = header.slice(0, MAX_HEADER);
  const variants = /[([]/.test(examined) ? [examined, examined.replace(/[([][^)\]]*[)\]]/g, ' ')] : [examined];
  return variants.map((variant) => new Set(wordsOf(variant, language)));
}

/** How clearly a column is one that no field takes. */
export function otherScore(header: string, language: Language | null = null): number {
  const scores = readingsOf(header, language).flatMap((words) =>
    [...othersSharing(words)].map((name) => likeness(words, name.words)),
  );
  return Math.max(0, ...scores);
}

export interface NameScore {
  readonly names: TargetNames;
  /** 1 if the header is one of the field's first names. */
  readonly score: number;
  /** The name that the header resembles. */
  readonly as: string;
  /** Whether that name means something else on some tapes. */
  readonly isVague: boolean;
}

/** By how much each name of a list says less than the one before it. */
const NEXT_NAME = 0.001;

const namesSharing = byWord(NAMES.flatMap(({ spelt }, field) => spelt.map((name) => ({ ...name, field }))));

/** How similar a header is to the names of each field. */
export function nameScores(header: string, language: Language | null = null): NameScore[] {
  const best = NAMES.map(({ names }) => ({ names, score: 0, as: '', isVague: false }));
  for (const words of readingsOf(header, language)) {
    if (isSinceOtherEvent(words)) continue;
    for (const { words: name, field, rank, isVague } of namesSharing(words)) {
      const { names } = NAMES[field]!;
      if (names.needs && !names.needs.some((word) => words.has(word))) continue;
      const alike = likeness(words, name);
      const score = (alike === 1 ? 1 : alike * 0.85) - rank * NEXT_NAME;
      if (score > best[field]!.score) best[field] = { names, score, as: [...name].join(' '), isVague };
    }
  }
  return best;
}
