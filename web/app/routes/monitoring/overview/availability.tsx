import { isNegative } from '@tapeline/domain/money/decimal.ts';
import type { ReactNode } from 'react';
import { DateText, Money, Name, ShareBar, Unknown } from '../../../components/figures/figures.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { MoreLink, Panel, Section } from '../../../components/page/section.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import type { MonitoringView } from './monitoring-view.ts';

type Note = MonitoringView['notes'][number];

const NO_BASE = 'No borrowing base calculated yet';
const NO_BALANCE = 'No draws or repayments recorded for this note yet';

/** The drawn share of the borrowing base. Renders nothing if either figure is unknown. */
function Used({ note }: { note: Note }) {
  if (!note.netBB || !note.balance || note.netBB.currency !== note.balance.currency) return null;
  const base = Number(note.netBB.sum);
  const isOver = note.availability !== null && isNegative(note.availability.sum);
  return (
    <ShareBar
      fraction={isOver ? 1 : base > 0 ? Number(note.balance.sum) / base : 0}
      tone={isOver ? 'danger' : 'chart-1'}
      width="w-20"
    />
  );
}

/** The amount that each note may draw, according to its latest borrowing base. */
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
  const [only] = totals.netBB.length === 1 ? totals.netBB.map(({ currency }) => currency) : [];
  const money = (value: Note['netBB'], unknown: string) =>
    value ? <Money value={value} withCurrency={!only} /> : <Unknown reason={unknown} />;
  return (
    <Section
      title="Availability"
      note={only ? `latest borrowing base per note, ${only}` : 'latest borrowing base per note'}
      more={<MoreLink to={paths.borrowingBases()}>All borrowing bases</MoreLink>}
    >
      <Panel>
        <DataTable
          narrow="list"
          caption="Availability by note"
          rows={notes}
          rowKey={(note) => note.id}
          rowTo={(note) => (note.baseId ? paths.borrowingBase(note.baseId) : paths.transaction(note.transactionId))}
          columns={[
            {
              key: 'note',
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
            {
              key: 'at',
              head: 'Cut-off',
              cell: (note) => <DateText value={note.cutOffDate} unknown={NO_BASE} />,
            },
            { key: 'net', head: 'Net borrowing base', numeric: true, cell: (note) => money(note.netBB, NO_BASE) },
            {
              key: 'balance',
              head: 'Balance',
              numeric: true,
              wideOnly: true,
              cell: (note) => money(note.balance, note.baseId ? NO_BALANCE : NO_BASE),
            },
            {
              key: 'availability',
              head: 'Availability',
              numeric: true,
              cell: (note) => money(note.availability, note.baseId ? NO_BALANCE : NO_BASE),
            },
            { key: 'used', head: 'Used', wideOnly: true, cell: (note) => <Used note={note} /> },
          ]}
          empty={
            <EmptyState title="No notes yet">
              A transaction has notes. Each note’s active contract determines its borrowing base.
            </EmptyState>
          }
        />
        {footer}
      </Panel>
    </Section>
  );
}
