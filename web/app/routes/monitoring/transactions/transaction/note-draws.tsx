import { formatCount } from '../../../../components/figures/format.ts';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { MoreLink } from '../../../../components/page/section.tsx';
import { TableSection } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../../paths.ts';
import type { FacilityTab } from '../transaction-page.server.ts';

/** The latest draw requests of the note. Renders nothing for users who cannot read draws. */
export function NoteDraws({ page }: { page: FacilityTab<'draws'> }) {
  const {
    tab: { draws },
    note,
  } = page;
  if (!draws) return null;
  return (
    <TableSection
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
      narrow="list"
      caption={`Draws of ${note.title}`}
      rows={draws.rows}
      rowTo={(draw) => paths.draw(draw.id)}
      empty={
        <EmptyState
          title="No draws yet"
          action={
            page.mayRequestDraw ? <LinkButton to={paths.newDraw({ note: note.id })}>Request a draw</LinkButton> : null
          }
        />
      }
      columns={[
        { head: 'Draw', cell: (draw) => `Draw ${draw.code}` },
        { head: 'Status', status: (draw) => draw.status },
        { head: 'Amount', money: (draw) => draw.amount, withCurrency: true, unknown: 'A rate is missing' },
        { head: 'Cut-off date', date: (draw) => draw.cutOffDate },
        { head: 'Due date', date: (draw) => draw.dueDate },
      ]}
    />
  );
}
