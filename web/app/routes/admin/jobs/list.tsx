import { useLoaderData } from '@remix-run/react';
import { KEPT_DAYS, listJobFailures } from '@tapeline/db/operations/jobs/job-failures.ts';
import { asProgram } from '@tapeline/db/store.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { formatCount } from '../../../components/figures/format.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { readScreen } from '../../../http/screen.server.ts';

export const handle = { title: 'Failed jobs' };

/** The jobs of the whole installation, so nobody but its administrators sees them, also while they act for a manager. */
export const loader = readScreen('managers/read', async ({ actor, db }) => {
  if (actor.type !== 'admin') throw new Refusal('forbidden');
  return { keptDays: KEPT_DAYS, failures: await db((session) => asProgram(session, () => listJobFailures(session))) };
});

export default function Jobs() {
  const { failures, keptDays } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Failed jobs" facts={[formatCount(failures.length, 'failure')]} />
      <TableSection
        title="Failed steps"
        note={`The last ${keptDays} days`}
        caption="Steps of jobs that failed and are not tried again"
        narrow="list"
        rows={failures}
        empty={
          <EmptyState title="No job has failed">
            Faults of services are tried again and are not listed. What fails because of its data appears here.
          </EmptyState>
        }
        columns={[
          {
            head: 'What failed, and what to do',
            cell: ({ reason }) => <span className="whitespace-normal">{reason}</span>,
          },
          { head: 'Last', date: ({ lastAt }) => lastAt, time: true },
          { head: 'Times', numeric: true, cell: ({ times }) => times },
          {
            head: 'Job',
            quiet: true,
            cell: ({ job }) => <code className="whitespace-normal break-all text-xs">{job}</code>,
          },
        ]}
      />
    </>
  );
}
