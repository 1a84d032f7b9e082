import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import {
  APPROVED_NOT_DUE,
  AVAILABILITY_AFTER_REQUESTS,
  AVAILABILITY_TODAY,
  NO_BALANCE,
  REQUESTED,
} from '@tapeline/domain/facilities/position-labels.ts';
import { availabilityAfterRequests } from '@tapeline/domain/facilities/utilization.ts';
import { isNegative, isZero } from '@tapeline/domain/money/decimal.ts';
import type { ReactNode } from 'react';
import { Money, Percent, ShareBar, Unknown } from '../../../components/figures/figures.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { MoreLink } from '../../../components/page/section.tsx';
import { type Column, TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import type { MonitoringView } from './monitoring.server.ts';

type Note = MonitoringView['notes'][number];

const BALANCES = 'Balances';
const NO_BASE = 'No borrowing base calculated yet';
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

/** An amount in small print under the one that it will change; nothing if there is none. */
function Also({ amount, label }: { amount: Note['approved']; label: string }) {
  if (!amount || isZero(amount.sum)) return null;
  return (
    <span className="block text-xs text-ink-3">
      {label} <Money value={amount} />
    </span>
  );
}

/**
 * The amount that each note may draw today, according to its latest borrowing base; for a borrower, less what it has
 * requested already. Who may not read borrowing bases sees the balances alone.
 */
export function NoteAvailability({
  notes,
  totals,
  isBorrower,
  maySeeBases,
  footer,
}: {
  notes: readonly Note[];
  totals: MonitoringView['totals'];
  isBorrower: boolean;
  maySeeBases: boolean;
  /** Below the table: its pagination, or a link to all notes. */
  footer?: ReactNode;
}) {
  // The currency is named once if all figures have the same one.
  const currencies = new Set([
    ...totals.netBB.map(({ currency }) => currency),
    ...notes.flatMap(({ commitments, balance }) => [commitments, balance].flatMap((amount) => amount?.currency ?? [])),
  ]);
  const [only] = currencies.size === 1 ? currencies : [];
  const withCurrency = !only;
  const title = isBorrower ? AVAILABILITY_AFTER_REQUESTS : AVAILABILITY_TODAY;
  const basis = maySeeBases
    ? `latest borrowing base per note, less balance${isBorrower ? ', approved and requested' : ' and approved'} draws on `
    : 'on ';
  const netBase: Column<Note> = {
    head: 'Net borrowing base',
    numeric: true,
    cell: ({ netBB, availableBase }) => (
      <>
        <Money value={netBB} withCurrency={withCurrency} unknown={NO_BASE} />
        {availableBase?.sum === netBB?.sum ? null : <Also amount={availableBase} label="available base" />}
      </>
    ),
  };
  const availability: Column<Note> = {
    head: title,
    numeric: true,
    cell: (note) => (
      <>
        <Money
          value={isBorrower ? availabilityAfterRequests(note) : note.availability}
          withCurrency={withCurrency}
          unknown={note.netBB ? NO_BALANCE : NO_BASE}
        />
        <Also amount={note.requested} label={isBorrower ? 'less requested' : REQUESTED} />
      </>
    ),
  };
  return (
    <TableSection
      title={maySeeBases ? title : BALANCES}
      note={`${basis}${formatCalendarDate(totals.asOf)}${only ? `, ${only}` : ''}`}
      more={maySeeBases ? <MoreLink to={paths.borrowingBases()}>All borrowing bases</MoreLink> : null}
      narrow="list"
      caption={`${maySeeBases ? title : BALANCES} by note`}
      rows={notes}
      rowTo={(note) => paths.transaction(note.transactionId, { note: note.id })}
      columns={[
        {
          head: 'Note and cut-off',
          name: (note) => note.company,
          under: ({ noteTitle, cutOffDate }) =>
            cutOffDate ? `${noteTitle}, ${formatCalendarDate(cutOffDate)}` : noteTitle,
        },
        {
          head: 'Commitments',
          money: (note) => note.commitments,
          withCurrency,
          wideOnly: true,
          unknown: NO_COMMITMENT,
        },
        ...(maySeeBases ? [netBase] : []),
        {
          head: 'Balance',
          numeric: true,
          cell: ({ balance, approved }) => (
            <>
              <Money value={balance} withCurrency={withCurrency} unknown={NO_BALANCE} />
              <Also amount={approved} label={APPROVED_NOT_DUE} />
            </>
          ),
        },
        ...(maySeeBases ? [availability] : []),
        { head: 'Balance of commitments', numeric: true, wideOnly: true, cell: (note) => <Used note={note} /> },
      ]}
      empty={
        <EmptyState title="No notes yet">
          A facility has notes. Each note’s active contract determines its borrowing base.
        </EmptyState>
      }
      below={footer}
    />
  );
}
