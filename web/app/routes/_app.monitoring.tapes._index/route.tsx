import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Upload } from 'lucide-react';
import { DateText, Figure, Name, ShortNumber, Unknown } from '../../components/figures/figures.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { CompanyPicker } from '../../components/forms/company-picker.tsx';
import { StatusChip } from '../../components/page/chip.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { formatCount, formatFigure } from '../../figures/format.ts';
import { paths } from '../../paths.ts';
import { readScreen } from '../../screen.server.ts';
import { readTapeList } from '../../tapes/tape-list.server.ts';
import { TAPES_PER_PAGE } from '../../tapes/tape-words.ts';
import { useLiveTape } from '../../tapes/use-live-tape.ts';

export const meta: MetaFunction = () => [{ title: 'Loan tapes · Tapeline' }];

export const loader = (args: LoaderFunctionArgs) => readScreen(args, 'assets/read', readTapeList);

type Row = Awaited<ReturnType<typeof readTapeList>>['tapes'][number];

const NOT_YET = 'Known once the tape is processed';

function State({ tape }: { tape: Row }) {
  return (
    <span className="inline-flex items-center gap-2">
      <StatusChip status={tape.state} />
      {tape.percent === null ? null : (
        <span className="figures text-xs text-ink-3">{formatFigure(tape.percent)} %</span>
      )}
    </span>
  );
}

export default function Tapes() {
  const { tapes, total, company, companies, isInWork, mayUpload, removed } = useLoaderData<typeof loader>();
  useLiveTape(isInWork);
  const upload = mayUpload ? (
    <LinkButton to={paths.newTape({ company: company ?? undefined })} tone="primary" icon={Upload}>
      Upload tapes
    </LinkButton>
  ) : null;
  return (
    <>
      <PageHeader
        title="Loan tapes"
        facts={[formatCount(total, 'tape'), 'the latest cut-off date first']}
        actions={upload}
      />
      {removed ? (
        <Notice tone="good">
          {removed.wasPublished
            ? `${removed.name} was removed, with its assets.`
            : `${removed.name} was removed. Nothing of it was kept.`}
        </Notice>
      ) : null}
      <Panel>
        {companies.length > 1 ? (
          <CompanyPicker
            id="tapes-company"
            companies={companies}
            chosen={company ?? ''}
            all="All companies"
            className="border-b border-line px-3 py-2 text-sm"
          />
        ) : null}
        <DataTable
          narrow="list"
          caption="Loan tapes, times in UTC"
          rows={tapes}
          rowKey={(tape) => tape.id}
          rowTo={(tape) => paths.tape(tape.id)}
          columns={[
            { key: 'name', head: 'Tape', cell: (tape) => <Name length={36}>{tape.name}</Name> },
            { key: 'company', head: 'Company', cell: (tape) => <Name>{tape.company}</Name> },
            { key: 'cutOffDate', head: 'Cut-off', cell: (tape) => <DateText value={tape.cutOffDate} /> },
            { key: 'state', head: 'State', cell: (tape) => <State tape={tape} /> },
            {
              key: 'assets',
              head: 'Assets',
              numeric: true,
              cell: (tape) => <Figure value={tape.counts?.assets} unknown={tape.failure ?? NOT_YET} zero="figure" />,
            },
            {
              key: 'errored',
              head: 'Errored',
              numeric: true,
              cell: (tape) => <Figure value={tape.counts?.errored} unknown={tape.failure ?? NOT_YET} />,
            },
            {
              key: 'outstanding',
              head: 'Outstanding',
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
                        ? 'Several currencies: open the tape for each'
                        : (tape.failure ?? (tape.counts ? 'The tape names no outstanding sum' : NOT_YET))
                    }
                  />
                ),
            },
            {
              key: 'uploaded',
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
              title={company ? 'This company has no tapes yet' : 'No tapes yet'}
              action={mayUpload ? upload : undefined}
            >
              A loan tape is the list of a company’s loans on a cut-off date, as an Excel workbook or a .csv file.
            </EmptyState>
          }
        />
        <Pagination total={total} limit={TAPES_PER_PAGE} noun="tapes" />
      </Panel>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
