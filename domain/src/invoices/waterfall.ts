import { add, compare, type DecimalText, max, min, subtract } from '../money/decimal.ts';
import type { InvoiceLineKind } from './labels.ts';

type Parts = Readonly<Partial<Record<InvoiceLineKind, DecimalText>>>;

/** A part of a payment, and what it pays. */
export interface WaterfallPart {
  readonly kind: InvoiceLineKind;
  readonly amount: DecimalText;
}

/**
 * Splits a payment over what an invoice asks for: what is first in the order is paid in full before what follows. The
 * parts add up to the payment exactly.
 * @param owed what the invoice asks for
 * @param paid what earlier payments paid of it
 * @throws RangeError if the payment is more than is left
 */
export function splitByWaterfall(
  amount: DecimalText,
  { order, owed, paid }: { order: readonly InvoiceLineKind[]; owed: Parts; paid: Parts },
): WaterfallPart[] {
  let left = amount;
  const parts = order.flatMap((kind): WaterfallPart[] => {
    const part = min(left, max('0', subtract(owed[kind] ?? '0', paid[kind] ?? '0')));
    if (compare(part, '0') <= 0) return [];
    left = subtract(left, part);
    return [{ kind, amount: part }];
  });
  if (compare(left, '0') !== 0) throw new RangeError(`${left} of ${amount} is more than the invoice asks for`);
  return parts;
}

/** What was paid of each kind, with further parts. */
export const withParts = (paid: Parts, parts: readonly WaterfallPart[]): Parts => ({
  ...paid,
  ...Object.fromEntries(parts.map(({ kind, amount }) => [kind, add(paid[kind] ?? '0', amount)])),
});
