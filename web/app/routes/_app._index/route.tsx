import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { Upload } from 'lucide-react';
import { LinkButton } from '../../components/forms/button.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Columns } from '../../components/page/section.tsx';
import { readDashboard, totalsByCurrency } from '../../dashboard.server.ts';
import { paths } from '../../paths.ts';
import { readScreen } from '../../screen.server.ts';
import { useShell } from '../../shell-data.ts';
import { Availability } from '../_app.monitoring._index/availability.tsx';
import { Exceptions } from '../_app.monitoring._index/exceptions.tsx';
import { PoolChart } from '../_app.monitoring._index/pool-chart.tsx';
import { FiguresStrip } from './figures-strip.tsx';
import { Commitments, FundsTable, LatestTapes, Tenants } from './sections.tsx';

export const meta: MetaFunction = () => [{ title: 'Dashboard · Tapeline' }];

/** What each kind of user comes here for, in a sentence. */
const PURPOSES = {
  admin: 'every manager, company and investor of this installation',
  manager: 'your funds, investors and facilities',
  company: 'your facilities, what may be drawn, and your tapes',
  LP: 'your commitments and funds',
  LPGroup: 'the commitments and funds of all investors of your group',
} as const;

function greetingAt(hour: number): string {
  if (hour < 12) return 'Good morning';
  return hour < 18 ? 'Good afternoon' : 'Good evening';
}

export function loader(args: LoaderFunctionArgs) {
  return readScreen(args, null, async (screen) => {
    const view = await readDashboard(screen);
    const notes = view.lending?.notes ?? [];
    return {
      greeting: `${greetingAt(new Date().getUTCHours())}, ${screen.actor.firstName}`,
      purpose: PURPOSES[screen.actor.type],
      view,
      sums: {
        net: totalsByCurrency(notes.map(({ netBB }) => netBB)),
        availability: totalsByCurrency(notes.map(({ availability }) => availability)),
        committed: view.funds?.committed ?? [],
        own: totalsByCurrency(
          (view.commitments ?? []).map(({ activeCommitment, currency }) => ({ sum: activeCommitment, currency })),
        ),
      },
    };
  });
}

export default function Dashboard() {
  const { greeting, purpose, view, sums } = useLoaderData<typeof loader>();
  const shell = useShell();
  const { lending, tapes, funds, commitments, tenants } = view;
  return (
    <>
      <PageHeader
        title={greeting}
        facts={shell.tenant === null ? [purpose.charAt(0).toUpperCase() + purpose.slice(1)] : [shell.tenant, purpose]}
        actions={
          tapes?.mayUpload ? (
            <LinkButton to={paths.newTape()} tone="primary" icon={Upload}>
              Upload tapes
            </LinkButton>
          ) : null
        }
      />
      <FiguresStrip view={view} sums={sums} />
      {tenants ? <Tenants tenants={tenants} /> : null}
      {commitments ? <Commitments commitments={commitments} /> : null}
      {lending?.charted ? (
        <Columns split="wide">
          <PoolChart charted={lending.charted} choices={lending.choices} />
          <Exceptions exceptions={lending.exceptions} />
        </Columns>
      ) : null}
      {lending && !lending.charted ? <Exceptions exceptions={lending.exceptions} /> : null}
      {lending?.maySeeBases ? <Availability notes={lending.notes} /> : null}
      {tapes && funds ? (
        <Columns>
          <LatestTapes tapes={tapes} />
          <FundsTable funds={funds} />
        </Columns>
      ) : (
        <>
          {tapes ? <LatestTapes tapes={tapes} /> : null}
          {funds ? <FundsTable funds={funds} /> : null}
        </>
      )}
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
