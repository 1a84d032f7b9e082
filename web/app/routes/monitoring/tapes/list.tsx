import { useLoaderData } from '@remix-run/react';
import { Upload } from 'lucide-react';
import { DateText, ShortNumber, Unknown } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { CompanyPicker } from '../../../components/forms/company-picker.tsx';
import { StatusChip } from '../../../components/page/chip.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { useLivePage } from '../../../components/page/use-live-page.ts';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { DropTapes } from './drop-tapes.tsx';
import { readTapeList } from './tape-list.server.ts';
import { TAPES_PER_PAGE } from './tape-words.ts';

export const handle = { title: 'Loan tapes' };

export const loader = readScreen('assets/read', readTapeList);

type Row = Awaited<ReturnType<typeof readTapeList>>['tapes'][number];

const NOT_YET = 'Available after the tape is processed';

function State({ tape }: { tape: Row }) {
  return (
    <span className="inline-flex items-center gap-2">
      <StatusChip status={tape.state} />
      {tape.waitsForWorker ? <span className="text-xs text-ink-3">waiting for a worker</span> : null}
      {tape.percent === null || tape.waitsForWorker ? null : (
        <span className="figures text-xs text-ink-3">{formatFigure(tape.percent)}%</span>
      )}
    </span>
  );
}

export default function Tapes() {
  const { tapes, total, company, picker, isInProgress, mayUpload, removed } = useLoaderData<typeof loader>();
  useLivePage(isInProgress);
  const upload = mayUpload ? (
    <LinkButton to={paths.newTape({ company: company ?? undefined })} tone="primary" icon={Upload}>
      Upload tapes
    </LinkButton>
  ) : null;
  return (
    <>
      <PageHeader
        title="Loan tapes"
        facts={[
          formatCount(total, 'tape'),
          'latest cut-off first',
          ...(mayUpload ? ['drop files anywhere to upload them'] : []),
        ]}
        actions={upload}
      />
      {removed ? (
        <Notice tone="good">
          {removed.wasPublished
            ? `${removed.name} was removed, with its assets.`
            : `${removed.name} was removed. No data was kept.`}
        </Notice>
      ) : null}
      {mayUpload ? <DropTapes company={company ?? null} /> : null}
      <Panel>
        {picker.total > 1 ? (
          <CompanyPicker
            id="tapes-company"
            picker={picker}
            chosen={company ?? ''}
            all="All borrowers"
            className="border-b border-line px-3 py-2 text-sm"
          />
        ) : null}
        <DataTable
          narrow="list"
          caption="Loan tapes, times in UTC"
          rows={tapes}
          rowTo={(tape) => paths.tape(tape.id)}
          columns={[
            { head: 'Tape', name: (tape) => tape.name, length: 36 },
            { head: 'Borrower', name: (tape) => tape.company },
            { head: 'Cut-off', date: (tape) => tape.cutOffDate },
            { head: 'Status', cell: (tape) => <State tape={tape} /> },
            {
              head: 'Assets',
              figure: (tape) => tape.counts?.assets,
              unknown: (tape) => tape.failure ?? NOT_YET,
              zero: 'figure',
            },
            { head: 'Errors', figure: (tape) => tape.counts?.errored, unknown: (tape) => tape.failure ?? NOT_YET },
            {
              head: 'Current balance',
              numeric: true,
              cell: (tape) =>
                tape.outstanding ? (
                  <>
                    <ShortNumber value={tape.outstanding.sum} digits={2} />
                    <small className="ml-1 leading-none text-ink-3">{tape.outstanding.currency}</small>
                  </>
                ) : (
                  <Unknown
                    reason={
                      tape.isMixed
                        ? 'Several currencies: open the tape to see each'
                        : (tape.failure ?? (tape.counts ? 'The tape has no current balances' : NOT_YET))
                    }
                  />
                ),
            },
            {
              head: 'Uploaded (UTC)',
              quiet: true,
              wideOnly: true,
              cell: (tape) => (
                <>
                  <DateText time="bare" value={tape.uploadedAt} />
                  {tape.uploadedBy ? `, ${tape.uploadedBy}` : ''}
                </>
              ),
            },
          ]}
          empty={
            <EmptyState
              title={company ? 'This borrower has no tapes yet' : 'No tapes yet'}
              action={mayUpload ? upload : undefined}
            >
              A loan tape lists a borrower’s loans at a cut-off date, in an Excel workbook or a .csv file.
            </EmptyState>
          }
        />
        <Pagination total={total} limit={TAPES_PER_PAGE} noun="tapes" />
      </Panel>
    </>
  );
}
