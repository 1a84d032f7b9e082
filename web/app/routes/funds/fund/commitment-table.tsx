import type { CommitmentOnDay } from '@tapeline/db/operations/commitments/fund-commitments.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import type { DecimalText } from '@tapeline/domain/money/decimal.ts';
import { NO_NAV } from '@tapeline/domain/returns/irr.ts';
import type { ShownCapital } from '../../../components/figures/capital-key-figures.tsx';
import { Money, Name, Unknown } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { Chip, StatusChip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';

/** A commitment with its figures of the day, which are null for one that is not in force. */
export type ShownCommitment = Omit<CommitmentOnDay, 'deltas'> & {
  changes: number;
  called: DecimalText | null;
  unfunded: DecimalText | null;
  distributed: DecimalText | null;
  nav: DecimalText | null;
};

export const NOT_ISSUED = 'A draft does not count yet';
const SHARE_DIGITS = 4;

/** The commitments to a fund, each with its share. @param total of all of them, also of those on other pages */
export function CommitmentTable({
  rows,
  total,
  caption,
  capital,
  classes,
  action,
}: {
  rows: readonly ShownCommitment[];
  total: { count: number; committed: DecimalText } | null;
  caption: string;
  /** The figures of the whole fund, for the totals. Null if the figures of its commitments are not shown. */
  capital: Pick<ShownCapital, 'called' | 'unfunded' | 'distributed' | 'nav' | 'covers'> | null;
  classes: readonly { name: string; uniqueKey: string }[];
  action?: React.ReactNode;
}) {
  const totalOf = (sum: DecimalText | null) => (total && sum !== null ? { total: sum } : {});
  const figures: Column<ShownCommitment>[] = capital
    ? [
        { head: 'Called', money: (row) => row.called, unknown: NOT_ISSUED, ...totalOf(capital.called) },
        { head: 'Unfunded', money: (row) => row.unfunded, unknown: NOT_ISSUED, ...totalOf(capital.unfunded) },
        { head: 'Distributed', money: (row) => row.distributed, unknown: NOT_ISSUED, ...totalOf(capital.distributed) },
        { head: 'NAV', money: (row) => row.nav, unknown: NO_NAV, ...totalOf(capital.covers ? null : capital.nav) },
      ]
    : [];
  return (
    <DataTable
      narrow="list"
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
              {row.status === 'Active' ? null : (
                <>
                  {' '}
                  <StatusChip status={row.status} />
                </>
              )}
              <span className="block text-xs text-ink-3">
                {classes.length > 0 ? `${classNameOf(classes, row.Class) ?? 'n/a'}, ` : ''}
                since {formatCalendarDate(row.closingDate)}
              </span>
            </>
          ),
          ...(total ? { total: formatCount(total.count, 'commitment') } : {}),
        },
        {
          head: 'Committed',
          numeric: true,
          cell: (row) => <Money value={row.active} unknown={NOT_ISSUED} />,
          ...(total ? { total: <Money value={total.committed} /> } : {}),
        },
        { head: 'Share (%)', figure: (row) => row.percentage, digits: SHARE_DIGITS, unknown: NOT_ISSUED },
        ...figures,
      ]}
    />
  );
}
