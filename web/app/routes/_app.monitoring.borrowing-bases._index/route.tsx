import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import {
  type BorrowingBaseFigures,
  listBorrowingBaseFigures,
} from '@tapeline/db/operations/borrowing-bases/borrowing-base-figures.ts';
import { listTransactions } from '@tapeline/db/operations/transactions/transactions.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { toNumber } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { Scale } from 'lucide-react';
import { LineChart } from '../../components/charts/line-chart.tsx';
import { LinkButton } from '../../components/forms/button.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Columns, Panel, Section } from '../../components/page/section.tsx';
import { formatCount } from '../../figures/format.ts';
import { paths } from '../../paths.ts';
import { readScreen } from '../../screen.server.ts';
import { BorrowingBaseTable, LatestTable, type NamedNote } from './tables.tsx';

export const meta: MetaFunction = () => [{ title: 'Borrowing bases · Tapeline' }];

const PAGE_LENGTH = 50;
/** Notes drawn over time; the rest are in the table. */
const DRAWN_NOTES = 4;

/** "31 Oct", or "Oct 26" where the points span years. */
function pointLabels(bases: readonly BorrowingBaseFigures[]): string[] {
  const years = new Set(bases.map((base) => base.cutOffDate.slice(0, 4)));
  return bases.map((base) => {
    const [day, month, year] = formatCalendarDate(base.cutOffDate).split(' ');
    return years.size > 1 ? `${month} ${year?.slice(2)}` : `${day} ${month}`;
  });
}

export const loader = (args: LoaderFunctionArgs) =>
  readScreen(args, 'borrowingBase/read', async ({ db, url, actor }) =>
    db(async (session) => {
      const figures = await listBorrowingBaseFigures(session);
      const { documents } = await listTransactions(session, { limit: 500 });
      const notes = documents.flatMap((transaction) =>
        transaction.notes.map(
          (note): NamedNote => ({ noteId: note.id, transactionTitle: transaction.title, noteTitle: note.title }),
        ),
      );
      const skip = Math.max(0, Number(url.searchParams.get('skip')) || 0);
      const newestFirst = figures.toReversed();
      return {
        total: figures.length,
        page: newestFirst.slice(skip, skip + PAGE_LENGTH),
        series: notes.flatMap((note) => {
          const bases = figures.filter((base) => base.noteId === note.noteId);
          return bases.length > 0 ? [{ note, bases: bases.slice(-24) }] : [];
        }),
        notes: Object.fromEntries(notes.map((note) => [note.noteId, note])),
        canUpload: can(actor, 'assets/write'),
      };
    }),
  );

function OverTime({ note, bases }: { note: NamedNote; bases: readonly BorrowingBaseFigures[] }) {
  const currency = bases.at(-1)?.currency ?? '';
  const drawn = bases.filter((base) => base.currency === currency);
  return (
    <LineChart
      title={`${note.transactionTitle}, ${note.noteTitle}`}
      note={currency}
      points={pointLabels(drawn)}
      series={[
        { label: 'Eligible or performing', values: drawn.map((base) => toNumber(base.pool.sum)), colour: 4 },
        { label: 'Net borrowing base', values: drawn.map((base) => toNumber(base.netBB)), colour: 1 },
      ]}
    />
  );
}

export default function BorrowingBases() {
  const { total, page, series, notes, canUpload } = useLoaderData<typeof loader>();
  const drawn = series
    .filter(({ bases }) => bases.length > 1)
    .slice(0, DRAWN_NOTES)
    .map(({ note, bases }) => <OverTime key={note.noteId} note={note} bases={bases} />);
  if (total === 0) {
    return (
      <>
        <PageHeader title="Borrowing bases" />
        <Panel>
          <EmptyState
            icon={Scale}
            title="No borrowing bases yet"
            action={
              canUpload ? (
                <LinkButton tone="primary" to={paths.newTape()}>
                  Upload a tape
                </LinkButton>
              ) : null
            }
          >
            Upload a loan tape and ask for its borrowing base: each note with an active contract gets one.
          </EmptyState>
        </Panel>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Borrowing bases"
        facts={[formatCount(series.length, 'note'), formatCount(total, 'borrowing base')]}
      />
      <Section title="Latest of each note" note="what may be lent against the pool today">
        <Panel>
          <LatestTable series={series} />
        </Panel>
      </Section>
      {drawn.length > 1 ? <Columns>{drawn}</Columns> : drawn}
      <Section title="Over time" note="the latest cut-off first">
        <Panel>
          <BorrowingBaseTable bases={page} notes={notes} />
          <Pagination total={total} limit={PAGE_LENGTH} noun="borrowing bases" />
        </Panel>
      </Section>
    </>
  );
}

export { ErrorScreen as ErrorBoundary } from '../../components/page/error-screen.tsx';
