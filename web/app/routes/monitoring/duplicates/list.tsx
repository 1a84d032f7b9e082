import { Link, Outlet, useActionData, useLoaderData, useParams } from '@remix-run/react';
import { CERTAINTY_LABELS, CERTAINTY_RULES, MAX_BLOCK, MAX_PAIRS } from '@tapeline/domain/duplicates/rules.ts';
import { Copy } from 'lucide-react';
import { classNames } from '../../../components/class-names.ts';
import { DateText, Money, Unknown } from '../../../components/figures/figures.tsx';
import { formatCount, formatFigure } from '../../../components/figures/format.ts';
import { ActionForm } from '../../../components/forms/action-form.tsx';
import { ActionProblems } from '../../../components/forms/action-problems.tsx';
import { CsrfField } from '../../../components/forms/csrf-field.tsx';
import { PostForm } from '../../../components/forms/post-form.tsx';
import { CountChips } from '../../../components/page/count-chips.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { Notice } from '../../../components/page/notice.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Pagination } from '../../../components/page/pagination.tsx';
import { Panel } from '../../../components/page/section.tsx';
import { Tabs } from '../../../components/page/tabs.tsx';
import { useLivePage } from '../../../components/page/use-live-page.ts';
import { type Column, DataTable } from '../../../components/tables/data-table.tsx';
import { type ActionAnswer, readScreen } from '../../../http/screen.server.ts';
import { paths } from '../../../paths.ts';
import { DECIDED_COLUMNS, Loans, Remembered } from './decided.tsx';
import { DecisionFields } from './decision-form.tsx';
import { listSearchOf, PAIRS_PER_PAGE, uncounted } from './duplicate-words.ts';
import { decideOnPairs, readDuplicates } from './duplicates.server.ts';
import { PairRules } from './pair-rules.tsx';

export const handle = { title: 'The same loan twice' };

export const loader = readScreen('assets/read', readDuplicates);

export const action = decideOnPairs;

type List = Awaited<ReturnType<typeof readDuplicates>>;
type Pair = List['pairs'][number];

function Certainties({ list }: { list: List }) {
  const { open } = list.counts;
  const all = Object.values(open).reduce((sum, count) => sum + count, 0);
  const chip = (label: string, count: number, only: List['only']) => ({
    label,
    count,
    to: paths.duplicates({ ...listSearchOf(list), only: only ?? undefined }),
    isCurrent: only === list.only,
  });
  return (
    <CountChips
      label="Certainty"
      chips={[
        chip('All', all, null),
        ...(['certain', 'likely', 'possible'] as const).map((one) => chip(CERTAINTY_LABELS[one], open[one], one)),
      ]}
    />
  );
}

const TWICE: Column<Pair> = {
  head: 'Counted twice',
  numeric: true,
  cell: ({ countedTwice, hasLeft }) =>
    countedTwice ? <Money value={countedTwice} withCurrency zero="figure" /> : <Unknown reason={uncounted(hasLeft)} />,
};

const OPEN_COLUMNS: readonly Column<Pair>[] = [
  { head: 'Loans', cell: (pair) => <Loans pair={pair} /> },
  TWICE,
  { head: 'Found', date: ({ foundAt }) => foundAt.slice(0, 10) },
];

const CHOICE: Column<Pair> = {
  head: <span className="sr-only">Choose</span>,
  control: true,
  cell: ({ id, obligor }) => (
    <input
      type="checkbox"
      name="ids"
      value={id}
      aria-label={`Choose ${obligor ?? 'the pair'}`}
      className="accent-accent"
    />
  ),
};

/** What is counted twice if the listed pairs are the same loan. */
function IfSame({ list: { countedTwice, total } }: { list: List }) {
  if (countedTwice.length === 0) return null;
  return (
    <p className="mt-2 text-sm text-ink-2">
      Counted twice if {total === 1 ? 'it is' : 'all are'} the same loan:{' '}
      {countedTwice.map((amount, index) => (
        <span key={amount.currency} className="figures font-[550] text-ink">
          {index === 0 ? '' : ', '}
          <Money value={amount} withCurrency zero="figure" />
        </span>
      ))}
    </p>
  );
}

function Searched({ search }: { search: List['search'] }) {
  if (!search) return null;
  if (search.isRunning) return <Notice tone="info">The book is being searched: {search.percent}%.</Notice>;
  if (search.failure) return <Notice tone="danger">{search.failure} What was found before is still shown.</Notice>;
  return (
    <>
      {search.hasMore ? (
        <Notice tone="warning">
          More than {formatFigure(MAX_PAIRS)} pairs wait for a decision. Listed are the most certain of the latest tapes
          first; others follow with the next search, once some of these are decided.
        </Notice>
      ) : null}
      {search.notCompared > 0 ? (
        <Notice tone="warning">
          {formatCount(search.notCompared, 'loan shares', 'loans share')} the same values with more than {MAX_BLOCK}{' '}
          others, which looks like a placeholder. They were not compared by these values.
        </Notice>
      ) : null}
    </>
  );
}

