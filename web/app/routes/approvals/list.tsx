import { Outlet, useLoaderData, useParams, useSearchParams } from '@remix-run/react';
import type { Approval } from '@tapeline/db/operations/approvals/approvals.ts';
import { APPROVAL_KINDS, type ApprovalKind } from '@tapeline/domain/approvals/approval-kinds.ts';
import { CircleCheck } from 'lucide-react';
import { classNames } from '../../components/class-names.ts';
import { formatCount, formatFigure } from '../../components/figures/format.ts';
import { CountChips } from '../../components/page/count-chips.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Pagination } from '../../components/page/pagination.tsx';
import { Panel } from '../../components/page/section.tsx';
import { Tabs } from '../../components/page/tabs.tsx';
import { readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { ApprovalTable } from './approval-table.tsx';
import { severalOf } from './approval-words.ts';
import { readApprovalList } from './approvals.server.ts';

export const handle = { title: 'Approvals' };

export const loader = readScreen(null, readApprovalList);

type List = Awaited<ReturnType<typeof readApprovalList>>;

const TABS = { mine: 'Waiting for you', others: 'Waiting for others', decided: 'Decided' } as const;

const EMPTY: Readonly<Record<List['tab'], readonly [title: string, text: string]>> = {
  mine: [
    'Nothing waits for you',
    'Draws, corrections, calls, distributions, contracts and terms to decide appear here.',
  ],
  others: [
    'Nothing waits for others',
    'Draws that you requested or changed, and documents and terms that you submitted, appear here: someone else must decide them.',
  ],
  decided: ['Nothing was decided lately', 'Decisions of the last 90 days are listed here.'],
};

function factsOf({ tabs, due }: List): string[] {
  const late = due.late > 0 ? [`${formatFigure(due.late)} late`] : [];
  const today = due.today > 0 ? [`${formatFigure(due.today)} due today`] : [];
  const tomorrow = due.tomorrow > 0 ? [`${formatFigure(due.tomorrow)} due tomorrow`] : [];
  const waits =
    tabs.mine === 0 ? 'Nothing waits for you' : `${formatCount(tabs.mine, 'request waits', 'requests wait')} for you`;
  return [waits, ...late, ...today, ...tomorrow];
}

/** The kinds of the tab, each with its number. */
function Kinds({ list }: { list: List }) {
  const { tab, kind, counts } = list;
  const shown = APPROVAL_KINDS.filter((one) => (counts[one] ?? 0) > 0 || one === kind);
  if (shown.length < 2 && kind === null) return null;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const chip = (label: string, count: number, only: ApprovalKind | null) => ({
    label,
    count,
    to: paths.approvals({ tab: tab === 'mine' ? undefined : tab, only: only ?? undefined }),
    isCurrent: only === kind,
  });
  return (
    <CountChips
      label="Kinds"
      chips={[chip('All', all, null), ...shown.map((one) => chip(severalOf(one), counts[one] ?? 0, one))]}
    />
  );
}

export default function Approvals() {
  const list = useLoaderData<typeof loader>();
  const params = useParams();
  const [search] = useSearchParams();
  const { tab, approvals, tabs, total, limit, today, done } = list;
  const only = list.kind ?? undefined;
  const isOpen = params.id !== undefined;
  const [title, text] = EMPTY[tab];
  // Without a request in the address, the panel shows the first one where there is room for it.
  const isShown = ({ kind, id }: Approval) =>
    isOpen ? kind === params.kind && id === params.id : approvals[0]?.id === id && !search.has('skip');
  return (
    <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_minmax(24rem,27rem)] xl:items-start xl:gap-6">
      {/* A narrow screen shows the list or the request. */}
      <div className={classNames('min-w-0', isOpen && 'max-xl:hidden')}>
        <PageHeader title="Approvals" facts={factsOf(list)} />
        {done ? <Notice tone="good">{done}</Notice> : null}
        <Tabs
          label="Approvals"
          tabs={(['mine', 'others', 'decided'] as const).map((one) => ({
            label: TABS[one],
            to: paths.approvals({ tab: one === 'mine' ? undefined : one }),
            current: one === tab,
            count: one === 'decided' ? null : tabs[one],
          }))}
        />
        <Kinds list={list} />
        <Panel>
          {approvals.length === 0 ? (
            <EmptyState icon={CircleCheck} title={title}>
              {text}
            </EmptyState>
          ) : (
            <ApprovalTable
              approvals={approvals}
              today={today}
              isDecided={tab === 'decided'}
              isShown={isShown}
              to={({ kind, id }) =>
                paths.approval(kind, id, { tab: tab === 'mine' ? undefined : tab, only, skip: skipIn(search) })
              }
            />
          )}
          <Pagination total={total} limit={limit} noun="requests" />
        </Panel>
        <p className="mt-3 text-xs text-ink-3 max-sm:hidden">
          {tab === 'decided'
            ? 'Decisions of the last 90 days, the latest first.'
            : 'Due first. You can’t approve a draw that you requested or last changed, or issue what needs a second person and you prepared.'}{' '}
          <kbd>j</kbd> and <kbd>k</kbd> move to the next and the previous request, <kbd>Enter</kbd> decides it.
        </p>
      </div>
      <Outlet />
    </div>
  );
}

const skipIn = (search: URLSearchParams): number | undefined => {
  const skip = Number(search.get('skip'));
  return Number.isInteger(skip) && skip > 0 ? skip : undefined;
};
