import { DateText, Money, Name } from '../../../components/figures/figures.tsx';
import { formatFigure } from '../../../components/figures/format.ts';
import { StatusChip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { MoreLink, Panel, Section } from '../../../components/page/section.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import { ageWords } from './age-words.ts';
import type { DashboardDraws } from './waiting-draws.server.ts';

/**
 * Draw requests, with amount, status and how long each has waited.
 * @param order what the order is, for the heading of a part of the list
 */
export function DrawsTable({
  title,
  order,
  draws: { draws, total },
  empty,
}: {
  title: string;
  order: string;
  draws: DashboardDraws;
  empty: string;
}) {
  return (
    <Section
      title={title}
      note={draws.length < total ? `${order}, ${draws.length} of ${formatFigure(total)}` : order}
      more={<MoreLink to={paths.draws()}>All draws</MoreLink>}
    >
      <Panel>
        <DataTable
          narrow="list"
          caption={title}
          rows={draws}
          rowTo={(draw) => paths.draw(draw.id)}
          columns={[
            {
              key: 'draw',
              head: 'Draw',
              cell: (draw) => (
                <>
                  <Name length={40}>{`${draw.code}, ${draw.company}`}</Name>
                  <span className="block text-xs text-ink-3">
                    <Name length={44}>{draw.note}</Name>
                  </span>
                </>
              ),
            },
            {
              key: 'amount',
              head: 'Amount',
              numeric: true,
              cell: (draw) =>
                draw.amounts.map((amount) => (
                  <span key={amount.currency} className="block">
                    <Money value={amount} withCurrency />
                  </span>
                )),
            },
            { key: 'status', head: 'Status', cell: (draw) => <StatusChip status={draw.status} /> },
            { key: 'due', head: 'Transfer', wideOnly: true, cell: (draw) => <DateText value={draw.dueDate} /> },
            { key: 'age', head: 'Requested', numeric: true, cell: (draw) => ageWords(draw.waitedDays) },
          ]}
          empty={<EmptyState title="No draws">{empty}</EmptyState>}
        />
      </Panel>
    </Section>
  );
}
