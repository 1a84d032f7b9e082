import { useLoaderData } from '@remix-run/react';
import { listReceivables } from '@tapeline/db/operations/capital/receivables.ts';
import { DUE_LABELS, DUE_STATES } from '@tapeline/domain/capital/receivables.ts';
import { daysBetween, formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { Wallet } from 'lucide-react';
import { Money } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { KeyFigures } from '../../components/page/key-figures.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { skipOf } from '../../components/page/skip.ts';
import { Tabs } from '../../components/page/tabs.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

export const handle = { title: 'Cash' };

const PAGE_LENGTH = 50;

/** What the investors of all funds are called for, by due date. Investors have a list of their own calls. */
export const loader = readScreen('contributions/read', ({ actor, db, url }) => {
  if (actor.lpIds.length > 0) throw new Refusal('notFound');
  const due = DUE_STATES.find((state) => state === url.searchParams.get('due')) ?? 'upcoming';
  const page = { due, skip: skipOf(url.searchParams), limit: PAGE_LENGTH };
  return db(async (session) => ({ due, ...(await listReceivables(session, page)) }));
});

const EMPTY = {
  upcoming: 'Issued calls that are due later appear here.',
  today: 'No issued call is due today.',
  passed: 'No due date of an issued call has passed.',
} as const;

function dueWords(dueDate: string, today: string): string {
  const days = daysBetween(today, dueDate);
  if (days === 0) return 'today';
  return days > 0 ? `in ${formatCount(days, 'day')}` : `${formatCount(-days, 'day')} ago`;
}

export default function Cash() {
  const { due, today, totals, rows } = useLoaderData<typeof loader>();
  const countOf = (state: string) =>
    totals.filter((total) => total.due === state).reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <PageHeader
        title="Cash"
        facts={[
          `Issued capital calls by due date, ${formatCalendarDate(today)}`,
          'payments are not recorded in Tapeline, so an amount may have been paid',
        ]}
      />
      {totals.length === 0 ? null : (
        <KeyFigures
          label="Called, by due date"
          figures={DUE_STATES.flatMap((state) =>
            totals
              .filter((total) => total.due === state)
              .map(({ amount, currency, count }) => ({
                label: DUE_LABELS[state],
                value: <Money value={amount} zero="figure" />,
                unit: currency,
                note: formatCount(count, 'amount called', 'amounts called'),
              })),
          )}
        />
      )}
      <Tabs
        label="Due"
        tabs={DUE_STATES.map((state) => ({
          label: DUE_LABELS[state],
          to: paths.cash({ due: state }),
          count: countOf(state),
          current: state === due,
        }))}
      />
      <Panel>
        <DataTable
          narrow="list"
          caption={`Called, ${DUE_LABELS[due].toLowerCase()}`}
          rows={rows}
          rowTo={({ callId }) => paths.capitalCall(callId)}
          empty={
            <EmptyState icon={Wallet} title="Nothing here">
              {EMPTY[due]}
            </EmptyState>
          }
          columns={[
            { head: 'Investor', name: ({ investor }) => investor ?? 'Not visible to you', length: 48 },
            { head: 'Fund', name: ({ fund }) => fund ?? 'Not visible to you', length: 40 },
            { head: 'Call', cell: ({ callNumber }) => callNumber },
            { head: 'Due', date: ({ dueDate }) => dueDate },
            { head: 'When', quiet: true, cell: ({ dueDate }) => dueWords(dueDate, today) },
            { head: 'Called', money: ({ amount, currency }) => ({ sum: amount, currency }), withCurrency: true },
          ]}
        />
        <Pagination total={countOf(due)} limit={PAGE_LENGTH} noun="amounts" />
      </Panel>
    </>
  );
}
