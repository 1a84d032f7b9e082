import { DateText } from '../../components/figures/figures.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Panel } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { humanize } from '../../figures/format.ts';
import type { HistoryView } from '../../tapes/tape-head.ts';

const OPERATIONS: Readonly<Record<string, string>> = {
  Insert: 'Uploaded',
  Update: 'Changed',
  Delete: 'Removed',
  'Permanent Delete': 'Deleted for good',
};

/** What happened to the tape, by whom and when. */
export function HistoryTab({ view }: { view: HistoryView }) {
  return (
    <Panel>
      <DataTable
        caption="History of the tape, times in UTC"
        rows={view.rows}
        rowKey={(row) => row.id}
        columns={[
          { key: 'at', head: 'When (UTC)', cell: (row) => <DateText time value={row.at} /> },
          { key: 'by', head: 'Who', cell: (row) => row.by },
          { key: 'what', head: 'What', cell: (row) => OPERATIONS[row.operation] ?? row.operation },
          {
            key: 'fields',
            head: 'Fields',
            quiet: true,
            wideOnly: true,
            cell: (row) => row.fields.map((field) => humanize(field)).join(', '),
          },
        ]}
        empty={<EmptyState title="No history yet" />}
      />
    </Panel>
  );
}
