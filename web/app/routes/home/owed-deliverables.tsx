import { formatCount } from '../../components/figures/format.ts';
import { LinkButton } from '../../components/forms/button.tsx';
import { Chip } from '../../components/page/chip.tsx';
import { MoreLink } from '../../components/page/section.tsx';
import { TableSection } from '../../components/tables/data-table.tsx';
import { paths } from '../../paths.ts';
import type { HomeView } from './home.server.ts';

type Owed = NonNullable<HomeView['owedDeliverables']>;

/** What a borrower owes by date, with where to send it. */
export function OwedDeliverables({ owed: { rows, total, late, today } }: { owed: Owed & { today: string } }) {
  return (
    <TableSection
      title="To deliver"
      note={[
        rows.length < total ? `the first ${rows.length} of ${total}` : formatCount(total, 'item'),
        ...(late > 0 ? [`${late} late`] : []),
      ].join(', ')}
      more={<MoreLink to={paths.deliverables()}>All</MoreLink>}
      caption="What you owe, the earliest due first"
      narrow="list"
      rows={rows}
      rowKey={({ key }) => key}
      rowTo={({ id, periodEnd }) => paths.deliverable(id, { period: periodEnd })}
      columns={[
        { head: 'Deliverable', name: ({ title }) => title, length: 44, under: ({ returned }) => returned ?? '' },
        { head: 'Period', oneLine: true, cell: ({ period }) => period },
        { head: 'Due', date: ({ dueDate }) => dueDate },
        {
          head: 'State',
          cell: ({ dueDate, returned }) => (
            <Chip tone={dueDate < today ? 'danger' : returned ? 'warning' : 'neutral'}>
              {dueDate < today ? (returned ? 'Late, returned' : 'Late') : returned ? 'Returned' : 'Due'}
            </Chip>
          ),
        },
        {
          head: <span className="sr-only">Send</span>,
          control: true,
          cell: ({ sendTo, sendLabel }) => (sendTo ? <LinkButton to={sendTo}>{sendLabel}</LinkButton> : null),
        },
      ]}
    />
  );
}
