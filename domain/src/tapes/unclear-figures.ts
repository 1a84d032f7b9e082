import { formatFigure } from '../money/format-figure.ts';
import { minorUnitDigits } from '../money/minor-units.ts';
import { plainFigure } from './plain-figure.ts';
import type { MappingRule } from './rule.schema.ts';
import type { DecimalSign, Serialization, SerializationOf } from './serialization.schema.ts';

/** What is around the digits of an amount. */
const AROUND = /[\s\u00a0()+%'’-]|US\$|\p{Sc}|\b[A-Z]{3}\b/gu;
const DIGITS_OF_DOUBT = 3;

/**
 * The decimal sign that a figure must be read with, without what is around its digits. Null if it fits both, or neither:
 * `12.000` is 12 or 12,000.
 */
export function decimalSignOf(bare: string): DecimalSign | null {
  if (/^\d*\.(\d{1,2}|\d{4,})$|^0?\.\d+$|^\d{1,3}(,\d{3})+\.\d*$|^\d{1,3}(,\d{3}){2,}$/.test(bare)) return 'point';
  if (/^\d*,(\d{1,2}|\d{4,})$|^0?,\d+$|^\d{1,3}(\.\d{3})+,\d*$|^\d{1,3}(\.\d{3}){2,}$/.test(bare)) return 'comma';
  return null;
}

/** Whether a figure without what is around its digits has a point that may be decimal or between thousands. */
export const isUnclear = (bare: string): boolean => /^[1-9]\d{0,2}\.\d{3}$/.test(bare);

/** The step that reads the cells of the rule as amounts, if nothing before it decides what a point means. */
function amountStep({
  serializations,
}: MappingRule): { step: SerializationOf<'SerializedSum'>; before: Serialization[] } | null {
  const at = serializations.findIndex(({ type }) => type === 'SerializedSum');
  const step = serializations[at];
  const before = serializations.slice(0, Math.max(0, at));
  const keepsSigns = (each: Serialization): boolean =>
    each.type === 'omit' ||
    each.type === 'trim' ||
    (each.type === 'replaceStrings' && !each.value.some((text) => /[.,]/.test(text)));
  return step?.type === 'SerializedSum' && before.every(keepsSigns) ? { step, before } : null;
}

/**
 * Why amounts that are texts may be others than they are read as, by text: `12.000` is 12 with a decimal point and 12,000 with a
 * comma. Empty if another text of the column shows which one it is, and for currencies with three decimal places.
 * @param texts those of the column
 */
export function unclearFigures(
  rule: MappingRule,
  texts: readonly string[],
  primaryCurrency: string,
): ReadonlyMap<string, string> {
  const unclear = new Map<string, string>();
  const read = amountStep(rule);
  if (!read || minorUnitDigits(read.step.currency ?? primaryCurrency) === DIGITS_OF_DOUBT) return unclear;
  const chosen = read.step.decimal ?? 'point';
  const bareOf = (text: string): string => text.replace(AROUND, '');
  if (texts.some((text) => decimalSignOf(bareOf(text)) === chosen)) return unclear;
  // Commas between thousands are how most tapes are written, so they are a doubt only where a comma is the decimal sign.
  const isDoubtful = (bare: string): boolean => isUnclear(chosen === 'comma' ? bare.replace(',', '.') : bare);
  const [other, sign] =
    chosen === 'comma' ? (['point', 'a decimal point'] as const) : (['comma', 'a decimal comma'] as const);
  for (const text of new Set(texts)) {
    const bare = bareOf(text);
    if (!isDoubtful(bare)) continue;
    const shown = (decimal: DecimalSign): string => formatFigure(Number(plainFigure(bare, { decimal })));
    unclear.set(text, `"${text.trim()}" is read as ${shown(chosen)}. With ${sign} it is ${shown(other)}`);
  }
  return unclear;
}
