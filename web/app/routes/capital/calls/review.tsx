import { CALL_PURPOSE_LABELS } from '@tapeline/domain/capital/kinds.ts';
import { SPLIT_LABELS } from '@tapeline/domain/capital/line-basis.ts';
import { NOTICE_BUSINESS_DAYS } from '@tapeline/domain/capital/notice-days.ts';
import { labelOf } from '@tapeline/domain/documents/labels.ts';
import { compare, type DecimalText, divide, multiply, sum } from '@tapeline/domain/money/decimal.ts';
import { DateText, Money } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure, writtenAmount } from '../../../components/figures/format.ts';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { PanelSection } from '../../../components/page/section.tsx';
import type { Column } from '../../../components/tables/data-table.tsx';
import { type Check, Checks } from '../checks.tsx';
import { ReviewColumns } from '../review-columns.tsx';
import { ShareGrid } from '../share-grid.tsx';
import type { CallShare } from '../shares.tsx';
import { WhoIsToldSection } from '../who-is-told.tsx';
import type { CallReview as Review } from './call-entry.server.ts';

function checksOf({
  warnings,
  beyond,
  isBeyond,
  purposes,
  amount,
  shares,
  currency,
  businessDays,
  payIn,
}: Review): Check[] {
  const isExact = compare(sum(purposes.map((one) => one.amount)), amount) === 0;
  return [
    ...warnings.map((text) => ({ tone: beyond.includes(text) ? ('danger' as const) : ('warning' as const), text })),
    ...(isExact
      ? [
          {
            tone: 'good' as const,
            text: 'Rows and columns add up',
            note: `to ${writtenAmount({ sum: amount, currency })}`,
          },
        ]
      : []),
    ...(isBeyond
      ? []
      : [
          {
            tone: 'good' as const,
            text: 'No investor goes below zero',
            note: `smallest unfunded after: ${writtenAmount({ sum: least(shares.map(({ after }) => after)), currency })}`,
          },
        ]),
    ...(businessDays >= NOTICE_BUSINESS_DAYS
      ? [
          {
            tone: 'good' as const,
            text: `${formatCount(businessDays, 'business day')} of notice`,
            note: `ILPA asks for at least ${NOTICE_BUSINESS_DAYS}`,
          },
        ]
      : []),
    ...(payIn?.account && payIn.bank
      ? [{ tone: 'good' as const, text: 'The notices state where to pay', note: `${payIn.account}, ${payIn.bank}` }]
      : []),
  ];
}

/** The smallest of at least one amount. */
const least = (amounts: readonly DecimalText[]): DecimalText =>
  amounts.reduce((one, other) => (compare(other, one) < 0 ? other : one));

const unfundedColumn = (
  head: string,
  rows: readonly CallShare[],
  amountOf: (row: CallShare) => DecimalText,
): Column<CallShare> => ({
  head,
  numeric: true,
  cell: (row) => <Money value={amountOf(row)} zero="figure" />,
  total: <Money value={sum(rows.map(amountOf))} zero="figure" />,
});

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
      <ReviewColumns lines={purposes.length} checks={<Checks checks={checksOf(review)} />}>
        <PanelSection
          title="Each investor’s share"
          note={`${currency}; click an amount to change it or to excuse the investor. The rest is divided again, nothing is stored yet`}
        >
          <ShareGrid
            rows={shares}
            lines={purposes.map(({ title, kind, split, control }) => ({
              title,
              note: `${labelOf(CALL_PURPOSE_LABELS, kind)}, ${labelOf(SPLIT_LABELS, split).toLowerCase()}`,
              control,
              mayBeExcused: true,
              isRate: false,
            }))}
            currency={currency}
            total="This call"
            totalOf={(row) => row.amount}
            was={review.was}
            adjusting={review.adjusting}
            own={review.own}
            who={review.isBeyond ? null : review.who}
            after={[
              unfundedColumn('Unfunded before', shares, ({ before }) => before),
              unfundedColumn('Unfunded after', shares, ({ after }) => after),
            ]}
          />
        </PanelSection>
      </ReviewColumns>
      {review.isBeyond ? null : <WhoIsToldSection isFolded who={review.who} />}
    </>
  );
}
