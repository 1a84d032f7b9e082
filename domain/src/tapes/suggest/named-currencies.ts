import { CURRENCIES } from '../../money/currencies.ts';
import { isCurrencyCode } from '../../money/minor-units.ts';
import type { SampleCell } from './column-summary.ts';
import { MAX_HEADER } from './split-words.ts';

/** Signs that only one currency has. Dollars, crowns, yen and others share theirs, so these name no currency. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ...[...Map.groupBy(CURRENCIES, ({ nativeSymbol }) => nativeSymbol)].flatMap(([sign, [only, ...others]]) =>
    only && others.length === 0 && /[^A-Za-z.]/.test(sign) && !/[$]/.test(sign) ? [[sign, only.code] as const] : [],
  ),
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['₹', 'INR'],
]);

/** The currency that a sign or code names; null if several use the sign. */
export const currencyOfSign = (sign: string): string | null =>
  SIGNS.get(sign) ?? (isCurrencyCode(sign.toUpperCase()) ? sign.toUpperCase() : null);

/** Currency signs that may precede or follow an amount, as a pattern. */
export const SIGN_PATTERN = [...SIGNS.keys()]
  .map((sign) => sign.replaceAll(/[.*+?^$()|[\]\\/{}]/g, String.raw`\$&`))
  .join('|');

/** "Balance (NGN)", "Outstanding [EUR]", "Amount in CZK". Codes that are words, such as ALL and TOP, need brackets. */
const IN_HEADER =
  /[([]\s*([A-Z]{3})\s*[)\]]|\b(?:in|amount|balance|principal|outstanding)[\s_-]+(?!ALL|TOP|TRY)([A-Z]{3})$/;
/** "NGN 1,000.00", "1.000,00 CZK". */
const IN_AMOUNT = /^([A-Z]{3})\s?[-(]?\d[\d.,'\s]*\)?$|^[-(]?\d[\d.,'\s]*\)?\s?([A-Z]{3})$/;

const codeIn = (pattern: RegExp, text: string): string | null => {
  const found = pattern.exec(text);
  const code = found?.[1] ?? found?.[2];
  return code !== undefined && isCurrencyCode(code) ? code : null;
};

/** The currency of "₦1,000", by its sign. */
const signIn = (text: string): string | null =>
  /\d/.test(text) ? (SIGNS.get(text.replaceAll(/[\d.,'\s()-]/g, '')) ?? null) : null;

/** The currencies that the headers, the amounts and their formats name in these columns. */
export function namedCurrencies(
  columns: readonly {
    readonly header: string;
    readonly cells: readonly SampleCell[];
    readonly currencyMarks?: readonly string[] | undefined;
  }[],
): Set<string> {
  const named = new Set<string>();
  for (const { header, cells, currencyMarks = [] } of columns) {
    for (const mark of currencyMarks) {
      const shown = currencyOfSign(mark);
      if (shown) named.add(shown);
    }
    const text = header.trim().slice(0, MAX_HEADER);
    const inBrackets = /[([]\s*(\D{1,3}?)\s*[)\]]/.exec(text)?.[1];
    const inHeader = codeIn(IN_HEADER, text) ?? (inBrackets ? SIGNS.get(inBrackets) : null);
    if (inHeader) named.add(inHeader);
    for (const { value } of cells) {
      const text = value.trim();
      const code = codeIn(IN_AMOUNT, text) ?? signIn(text);
      if (code) named.add(code);
    }
  }
  return named;
}
