import { CALL_PURPOSE_LABELS } from '@tapeline/domain/capital/kinds.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { compare, divide, multiply, sum } from '@tapeline/domain/money/decimal.ts';
import { DateText, Money } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure, writtenAmount } from '../../../components/figures/format.ts';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import { type Check, Checks } from '../checks.tsx';
import { Purposes } from '../purposes.tsx';
import { CallShares } from '../shares.tsx';
import { WhoIsToldSection } from '../who-is-told.tsx';
import type { CallReview as Review } from './call-entry.server.ts';

function checksOf({ warnings, beyond, isBeyond, purposes, amount, currency }: Review): Check[] {
  const isExact = compare(sum(purposes.map((one) => one.amount)), amount) === 0;
  return [
    ...warnings.map((text) => ({ tone: beyond.includes(text) ? ('danger' as const) : ('warning' as const), text })),
    ...(isExact
      ? [
          {
            tone: 'good' as const,
            text: `Each purpose and each investor’s share add up to ${writtenAmount({ sum: amount, currency })}.${
              isBeyond ? '' : ' No share is more than the investor’s unfunded commitment.'
            }`,
          },
        ]
      : []),
  ];
}

/** The call as it would be, before anything is stored. */
export function ReviewedCall({ review }: { review: Review }) {
  const { shares, currency, amount, before, after, dueDate, businessDays, purposes } = review;
  const part = compare(before, '0') > 0 ? divide(multiply(amount, '100'), before, 2) : null;
  return (
    <>
      <KeyFigures
        figures={[
          {
            label: 'This call',
            value: <Money value={amount} zero="figure" />,
            unit: currency,
            note: part === null ? null : `${formatFigure(part, 2)}% of what was unfunded`,
          },
          {
            label: 'Unfunded after',
            value: <Money value={after} zero="figure" />,
            unit: currency,
            note: (
              <>
                before: <Money value={before} zero="figure" />
              </>
            ),
            ...(review.isBeyond ? { tone: 'danger' as const } : {}),
          },
          { label: 'Investors', value: formatFigure(shares.length) },
          {
            label: 'Due',
            value: <DateText value={dueDate} />,
            note: `${formatCount(businessDays, 'business day')} after the cut-off date`,
          },
        ]}
      />
      <Checks checks={checksOf(review)} />
      {review.isBeyond ? null : <WhoIsToldSection who={review.who} />}
      <PanelSection
        title="Each investor’s share"
        note={`${currency}, split by commitment and rounded so that the parts add up; nothing is stored yet`}
      >
        <CallShares rows={shares} purposes={purposes.map(({ title }) => title)} isWhole showsShare />
      </PanelSection>
      <Purposes
        lines={purposes.map(({ title, kind, amount: sum }) => ({
          title,
          kind: labelOf(CALL_PURPOSE_LABELS, kind),
          amount: sum,
        }))}
        currency={currency}
        whole="This call"
      />
    </>
  );
}
