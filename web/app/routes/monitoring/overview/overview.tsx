import { useLoaderData } from '@remix-run/react';
import { can } from '@tapeline/domain/people/actor.ts';
import { Upload } from 'lucide-react';
import { formatCount } from '../../../components/figures/format.ts';
import { LinkButton } from '../../../components/forms/button.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Columns } from '../../../components/page/section.tsx';
import { skipOf } from '../../../components/page/skip.ts';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { NoteAvailability } from './availability.tsx';
import { DelinquencyChart } from './delinquency-chart.tsx';
import { DrawsTable } from './draws-table.tsx';
import { LendingExceptions } from './exceptions.tsx';
import { readMonitoring } from './monitoring.server.ts';
import { PoolChart } from './pool-chart.tsx';
import { RoomInLimits } from './room-in-limits.tsx';
import { TapesByCompany } from './tapes-by-company.tsx';
import { TapesDue } from './tapes-due.tsx';

export const handle = { title: 'Facilities' };

const PAGE_LENGTH = 50;

export const loader = readScreen('transactions/read', async (screen) => {
  const skip = skipOf(screen.url.searchParams);
  const mayCreate = can(screen.actor, 'transactions/write');
  return { ...(await readMonitoring(screen, { skip, limit: PAGE_LENGTH })), mayCreate };
});

export default function Monitoring() {
  const monitoring = useLoaderData<typeof loader>();
  const { totals, mayCreate, mayUpload, maySeeTapes, maySeeBases } = monitoring;
  return (
    <>
      <PageHeader
        title="Facilities"
        facts={[
          formatCount(totals.notes, 'note'),
          ...(maySeeTapes
            ? [formatCount(monitoring.companiesTotal, 'borrower with tapes', 'borrowers with tapes')]
            : []),
        ]}
        actions={
          <>
            <LinkButton to={paths.transactions()}>All facilities</LinkButton>
            {mayCreate ? <LinkButton to={paths.newTransaction()}>New facility</LinkButton> : null}
            {mayUpload ? (
              <LinkButton to={paths.newTape()} tone="primary" icon={Upload}>
                Upload tapes
              </LinkButton>
            ) : null}
          </>
        }
      />
      <NoteAvailability
        notes={monitoring.notes}
        totals={totals}
        isBorrower={monitoring.isBorrower}
        maySeeBases={maySeeBases}
        footer={<Pagination total={totals.notes} limit={PAGE_LENGTH} noun="notes" />}
      />
      <Columns>
        <LendingExceptions
          exceptions={monitoring.exceptions}
          total={monitoring.exceptionsTotal}
          maySeeBases={maySeeBases}
          maySeeTapes={maySeeTapes}
        />
        <div className="min-w-0">
          {monitoring.draws ? (
            <DrawsTable
              title="Draws waiting"
              order="oldest first"
              draws={monitoring.draws}
              empty="No draw request waits for a decision."
            />
          ) : null}
          {monitoring.tapesDue ? <TapesDue due={monitoring.tapesDue} mayUpload={mayUpload} /> : null}
        </div>
      </Columns>
      {monitoring.limits ? <RoomInLimits limits={monitoring.limits} /> : null}
      {maySeeTapes ? (
        <Columns>
          <PoolChart charted={monitoring.charted} picker={monitoring.picker} />
          <DelinquencyChart charted={monitoring.charted} />
        </Columns>
      ) : null}
      {maySeeTapes ? (
        <TapesByCompany companies={monitoring.companies} companiesTotal={monitoring.companiesTotal} />
      ) : null}
    </>
  );
}
