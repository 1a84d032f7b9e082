import type { CapitalAction } from '@tapeline/domain/capital/activity-statement.ts';
import { entryTitle } from '@tapeline/domain/capital/print/activity.ts';
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
  { head: 'Date', date: (row) => row.date },
  ...of,
  { head: 'Entry', name: (row) => entryTitle(row), length: 60 },
  { head: 'Amount', money: (row) => row.amount },
  { head: 'Unfunded after', money: (row) => row.unfunded, zero: 'figure' },
  { head: 'Net capital called after', money: (row) => row.netCapitalCalled, zero: 'figure' },
];
