import { isDecimal } from '../money/decimal.ts';

// JSON.rawJSON and the reviver's source text are in the language (Node 22) ahead of TypeScript's library.
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
type SourceReviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

const isAmountSum = (holder: unknown, key: string, value: unknown): boolean =>
  key === 'sum' && isDecimal(value) && typeof holder === 'object' && holder !== null && 'currency' in holder;

/** JSON has no leading zeros; every other digit stays as it is. */
const literalOf = (decimal: string): unknown => rawJson(decimal.replace(/^(-?)0+(?=\d)/, '$1'));

/** A decimal that goes out as a number literal with all its digits, wherever it stands; null stays null. */
export const exactNumber = (decimal: string | number | null): unknown =>
  typeof decimal === 'string' && isDecimal(decimal) ? literalOf(decimal) : decimal;

/** JSON for the wire: the `sum` of an amount goes out as an exact number literal, all digits written out. */
export function stringifyWire(value: unknown): string {
  return JSON.stringify(value, function (this: unknown, key, entry) {
    return isAmountSum(this, key, entry) ? literalOf(entry as string) : entry;
  });
}

/** Whether a double holds the literal exactly, so that nothing is lost by keeping it a number. */
function survivesAsNumber(source: string, value: number): boolean {
  if (source.length <= 15) return true;
  return String(value) === source;
}

/** JSON from the wire: a number literal too long for a double stays text, all its digits kept. Throws SyntaxError. */
export function parseWire(text: string): unknown {
  return parseWithSource(text, (_key, value, context) => {
    if (typeof value !== 'number' || context.source === undefined) return value;
    if (survivesAsNumber(context.source, value) || !isDecimal(context.source)) return value;
    return context.source;
  });
}
