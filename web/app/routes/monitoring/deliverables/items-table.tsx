import { LinkButton } from '../../../components/forms/button.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { MoreLink } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import { ItemStateText } from './item-state.tsx';
import type { ShownItem } from './shown-item.ts';

/** What a borrower owes, on its page and on that of its facility. */
export function ItemsTable({
  items,
  addTo,
  allTo,
}: {
  items: readonly ShownItem[];
  addTo: string | null;
  allTo: string;
}) {
  const late = items.filter(({ state }) => state === 'late').length;
  return (
    <TableSection
      title="Deliverables"
      note={items.length === 0 ? undefined : late === 0 ? 'none late' : `${late} late`}
      more={items.length > 0 ? <MoreLink to={allTo}>All</MoreLink> : null}
      caption="Deliverables, the most urgent first"
      narrow="cards"
      rows={items}
      rowKey={({ key }) => key}
      rowTo={({ id, periodEnd }) => paths.deliverable(id, { period: periodEnd })}
      columns={[
        { head: 'Deliverable', card: 'name', name: ({ title }) => title, length: 44 },
        { head: 'Period', card: 'amount', oneLine: true, cell: ({ period }) => period },
        { head: 'Due', card: 'date', date: ({ dueDate }) => dueDate },
        { head: 'State', card: 'state', cell: (item) => <ItemStateText item={item} /> },
      ]}
      empty={
        <EmptyState
          title="Nothing to deliver"
          action={addTo ? <LinkButton to={addTo}>Add a deliverable</LinkButton> : null}
        >
          Tapes, certificates, statements and reports that are owed by date appear here.
        </EmptyState>
      }
    />
  );
}
