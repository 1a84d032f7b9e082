import { CellTag } from '@tapeline/sheets/cell-tag.ts';
import type { FigureOptions, SerializationInput } from '../serialization.schema.ts';
import { decimalSignOf, isUnclear } from '../unclear-figures.ts';
import type { ColumnSummary, FigureForm, SampleCell } from './column-summary.ts';
import { currencyOfSign, SIGN_PATTERN } from './named-currencies.ts';

const CODES =
  'USD|EUR|GBP|CHF|CAD|AUD|JPY|SEK|NOK|DKK|PLN|INR|MXN|BRL|ZAR|NGN|CZK|HUF|RON|KES|GHS|THB|PHP|ILS|SGD|HKD|NZD|CNY|KRW|IDR|MYR|AED|SAR|COP|CLP|UAH';
const SIGNS = new RegExp(String.raw`US\$|CA\$|A\$|R\$|[$¥]|${SIGN_PATTERN}|\b(?:${CODES})\b`, 'gi');

/** A figure without what is around its digits. */
const bareFigure = (text: string): string => text.replace(SIGNS, '').replace(/[\s\u00a0%()+-]/g, '');

/** Whether the minus of a figure follows its digits, with or without a currency sign. */
const isTrailing = (text: string): boolean => /^[^-]*\d\s*-\s*%?\s*$/.test(text.replace(SIGNS, ''));

/** A longer text is no figure. Its characters could also be searched for one in too many ways. */
const MAX_FIGURE = 100;

/**
 * How the texts of a column write figures. One `0,5` or `1.234,50` decides the meaning of every comma in the column.
 */
