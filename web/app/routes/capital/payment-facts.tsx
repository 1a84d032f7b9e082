import { type WireDetails, wireFacts } from '@tapeline/domain/capital/notice-parts.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { DateText, Money, Mono } from '../../components/figures/figures.tsx';
import { Facts } from '../../components/page/section.tsx';

/** What an investor pays for a call, by when, where to, and with which reference. */
export function PaymentFacts({
  amount,
  currency,
  dueDate,
  payment,
}: {
  amount: DecimalText;
  currency: string;
  dueDate: string;
  payment: { readonly wire: WireDetails | null; readonly reference: string } | null;
}) {
  const wire = payment?.wire ?? null;
  return (
    <>
      <Facts
        items={[
          { label: 'Amount', value: <Money value={{ sum: amount, currency }} withCurrency zero="figure" /> },
          { label: 'Due', value: <DateText value={dueDate} /> },
          ...(wire
            ? wireFacts(wire, payment?.reference ?? null).map(({ label, value, isCode }) => ({
                label,
                value: isCode ? <Mono>{value}</Mono> : value,
              }))
            : payment
              ? [{ label: 'Payment reference', value: <Mono>{payment.reference}</Mono> }]
              : []),
        ]}
      />
      {wire ? null : (
        <p className="mt-3 text-sm text-ink-2">
          The fund has no bank account on record. Ask the fund manager where to pay.
        </p>
      )}
    </>
  );
}
