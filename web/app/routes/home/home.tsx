import { useLoaderData } from '@remix-run/react';
import { Upload } from 'lucide-react';
import { formatCount } from '../../components/figures/format.ts';
import { AsOf } from '../../components/forms/as-of.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Columns, MoreLink } from '../../components/page/section.tsx';
import { useShell } from '../../components/shell/shell-data.ts';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { NoteAvailability } from '../monitoring/overview/availability.tsx';
import { DrawsTable } from '../monitoring/overview/draws-table.tsx';
import { LendingExceptions } from '../monitoring/overview/exceptions.tsx';
import { PoolChart } from '../monitoring/overview/pool-chart.tsx';
import { CapitalChart, ReturnChart } from './course-charts.tsx';
import { readDashboard } from './dashboard.server.ts';
import { FiguresStrip } from './figures-strip.tsx';
import { CallsToPay, OwnCapital } from './own-capital.tsx';
import { Commitments, FundsTable, LatestTapes, Tenants, TopInvestors } from './sections.tsx';
import { TaskList } from './task-list.tsx';

export const handle = { title: 'Home' };

/** What each kind of user uses the product for, in one sentence. */
const PURPOSES = {
  admin: 'All managers, companies and investors',
  manager: 'Your funds, investors and facilities',
  company: 'Your facilities, availability and tapes',
  LP: 'Your commitments and funds',
  LPGroup: 'Commitments and funds of all investors in your group',
} as const;

function greetingAt(hour: number): string {
  if (hour < 12) return 'Good morning';
  return hour < 18 ? 'Good afternoon' : 'Good evening';
}

export const loader = readScreen(null, async (screen) => {
  const view = await readDashboard(screen);
  return {
    greeting: `${greetingAt(new Date().getUTCHours())}, ${screen.actor.firstName}`,
    purpose: PURPOSES[screen.actor.type],
    view,
    sums: {
      net: view.lending?.totals.netBB ?? [],
      availability: view.lending?.totals.availability ?? [],
    },
  };
});

export default function Dashboard() {
  const { greeting, purpose, view, sums } = useLoaderData<typeof loader>();
  const shell = useShell();
  const { lending, tapes, funds, commitments, tenants, tasks } = view;
  const capital = (commitments ?? funds)?.capital;
  // Each commitment is shown in the currency of its fund.
  const isMixed = commitments?.positions.some(({ currency }) => currency !== capital?.currency) ?? false;
  return (
    <>
      <PageHeader
        title={greeting}
        facts={[
          ...(shell.tenant === null ? [] : [shell.tenant]),
          purpose,
          ...(capital ? [isMixed ? `totals in ${capital.currency}` : `all fund figures in ${capital.currency}`] : []),
        ]}
        actions={
          <>
            {capital ? <AsOf date={view.date} today={view.today} /> : null}
            {tapes?.mayUpload ? (
              <LinkButton to={paths.newTape()} tone="primary" icon={Upload}>
                Upload tapes
              </LinkButton>
            ) : null}
          </>
        }
      />
      {view.own ? <CallsToPay own={view.own} today={view.today} /> : null}
      <FiguresStrip view={view} sums={sums} />
      {tenants ? <Tenants tenants={tenants} /> : null}
      {commitments ? <Commitments commitments={commitments} date={view.date} /> : null}
      {commitments ? (
        <Columns>
          <CapitalChart course={commitments.course} />
          <ReturnChart course={commitments.course} />
        </Columns>
      ) : null}
      {view.own ? <OwnCapital own={view.own} /> : null}
      {funds ? (
        <>
          <Columns split="wide">
            <CapitalChart course={funds.course} />
            {tasks ? <TaskList title="Waiting for you" {...tasks} /> : null}
          </Columns>
          <FundsTable funds={funds} date={view.date} />
          <Columns>
            <ReturnChart course={funds.course} />
            <TopInvestors funds={funds} date={view.date} />
          </Columns>
        </>
      ) : null}
      {lending && funds ? (
        lending.charted ? (
          <PoolChart charted={lending.charted} picker={lending.picker} />
        ) : null
      ) : lending && tasks ? (
        <Columns split="wide">
          {lending.charted ? (
            <PoolChart charted={lending.charted} picker={lending.picker} />
          ) : (
            <LendingExceptions exceptions={lending.exceptions} total={lending.exceptionsTotal} />
          )}
          <TaskList title={view.type === 'company' ? 'To do' : 'Waiting for you'} {...tasks} />
        </Columns>
      ) : null}
      {view.draws ? (
        <DrawsTable
          title="My draws"
          order="newest first"
          draws={view.draws}
          empty="Draw requests of your facilities appear here with their status."
        />
      ) : null}
      {lending?.maySeeBases ? (
        <NoteAvailability
          notes={lending.notes}
          totals={lending.totals}
          footer={
            lending.notes.length < lending.totals.notes ? (
              <p className="border-t border-line px-3 py-2 text-xs">
                <MoreLink to={paths.monitoring()}>All {formatCount(lending.totals.notes, 'note')}</MoreLink>
              </p>
            ) : undefined
          }
        />
      ) : null}
      {lending?.charted || (lending && funds) ? (
        <LendingExceptions exceptions={lending.exceptions} total={lending.exceptionsTotal} />
      ) : null}
      {tapes ? <LatestTapes tapes={tapes} /> : null}
    </>
  );
}
