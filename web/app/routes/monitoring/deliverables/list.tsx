import { Form, Link, Outlet, useLoaderData, useParams, useSearchParams } from '@remix-run/react';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-day.ts';
import { ITEM_STATE_LABELS } from '@tapeline/domain/deliverables/deliverable-labels.ts';
import { PackageCheck } from 'lucide-react';
import { classNames } from '../../../components/class-names.ts';
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
import { type DeliverableList, readDeliverables } from './deliverable-list.server.ts';
import { ITEMS_PER_PAGE } from './deliverable-words.ts';
import { ItemStateText } from './item-state.tsx';

export const handle = { title: 'Deliverables' };

export const loader = readScreen('transactions/read', readDeliverables);

type Row = DeliverableList['items'][number];

const searchOf = ({ only, company }: Pick<DeliverableList, 'only' | 'company'>) => ({ state: only, company });

const TITLE: Column<Row> = {
  card: 'name',
  head: 'Deliverable',
  cell: ({ title, company, note }) => (
    <>
      <span className="block font-[550] break-words max-sm:truncate sm:min-w-40">{title}</span>
      <span className="block text-xs font-normal break-words text-ink-2 max-sm:truncate">
        {[company, note].filter(Boolean).join(', ')}
      </span>
    </>
  ),
};
const KIND: Column<Row> = { head: 'Kind', quiet: true, wideOnly: true, cell: ({ kind }) => kind };
const PERIOD: Column<Row> = { head: 'Period', card: 'amount', oneLine: true, cell: ({ period }) => period };
const DUE: Column<Row> = { head: 'Due', card: 'date', date: ({ dueDate }) => dueDate };
const STATE: Column<Row> = { head: 'State', card: 'state', cell: (item) => <ItemStateText item={item} /> };

const COLUMNS = [TITLE, KIND, PERIOD, DUE, STATE] as const;
/** What fits beside the panel of one of them. */
const BESIDE = [TITLE, PERIOD, DUE, STATE] as const;

function Chips({ list }: { list: DeliverableList }) {
  const chip = (state: DeliverableList['only'], label: string, count: number) => ({
    label,
    count,
    to: paths.deliverables(searchOf({ ...list, only: state })),
    isCurrent: list.only === state,
  });
  return (
    <CountChips
      label="State"
      chips={[
        chip(null, 'Open', list.open),
        ...list.counts.flatMap(({ state, count }) =>
          count > 0 || list.only === state ? [chip(state, ITEM_STATE_LABELS[state], count)] : [],
        ),
        chip('all', 'All', list.all),
      ]}
    />
  );
}

function BorrowerFilter({ list }: { list: DeliverableList }) {
  if (list.companies.length < 2 && !list.company) return null;
  return (
    <Form
      method="get"
      action={paths.deliverables()}
      preventScrollReset
      className="no-print mb-3 flex flex-wrap items-center gap-2"
      onChange={(event) => {
        if ((event.target as EventTarget) instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
      }}
    >
      {list.only ? <input type="hidden" name="state" value={list.only} /> : null}
      <label htmlFor="company" className="text-xs text-ink-2">
        Borrower
      </label>
      <span className="w-72 max-w-full">
        <Select
          id="company"
          name="company"
          key={list.company}
          defaultValue={list.company ?? ''}
          className="truncate"
          choices={list.companies}
          empty="All borrowers"
        />
      </span>
      <noscript>
        <Button type="submit">Show</Button>
      </noscript>
    </Form>
  );
}

/** "8 deliverables of 3 borrowers", "2 late", "1 to review". */
function summary({ today, deliverables, borrowers, counts, toReview, isBorrower }: DeliverableList) {
  const late = counts.find(({ state }) => state === 'late')?.count ?? 0;
  return [
    formatCalendarDate(today),
    isBorrower
      ? formatCount(deliverables, 'deliverable')
      : `${formatCount(deliverables, 'deliverable')} of ${formatCount(borrowers, 'borrower')}`,
    <b key="late">{late} late</b>,
    ...(toReview > 0 ? [`${toReview} to review`] : []),
  ];
}

function Empty({ list }: { list: DeliverableList }) {
  if (list.deliverables > 0 || list.company) {
    return (
      <EmptyState
        icon={PackageCheck}
        title="Nothing here"
        action={<LinkButton to={paths.deliverables({ state: 'all' })}>Show all</LinkButton>}
      >
        {list.only === null
          ? 'Nothing is late, to review, or due in the next 45 days.'
          : 'Choose another state or borrower.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={PackageCheck}
      title="No deliverables yet"
      action={list.mayDecide ? <LinkButton to={paths.newDeliverable()}>New deliverable</LinkButton> : null}
    >
      {list.mayDecide
        ? 'Add what a borrower owes by date under its agreement: tapes, certificates, statements, reports. It is reminded, and what is late appears here.'
        : 'What you owe by date under your agreements appears here.'}
    </EmptyState>
  );
}

export default function Deliverables() {
  const list = useLoaderData<typeof loader>();
  const { id } = useParams();
  const [search] = useSearchParams();
  const { items, total, keys, ended, endedTotal } = list;
  const shown = id ? `${id}/${search.get('period') ?? ''}` : null;
  return (
    <div
      className={
        id
          ? 'min-[1400px]:grid min-[1400px]:grid-cols-[minmax(0,1fr)_26rem] min-[1400px]:items-start min-[1400px]:gap-5'
          : ''
      }
    >
      <div className={classNames('min-w-0', id && 'max-[1399px]:hidden')}>
        <PageHeader
          title="Deliverables"
          facts={list.deliverables > 0 ? summary(list) : []}
          primary={list.mayDecide ? { label: 'New deliverable', to: paths.newDeliverable() } : null}
        />
        <div className="flex flex-wrap items-start justify-between gap-x-4">
          <Chips list={list} />
          <BorrowerFilter list={list} />
        </div>
        <Panel>
          <DataTable
            caption="Deliverables, the most urgent first"
            narrow="cards"
            rows={items}
            rowKey={({ key }) => key}
            columns={id ? BESIDE : COLUMNS}
            rowTo={(row) => paths.deliverable(row.id, { ...searchOf(list), period: row.periodEnd })}
            isShown={(row) => row.key === shown}
            empty={<Empty list={list} />}
          />
          <Pagination total={total} limit={ITEMS_PER_PAGE} noun="items" />
        </Panel>
        {ended.length > 0 ? (
          <p className="mt-3 text-xs text-ink-2">
            {formatCount(endedTotal, 'deliverable')} ended:{' '}
            {ended.map(({ id: each, title, company }, index) => (
              <span key={each}>
                {index > 0 ? ', ' : ''}
                <Link to={paths.deliverable(each)} className="tap-text text-accent underline">
                  {title}
                </Link>{' '}
                ({company})
              </span>
            ))}
          </p>
        ) : null}
      </div>
      <Outlet context={{ keys, search: searchOf(list) }} />
    </div>
  );
}
