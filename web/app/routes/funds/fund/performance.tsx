import type { PerformanceFlow } from '@tapeline/domain/capital/performance.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { ShownReturn } from '@tapeline/domain/returns/shown-return.ts';
import { LineChart } from '../../../components/charts/line-chart.tsx';
import { Figure, ShortNumber, Unknown } from '../../../components/figures/figures.tsx';
import { formatShort } from '../../../components/figures/format.ts';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { KeyFigures } from '../../../components/page/key-figures.tsx';
import { Columns, MoreLink, PanelSection } from '../../../components/page/section.tsx';
import { TableSection } from '../../../components/tables/data-table.tsx';
import { paths } from '../../../paths.ts';
import type { FundTab } from './fund-page.server.ts';
import type { ShownPoint } from './performance.server.ts';

type Performance = FundTab<'performance'>;

const NO_NAV = 'Not every investor has a net asset value';

/** Points of a chart are labelled "Sep 25", so that they fit next to each other. */
const pointLabel = (date: string): string => {
  const [, month = '', year = ''] = formatCalendarDate(date).split(' ');
  return `${month} ${year.slice(2)}`;
};

const numberOf = (value: string | null) => (value === null ? null : Number(value));

/** The figures of the day, each with its formula; a click leads to what it is calculated from. */
function Figures({ page, now, hasFlows }: { page: Performance; now: ShownPoint; hasFlows: boolean }) {
  const { capital } = page;
  const short = (value: string | null) => <ShortNumber value={value} zero="figure" unknown={NO_NAV} />;
  const ratio = (label: string, value: string | null, note: React.ReactNode) => ({
    label,
    value: value === null ? <Unknown reason={NO_NAV} /> : <Figure value={Number(value)} digits={2} zero="figure" />,
    unit: value === null ? null : '×',
    note: capital.covers ?? note,
    ...(hasFlows ? { to: '#flows' } : {}),
  });
  const rate = (label: string, { percent, reason }: ShownReturn, note: string) => ({
    label,
    value: percent === null ? <Unknown reason={reason} /> : <Figure value={percent} digits={2} zero="figure" />,
    unit: percent === null ? null : '%',
    note: capital.covers ?? note,
    ...(hasFlows ? { to: '#flows' } : {}),
  });
  return (
    <KeyFigures
      label="Performance"
      figures={[
        ratio(
          'DPI',
          now.dpi,
          <>
            distributed {short(capital.distributed)} ÷ called {short(capital.called)}
          </>,
        ),
        ratio(
          'RVPI',
          now.rvpi,
          <>
            NAV {short(capital.nav)} ÷ called {short(capital.called)}
          </>,
        ),
        ratio('TVPI', now.tvpi, '(distributed + NAV) ÷ called'),
        rate('Net IRR', now.netIrr, 'all calls, distributions and net NAV'),
        rate('Gross IRR', now.grossIrr, 'before the manager’s fees, costs and taxes'),
      ]}
    />
  );
}

function Courses({ course }: { course: readonly ShownPoint[] }) {
  const points = course.map(({ date }) => pointLabel(date));
  return (
    <Columns>
      <LineChart
        title="Multiples"
        note="at the ends of quarters"
        points={points}
        format={(value) => `${value.toFixed(2)}×`}
        series={[
          { label: 'TVPI', values: course.map(({ tvpi }) => numberOf(tvpi)), colour: 1, strong: true },
          { label: 'DPI', values: course.map(({ dpi }) => numberOf(dpi)), colour: 2 },
          { label: 'RVPI', values: course.map(({ rvpi }) => numberOf(rvpi)), colour: 3 },
        ]}
      />
      <LineChart
        title="Internal rates of return"
        note="percent a year, after the first 12 months"
        points={points}
        format={(value) => `${formatShort(value.toFixed(2))}%`}
        series={[
          { label: 'Gross IRR', values: course.map(({ grossIrr }) => numberOf(grossIrr.percent)), colour: 2 },
          { label: 'Net IRR', values: course.map(({ netIrr }) => numberOf(netIrr.percent)), colour: 1, strong: true },
        ]}
      />
    </Columns>
  );
}

const FLOW_NAMES = { call: 'Capital call, on its due date', distribution: 'Distribution', nav: 'NAV' } as const;

function Flows({ page, flows }: { page: Performance; flows: readonly PerformanceFlow[] }) {
  const linkOf = (kind: PerformanceFlow['kind']) =>
    `${paths.fund(page.id, { view: kind === 'nav' ? 'navs' : 'activity' })}${kind === 'distribution' ? '#distributions' : ''}`;
  return (
    <div id="flows">
      <TableSection
        title="Cash flows behind the figures"
        note={`${page.currency}, until ${formatCalendarDate(page.date)}; paid in below zero`}
        more={<MoreLink to={paths.fund(page.id, { view: 'activity' })}>All calls and distributions</MoreLink>}
        caption="Cash flows"
        rows={flows}
        rowKey={({ when, kind }) => `${when}-${kind}`}
        rowTo={({ kind }) => linkOf(kind)}
        columns={[
          { head: 'Date', date: (row) => row.when },
          { head: 'Flow', cell: (row) => FLOW_NAMES[row.kind] },
          { head: 'Net', money: (row) => row.net },
          { head: 'Gross', money: (row) => row.gross },
        ]}
      >
        <p className="mt-2 max-w-[90ch] text-xs text-ink-3">
          The IRR is the annual rate at which these flows, discounted by actual days ÷ 365, add up to zero. Gross flows
          leave out management and success fees of calls, and the costs and taxes of distributions, and end with the
          gross NAV. A NAV is rolled forward by the calls, distributions and write-offs since it was recorded.
        </p>
      </TableSection>
    </div>
  );
}

/** How the fund has performed. */
export function PerformancePanel({ page }: { page: Performance }) {
  const { performance } = page.tab;
  return (
    <>
      {performance ? (
        <>
          <Figures page={page} now={performance.now} hasFlows={performance.flows !== null} />
          <Courses course={performance.course} />
          {performance.flows ? <Flows page={page} flows={performance.flows} /> : null}
        </>
      ) : (
        <PanelSection title="Performance">
          <EmptyState title="Nothing was paid in yet">
            Multiples and rates of return follow once the first capital call is due.
          </EmptyState>
        </PanelSection>
      )}
    </>
  );
}
