import type { CommitmentOnDay } from '@tapeline/db/operations/commitments/fund-commitments.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { Figure, Money, Name, ShareBar, Unknown } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { Chip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';

export type ShownCommitment = Omit<CommitmentOnDay, 'deltas'> & { changes: number };

export const NOT_ISSUED = 'A draft does not count yet';
const SHARE_DIGITS = 4;

/** A share of the fund with its bar. */
/** A commitment’s share of everything that is committed to the fund. */
export function Share({ percentage }: { percentage: DecimalText | null }) {
  if (percentage === null) return <Unknown reason={NOT_ISSUED} />;
  return (
    <>
      <ShareBar fraction={Number(percentage) / 100} />{' '}
      <Figure value={percentage} digits={SHARE_DIGITS} className="inline-block min-w-16" />
    </>
  );
}

/** The commitments to a fund, each with its share. @param total of all of them, also of those on other pages */
export function CommitmentTable({
  rows,
  total,
  caption,
  classes,
  action,
}: {
  rows: readonly ShownCommitment[];
  total: { count: number; committed: DecimalText } | null;
  caption: string;
  classes: readonly { name: string; uniqueKey: string }[];
  action?: React.ReactNode;
}) {
  const ofClass: Column<ShownCommitment>[] =
    classes.length === 0 ? [] : [{ head: 'Class', cell: (row) => classNameOf(classes, row.Class) ?? <Unknown /> }];
  return (
    <DataTable
      caption={caption}
      rows={rows}
      rowTo={(row) => paths.commitment(row.fundId, row.id)}
      empty={
        <EmptyState title="No commitments yet" action={action}>
          An investor, or another fund, commits capital to the fund.
        </EmptyState>
      }
      columns={[
        {
          head: 'Investor',
          cell: (row) => (
            <>
              {row.investorTitle === null ? <Unknown /> : <Name length={40}>{row.investorTitle}</Name>}
              {row.investorKind === 'fund' ? (
                <>
                  {' '}
                  <Chip>fund</Chip>
                </>
              ) : null}
            </>
          ),
          ...(total ? { total: formatCount(total.count, 'commitment') } : {}),
        },
        ...ofClass,
        { head: 'Closing date', date: (row) => row.closingDate },
        {
          head: 'Active commitment',
          numeric: true,
          cell: (row) => <Money value={row.active} unknown={NOT_ISSUED} />,
          ...(total ? { total: <Money value={total.committed} /> } : {}),
        },
        { head: 'Share (%)', numeric: true, cell: (row) => <Share percentage={row.percentage} /> },
        { head: 'Maximum', money: (row) => row.maxCommitment },
        { head: 'Changes', figure: (row) => row.changes, digits: 0 },
        { head: 'Status', status: (row) => row.status },
      ]}
    />
  );
}
