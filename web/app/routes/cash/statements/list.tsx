import { useLoaderData } from '@remix-run/react';
import { listBankStatements } from '@tapeline/db/operations/cash/bank-statements.ts';
import { listStatementFiles } from '@tapeline/db/operations/cash/statement-files.ts';
import { isId } from '@tapeline/domain/documents/id.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { FileText } from 'lucide-react';
import { formatCount } from '../../../components/figures/format.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { named } from '../../../components/page/page-name.ts';
import { Pagination } from '../../../components/page/pagination.tsx';
import { MoreLink, Panel, PanelSection } from '../../../components/page/section.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { CashTabs } from '../cash-tabs.tsx';
import { DeliveredTable, deliveredRow } from './delivered-table.tsx';
import { gapInWords } from './statement-words.ts';

export const handle = named('Bank statements');

const PAGE_LENGTH = 50;
/** Delivered files that the page shows; all of them have a page of their own. */
const LATEST = 5;

export const loader = readScreen('payments/read', ({ actor, db, url: { searchParams } }) =>
  db(async (session) => {
    const file = searchParams.get('file');
    const ofFile = isId(file) ? file : null;
    const page = { skip: skipOf(searchParams), limit: PAGE_LENGTH };
    const filter = ofFile === null ? {} : { filter: { fileId: ofFile } };
    const { documents, total } = await listBankStatements(session, { ...page, ...filter });
    const delivered = await listStatementFiles(session, { limit: LATEST });
    return {
      ofFile: ofFile !== null,
      repeated: Number(/^\d{1,4}$/.exec(searchParams.get('repeated') ?? '')?.[0] ?? 0),
      total,
      mayImport: can(actor, 'payments/write'),
      delivered: { total: delivered.total, rows: delivered.documents.map(deliveredRow) },
      rows: documents.map((statement) => ({
        ...pick(statement, 'id', 'number', 'format', 'currency', 'lineCount', 'toDate', 'gap'),
        account: statement.bankAccount.title,
        opening: statement.openingAmount ?? null,
        closing: statement.closingAmount ?? null,
      })),
    };
  }),
);

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

/** What came of the file that was imported before this page. */
function Result({ ofFile, repeated, total }: Page) {
  if (!ofFile && repeated === 0) return null;
  return (
    <Notice tone={ofFile ? 'good' : 'info'}>
      {ofFile ? `${formatCount(total, 'statement')} of the file imported.` : 'Nothing was added.'}
      {repeated > 0 ? ` ${formatCount(repeated, 'statement was', 'statements were')} imported before.` : ''}
    </Notice>
  );
}

export default function BankStatements() {
  const page = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader
        title="Bank statements"
        facts={[formatCount(page.total, 'statement')]}
        primary={page.mayImport ? { label: 'Import statements', to: paths.importStatements() } : null}
      />
      <CashTabs current="statements" mayReadPayments />
      <Result {...page} />
      <Panel>
        <DataTable
          narrow="cards"
          caption="Bank statements"
          rows={page.rows}
          rowTo={({ id }) => paths.bankStatement(id)}
          empty={
            <EmptyState icon={FileText} title="No bank statements yet">
              Import the files of your bank: camt.053, camt.054, MT940, BAI2 or CSV.
            </EmptyState>
          }
          columns={[
            { head: 'To', card: 'date', date: ({ toDate }) => toDate },
            { head: 'Account', card: 'name', name: ({ account }) => account, length: 40 },
            { head: 'Number', card: 'state', cell: ({ number }) => number },
            { head: 'Format', quiet: true, cell: ({ format }) => format },
            { head: 'Lines', figure: ({ lineCount }) => String(lineCount), digits: 0, zero: 'figure' },
            { head: 'Currency', cell: ({ currency }) => currency },
            { head: 'Opening', money: ({ opening }) => opening, zero: 'figure', unknown: 'The file has no balance' },
            {
              head: 'Closing',
              card: 'amount',
              money: ({ closing }) => closing,
              zero: 'figure',
              unknown: 'The file has no balance',
            },
            { head: 'Before it', wraps: true, cell: ({ gap, currency }) => (gap ? gapInWords(gap, currency) : '') },
          ]}
        />
        <Pagination total={page.total} limit={PAGE_LENGTH} noun="statements" />
      </Panel>
      {page.delivered.total > 0 ? (
        <PanelSection
          title="Delivered files"
          note="from your banks, latest first"
          more={<MoreLink to={paths.deliveredStatements()}>All {formatCount(page.delivered.total, 'file')}</MoreLink>}
        >
          <DeliveredTable rows={page.delivered.rows} />
        </PanelSection>
      ) : null}
    </>
  );
}
