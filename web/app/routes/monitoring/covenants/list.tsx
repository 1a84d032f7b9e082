import { Form, Link, Outlet, useLoaderData, useParams } from '@remix-run/react';
import { COVENANT_STATE_LABELS } from '@tapeline/domain/covenants/covenant-labels.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { Scale } from 'lucide-react';
import { classNames } from '../../../components/class-names.ts';
import { Unknown } from '../../../components/figures/figures.tsx';
import { formatCount } from '../../../components/figures/format.ts';
import { Button, LinkButton } from '../../../components/forms/button.tsx';
import { Select } from '../../../components/forms/inputs.tsx';
import { CountChips } from '../../../components/page/count-chips.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { type CovenantList, readCovenants } from './covenant-list.server.ts';
import { COVENANTS_PER_PAGE, STATE_TONES, TONE_TEXT } from './covenant-tones.ts';
import { Headroom } from './headroom.tsx';
import { ResultTrend } from './trend.tsx';

export const handle = { title: 'Covenants' };

export const loader = readScreen('transactions/read', readCovenants);

type Row = CovenantList['covenants'][number];

const searchOf = ({ only, facility }: Pick<CovenantList, 'only' | 'facility'>) => ({ state: only, facility });

function State({ state, stateNote }: Pick<Row, 'state' | 'stateNote'>) {
  return (
    <>
      <span
        className={classNames(
          'flex items-center gap-1.5 font-medium whitespace-nowrap max-sm:justify-end',
          TONE_TEXT[STATE_TONES[state]],
        )}
      >
        <i aria-hidden="true" className="size-1.5 flex-none rounded-full bg-current" />
        {COVENANT_STATE_LABELS[state]}
      </span>
      {stateNote ? (
        <span className="state-note block pl-3 text-xs text-balance text-ink-2 max-sm:ml-auto max-sm:max-w-32 max-sm:pl-0 max-sm:whitespace-normal sm:max-[1400px]:max-w-32 sm:max-[1400px]:whitespace-normal">
          {stateNote}
        </span>
      ) : null}
    </>
  );
}

const TITLE: Column<Row> = {
  card: 'name',
  head: 'Test and note',
  cell: ({ title, company, note }) => (
    <>
      <span className="block font-[550] break-words max-sm:truncate sm:min-w-40">{title}</span>
      <span className="block text-xs font-normal break-words text-ink-2 max-sm:truncate">
        {company}, {note}
      </span>
    </>
  ),
};
const NOW: Column<Row> = {
  card: 'amount',
  head: 'Now',
  numeric: true,
  cell: ({ now, period }) => (
    <>
      <span className="block font-[550]">{now ?? <Unknown reason="There is no result for this date" />}</span>
      <span className="block text-xs font-normal text-ink-2">{period}</span>
    </>
  ),
};
const LIMIT: Column<Row> = {
  head: 'Limit',
  numeric: true,
  cell: ({ limit, nextLimit }) => (
    <>
      <span className="block">{limit ?? <Unknown reason="No limit holds on this date" />}</span>
      {nextLimit ? <span className="block text-xs text-ink-2">{nextLimit}</span> : null}
    </>
  ),
};
const HEADROOM: Column<Row> = {
  head: 'Headroom',
  numeric: true,
  cell: ({ state, headroom, headroomShare }) => <Headroom state={state} headroom={headroom} share={headroomShare} />,
};
const TREND: Column<Row> = {
  head: 'Trend',
  wideOnly: true,
  cell: ({ state, trend, limitValue }) => <ResultTrend state={state} values={trend} limit={limitValue} />,
};
const NEXT: Column<Row> = { head: 'Next test', card: 'date', date: ({ nextTest }) => nextTest };
const STATE: Column<Row> = { head: 'State', card: 'state', oneLine: true, cell: (row) => <State {...row} /> };

const COLUMNS = [TITLE, NOW, LIMIT, HEADROOM, TREND, NEXT, STATE] as const;
const LIMIT_ALONE: Column<Row> = { head: 'Limit', numeric: true, cell: ({ limit }) => limit ?? <Unknown /> };
/** What fits beside the panel of one of them. */
const BESIDE = [TITLE, NOW, LIMIT_ALONE, HEADROOM, STATE] as const;

function Chips({ list }: { list: CovenantList }) {
  const to = (state: CovenantList['only']) => paths.covenants(searchOf({ ...list, only: state }));
  const chip = (state: CovenantList['only'], label: string, count: number) => ({
    label,
    count,
    to: to(state),
    isCurrent: list.only === state,
  });
  return (
    <CountChips
      label="State"
      chips={[
        chip(null, 'All', list.count),
        ...list.counts.flatMap(({ state, count }) =>
          count > 0 || list.only === state ? [chip(state, COVENANT_STATE_LABELS[state], count)] : [],
        ),
        ...(list.ended > 0 || list.only === 'ended' ? [chip('ended', 'Ended', list.ended)] : []),
      ]}
    />
  );
}

