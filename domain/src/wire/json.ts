import { Refusal } from '../errors/refusal.ts';
import { isDecimal } from '../money/decimal.ts';
import { findUnstorable, mayHoldUnstorable, refuseUnstorable } from './text.ts';

// JSON.rawJSON is in the language (Node 22) ahead of TypeScript's library.
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

const isAmountSum = (holder: unknown, key: string, value: unknown): boolean =>
  key === 'sum' && isDecimal(value) && typeof holder === 'object' && holder !== null && 'currency' in holder;

/** JSON has no leading zeros; every other digit stays as it is. */
const withoutZeros = (decimal: string): string => decimal.replace(/^(-?)0+(?=\d)/, '$1');
const literalOf = (decimal: string): unknown => rawJson(withoutZeros(decimal));

/** A decimal that is written as a number literal with all its digits, wherever it is; null stays null. */
export const exactNumber = (decimal: string | number | null): unknown =>
  typeof decimal === 'string' && isDecimal(decimal) ? literalOf(decimal) : decimal;

/** The name `sum` with a text that begins like a number: no quote of a text looks so, since those within texts are escaped. */
const SUMS = /(?<=[{,])"sum":"(-?[0-9.]+)"(,"currency":)?/g;

/**
 * JSON for the wire: the `sum` of an amount goes out as an exact number literal, all digits written out. A replacer would be called for
 * each value of a list and take several times as long as the rest: it is, where an amount does not begin with its sum and currency.
 */
export function stringifyWire(value: unknown): string {
  let isUsual = true;
  const text = JSON.stringify(value).replace(SUMS, (whole, sum: string, currency: string | undefined) => {
    if (currency === undefined || !isDecimal(sum)) isUsual = false;
    return isUsual ? `"sum":${withoutZeros(sum)}${currency}` : whole;
  });
  if (isUsual) return text;
  return JSON.stringify(value, function (this: unknown, key, entry) {
    return isAmountSum(this, key, entry) ? literalOf(entry as string) : entry;
  });
}

/** No valid body is nested this deep, so functions that walk a value may recurse for each level. */
const MAX_LEVELS = 100;

const [QUOTE, PLUS, COMMA, MINUS, POINT, ZERO, NINE, BACKSLASH] = [34, 43, 44, 45, 46, 48, 57, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
const [SMALL_E, LARGE_E] = [101, 69];

const WHITESPACE = ' \t\n\r';

/** A double represents every literal with this few characters. */
const SAFE_LENGTH = 15;

/**
 * Whether the literal loses digits as a double, so that it has to stay text. Literals that are invalid in JSON (007)
 * are left to its parser.
 */
const losesDigits = (literal: string): boolean =>
  String(Number(literal)) !== literal && isDecimal(literal) && !/^-?0\d/.test(literal);

/** Whether an object's name is expected here; a number is not a name, and quotes would make it one. */
function isName(text: string, after: number): boolean {
  let at = after;
  while (WHITESPACE.includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charAt(at) === ':';
}

const isNumberCharacter = (code: number): boolean =>
  (code >= ZERO && code <= NINE) ||
  code === POINT ||
  code === MINUS ||
  code === SMALL_E ||
  code === LARGE_E ||
  code === PLUS;

/** The index of the quote that ends the text beginning at another; the length if nothing ends it. */
function endOfText(text: string, from: number): number {
  let at = from + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) at += 1;
  }
  return at;
}

/**
 * The text with quotes around each number that a double does not hold. One pass over the characters, for JSON.parse itself is several
 * times as slow when it has to tell the digits of its numbers. Comparing a number's digits takes ten times as long as reading it.
 * @param most of the numbers that are compared; a text with more of them is not finished, and null
 * @throws Refusal for what is nested too deep
 */
export function quoteLongNumbers(text: string, most = Number.POSITIVE_INFINITY): string | null {
  const { length } = text;
  let quoted = '';
  let taken = 0;
  let level = 0;
  let compared = 0;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(text, at);
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const from = at;
      while (at + 1 < length && isNumberCharacter(text.charCodeAt(at + 1))) at += 1;
      if (at - from < SAFE_LENGTH) continue;
      compared += 1;
      if (compared > most) return null;
      const literal = text.slice(from, at + 1);
      if (!losesDigits(literal) || isName(text, at + 1)) continue;
      quoted += `${text.slice(taken, from)}"${literal}"`;
      taken = at + 1;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      level += 1;
      if (level > MAX_LEVELS) throw new Refusal('badRequest', `JSON may be nested at most ${MAX_LEVELS} levels deep`);
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) level -= 1;
  }
  return taken === 0 ? text : quoted + text.slice(taken);
}

/** Names of one object, and values of a whole body: more than any call takes. */
export const MAX_NAMES = 5_000;
export const MAX_JSON_VALUES = 250_000;

/**
 * Refuses JSON that has too many names in an object, or too many values, before it is parsed: parsing takes as long for
 * them as a valid body never does. A pass over the characters.
 * @throws Refusal badRequest
 */
export function requireBounded(text: string): void {
  const { length } = text;
  /** Commas of each open list or object; negative for a list, whose items only count as values. */
  const open: number[] = [];
  let values = 0;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(text, at);
    } else if (code === COMMA) {
      values += 1;
      const top = open.length - 1;
      if (top >= 0 && open[top]! >= 0) {
        open[top]! += 1;
        if (open[top]! >= MAX_NAMES) {
          throw new Refusal(
            'badRequest',
            `An object of the body may have at most ${MAX_NAMES.toLocaleString('en')} fields`,
          );
        }
      }
      if (values >= MAX_JSON_VALUES) {
        throw new Refusal(
          'badRequest',
          `The body may have at most ${MAX_JSON_VALUES.toLocaleString('en')} values. Send less at once.`,
        );
      }
    } else if (code === OPEN_OBJECT) open.push(0);
    else if (code === OPEN_LIST) open.push(-1);
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) open.pop();
    if (open.length > MAX_LEVELS)
      throw new Refusal('badRequest', `JSON may be nested at most ${MAX_LEVELS} levels deep`);
  }
}

/**
 * Parses JSON from the API: a number literal too long for a double stays text, with all its digits.
 * @throws SyntaxError if it is not JSON; Refusal if it is nested too deeply, or has a text that cannot be stored
 */
export const parseWire = (text: string): unknown => parseQuoted(text, quoteLongNumbers(text) ?? text);

/** The same of a text whose long numbers were quoted already. */
export function parseQuoted(text: string, quoted: string): unknown {
  const value: unknown = JSON.parse(quoted);
  const path = mayHoldUnstorable(text) ? findUnstorable(value) : null;
  if (path) throw refuseUnstorable(path);
  return value;
}
