import { DAYS_PER, type TimeUnit } from '../dates/calendar-date.ts';
import { CURRENCIES as ISO_CURRENCIES } from '../money/currencies.ts';
import { type DecimalText, divide, isDecimal, multiply } from '../money/decimal.ts';
import { SCALES as TYPED_SCALES } from '../money/typed-number.ts';
import { countOf, TIME_UNIT_WORDS } from './dates.ts';
import type { Token } from './tokens.ts';
import { WORDS_NOT_CODES } from './words.ts';

/** A number as a question writes it, and the token after it. */
export interface NumberReading {
  readonly value: DecimalText;
  readonly isPercent: boolean;
  /** The code of the currency whose sign or name is written with it. */
  readonly currency: string | null;
  readonly time: TimeUnit | null;
  /** "60+". */
  readonly isAtLeast: boolean;
  /** Written with thousands, millions or a currency. */
  readonly looksLikeMoney: boolean;
  /** What the written digits were multiplied by: "k", "million". */
  readonly scale: DecimalText | null;
  /** "5.000", which is five or five thousand, depending on who writes it. */
  readonly isDoubtful: boolean;
  readonly next: number;
}

/** Words and what they stand for. Not an object, in which words like “constructor” would be found. */
const wordsOf = (words: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(words));

const SIGNS = wordsOf({
  $: 'USD',
  US$: 'USD',
  A$: 'AUD',
  AU$: 'AUD',
  C$: 'CAD',
  CA$: 'CAD',
  HK$: 'HKD',
  NZ$: 'NZD',
  S$: 'SGD',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
});
const SCALES: ReadonlyMap<string, DecimalText> = new Map([...TYPED_SCALES, ['grand', '1000']]);
const CURRENCIES = wordsOf({
  dollar: 'USD',
  usd: 'USD',
  euro: 'EUR',
  eur: 'EUR',
  pound: 'GBP',
  gbp: 'GBP',
  yen: 'JPY',
  jpy: 'JPY',
  ...Object.fromEntries(
    'CHF, CAD, AUD, NZD, SEK, NOK, DKK, INR, MXN, BRL, CNY, HKD, SGD, PLN, ZAR, ILS'
      .split(', ')
      .map((code) => [code.toLowerCase(), code]),
  ),
});
const CODES: ReadonlySet<string> = new Set(ISO_CURRENCIES.map(({ code }) => code));

/** A code in capitals; TRY and ALL are words as well. */
const codeAt = (token: Token | undefined): string | undefined =>
  token && CODES.has(token.text) && !WORDS_NOT_CODES.has(token.text) ? token.text : undefined;

const PERCENT = new Set(['percent', 'pct', '%', 'percentage point', 'point']);
const WRITTEN =
  /^((?:US|HK|NZ|CA?|AU?|S)?[$€£¥])?\s?(-)?([$€£¥])?\s?([\d,]+(?:\.\d+)?|\.\d+)\s?(k|mm|m|bn|b|%)?(\+)?$/i;

export function readNumber(tokens: readonly Token[], at: number): NumberReading | null {
  const token = tokens[at];
  const match = token?.kind === 'number' ? WRITTEN.exec(token.text) : null;
  const isOne = /^an?$/.test(tokens[at - 1]?.lower ?? '') && TIME_UNIT_WORDS.has(token?.stem ?? '');
  const half = readHalf(tokens, at);
  if (half) return half;
  const word = token?.kind !== 'word' ? null : isOne ? 1 : countOf(token);
  const digits = match?.[4]?.replaceAll(',', '').replace(/^\./, '0.') ?? (word === null ? '' : String(word));
  if (!isDecimal(digits) || digits.length > 30) return null;
  let value: DecimalText = match?.[2] ? `-${digits}` : digits;
  const suffix = match?.[5]?.toLowerCase() ?? '';
  let isPercent = suffix === '%';
  let scale = SCALES.get(suffix);
  let currency = SIGNS.get((match?.[1] ?? match?.[3] ?? '').toUpperCase()) ?? null;
  // "A month": the unit is the token itself.
  let next = isOne ? at : at + 1;
  const following = () => tokens[next]?.stem ?? '';
  const larger = SCALES.get(following());
  if (larger && !scale && !isPercent) {
    scale = larger;
    next += 1;
  }
  if (scale) value = multiply(value, scale);
  if (PERCENT.has(following())) {
    isPercent = true;
    next += 1;
  } else if (following() === 'per' && tokens[next + 1]?.stem === 'cent') {
    isPercent = true;
    next += 2;
  } else if (following() === 'basi' || following() === 'basis' || /^bps?$/.test(following())) {
    const isShort = following().startsWith('bp');
    if (!isShort && tokens[next + 1]?.stem !== 'point') return null;
    next += isShort ? 1 : 2;
    value = divide(value, '100', 10);
    isPercent = true;
  }
  const named = CURRENCIES.get(following()) ?? codeAt(tokens[next]);
  if (named && (!currency || currency === named) && !isPercent) {
    currency = named;
    next += 1;
  }
  const time = currency || isPercent || scale ? null : (TIME_UNIT_WORDS.get(following()) ?? null);
  if (time) next += 1;
  return {
    value,
    isPercent,
    currency,
    time,
    isAtLeast: match?.[6] === '+',
    scale: scale ?? null,
    looksLikeMoney: currency !== null || scale !== undefined,
    isDoubtful: !isPercent && /^\d{1,3}\.\d{3}$/.test(digits),
    next,
  };
}

/** "Half a million". */
function readHalf(tokens: readonly Token[], at: number): NumberReading | null {
  const scale =
    tokens[at]?.lower === 'half' && tokens[at + 1]?.lower === 'a' ? SCALES.get(tokens[at + 2]?.stem ?? '') : null;
  if (!scale) return null;
  const currency = CURRENCIES.get(tokens[at + 3]?.stem ?? '') ?? null;
  return {
    value: multiply('0.5', scale),
    isPercent: false,
    currency,
    time: null,
    isAtLeast: false,
    looksLikeMoney: true,
    scale,
    isDoubtful: false,
    next: at + (currency ? 4 : 3),
  };
}

export const inUnit = (value: DecimalText, from: TimeUnit, to: 'days' | 'months'): DecimalText | null => {
  if (to === 'days') return multiply(value, String(DAYS_PER[from]));
  const months = { days: null, weeks: null, months: '1', quarters: '3', years: '12' }[from];
  return months && multiply(value, months);
};
