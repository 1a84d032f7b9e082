import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { isNegative, isZero, subtract } from '@tapeline/domain/money/decimal.ts';
import type { BorrowingBasePage } from '../../borrowing-bases/borrowing-base-page.server.ts';
import { shareOf } from '../../borrowing-bases/tracked-rules.ts';
import { Figure, Money } from '../../components/figures/figures.tsx';
import { KeyFigures } from '../../components/page/key-figures.tsx';
import { formatCount, formatFigure, formatPercent, formatShort } from '../../figures/format.ts';

const NO_BALANCE = 'No draws or repayments are recorded for this note yet';

/** How netBB moved since the tape before, in per cent with its sign; null where there is nothing to compare with. */
function movement({ before, result }: BorrowingBasePage) {
  if (!before || before.currency !== result.currency) return null;
  const points = shareOf(subtract(result.netBB.sum, before.netBB), before.netBB);
  if (points === null) return null;
  const sign = isNegative(points) ? '' : '+';
  return { text: `${sign}${formatPercent(points, 1)} from ${formatCalendarDate(before.cutOffDate)}`, points };
}

export function CertificateFigures({ base }: { base: BorrowingBasePage }) {
  const { result, contract } = base;
  const { totals, currency } = result;
  const moved = movement(base);
  const breached = result.excessBreachDistribution.filter((rule) => rule.breached).length;
  const excessPoints = shareOf(totals.excess.sum, totals.pools.eligibleOrPerforming.amount.sum);
  const { availability, balance, commitments } = totals;
  const rates = contract
    ? `default ${formatFigure(contract.defaultRatePercent ?? 0)} %, ${contract.caseCount === 0 ? 'no cases' : formatCount(contract.caseCount, 'case')}`
    : null;
  return (
    <KeyFigures
      figures={[
        {
          label: 'Net borrowing base',
          value: <Money value={totals.netBB} zero="figure" />,
          unit: currency,
          note: moved?.text ?? 'the first of this note',
          tone: moved ? (isNegative(moved.points) ? 'danger' : 'good') : undefined,
          trend: base.trend,
        },
        {
          label: 'Balance',
          value: <Money value={balance} unknown={NO_BALANCE} zero="figure" />,
          unit: balance?.currency,
          note: balance ? 'approved draws less repayments' : 'no draws or repayments recorded yet',
        },
        {
          label: 'Availability',
          value: <Money value={availability} unknown={NO_BALANCE} zero="figure" />,
          unit: availability?.currency,
          note: commitments
            ? `of ${formatShort(commitments.sum)} ${commitments.currency} committed`
            : 'no commitment recorded',
          tone: availability && isNegative(availability.sum) ? 'danger' : undefined,
        },
        {
          label: 'Weighted advance rate',
          value: (
            <Figure
              value={totals.weightedAdvanceRatePercent}
              digits={2}
              zero="figure"
              unknown="There is nothing to advance against"
            />
          ),
          unit: '%',
          note: rates,
        },
        {
          label: 'Excess concentration',
          value: <Money value={totals.excess} zero="figure" />,
          unit: currency,
          note: `${excessPoints && !isZero(totals.excess.sum) ? `${formatPercent(excessPoints, 1)} of pool, ` : ''}${
            breached === 0 ? 'no rule in breach' : `${formatCount(breached, 'rule')} in breach`
          }`,
          tone: breached > 0 ? 'danger' : undefined,
        },
      ]}
    />
  );
}
