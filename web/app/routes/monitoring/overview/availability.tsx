import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { APPROVED_NOT_DUE, AVAILABILITY_TODAY, REQUESTED } from '@tapeline/domain/facilities/position-labels.ts';
import { isNegative } from '@tapeline/domain/money/decimal.ts';
import type { ReactNode } from 'react';
import { Money, Name, Percent, ShareBar, Unknown } from '../../../components/figures/figures.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { MoreLink } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import type { MonitoringView } from './monitoring-view.ts';

type Note = MonitoringView['notes'][number];

const NO_BASE = 'No borrowing base calculated yet';
const NO_BALANCE = 'No draws or repayments recorded for this note yet';
const NO_COMMITMENT = 'No commitment is in force, or a rate is missing';

/** The balance as a share of the commitments, with its figure. */
function Used({ note }: { note: Note }) {
  const { utilizationPercent: percent, availability } = note;
  if (percent === null) return <Unknown reason={note.balance ? NO_COMMITMENT : NO_BALANCE} />;
  const isOver = percent > 100 || (availability !== null && isNegative(availability.sum));
  return (
    <span className="flex items-center justify-end gap-2">
      <Percent value={percent} digits={1} zero="figure" />
      <ShareBar fraction={percent / 100} tone={isOver ? 'danger' : 'chart-1'} width="w-16" />
    </span>
  );
}

/** The amount that each note may draw today, according to its latest borrowing base. */
export function Availability({
  notes,
  totals,
  footer,
}: {
  notes: readonly Note[];
  totals: MonitoringView['totals'];
  /** Below the table: its pagination, or a link to all notes. */
  footer?: ReactNode;
}) {
  // The currency is named once if all figures have the same one.
  const currencies = new Set([
    ...totals.netBB.map(({ currency }) => currency),
    ...notes.flatMap(({ commitments, balance }) => [commitments, balance].flatMap((amount) => amount?.currency ?? [])),
  ]);
  const [only] = currencies.size === 1 ? currencies : [];
  const money = (value: Note['netBB'], unknown: string) =>
    value ? <Money value={value} withCurrency={!only} /> : <Unknown reason={unknown} />;
  return (
    <TableSection
      title={AVAILABILITY_TODAY}
      note={`latest borrowing base per note, less balance and approved draws on ${formatCalendarDate(totals.asOf)}${only ? `, ${only}` : ''}`}
      more={<MoreLink to={paths.borrowingBases()}>All borrowing bases</MoreLink>}
      narrow="list"
      caption="Availability today by note"
      rows={notes}
      rowTo={(note) => (note.baseId ? paths.borrowingBase(note.baseId) : paths.transaction(note.transactionId))}
      columns={[
        {
          head: 'Note',
          cell: (note) => (
            <>
              <Name>{note.company}</Name>
              <span className="block text-xs text-ink-3">
                <Name>{note.noteTitle}</Name>
              </span>
            </>
          ),
        },
        { head: 'Cut-off', date: (note) => note.cutOffDate, unknown: NO_BASE },
        { head: 'Commitments', numeric: true, wideOnly: true, cell: (note) => money(note.commitments, NO_COMMITMENT) },
        { head: 'Net borrowing base', numeric: true, cell: (note) => money(note.netBB, NO_BASE) },
        { head: 'Balance', numeric: true, cell: (note) => money(note.balance, NO_BALANCE) },
        { head: APPROVED_NOT_DUE, numeric: true, wideOnly: true, cell: (note) => money(note.approved, NO_BALANCE) },
        { head: REQUESTED, numeric: true, wideOnly: true, cell: (note) => money(note.requested, NO_BALANCE) },
        {
          head: AVAILABILITY_TODAY,
          numeric: true,
          cell: (note) => money(note.availability, note.netBB ? NO_BALANCE : NO_BASE),
        },
        { head: 'Balance of commitments', numeric: true, wideOnly: true, cell: (note) => <Used note={note} /> },
      ]}
      empty={
        <EmptyState title="No notes yet">
          A transaction has notes. Each note’s active contract determines its borrowing base.
        </EmptyState>
      }
      below={footer}
    />
  );
}
