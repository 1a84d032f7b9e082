import { DateText } from '../../components/figures/figures.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Panel } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { HistoryView } from '../../tapes/tape-head.ts';

/** What happened to the tape, by whom and when. */
export function HistoryTab({ view }: { view: HistoryView }) {
  return (
    <Panel>
      <DataTable
        narrow="list"
        caption="History of the tape, times in UTC"
        rows={view.rows}
        rowKey={(row) => row.id}
        columns={[
          { key: 'at', head: 'When (UTC)', cell: (row) => <DateText time="bare" value={row.at} /> },
          { key: 'by', head: 'Who', cell: (row) => row.by },
          { key: 'what', head: 'What', cell: (row) => <span className="whitespace-normal">{row.what}</span> },
        ]}
        empty={<EmptyState title="No history yet" />}
      />
    </Panel>
  );
}
