import { compare, type DecimalText, subtract } from '../money/decimal.ts';
import { type InvoicedAmount, invoicedAmounts } from './corrections.ts';
import type { Billed } from './interest-of-note.ts';
import { feeBasisOf } from './invoice-lines.ts';

/** What an amendment changes in an issued invoice. The next invoice has the adjustment. */
export interface InvoiceEffect extends InvoicedAmount {
  readonly currency: string;
  /** What the amendment makes of it, less what was invoiced for it until now. */
  readonly adjustment: DecimalText;
}

/**
 * What other amendments would change in issued invoices, the earliest first. An amount that differs from what was invoiced for
 * another reason alone is left out.
 * @param before what the invoices are calculated from now
 * @param after the same with the other amendments
 */
export function invoiceEffects(before: Billed, after: Billed): InvoiceEffect[] {
  const currencies = [...new Set((before.issued ?? []).map(({ currency }) => currency))].sort();
  return currencies.flatMap((currency) => {
    const keyOf = ({ invoice, fee }: InvoicedAmount) => `${invoice} ${fee ?? ''}`;
    const now = new Map(invoicedAmounts(before, feeBasisOf(before, currency)).map((one) => [keyOf(one), one.accrued]));
    return invoicedAmounts(after, feeBasisOf(after, currency)).flatMap((one) =>
      compare(one.accrued, now.get(keyOf(one)) ?? '0') === 0
        ? []
        : [{ ...one, currency, adjustment: subtract(one.accrued, one.invoiced) }],
    );
  });
}
