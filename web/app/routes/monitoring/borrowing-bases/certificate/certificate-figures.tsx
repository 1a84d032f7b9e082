import { facilityFigures } from '@tapeline/domain/borrowing-base/facility-figures.ts';
import { availableBaseOf } from '@tapeline/domain/borrowing-base/result.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import {
  AVAILABILITY_AT_CUT_OFF,
  BALANCE_AT_CUT_OFF,
  NO_BALANCE,
} from '@tapeline/domain/facilities/position-labels.ts';
import { isNegative, isZero, min, subtract, toNumber } from '@tapeline/domain/money/decimal.ts';
import { shareOf } from '@tapeline/domain/money/shares.ts';
import { Figure, Money } from '../../../../components/figures/figures.tsx';
import { formatCount, formatFigure, formatPercent, formatShort } from '../../../../components/figures/format.ts';
import { KeyFigures } from '../../../../components/page/key-figures.tsx';
import type { BorrowingBasePage } from '../borrowing-base-page.server.ts';

/** The signed percentage change of netBB since the previous tape. Null if there is nothing to compare with. */
function movement({ before, result }: BorrowingBasePage) {
  if (!before || before.currency !== result.currency) return null;
  const points = shareOf(subtract(result.netBB.sum, before.netBB), before.netBB);
  if (points === null) return null;
  const sign = isNegative(points) ? '' : '+';
  return { text: `${sign}${formatPercent(points, 1)} from ${formatCalendarDate(before.cutOffDate)}`, points };
}

/**
 * The maximum that may be outstanding: the lesser of available base and commitments. Null if it is unknown, or they are in
 * two currencies.
 */
function ceilingOf({ totals, currency }: BorrowingBasePage['result']) {
  const { commitments } = totals;
  const base = availableBaseOf(totals);
  if (!base || !commitments) return base?.sum ?? null;
  return commitments.currency === currency ? min(base.sum, commitments.sum) : null;
}

/** The note under availability: the formula if availability is unknown, and an explicit message for a deficiency. */
function availabilityNote({ result }: BorrowingBasePage): string {
  const { availability, commitments } = result.totals;
  const { availableBase } = result.totals;
  const base = availableBase ? `available base of ${formatShort(availableBase.sum)}` : 'borrowing base';
  if (availability && isNegative(availability.sum)) return `deficiency: the balance exceeds the ${base}`;
  const committed = commitments
    ? `of ${formatShort(commitments.sum)} ${commitments.currency} committed`
    : 'no commitment recorded';
  if (availability) return availableBase ? `${base}, ${committed}` : committed;
  const ceiling = ceilingOf(result);
  return ceiling === null ? committed : `up to ${formatShort(ceiling)} ${result.currency}, minus balance`;
}

export function CertificateFigures({ base }: { base: BorrowingBasePage }) {
  const { result, contract } = base;
  const { totals, currency } = result;
  const moved = movement(base);
  const breached = result.excessBreachDistribution.filter((rule) => rule.breached).length;
  const excessPoints = shareOf(totals.excess.sum, totals.pools.eligibleOrPerforming.amount.sum);
  const { availability, balance } = totals;
  const { utilizationPercent } = facilityFigures(result);
  const rates = contract
    ? `default ${formatFigure(contract.defaultRatePercent ?? 0)}%, ${contract.caseCount === 0 ? 'no cases' : formatCount(contract.caseCount, 'case')}`
    : null;
  return (
    <KeyFigures
      figures={[
        {
          label: 'Net borrowing base',
          value: <Money value={totals.netBB} zero="figure" />,
          unit: currency,
          note: moved?.text ?? 'first for this note',
          tone: moved ? (isNegative(moved.points) ? 'danger' : 'good') : undefined,
          trend: base.trend.filter((point) => point.currency === currency).map(({ netBB }) => toNumber(netBB)),
        },
        {
          label: BALANCE_AT_CUT_OFF,
          value: <Money value={balance} unknown={NO_BALANCE} zero="figure" />,
          unit: balance?.currency,
          note: !balance
            ? 'no draws or repayments recorded yet'
            : utilizationPercent === null
              ? 'approved draws due minus principal repaid'
              : `${formatPercent(utilizationPercent, 1)} of commitments`,
        },
        {
          label: AVAILABILITY_AT_CUT_OFF,
          value: <Money value={availability} unknown={NO_BALANCE} zero="figure" />,
          unit: availability?.currency,
          note: availabilityNote(base),
          tone: availability && isNegative(availability.sum) ? 'danger' : undefined,
        },
        {
          label: 'Weighted advance rate',
          value: (
            <Figure
              value={totals.weightedAdvanceRatePercent}
              digits={2}
              zero="figure"
              unknown="No assets to advance against"
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
