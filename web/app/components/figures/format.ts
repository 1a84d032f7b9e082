import { formatCount } from '@tapeline/domain/money/format-figure.ts';

export { formatInstant } from '@tapeline/domain/dates/instant.ts';
export {
  EN_DASH,
  type FigureValue,
  formatCount,
  formatFigure,
  formatPercent,
  formatRate,
  formatShort,
  MINUS,
  rateDigits,
  writtenAmount,
} from '@tapeline/domain/money/format-figure.ts';

/** The singular of a plural noun of the product: companies, classes, NAVs, borrowing bases, analyses. */
export const singular = (nouns: string): string => {
  for (const [ending, one] of ENDINGS) if (ending.test(nouns)) return nouns.replace(ending, one);
  return nouns;
};
const ENDINGS: readonly [RegExp, string][] = [
  [/analyses$/, 'analysis'],
  [/ies$/, 'y'],
  [/(ss|x|ch|sh)es$/, '$1'],
  [/s$/, ''],
];

/** The same by the plural alone, as lists name what they hold: 1 investor, 2 investors. */
export const formatTotal = (count: number, nouns: string): string => formatCount(count, singular(nouns), nouns);

/** A noun with its article: a fund, an entity. */
export const withArticle = (noun: string): string =>
  `${/^[aeiou]/i.test(noun) && !/^us/i.test(noun) ? 'an' : 'a'} ${noun}`;

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** File sizes in units of 1024: 6710886 is "6.4 MB". */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < BYTE_UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${BYTE_UNITS[unit]}`;
}

/** A duration: "0.4 s", "1 min 12 s", "2 h 5 min". */
export function formatDuration(durationMs: number): string {
  if (durationMs < 60_000) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

export const NAME_LENGTH = 30;

/** Truncates a name to 30 characters. Show the full name on hover. */
export function shortenName(name: string, length = NAME_LENGTH): string {
  const characters = [...name];
  return characters.length <= length ? name : `${characters.slice(0, length - 1).join('')}\u2026`;
}
