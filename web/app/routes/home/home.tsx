import { Link, useLoaderData } from '@remix-run/react';
import { HandCoins, Plus, Upload } from 'lucide-react';
import { StackedBarChart } from '../../components/charts/bar-chart.tsx';
import { formatFigure } from '../../components/figures/format.ts';
import { AsOf } from '../../components/forms/as-of.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { loadedPart, ShownPart } from '../../components/page/loaded-part.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Columns, PanelSection } from '../../components/page/section.tsx';
import { railOf } from '../../components/shell/navigation.ts';
import { useShell } from '../../components/shell/shell-data.ts';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { gapWords } from '../monitoring/month-gaps.ts';
import { DropTapes } from '../monitoring/tapes/drop-tapes.tsx';
import { CapitalChart } from './course-charts.tsx';
import { readFirstSteps } from './first-steps.server.ts';
import { type HomeView, readHome } from './home.server.ts';
import { HomeFigures } from './home-figures.tsx';
import { Facilities, Funds, Managers, OwnDraws } from './home-tables.tsx';
import { TodayList } from './today-list.tsx';

// What only some people see is loaded for them.
const FIRST_STEPS = loadedPart(() => import('./first-steps.tsx').then((part) => part.FirstSteps));
const INVESTOR_TODAY = loadedPart(() => import('./own-capital.tsx').then((part) => part.InvestorToday));
const OWED_INVOICES = loadedPart(() => import('./owed-invoices.tsx').then((part) => part.OwedInvoices));
const OWED_DELIVERABLES = loadedPart(() => import('./owed-deliverables.tsx').then((part) => part.OwedDeliverables));
const COMMITMENTS = loadedPart(() => import('./own-capital.tsx').then((part) => part.Commitments));
const INVESTOR_DOCUMENTS = loadedPart(() => import('./own-capital.tsx').then((part) => part.InvestorDocuments));

export const handle = { title: 'Home' };

function greetingAt(hour: number): string {
  if (hour < 12) return 'Good morning';
  return hour < 18 ? 'Good afternoon' : 'Good evening';
}

export const loader = readScreen(null, async (screen) => ({
  ...(await readHome(screen)),
  checklist: await readFirstSteps(screen),
}));

const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Where the rest of Today is. */
function moreOf({ todo, type }: HomeView): { label: string; to: string } | null {
  if (!todo) return null;
  if (todo.approvals > 0) {
    return {
      label: todo.approvals === 1 ? '1 approval' : `All ${formatFigure(todo.approvals)} approvals`,
      to: paths.approvals(),
    };
  }
  const all = todo.counts.late + todo.counts.decide + todo.counts.watch;
  return all > todo.items.length && type !== 'admin'
    ? { label: `All ${formatFigure(all)}`, to: paths.monitoring() }
    : null;
}

function Pool({ pool }: { pool: NonNullable<HomeView['pool']> }) {
  const { currency, labels, series, missing } = pool.pool;
  return (
    <StackedBarChart
      title="Pool by status"
      note={[
        pool.name,
        currency ? `current balance, ${currency}` : 'number of assets',
        ...gapWords('tape', missing),
      ].join(', ')}
      labels={labels}
      series={series}
    />
  );
}

