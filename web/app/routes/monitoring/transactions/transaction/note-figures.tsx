import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { activeTranche } from '@tapeline/domain/facilities/in-force.ts';
import {
  APPROVED_NOT_DUE,
  AVAILABILITY_AFTER_REQUESTS,
  AVAILABILITY_TODAY,
  NO_BALANCE,
} from '@tapeline/domain/facilities/position-labels.ts';
import { availabilityAfterRequests } from '@tapeline/domain/facilities/utilization.ts';
import { isNegative, isZero } from '@tapeline/domain/money/decimal.ts';
import { shareOf } from '@tapeline/domain/money/shares.ts';
import { totalByCurrency } from '@tapeline/domain/money/totals.ts';
import { Figure, Money } from '../../../../components/figures/figures.tsx';
import { formatPercent } from '../../../../components/figures/format.ts';
import { type KeyFigure, KeyFigures } from '../../../../components/page/key-figures.tsx';
import { paths } from '../../../../paths.ts';
import type { TransactionPage } from '../transaction-page.server.ts';

const NO_VALUE = 'No holding value is recorded, or in several currencies';
const NO_BASE = 'No borrowing base calculated yet';

/** Which tranches the commitments in force cover: those up to and including the active one. */
function tranchesInForce({ note, timeline }: TransactionPage): string {
  const active = activeTranche(note);
  const inForce = active ? note.tranches.filter(({ sequence }) => sequence <= active.sequence) : note.tranches;
  return [
    note.tranches.length > 1 ? `${inForce.length} of ${note.tranches.length} tranches` : 'one tranche',
    ...(timeline?.revolvingEnd ? [`revolving until ${formatCalendarDate(timeline.revolvingEnd)}`] : []),
  ].join(', ');
}

function baseNote({ utilization: { cutOffDate }, movement }: TransactionPage): string {
  if (!cutOffDate) return 'not calculated yet';
  const day = formatCalendarDate(cutOffDate);
  if (!movement) return day;
  const sign = isNegative(movement.percent) ? '' : '+';
  return `${day}, ${sign}${formatPercent(movement.percent, 1)} from ${formatCalendarDate(movement.from)}`;
}

/** The balance in percent of the available base, if both are in one currency. */
function ofBase({ utilization: { balance, netBB, availableBase } }: TransactionPage): string | null {
  if (!balance || !availableBase || balance.currency !== availableBase.currency) return null;
  const share = shareOf(balance.sum, availableBase.sum);
  const base = netBB?.sum === availableBase.sum ? 'borrowing base' : 'available base';
  return share === null ? null : `${formatPercent(share, 1)} of the ${base}`;
}

const debtFigures = (page: TransactionPage): KeyFigure[] => {
  const { isBorrower, utilization } = page;
  const { balance, approved, requested, netBB, borrowingBase, utilizationPercent } = utilization;
  // A borrower plans its next request, so what it has requested is taken off.
  const availability = isBorrower ? availabilityAfterRequests(utilization) : utilization.availability;
  const isRequested = requested !== null && !isZero(requested.sum);
  return [
    {
      label: 'Net borrowing base',
      value: <Money value={netBB} unknown={NO_BASE} zero="figure" />,
      unit: netBB?.currency,
      note: baseNote(page),
      ...(borrowingBase ? { to: paths.borrowingBase(borrowingBase) } : {}),
    },
    {
      label: 'Balance',
      value: <Money value={balance} unknown={NO_BALANCE} zero="figure" />,
      unit: balance?.currency,
      note: balance ? (
        <>
          {formatCalendarDate(page.today)}
          {isRequested && !isBorrower ? (
            <>
              , <Money value={requested} /> requested
            </>
          ) : null}
        </>
      ) : (
        'no draws or repayments recorded yet'
      ),
    },
    {
      label: isBorrower ? AVAILABILITY_AFTER_REQUESTS : AVAILABILITY_TODAY,
      value: <Money value={availability} unknown={NO_BALANCE} zero="figure" />,
      unit: availability?.currency,
      ...(availability && isNegative(availability.sum) ? { tone: 'danger' as const } : {}),
      note: availability ? (
        <>
          {formatCalendarDate(page.today)}
          {approved && !isZero(approved.sum) ? (
            <span title={APPROVED_NOT_DUE}>
              , after <Money value={approved} /> approved
            </span>
          ) : null}
          {isRequested && isBorrower ? (
            <>
              , less <Money value={requested} /> requested
            </>
          ) : null}
        </>
      ) : null,
    },
    {
      label: 'Utilization',
      value: <Figure value={utilizationPercent} digits={1} zero="figure" unknown={NO_BALANCE} />,
      unit: utilizationPercent === null ? null : '%',
      note: ofBase(page),
    },
  ];
};

function investmentFigures({ note }: TransactionPage): KeyFigure[] {
  const warrants = totalByCurrency(
    note.tranches.flatMap(({ terms }) => (terms.warrants ?? []).flatMap(({ holdingValue }) => holdingValue ?? [])),
  );
  const only = warrants.length === 1 ? warrants[0] : null;
  return [
    {
      label: 'Holding value',
      value: <Money value={only} unknown={NO_VALUE} zero="figure" />,
      unit: only?.currency ?? null,
      note: 'of shares and warrants',
    },
  ];
}

/** The key figures of the note, the same on every tab. */
export function NoteFigures({ page }: { page: TransactionPage }) {
  const { note, utilization } = page;
  const { commitments } = utilization;
  return (
    <KeyFigures
      label={`${note.title} at a glance`}
      figures={[
        {
          label: 'Commitments in force',
          value: <Money value={commitments} unknown="No commitment in the main currency" zero="figure" />,
          unit: commitments?.currency,
          note: tranchesInForce(page),
        },
        ...(page.isDebt ? debtFigures(page) : investmentFigures(page)),
      ]}
    />
  );
}
