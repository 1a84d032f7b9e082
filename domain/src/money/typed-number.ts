import { compare, type DecimalText, decimalOf, multiply } from './decimal.ts';
import { formatFigure, MINUS } from './format-figure.ts';
import { isCurrencyCode } from './minor-units.ts';

/** Characters of a typed number. A longer text is no number. */
export const MAX_TYPED_CHARACTERS = 60;

/** Stands for every currency. */
export const ANY_CURRENCY = '*';

/** Currencies that a sign before or after an amount can stand for. */
const SIGNS: readonly (readonly [sign: RegExp, currencies: RegExp])[] = [
  [/US\$/i, /^USD$/],
  [/C(?:A|DN)?\$/i, /^CAD$/],
  [/AU?\$/i, /^AUD$/],
  [/HK\$/i, /^HKD$/],
  [/NZ\$/i, /^NZD$/],
  [/S\$/i, /^SGD$/],
  [/\$/, /^(USD|CAD|AUD|NZD|SGD|HKD|MXN)$/],
  [/€/, /^EUR$/],
  [/£/, /^GBP$/],
  [/¥/, /^(JPY|CNY)$/],
  [/₹/, /^INR$/],
  [/\bkr\.?/i, /^(SEK|NOK|DKK|ISK)$/],
];

/** Suffixes that multiply a number. In credit, m and mm are both a million. */
export const SCALES: ReadonlyMap<string, DecimalText> = new Map([
  ['k', '1000'],
  ['thousand', '1000'],
  ['m', '1000000'],
  ['mm', '1000000'],
  ['mn', '1000000'],
  ['mio', '1000000'],
  ['mln', '1000000'],
  ['million', '1000000'],
  ['b', '1000000000'],
  ['bn', '1000000000'],
  ['billion', '1000000000'],
]);
const SCALED = new RegExp(`^(.*\\d\\.?) ?(${[...SCALES.keys()].sort((a, b) => b.length - a.length).join('|')})$`, 'i');

/** What a field holds, which decides how a text is read. */
export interface NumberForm {
  /** Decimals that the field can have: 0 of a count, 2 of dollars, more of a rate. */
  readonly decimals: number;
  /** The decimal sign, where a file or a person has said which one it is. */
  readonly decimal?: '.' | ',' | null;
  /** The currency that a text can name; `ANY_CURRENCY` for all, null for none. */
  readonly currency?: string | null;
  /** Whether the field is in per cent, so that a text can end in %. */
  readonly isPercent?: boolean;
}

/** Why a text is not read. `ambiguous` has what each reading would be, the smaller first. */
export type UnreadNumber =
  | { readonly problem: 'notANumber' }
  | { readonly problem: 'notPercent' }
  | { readonly problem: 'otherCurrency'; readonly written: string }
  | { readonly problem: 'ambiguous'; readonly readings: readonly [DecimalText, DecimalText] };

export type TypedNumber = { readonly problem: null; readonly value: DecimalText } | UnreadNumber;

const NOT_A_NUMBER: UnreadNumber = { problem: 'notANumber' };
/** From this number of decimals on, a point before three digits is a decimal point: KWD 1.250, or a rate of 4.125. */
const DECIMALS_OF_DOUBT = 3;

const SPACES = /[\s\u00a0\u2007-\u200a\u202f]/g;
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;

/** The digits of a text and its separators, without sign, currency, scale and spaces between thousands. */
interface BareNumber {
  readonly digits: string;
  readonly isNegative: boolean;
  readonly scale: DecimalText | null;
  /** Spaces or apostrophes are between the thousands, so that a point or a comma is the decimal sign. */
  readonly isSpaced: boolean;
}

