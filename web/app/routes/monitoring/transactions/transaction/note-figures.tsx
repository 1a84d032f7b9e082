import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { APPROVED_NOT_DUE, AVAILABILITY_TODAY, NO_BALANCE } from '@tapeline/domain/facilities/position-labels.ts';
import { activeTranche } from '@tapeline/domain/facilities/transaction.schema.ts';
import { isNegative } from '@tapeline/domain/money/decimal.ts';
import { totalByCurrency } from '@tapeline/domain/money/totals.ts';
import { Money } from '../../../../components/figures/figures.tsx';
import { formatFigure, formatPercent } from '../../../../components/figures/format.ts';
import { type KeyFigure, KeyFigures } from '../../../../components/page/key-figures.tsx';
import { paths } from '../../../../paths.ts';
import type { TransactionPage } from '../transaction-page.server.ts';

const NO_VALUE = 'No holding value is recorded, or in several currencies';
/** Figures that an investment does not have. */
const OF_DEBT: readonly string[] = ['Net borrowing base', APPROVED_NOT_DUE, AVAILABILITY_TODAY];
const NO_BASE = 'No borrowing base calculated yet';

/** Which tranches the commitments in force cover: those up to and including the active one. */
function tranchesInForce(note: TransactionPage['note']): string {
  const active = activeTranche(note);
  const inForce = active ? note.tranches.filter(({ sequence }) => sequence <= active.sequence) : note.tranches;
  return note.tranches.length > 1 ? `${inForce.length} of ${note.tranches.length} tranches` : 'one tranche';
}

export function NoteFigures({ page }: { page: TransactionPage }) {
  const { note, utilization, priority } = page;
  const { commitments, balance, approved, requested, netBB, availability, cutOffDate, borrowingBase } = utilization;
  const warrants = page.isDebt
    ? []
    : totalByCurrency(
        note.tranches.flatMap(({ terms }) => (terms.warrants ?? []).flatMap(({ holdingValue }) => holdingValue ?? [])),
      );
  const to = borrowingBase ? paths.borrowingBase(borrowingBase) : undefined;
  const figures: KeyFigure[] = [
    {
      label: 'Commitments in force',
      value: <Money value={commitments} unknown="No commitment in the main currency" zero="figure" />,
      unit: commitments?.currency,
      note: tranchesInForce(note),
    },
    ...(page.isDebt
      ? []
      : [
          {
            label: 'Holding value',
            value: <Money value={warrants.length === 1 ? warrants[0] : null} unknown={NO_VALUE} zero="figure" />,
            unit: warrants.length === 1 ? warrants[0]?.currency : null,
            note: 'of shares and warrants',
          },
        ]),
    {
      label: 'Net borrowing base',
      value: <Money value={netBB} unknown={NO_BASE} zero="figure" />,
      unit: netBB?.currency,
      note: cutOffDate ? formatCalendarDate(cutOffDate) : 'not calculated yet',
      to,
      trend: page.series.map((base) => Number(base.netBB)),
    },
    {
      label: 'Balance',
      value: <Money value={balance} unknown={NO_BALANCE} zero="figure" />,
      unit: balance?.currency,
      note:
        utilization.utilizationPercent === null
          ? 'no draws or repayments recorded yet'
          : `${formatPercent(utilization.utilizationPercent, 1)} of commitments`,
    },
    {
      label: APPROVED_NOT_DUE,
      value: <Money value={approved} unknown={NO_BALANCE} zero="figure" />,
      unit: approved?.currency,
      note: requested ? (
        <>
          requested: <Money value={requested} zero="figure" />
        </>
      ) : undefined,
    },
    {
      label: AVAILABILITY_TODAY,
      value: <Money value={availability} unknown={NO_BALANCE} zero="figure" />,
      unit: availability?.currency,
      tone: availability && isNegative(availability.sum) ? 'danger' : undefined,
      note: availability ? formatCalendarDate(page.today) : undefined,
    },
    ...(priority
      ? [
          {
            label: 'Priority',
            value: `${formatFigure(priority.attachmentPoint)}–${formatFigure(priority.detachmentPoint)}`,
            unit: '%',
            note: 'attachment to detachment',
          },
        ]
      : []),
  ];
  return (
    <KeyFigures
      label={`${note.title} at a glance`}
      figures={figures.filter(({ label }) => page.isDebt || !OF_DEBT.includes(label))}
    />
  );
}
