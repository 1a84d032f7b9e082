import { isNegative } from '@tapeline/domain/money/decimal.ts';
import { DateText, Money, Name, ShareBar, Unknown } from '../../components/figures/figures.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { MoreLink, Panel, Section } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { MonitoringView } from '../../monitoring/monitoring-view.ts';
import { paths } from '../../paths.ts';

type Note = MonitoringView['notes'][number];

const NO_BASE = 'No borrowing base has been calculated yet';
const NO_BALANCE = 'Draws and repayments of the note are not recorded yet';

/** How much of the borrowing base is drawn; nothing where either is not known. */
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

/** What each note may draw, by its latest borrowing base. */
export function Availability({ notes }: { notes: readonly Note[] }) {
  const currencies = new Set(notes.flatMap(({ netBB }) => netBB?.currency ?? []));
  const [only] = currencies.size === 1 ? currencies : [];
  const money = (value: Note['netBB'], unknown: string) =>
    value ? <Money value={value} withCurrency={!only} /> : <Unknown reason={unknown} />;
  return (
    <Section
      title="Availability"
      note={only ? `latest borrowing base of each note, ${only}` : 'latest borrowing base of each note'}
      more={<MoreLink to={paths.borrowingBases()}>All borrowing bases</MoreLink>}
    >
      <Panel>
        <DataTable
          narrow="list"
          caption="Availability of each note"
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
              A transaction has notes; each has a contract, under which its tapes give a borrowing base.
            </EmptyState>
          }
        />
      </Panel>
    </Section>
  );
}