/** Takes the code or the sign of a currency off a text. Null if it names another than the field has. */
function withoutCurrency(text: string, currency: string | null): { rest: string } | UnreadNumber {
  const code = /^([A-Z]{3})(?![A-Z])|(?<![A-Z])([A-Z]{3})$/i.exec(text);
  const named = (code?.[1] ?? code?.[2])?.toUpperCase();
  if (code && named && isCurrencyCode(named)) {
    if (currency !== ANY_CURRENCY && named !== currency) return { problem: 'otherCurrency', written: named };
    return { rest: text.replace(code[0], '').trim() };
  }
  const sign = SIGNS.find(([pattern]) => pattern.test(text));
  if (!sign) return { rest: text };
  const [written] = sign[0].exec(text) as RegExpExecArray;
  // An amount in another currency is not read as if it were in this one.
  if (currency !== ANY_CURRENCY && !sign[1].test(currency ?? '')) return { problem: 'otherCurrency', written };
  return { rest: text.replace(sign[0], '').trim() };
}

/** Takes everything off a text that is not the number itself. */
function bareNumber(text: string, { currency = null, isPercent = false }: NumberForm): BareNumber | UnreadNumber {
  if (text.length > MAX_TYPED_CHARACTERS || !/\d/.test(text)) return NOT_A_NUMBER;
  let rest = text.replaceAll(SPACES, ' ').replaceAll(DASHES, '-').trim();
  const inParentheses = /^\((.*)\)$/.exec(rest.replace(/^([^\d(-]*)\(([^()]*)\)([^\d()]*)$/, '($1$2$3)'))?.[1];
  rest = (inParentheses ?? rest).trim();
  const outer = /^- ?(?=\D)(.*)$/.exec(rest)?.[1];
  const named = withoutCurrency(outer?.trim() ?? rest, currency);
  if ('problem' in named) return named;
  rest = named.rest;
  if (rest.endsWith('%')) {
    if (!isPercent) return { problem: 'notPercent' };
    rest = rest.slice(0, -1).trim();
  }
  const scaled = isPercent ? null : SCALED.exec(rest);
  const scale = SCALES.get(scaled?.[2]?.toLowerCase() ?? '') ?? null;
  rest = scaled?.[1] ?? rest;
  const inner = /^- ?(.*)$/.exec(rest)?.[1] ?? (scale ? undefined : /^(.*\d) ?-$/.exec(rest)?.[1]);
  const minuses = [outer, inner, inParentheses].filter((found) => found !== undefined).length;
  if (minuses > 1) return NOT_A_NUMBER;
  rest = (inner ?? rest).replace(/^\+ ?/, '');
  const isSpaced = /^\d{1,3}([ '’])\d{3}(?:\1\d{3})*(?=[.,]|$)/.test(rest);
  if (isSpaced) rest = rest.replaceAll(/[ '’]/g, '');
  return /^[\d.,]+$/.test(rest) && /\d/.test(rest)
    ? { digits: rest, isNegative: minuses > 0, scale, isSpaced }
    : NOT_A_NUMBER;
}

const GROUPED_BY_COMMA = /^[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/;
const GROUPED_BY_POINT = /^[1-9]\d{0,2}(\.\d{3})+(,\d*)?$/;
/** One separator before three digits: of thousands, or of decimals. */
const IN_DOUBT = /^[1-9]\d{0,2}([.,])\d{3}$/;
const PLAIN_WITH_POINT = /^(\d+\.?\d*|\.\d+)$/;
const PLAIN_WITH_COMMA = /^(0|[1-9]\d*)?,\d+$/;

/** The digits with a decimal point and without thousands separators; both readings if there are two. */
function withPoint(
  { digits, scale, isSpaced }: BareNumber,
  { decimals, decimal = null }: NumberForm,
): string | readonly [smaller: string, larger: string] | null {
  const separator = IN_DOUBT.exec(digits)?.[1];
  if (separator && !isSpaced) {
    const [smaller, larger] = [digits.replace(separator, '.'), digits.replace(separator, '')];
    if (decimal !== null) return decimal === separator ? smaller : larger;
    const hasThreeDecimals = decimals >= DECIMALS_OF_DOUBT;
    if (scale === null && separator === '.' && hasThreeDecimals) return smaller;
    if (scale === null && separator === ',' && !hasThreeDecimals) return larger;
    return [smaller, larger];
  }
  if (isSpaced) return PLAIN_WITH_POINT.test(digits) ? digits : digits.replace(/,(?=\d+$)/, '.');
  if (GROUPED_BY_COMMA.test(digits)) return digits.replaceAll(',', '');
  if (GROUPED_BY_POINT.test(digits)) return digits.replaceAll('.', '').replace(',', '.');
  // The mapping of a tape reads "0.999" as 999 where commas are decimal.
  if (decimal === ',' && /^0\d{0,2}\.\d{3}$/.test(digits)) return null;
  if (PLAIN_WITH_POINT.test(digits)) return digits;
  // "1,25" in a file with decimal points is rather a slip than a number.
  return decimal !== '.' && PLAIN_WITH_COMMA.test(digits) ? digits.replace(',', '.') : null;
}

/**
 * A number as a person types or pastes it, or as a file writes it, as a plain decimal: `1,000,000.01`, `1.000.000,01`,
 * `(500)`, `1m`, `USD 1,000,000`. Forms, filters and imports read numbers here and nowhere else. A text with two readings
 * is never decided: `1.250` is 1.25 or 1,250 dollars. English commas between thousands are no doubt where the field has no
 * third decimal, and a point before three digits is none where it has one.
 */
export function readTypedNumber(text: string, form: NumberForm): TypedNumber {
  const bare = bareNumber(text, form);
  if ('problem' in bare) return bare;
  const read = withPoint(bare, form);
  if (read === null) return NOT_A_NUMBER;
  const plain = (digits: string): DecimalText => {
    const [whole = '', fraction = ''] = digits.split('.');
    const decimal = `${whole.replace(/^0+(?=\d)/, '') || '0'}${fraction === '' ? '' : `.${fraction}`}`;
    const value = bare.scale === null ? decimal : multiply(decimal, bare.scale);
    return bare.isNegative && /[1-9]/.test(value) ? `-${value}` : value;
  };
  if (typeof read === 'string')
    return PLAIN_WITH_POINT.test(read) ? { problem: null, value: plain(read) } : NOT_A_NUMBER;
  const readings = read.map(plain) as [DecimalText, DecimalText];
  return { problem: 'ambiguous', readings: compare(...readings) > 0 ? [readings[1], readings[0]] : readings };
}

/** The digits of a text that has a number in any currency, with their separators. Null if it has none. */
export function separatedDigits(text: string): string | null {
  const bare = bareNumber(text, { decimals: 0, currency: ANY_CURRENCY });
  return 'problem' in bare || bare.scale !== null ? null : bare.digits;
}

/**
 * A number as its field shows it: with thousands separators and the decimals of its currency, unless that could be read
 * as another number.
 * @param fixed the decimals that are always shown, of a currency
 */
export function typedNumberOf(value: DecimalText, form: NumberForm, fixed?: number): string {
  const exact = decimalOf(value);
  const plain = exact.replace(/^-/, MINUS);
  const hasMore = fixed !== undefined && (exact.split('.')[1]?.length ?? 0) > fixed;
  const shown = formatFigure(exact, hasMore ? undefined : fixed);
  const read = readTypedNumber(shown, form);
  if (read.problem === null && compare(read.value, value) === 0) return shown;
  const again = readTypedNumber(plain, form);
  // A fourth decimal leaves no doubt about the point.
  return again.problem === null && compare(again.value, value) === 0 ? plain : `${plain}0`;
}

/** Why a text is not read, continuing the name of its field. */
export function textOfUnread(unread: UnreadNumber, text: string, form: NumberForm): string {
  switch (unread.problem) {
    case 'ambiguous': {
      const [one, other] = unread.readings.map((value) => typedNumberOf(value, form));
      return `is unclear: ${text.trim()} can mean ${one} or ${other}. Enter the one you mean`;
    }
    case 'otherCurrency':
      return form.currency
        ? `must be in ${form.currency}, not ${unread.written}`
        : `must be a number without ${unread.written}`;
    case 'notPercent':
      return 'must be a number without a percent sign';
    case 'notANumber':
      return form.isPercent
        ? 'must be a percentage, for example 4.25'
        : `must be a number, for example ${EXAMPLE(form)}`;
  }
}

const EXAMPLE = ({ decimals }: NumberForm): string =>
  decimals === 0 ? '1,250' : decimals < DECIMALS_OF_DOUBT ? '1,250,000.50' : '4.25';
