import { COMMON_NAME_WORDS, indexWithin, nameWords, withoutExtension } from '../../entities/name-words.ts';
import { namingTexts, type ProposedFile, type Sourced } from './sources.ts';
import { datesIn } from './written-dates.ts';

/** A company that a file can be of. */
export interface KnownBorrower {
  readonly id: string;
  readonly name: string;
  /** The file name of its latest tape; null if it has none. */
  readonly latestFile: string | null;
  /** The share of the columns of its latest mapping that the file has, 0 to 1; 0 without a mapping. */
  readonly columnShare: number;
}

/** A file with at least this share of the columns is of the same system. */
const MIN_COLUMN_SHARE = 0.8;
/** Another company's columns are this much worse at least. */
const MIN_COLUMN_LEAD = 0.2;
/** A single word of a name is enough if it has this many letters. */
const MIN_LETTERS = 4;

/** Words of file names and company names that do not tell one company from another. */
const PLAIN_WORDS = new Set([
  ...COMMON_NAME_WORDS,
  ...(
    'asset assets auto bank book borrower borrowers capital collateral commercial company consumer copy corporate credit ' +
    'credits csv current cut cutoff data date dump equipment export extract file final finance financial financing first ' +
    'fund funding group holding holdings home housing income international invest investment investments kredit lease ' +
    'leases leasing lending list loan loanbook loanlevel loans loantape management master monthly mortgage mortgages national ' +
    'new off partners payment pool portfolio raw real receivable receivables report reporting revised sample servicer ' +
    'servicing sheet small solutions tape tapes test total trade update updated upload version weekly xlsx'
  ).split(' '),
]);

const isTelling = (word: string): boolean => /^\p{L}{2,}$/u.test(word) && !PLAIN_WORDS.has(word);

/** The words of a file name that stay the same from month to month: no dates, numbers or versions. */
function lastingWords(fileName: string): string {
  let stem = withoutExtension(fileName);
  for (const { text } of datesIn(stem)) stem = stem.replace(text, ' ');
  return nameWords(stem)
    .filter((word) => /\p{L}{2}/u.test(word) && !/^v\d+$/.test(word))
    .join(' ');
}

/**
 * The company that a file is of: named in a title, in its file name or in its sheet name, else with the file name of the
 * company's latest tape, else with the columns of its mapping. Null if none fits, or if several fit equally well.
 */
export function proposeBorrower(file: ProposedFile, companies: readonly KnownBorrower[]): Sourced<string> | null {
  return byName(file, companies) ?? byEarlierFile(file, companies) ?? byColumns(companies);
}

function byName(file: ProposedFile, companies: readonly KnownBorrower[]): Sourced<string> | null {
  let best: { readonly letters: number; readonly ids: Set<string>; readonly found: Sourced<string> } | null = null;
  const names = companies.map(({ id, name }) => ({ id, words: nameWords(name) }));
  for (const { source, text } of namingTexts(file)) {
    const words = nameWords(source === 'fileName' ? withoutExtension(text) : text);
    for (const { id, words: name } of names) {
      const letters = lettersInCommon(name, words);
      if (letters === 0 || (best && letters < best.letters)) continue;
      if (best && letters === best.letters) best.ids.add(id);
      else best = { letters, ids: new Set([id]), found: { value: id, source, text } };
    }
  }
  return best?.ids.size === 1 ? best.found : null;
}

/** The letters of the longest part of a name, from its first telling word on, that the text has; 0 if it has none. */
function lettersInCommon(name: readonly string[], text: readonly string[]): number {
  const whole = name.filter((word) => !COMMON_NAME_WORDS.has(word));
  const start = whole.findIndex(isTelling);
  if (start < 0) return 0;
  const joined = text.join('');
  for (let end = whole.length; end > start; end -= 1) {
    const part = whole.slice(start, end);
    const letters = part.join('').length;
    if (letters < MIN_LETTERS) break;
    // "NorthwindConsumer.xlsx" has no spaces.
    if (indexWithin(part, text) >= 0 || (part.length > 1 && joined.includes(part.join('')))) return letters;
  }
  return 0;
}

function byEarlierFile(file: ProposedFile, companies: readonly KnownBorrower[]): Sourced<string> | null {
  const words = lastingWords(file.fileName);
  if (!words.split(' ').some(isTelling)) return null;
  const same = companies.filter(({ latestFile }) => latestFile !== null && lastingWords(latestFile) === words);
  const [only] = same;
  return only && same.length === 1 ? { value: only.id, source: 'earlierFile', text: only.latestFile ?? '' } : null;
}

function byColumns(companies: readonly KnownBorrower[]): Sourced<string> | null {
  const [best, second] = companies.toSorted((a, b) => b.columnShare - a.columnShare);
  if (!best || best.columnShare < MIN_COLUMN_SHARE) return null;
  if (second && best.columnShare - second.columnShare < MIN_COLUMN_LEAD) return null;
  return { value: best.id, source: 'columns', text: best.name };
}

/** A name for a company that is not known yet, from the file name: "zephyr-finance_tape_2026-10.xlsx" is Zephyr Finance. */
export function proposeName({ fileName }: ProposedFile): string {
  let stem = withoutExtension(fileName);
  for (const { text } of datesIn(stem)) stem = stem.replace(text, ' ');
  const words = stem
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/[^\p{L}&'’]+/u)
    .filter((word) => /[\p{L}&]{2}|&/u.test(word));
  const start = words.findIndex((word) => isTelling(word.toLowerCase()));
  if (start < 0) return '';
  const end = words.findIndex((word, index) => index > start && FILE_WORDS.has(word.toLowerCase()));
  return words
    .slice(start, end < 0 ? undefined : end)
    .map((word) => (word === word.toLowerCase() ? word[0]!.toUpperCase() + word.slice(1) : word))
    .join(' ');
}

/** Words that end the name of a company in a file name. */
const FILE_WORDS = new Set(
  (
    'borrower borrowers copy cut cutoff data date dump export extract file final list loan loanbook loans loantape master ' +
    'monthly portfolio raw report reporting revised sample sheet tape tapes test total update updated upload version weekly'
  ).split(' '),
);

/** The telling words of a file's texts, to search companies by. At most `limit`. */
export const borrowerWords = (file: ProposedFile, limit = 40): string[] =>
  [...new Set(namingTexts(file).flatMap(({ text }) => nameWords(text.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '))))]
    .filter((word) => isTelling(word) && word.length >= 3)
    .slice(0, limit);
