import { type WireDetails, wireFacts } from '@tapeline/domain/capital/notice-parts.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { DateText, Money, Mono } from '../../components/figures/figures.tsx';
import { KeyFigures } from '../../components/page/key-figures.tsx';
import { Facts, PanelSection } from '../../components/page/section.tsx';

/** What an investor pays for a call and by when, with which reference and where to. */
export function PaymentFacts({
  investor,
  amount,
  currency,
  dueDate,
  payment,
}: {
  /** Of whom it is asked, for a user of several investors. */
  investor: string | null;
  amount: DecimalText;
  currency: string;
  dueDate: string;
  payment: { readonly wire: WireDetails | null; readonly reference: string } | null;
}) {
  const wire = payment?.wire ?? null;
  return (
    <>
      <KeyFigures
        label={investor ? `What ${investor} pays` : 'What to pay'}
        figures={[
          {
            label: 'To pay',
            value: <Money value={{ sum: amount, currency }} zero="figure" />,
            unit: currency,
            note: investor,
          },
          { label: 'Due', value: <DateText value={dueDate} /> },
          ...(payment
            ? [{ label: 'Payment reference', value: <span className="font-mono text-lg">{payment.reference}</span> }]
            : []),
        ]}
      />
      <PanelSection title="Pay to" note={investor ?? undefined} padded>
        {wire ? (
          <Facts
            items={wireFacts(wire, null).map(({ label, value, isCode }) => ({
              label,
              value: isCode ? <Mono>{value}</Mono> : value,
            }))}
          />
        ) : (
          <p className="text-sm text-ink-2">
            The fund has no bank account on record. Ask the fund manager where to pay.
          </p>
        )}
      </PanelSection>
    </>
  );
}
