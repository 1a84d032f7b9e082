import type { Reader } from '@tapeline/db/operations/activities/activities.ts';
import { DateText, Name } from '../../components/figures/figures.tsx';
import { Panel, Section } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';

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
    <Section
      title={people === 0 ? 'Read by' : `Read by ${counted}`}
      note={readers.length < total ? `the latest ${readers.length}` : 'opened or downloaded'}
    >
      <Panel>
        <DataTable
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
            { key: 'name', head: 'Person', cell: (reader) => <Name>{reader.name}</Name> },
            {
              key: 'at',
              head: 'First read',
              quiet: true,
              cell: (reader) => <DateText value={reader.firstReadAt} time />,
            },
          ]}
        />
      </Panel>
    </Section>
  );
}
