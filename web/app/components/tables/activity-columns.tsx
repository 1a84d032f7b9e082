import type { CapitalAction } from '@tapeline/domain/capital/activity-statement.ts';
import { entryTitle } from '@tapeline/domain/capital/print/activity.ts';
import { DateText, Money, Name } from '../figures/figures.tsx';
import type { Column } from './data-table.tsx';

interface Entry {
  readonly date: string;
  readonly actionType: CapitalAction;
  readonly title: string | null;
  readonly amount: string;
  readonly unfunded: string;
  readonly netCapitalCalled: string;
}

/**
 * The columns of an activity statement.
 * @param of columns that say what an entry belongs to, after its date
 */
export const activityColumns = <Row extends Entry>(of: readonly Column<Row>[] = []): readonly Column<Row>[] => [
  { key: 'date', head: 'Date', cell: (row) => <DateText value={row.date} /> },
  ...of,
  { key: 'entry', head: 'Entry', cell: (row) => <Name length={60}>{entryTitle(row)}</Name> },
  { key: 'amount', head: 'Amount', numeric: true, cell: (row) => <Money value={row.amount} /> },
  {
    key: 'unfunded',
    head: 'Unfunded after',
    numeric: true,
    cell: (row) => <Money value={row.unfunded} zero="figure" />,
  },
  {
    key: 'netCapitalCalled',
    head: 'Net capital called after',
    numeric: true,
    cell: (row) => <Money value={row.netCapitalCalled} zero="figure" />,
  },
];