export function figureFormOf(cells: readonly SampleCell[]): FigureForm {
  const texts = cells
    .filter(({ tag, value }) => tag === CellTag.text && value.length <= MAX_FIGURE && /\d/.test(value))
    .map(({ value }) => value);
  const bare = texts.map(bareFigure);
  const meant = new Set(bare.map(decimalSignOf));
  const isEuropean = meant.has('comma') && !meant.has('point');
  return {
    signs: [...new Set(texts.flatMap((text) => text.match(SIGNS) ?? []))].sort((a, b) => b.length - a.length),
    decimal: isEuropean ? ',' : '.',
    hasParentheses: texts.some((text) => /^\D*\(.*\d.*\)\D*$/.test(text)),
    hasTrailingMinus: texts.some((text) => isTrailing(text)),
    hasApostrophes: texts.some((text) => /\d['’]\d{3}/.test(text)),
  };
}

/** What most figures are: digits, with nothing to take away before they are read. */
const PLAIN = /^-?\d+(\.\d+)?$/;

/** The number in a text, read in its column's form; null if there is none. */
export function readFigure(text: string, form: FigureForm): number | null {
  if (text.length > MAX_FIGURE) return null;
  if (form.decimal === '.' && PLAIN.test(text)) return Number(text);
  if (!/\d/.test(text)) return null;
  const isNegative =
    (form.hasParentheses && /^\s*[^\d(]*\(.*\)\s*$/.test(text)) || (form.hasTrailingMinus && isTrailing(text));
  const bare = text
    .replace(SIGNS, '')
    .replace(/[%\s\u00a0'’]/g, '')
    .replace(/-$/, form.hasTrailingMinus ? '' : '-')
    .replace(/[()]/g, form.hasParentheses ? '' : '$&');
  const plain = form.decimal === ',' ? commaToPoint(bare) : bare;
  if (plain === null || !/^[+-]?(\d{1,3}(,\d{3})+|\d+)?(\.\d*)?(e[+-]?\d+)?$/i.test(plain) || !/\d/.test(plain))
    return null;
  const value = Number(plain.replaceAll(',', ''));
  return isNegative ? -value : value;
}

const commaToPoint = (text: string): string | null =>
  /^[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d*)?$/.test(text) ? text.replaceAll('.', '').replace(',', '.') : null;

/** The figures of a column that a decimal point and a comma read differently, if nothing else in the column decides. */
export function ambiguousFigures({ filled, form }: ColumnSummary): string[] {
  const texts = filled.filter(({ tag, value }) => tag === CellTag.text && /\d/.test(value)).map(({ value }) => value);
  const found = texts.filter((text) => isUnclear(bareFigure(text)));
  const others = texts.filter((text) => !found.includes(text) && /[.,]/.test(text));
  return form.decimal === '.' && others.length === 0 ? found : [];
}

/** How a column's texts write figures, as options of its conversion. */
export function figureOptions({ form }: Pick<ColumnSummary, 'form'>): FigureOptions {
  return {
    ...(form.decimal === ','
      ? { decimal: 'comma' as const }
      : form.hasApostrophes
        ? { decimal: 'point' as const }
        : {}),
    ...(form.hasParentheses
      ? { negative: 'brackets' as const }
      : form.hasTrailingMinus
        ? { negative: 'trailing' as const }
        : {}),
  };
}

/** Removes the signs and codes of currencies from figures. */
export const signSteps = ({ form }: ColumnSummary): SerializationInput[] =>
  form.signs.map((sign) => ({ type: 'replaceStrings', value: [sign, ''] }));

/** The unit of amounts that a header states. */
export function statedUnit(header: string): 'scalar' | 'thousands' | 'millions' | 'billions' {
  if (/\bthousands?\b|\b000'?s?\b|[$€£]k\b|\(k\)/i.test(header)) return 'thousands';
  if (/\bmillions?\b|\bmm\b|\bmln\b|[$€£]m\b|\(m\)/i.test(header)) return 'millions';
  return /\bbillions?\b|\bbn\b/i.test(header) ? 'billions' : 'scalar';
}

/**
 * Steps for an amount. Its currency comes from the column that names each row's currency, or else from a sign that
 * means exactly one currency.
 * @param currencyColumn header of the column that names currencies
 */
export function amountSteps(
  summary: ColumnSummary,
  header: string,
  currencyColumn: string | null,
): SerializationInput[] {
  const unit = statedUnit(header);
  const stated = new Set(
    [...summary.form.signs, ...(header.match(SIGNS) ?? [])].flatMap((sign) => currencyOfSign(sign) ?? []),
  );
  const [currency] = stated;
  const named = currencyColumn !== null ? { currencyColumn } : currency && stated.size === 1 ? { currency } : {};
  const options = figureOptions(summary);
  return [
    ...signSteps(summary),
    {
      type: 'SerializedSum',
      ...named,
      ...(unit === 'scalar' ? {} : { unit }),
      ...options,
      // Amounts have two decimal places more often than three.
      ...(ambiguousFigures(summary).length > 0 ? { decimal: 'comma' } : {}),
    },
  ];
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

export interface ScaleReading {
  readonly scale: 'zeroTo1' | 'zeroTo100';
  readonly steps: readonly SerializationInput[];
  /** The shares of the values that mean something else with one scale; null if all have the same. */
  readonly mixed: string | null;
}

const percentOf = (part: number, all: number): string => `${Math.round((part / all) * 100)} %`;

/**
 * The scale of a rate or percentage. A text with a percent sign is in percent. The other values are shares if none is
 * above `highestShare`, and basis points if the header says so or every rate is above 100. A mix of shares and percent
 * signs cannot be read with one scale.
 */
export function scaleOf(summary: ColumnSummary, highestShare: number, header: string): ScaleReading {
  const signed = summary.filled.filter((cell) => cell.value.includes('%')).length;
  const bare = summary.filled.flatMap((cell) => {
    if (cell.value.includes('%')) return [];
    const value =
      cell.tag === CellTag.number || cell.tag === CellTag.text ? readFigure(cell.value, summary.form) : null;
    return value === null ? [] : [value];
  });
  const some = bare.filter((value) => value !== 0);
  const isBasis = /\bbps?\b|basis/i.test(header) || (highestShare === 1 && some.length > 0 && Math.min(...some) > 100);
  const scaled = (scale: ScaleReading['scale'], mixed: string | null = null): ScaleReading => ({
    scale,
    steps: isBasis ? [{ type: 'divide', value: 100 }] : [],
    mixed,
  });
  if (isBasis || some.length === 0) return scaled('zeroTo100');
  const shares = some.filter((value) => value > 0 && value < 0.5);
  const [share, percent] = [shares[0], some.find((value) => value >= 0.5)];
  const said = (fractions: number, all: number, others: string) =>
    `${percentOf(fractions, all)} of the values look like fractions (${share ?? some[0]}) and ${percentOf(all - fractions, all)} ${others}: bring them to one scale`;
  if (Math.max(...some) <= highestShare && median(some) < 1) {
    const all = some.length + signed;
    return scaled('zeroTo1', signed > 0 ? said(some.length, all, 'have a percent sign') : null);
  }
  const isMixed = shares.length >= some.length * 0.05 && shares.length < some.length;
  return scaled('zeroTo100', isMixed ? said(shares.length, some.length, `like percentages (${percent})`) : null);
}

/** A figure and the word after it. */
const UNIT_AFTER = /^\s*([\d.,]+)\s*(\p{L}[\p{L}.]*)\s*$/u;
const UNIT_WORDS: readonly (readonly [RegExp, 'days' | 'weeks' | 'months' | 'quarters' | 'years'])[] = [
  [/^d(ays?)?$/, 'days'],
  [/^w(ee)?ks?$/, 'weeks'],
  [/^(m|mos?|mths?|mnths?|months?|monate?|meses|mois)$/, 'months'],
  [/^q(tr|uarter)?s?$/, 'quarters'],
  [/^(y|yrs?|years?|jahre?)$/, 'years'],
];

/**
 * Steps for a length of time. Unit words that the conversion does not know are removed if they all mean the same unit.
 */
export function termSteps(summary: ColumnSummary, header: string): SerializationInput[] {
  // "2,5 Jahre" shows the decimal sign, although it is no figure.
  const figures = summary.filled.map((cell) => ({ ...cell, value: cell.value.replace(UNIT_AFTER, '$1') }));
  const options = figureOptions({ form: figureFormOf(figures) });
  const words = new Set(
    summary.filled.flatMap(({ tag, value }) => (tag === CellTag.text ? (UNIT_AFTER.exec(value)?.[2] ?? []) : [])),
  );
  const units = new Set(
    [...words].map((word) => UNIT_WORDS.find(([form]) => form.test(word.toLowerCase().replace('.', '')))?.[1]),
  );
  const [unit] = units;
  const known = [...words].every((word) => /^(day|week|month|quarter|year)s?$/i.test(word));
  if (unit && units.size === 1 && !known) {
    const longestFirst = [...words].sort((a, b) => b.length - a.length);
    return [
      ...longestFirst.map((word): SerializationInput => ({ type: 'replaceStrings', value: [word, ''] })),
      { type: 'SerializedTerm', unit, ...options },
    ];
  }
  const named = /year|yr|jahre/i.test(header)
    ? 'years'
    : /day/i.test(header)
      ? 'days'
      : /week/i.test(header)
        ? 'weeks'
        : 'months';
  return [{ type: 'SerializedTerm', unit: named, ...options }];
}

/** Whether a text is a length of time as a person writes it. */
export const isTermText = (text: string): boolean => {
  const word = UNIT_AFTER.exec(text)?.[2]?.toLowerCase().replace('.', '');
  return word !== undefined && UNIT_WORDS.some(([form]) => form.test(word));
};
