import { useLoaderData } from '@remix-run/react';
import { listStatementFiles } from '@tapeline/db/operations/cash/statement-files.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { DeliveredTable, deliveredRow } from './delivered-table.tsx';

export const handle = named(() => [['Bank statements', paths.bankStatements()], 'Delivered files']);

const PAGE_LENGTH = 50;

export const loader = readScreen('payments/read', ({ db, url }) =>
  db(async (session) => {
    const page = { skip: skipOf(url.searchParams), limit: PAGE_LENGTH };
    const { documents, total } = await listStatementFiles(session, page);
    return { total, rows: documents.map(deliveredRow) };
  }),
);

/** The files that banks delivered to object storage, which were imported or refused automatically. */
export default function DeliveredStatements() {
  const { rows, total } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader isPart title="Delivered files" facts={[formatCount(total, 'file'), 'from your banks']} />
      <Panel>
        <DeliveredTable rows={rows} />
        <Pagination total={total} limit={PAGE_LENGTH} noun="files" />
      </Panel>
    </>
  );
}
