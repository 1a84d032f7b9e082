import type { Reader } from '@tapeline/db/operations/activities/activities.ts';
import { TableSection } from '../../components/tables/data-table.tsx';

/** Who has read a document, and when first. @param people how many it is for; null if that is unknown */
export function ReadBy({
  readers,
  total,
  people,
}: {
  readers: readonly Reader[];
  total: number;
  people: number | null;
}) {
  const counted = people === null ? `${total}` : `${total} of ${people}`;
  return (
    <TableSection
      title={people === 0 ? 'Read by' : `Read by ${counted}`}
      note={readers.length < total ? `the latest ${readers.length}` : 'opened or downloaded'}
      narrow="list"
      caption="Read by"
      rows={readers}
      rowKey={(reader) => reader.userId}
      empty={
        <p className="px-3.5 py-3 text-sm text-ink-3">
          {people === 0 ? 'None of the recipients has an account yet.' : 'Nobody has read it yet.'}
        </p>
      }
      columns={[
        { head: 'Person', name: (reader) => reader.name },
        { head: 'First read', date: (reader) => reader.firstReadAt, quiet: true, time: true },
      ]}
    />
  );
}