/** The areas that the person can open, for a role that Home has no part for. */
function Areas() {
  const items = railOf(useShell())
    .flatMap((group) => group.items)
    .filter(({ to }) => to !== paths.home());
  return (
    <PanelSection title="What you can open">
      <ul>
        {items.map(({ label, icon: Icon, to }) => (
          <li key={to} className="border-b border-line last:border-b-0">
            <Link to={to} className="flex items-center gap-2.5 px-3.5 py-2 text-sm hover:bg-hover">
              <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="flex-none text-ink-3" />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}

const CLOSE = '[&>figure]:mb-4 [&>section]:mb-4 [&>div>section]:mb-4 [&>div>figure]:mb-4';

/** What the page shows: as long as a new manager has its first steps to take, no part that would be empty. */
function shownOf({ checklist, ...view }: ReturnType<typeof useLoaderData<typeof loader>>): HomeView {
  if (!checklist) return view;
  const { todo, funds, lending } = view;
  const [party] = checklist.steps;
  const hasTodo = todo !== null && todo.counts.late + todo.counts.decide + todo.counts.watch > 0;
  return {
    ...view,
    mayUpload: view.mayUpload && party?.isDone === true,
    mayCall: view.mayCall && funds !== null && funds.total > 0,
    todo: hasTodo ? todo : null,
    funds: funds && funds.total > 0 ? funds : null,
    lending: lending && lending.totals.notes > 0 ? lending : null,
  };
}

export default function Home() {
  const data = useLoaderData<typeof loader>();
  const { checklist } = data;
  const view = shownOf(data);
  const shell = useShell();
  const {
    todo,
    funds,
    lending,
    commitments,
    own,
    draws,
    installation,
    pool,
    mayUpload,
    mayCall,
    mayDraw,
    mayAddManager,
  } = view;
  // Of an investor without documents or commitments, nothing is shown but the line that says so.
  const documents = own?.documents && own.documents.total > 0 ? own.documents : null;
  const course = commitments && commitments.total > 0 ? commitments.course : null;
  const today = DAY.format(new Date(`${view.today}T00:00:00Z`)).replace(',', '');
  return (
    // The page is short: less space between its parts than elsewhere.
    <div className={CLOSE}>
      <PageHeader
        title={`${greetingAt(view.greeting.hour)}, ${view.greeting.firstName}`}
        facts={[today, ...(shell.tenant === null ? [] : [shell.tenant])]}
        actions={
          <>
            {funds || commitments ? <AsOf date={view.date} today={view.today} /> : null}
            {mayDraw ? (
              <LinkButton to={paths.newDraw()} icon={HandCoins}>
                Request a draw
              </LinkButton>
            ) : null}
            {mayAddManager ? (
              <LinkButton to={paths.newManager()} tone="primary" icon={Plus}>
                New manager
              </LinkButton>
            ) : null}
            {mayUpload ? (
              <LinkButton to={paths.newTape()} tone={mayCall ? 'plain' : 'primary'} icon={Upload}>
                Upload tapes
              </LinkButton>
            ) : null}
            {mayCall ? (
              <LinkButton to={paths.newCapitalCall()} tone="primary" icon={Plus}>
                New capital call
              </LinkButton>
            ) : null}
          </>
        }
      />
      {mayUpload ? <DropTapes company={null} /> : null}
      {checklist ? <ShownPart of={FIRST_STEPS} checklist={checklist} /> : null}
      {todo ? (
        <TodayList
          items={todo.items}
          counts={todo.counts}
          todo={view.type === 'company' ? 'to do' : 'to decide'}
          more={moreOf(view)}
          {...(view.owed || view.owedDeliverables
            ? { nothing: 'Nothing but what is listed below needs your attention' }
            : {})}
        />
      ) : null}
      {view.owed ? <ShownPart of={OWED_INVOICES} owed={view.owed} /> : null}
      {view.owedDeliverables ? (
        <ShownPart of={OWED_DELIVERABLES} owed={{ ...view.owedDeliverables, today: view.today }} />
      ) : null}
      {own ? <ShownPart of={INVESTOR_TODAY} own={own} today={view.today} /> : null}
      <HomeFigures view={view} />
      {funds ? <CapitalChart course={funds.course} /> : null}
      {pool ? <Pool pool={pool} /> : null}
      {commitments ? <ShownPart of={COMMITMENTS} commitments={commitments} date={view.date} /> : null}
      {documents || course ? (
        <Columns>
          {documents ? <ShownPart of={INVESTOR_DOCUMENTS} found={documents} /> : null}
          {course ? <CapitalChart course={course} /> : null}
        </Columns>
      ) : null}
      {/* Their columns need 1,400 px beside each other. */}
      <div className="grid grid-cols-1 gap-x-6 min-[1400px]:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]">
        {lending ? <Facilities lending={lending} isBorrower={view.type === 'company'} /> : null}
        {funds ? <Funds funds={funds} date={view.date} /> : null}
        {draws ? <OwnDraws draws={draws} /> : null}
      </div>
      {installation ? <Managers installation={installation} /> : null}
      {/* A role that shows nothing here still leads somewhere. */}
      {checklist || own || funds || lending || commitments || draws || installation || pool ? null : <Areas />}
    </div>
  );
}
