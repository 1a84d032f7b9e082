import { DateText, Money } from '../../../../components/figures/figures.tsx';
import { formatCount } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { StatusChip } from '../../../../components/page/chip.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { MoreLink, Panel, Section } from '../../../../components/page/section.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { TransactionPage } from '../transaction-page.server.ts';

/** The latest draw requests of the note. Renders nothing for users who cannot read draws. */
export function NoteDraws({ page }: { page: TransactionPage }) {
  const { draws, note, transaction } = page;
  if (!draws) return null;
  return (
    <Section
      title="Draws"
      note={
        draws.total > draws.rows.length
          ? `the latest ${draws.rows.length} of ${formatCount(draws.total, 'request')}`
          : formatCount(draws.total, 'request')
      }
      more={
        draws.total > draws.rows.length ? (
          <MoreLink to={paths.draws({ note: note.id })}>All draws of {note.title}</MoreLink>
        ) : null
      }
    >
      <Panel>
        <DataTable
          narrow="list"
          caption={`Draws of ${note.title}`}
          rows={draws.rows}
          rowTo={(draw) => paths.draw(draw.id)}
          empty={<EmptyState title="No draws yet">Nobody has requested a draw on this note.</EmptyState>}
          columns={[
            { key: 'code', head: 'Draw', cell: (draw) => `Draw ${draw.code}` },
            { key: 'status', head: 'Status', cell: (draw) => <StatusChip status={draw.status} /> },
            {
              key: 'amount',
              head: 'Amount',
              numeric: true,
              cell: (draw) => <Money value={draw.amount} withCurrency unknown="A rate is missing" />,
            },
            { key: 'cutOff', head: 'Cut-off date', cell: (draw) => <DateText value={draw.cutOffDate} /> },
            { key: 'due', head: 'Due date', cell: (draw) => <DateText value={draw.dueDate} /> },
          ]}
        />
      </Panel>
      {page.mayRequestDraw && transaction.status === 'Active' ? (
        <div className="mt-2.5">
          <LinkButton to={paths.newDraw({ note: note.id })}>Request a draw</LinkButton>
        </div>
      ) : null}
    </Section>
  );
}