function FacilityFilter({ list }: { list: CovenantList }) {
  if (list.facilities.length < 2 && !list.facility) return null;
  return (
    <Form
      method="get"
      action={paths.covenants()}
      preventScrollReset
      className="no-print mb-3 flex flex-wrap items-center gap-2"
      onChange={(event) => {
        if ((event.target as EventTarget) instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
      }}
    >
      {list.only ? <input type="hidden" name="state" value={list.only} /> : null}
      <label htmlFor="facility" className="text-xs text-ink-2">
        Facility
      </label>
      <span className="w-72 max-w-full">
        <Select
          id="facility"
          name="facility"
          key={list.facility}
          defaultValue={list.facility ?? ''}
          className="truncate"
          choices={list.facilities}
          empty="All facilities"
        />
      </span>
      <noscript>
        <Button type="submit">Show</Button>
      </noscript>
    </Form>
  );
}

/** "17 tests of 5 notes", "1 breached", "3 near their limit". */
function summary({ today, count, notes, counts }: CovenantList) {
  const of = (state: Row['state']): number => counts.find((one) => one.state === state)?.count ?? 0;
  const breached = of('breached');
  return [
    formatCalendarDate(today),
    `${formatCount(count, 'test')} of ${formatCount(notes, 'note')}`,
    <b key="breached">{breached} breached</b>,
    `${of('unknown')} unknown`,
    `${of('warning')} near ${of('warning') === 1 ? 'its' : 'their'} limit`,
  ];
}

function Empty({ list }: { list: CovenantList }) {
  if (list.only || list.facility) {
    return (
      <EmptyState
        icon={Scale}
        title="No covenants here"
        action={<LinkButton to={paths.covenants()}>Show all</LinkButton>}
      >
        Choose another state or facility.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Scale}
      title="No covenants yet"
      action={list.mayChange ? <LinkButton to={paths.newCovenant()}>New covenant</LinkButton> : null}
    >
      {list.mayChange
        ? 'Add the tests of a credit agreement to its note. They are made on their dates, once their figures are there.'
        : 'The tests of your credit agreements appear here.'}
    </EmptyState>
  );
}

export default function Covenants() {
  const list = useLoaderData<typeof loader>();
  const { id } = useParams();
  const { covenants, total, mayChange, toReview, ids } = list;
  return (
    <div
      className={
        id
          ? 'min-[1400px]:grid min-[1400px]:grid-cols-[minmax(0,1fr)_26rem] min-[1400px]:items-start min-[1400px]:gap-5'
          : ''
      }
    >
      <div
        className={classNames(
          'min-w-0',
          id && '[&_.state-note]:max-w-32 [&_.state-note]:whitespace-normal max-[1399px]:hidden',
        )}
      >
        <PageHeader
          title="Covenants"
          facts={list.count > 0 ? summary(list) : []}
          actions={
            mayChange ? (
              <>
                {toReview > 0 ? (
                  <LinkButton to={paths.facilityFigures()}>{formatCount(toReview, 'figure')} to review</LinkButton>
                ) : null}
                <LinkButton to={paths.newFacilityFigure()}>Enter figures</LinkButton>
              </>
            ) : null
          }
          primary={mayChange ? { label: 'New covenant', to: paths.newCovenant() } : null}
        />
        <div className="flex flex-wrap items-start justify-between gap-x-4">
          <Chips list={list} />
          <FacilityFilter list={list} />
        </div>
        <Panel>
          <DataTable
            caption="Covenants, the most urgent first"
            narrow="cards"
            rows={covenants}
            columns={id ? BESIDE : COLUMNS}
            rowTo={(row) => paths.covenant(row.id, searchOf(list))}
            isShown={(row) => row.id === id}
            empty={<Empty list={list} />}
          />
          <Pagination total={total} limit={COVENANTS_PER_PAGE} noun="covenants" />
        </Panel>
        {covenants.length > 0 ? (
          <p className="mt-3 text-xs text-ink-2">
            Headroom is in points, times or currency, like the test. Its bar is the share of the limit, up to 50%. The
            dashed line of a trend is the limit. A test with a missing figure is unknown, never met.{' '}
            <Link to={paths.facilityFigures()} className="tap-text text-accent underline">
              Facility figures
            </Link>
          </p>
        ) : null}
      </div>
      <Outlet context={{ ids, search: searchOf(list) }} />
    </div>
  );
}