export default function Duplicates() {
  const list = useLoaderData<typeof loader>();
  const answer = useActionData<ActionAnswer>();
  const { id } = useParams();
  const { tab, pairs, total, search, counts, mayDecide } = list;
  useLivePage(search?.isRunning ?? false);
  const isOpen = tab === 'open';
  const open = Object.values(counts.open).reduce((sum, count) => sum + count, 0);
  const table = (
    <DataTable
      caption="Pairs of loans, the most certain first"
      narrow="list"
      rows={pairs}
      columns={isOpen ? [...(mayDecide ? [CHOICE] : []), ...OPEN_COLUMNS] : DECIDED_COLUMNS}
      rowTo={(pair) => paths.duplicate(pair.id, listSearchOf(list))}
      isShown={(pair) => pair.id === id}
      groupOf={(pair) =>
        isOpen
          ? {
              key: pair.certainty,
              title: (
                <>
                  <span className="font-semibold">{CERTAINTY_LABELS[pair.certainty]}</span>{' '}
                  {list.tape ? null : <span className="text-ink-2">{formatFigure(counts.open[pair.certainty])}</span>}{' '}
                  <span className="font-normal text-ink-2">{CERTAINTY_RULES[pair.certainty]}</span>
                </>
              ),
              isOpen: true,
              titlesOne: true,
            }
          : null
      }
      empty={
        <EmptyState icon={Copy} title={isOpen ? 'No pairs to decide' : 'Nothing was decided yet'}>
          {search
            ? 'Loans of the latest tapes that look like one loan appear here.'
            : 'The book is searched every night. Search now to see pairs before.'}
        </EmptyState>
      }
    />
  );
  return (
    <div className={id ? 'xl:grid xl:grid-cols-[minmax(0,1fr)_minmax(34rem,40rem)] xl:items-start xl:gap-6' : ''}>
      <div className={classNames('min-w-0', id && 'max-xl:hidden')}>
        <PageHeader
          title="The same loan twice"
          facts={
            search && search.loans !== null
              ? [
                  `${formatCount(search.loans, 'loan')} of ${formatCount(search.companies ?? 0, 'borrower')}, latest tapes`,
                  <>
                    searched <DateText time value={search.startedAt} />
                  </>,
                ]
              : ['The latest tapes of all borrowers, searched every night']
          }
          actions={mayDecide && !search?.isRunning ? <ActionForm intent="search">Search now</ActionForm> : null}
        />
        <ActionProblems answer={answer} />
        <Searched search={search} />
        {list.tape ? (
          <Notice tone="info">
            Only pairs with a loan of one tape are listed. <Link to={paths.duplicates()}>Show all pairs</Link>
          </Notice>
        ) : null}
        <Tabs
          label="Pairs"
          tabs={[
            { label: 'To decide', to: paths.duplicates(), count: open, current: isOpen },
            {
              label: 'Decided',
              to: paths.duplicates({ tab: 'decided' }),
              count: counts.decided,
              current: tab === 'decided',
            },
            { label: 'Rules', to: paths.duplicates({ tab: 'rules' }), current: tab === 'rules' },
          ]}
        />
        {isOpen && open > 0 ? <Certainties list={list} /> : null}
        {tab === 'rules' ? (
          <PairRules />
        ) : isOpen && mayDecide && pairs.length > 0 ? (
          <PostForm leavesBy="page" action={paths.duplicates(listSearchOf(list))}>
            <CsrfField />
            <input type="hidden" name="intent" value="decide" />
            <Panel>
              {table}
              <Pagination total={total} limit={PAIRS_PER_PAGE} noun="pairs" />
            </Panel>
            <IfSame list={list} />
            <section aria-label="Decide the chosen pairs" className="mt-4">
              <h2 className="mb-2 text-base font-semibold">Decide the chosen pairs</h2>
              <DecisionFields isShort submit="Record for the chosen pairs" />
            </section>
          </PostForm>
        ) : (
          <>
            <Panel>
              {table}
              <Pagination total={total} limit={PAIRS_PER_PAGE} noun="pairs" />
            </Panel>
            <IfSame list={list} />
          </>
        )}
        {isOpen ? <Remembered pairs={list.remembered} total={counts.decided} /> : null}
      </div>
      <Outlet />
    </div>
  );
}
