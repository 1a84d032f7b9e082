import { Money } from '../../../components/figures/figures.tsx';
import { formatFigure } from '../../../components/figures/format.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { MoreLink } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
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
    <TableSection
      title={title}
      note={draws.length < total ? `${order}, ${draws.length} of ${formatFigure(total)}` : order}
      more={<MoreLink to={paths.draws()}>All draws</MoreLink>}
      narrow="list"
      rows={draws}
      rowTo={(draw) => paths.draw(draw.id)}
      columns={[
        {
          head: 'Draw',
          name: (draw) => `${draw.code}, ${draw.company}`,
          length: 30,
          under: (draw) => `requested ${ageWords(draw.waitedDays)}, ${draw.note}`,
        },
        {
          head: 'Amount',
          numeric: true,
          cell: (draw) =>
            draw.amounts.map((amount) => (
              <span key={amount.currency} className="block">
                <Money value={amount} withCurrency />
              </span>
            )),
        },
        { head: 'Status', status: (draw) => draw.status },
        { head: 'Transfer', date: (draw) => draw.dueDate, wideOnly: true },
      ]}
      empty={<EmptyState title="No draws">{empty}</EmptyState>}
    />
  );
}
