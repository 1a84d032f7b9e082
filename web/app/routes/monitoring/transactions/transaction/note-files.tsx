import { Link } from '@remix-run/react';
import { FileText } from 'lucide-react';
import { DateText } from '../../../../components/figures/figures.tsx';
import { formatBytes, formatCount } from '../../../../components/figures/format.ts';
import { StatusChip } from '../../../../components/page/chip.tsx';
import { MoreLink, Panel, Section } from '../../../../components/page/section.tsx';
import { DataTable } from '../../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import type { TransactionPage } from '../transaction-page.server.ts';

/** The files of the note: those attached to its draw requests. Renders nothing for users who cannot read draws. */
export function NoteFiles({ page }: { page: TransactionPage }) {
  const { files, note } = page;
  if (!files) return null;
  const isPart = files.total > files.files.length;
  return (
    <Section
      title="Files"
      note={isPart ? `the latest ${files.files.length} of ${formatCount(files.total, 'file')}` : 'attached to draws'}
      more={isPart ? <MoreLink to={paths.draws({ note: note.id })}>All draws of {note.title}</MoreLink> : null}
    >
      <Panel>
        <DataTable
          narrow="list"
          caption={`Files of ${note.title}`}
          rows={files.files}
          rowKey={(file) => `${file.drawId}/${file.place}`}
          empty={<p className="px-3.5 py-3 text-sm text-ink-3">No files are attached to the draws of this note.</p>}
          columns={[
            {
              key: 'name',
              head: 'File',
              cell: (file) => (
                <a
                  href={paths.drawFile(file.drawId, file.place)}
                  className="inline-flex max-w-full items-center gap-2 text-accent hover:underline"
                  download
                >
                  <FileText aria-hidden="true" size={15} strokeWidth={1.75} className="flex-none text-ink-3" />
                  <span className="min-w-0 truncate">{file.name}</span>
                </a>
              ),
            },
            {
              key: 'draw',
              head: 'Draw',
              cell: (file) => (
                <Link to={paths.draw(file.drawId)} className="text-accent hover:underline">
                  Draw {file.code}
                </Link>
              ),
            },
            { key: 'status', head: 'Status', cell: (file) => <StatusChip status={file.status} /> },
            { key: 'cutOff', head: 'Cut-off date', cell: (file) => <DateText value={file.cutOffDate} /> },
            { key: 'size', head: 'Size', numeric: true, cell: (file) => formatBytes(file.size) },
          ]}
        />
      </Panel>
    </Section>
  );
}
