import { Link, useActionData, useLoaderData, useNavigate } from '@remix-run/react';
import { APPROVAL_KIND_LABELS } from '@tapeline/domain/approvals/approval-kinds.ts';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from '../../components/class-names.ts';
import { ActionProblems } from '../../components/forms/action-problems.tsx';
import { Chip } from '../../components/page/chip.tsx';
import { useListKeys } from '../../components/page/list-keys.ts';
import { type ActionAnswer, readScreen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { decisionWord, requestParty, requestTitle } from './approval-words.ts';
import { type ApprovalPanel, readApprovalPanel } from './approvals.server.ts';
import { decide } from './decide.server.ts';
import { DecisionForms } from './decision.tsx';
import { Details } from './details/details.tsx';

const titleOf = ({ approval }: ApprovalPanel): string =>
  [requestTitle(approval), approval.party].filter(Boolean).join(', ');

/** The list shows its first request without being asked for it, and keeps its name then. */
export const handle = {
  title: (panel: ApprovalPanel | null) => (panel === null || panel.isFirst ? 'Approvals' : titleOf(panel)),
  crumbs: (panel: ApprovalPanel | null) => (panel === null || panel.isFirst ? [] : [{ label: titleOf(panel) }]),
};

export const loader = readScreen(null, readApprovalPanel);

export const action = decide;

const isControl = (target: EventTarget | null) =>
  target instanceof Element && target.closest('a, button, input, select, textarea, summary') !== null;

/**
 * `j` opens the next request and `k` the previous one, and Enter asks the question of the one that is shown unless a
 * control has the focus.
 */
function useApprovalKeys(previous: string | null, next: string | null, ask: () => void): void {
  const navigate = useNavigate();
  useListKeys(
    (step) => {
      const to = step === 1 ? next : previous;
      if (to !== null) navigate(to, { preventScrollReset: true });
    },
    (event) => {
      if (event.key !== 'Enter' || event.repeat || isControl(event.target)) return;
      event.preventDefault();
      ask();
    },
  );
}

const ICON_LINK = 'inline-grid size-8 place-items-center rounded-md text-ink-2 hover:bg-hover max-sm:size-10';

function Neighbour({ to, label, children }: { to: string | null; label: string; children: ReactNode }) {
  if (to === null) {
    return (
      <span aria-hidden="true" className={`${ICON_LINK} opacity-40 hover:bg-transparent`}>
        {children}
      </span>
    );
  }
  return (
    <Link to={to} aria-label={label} preventScrollReset className={ICON_LINK}>
      {children}
    </Link>
  );
}

/** What is asked, what was checked and what blocks it, beside the list; instead of the list on a narrow screen. */
export default function ApprovalPanelScreen() {
  const panel = useLoaderData<typeof loader>();
  if (panel === null) return null;
  return <Request key={`${panel.approval.kind}-${panel.approval.id}`} panel={panel} />;
}

function Request({ panel }: { panel: ApprovalPanel }) {
  const answer = useActionData<ActionAnswer>();
  const { approval, index, total, previous, next, isFirst, search, tab } = panel;
  const to = (key: typeof next) => (key ? paths.approval(key.kind, key.id, search) : null);
  const decision = useRef<HTMLDivElement>(null);
  useApprovalKeys(to(previous), to(next), () =>
    decision.current?.querySelector<HTMLButtonElement>('button[aria-haspopup="dialog"]')?.click(),
  );
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // A decision leads here: the next request takes the focus. The first one of a page that was just opened does not.
    if (!isFirst) heading.current?.focus({ preventScroll: true });
  }, [isFirst]);
  return (
    <section
      aria-label="Request"
      className={classNames(
        'flex min-w-0 flex-col rounded-lg border border-line bg-paper',
        // Beside the list it fills the window from the top bar to the bottom, at its right edge.
        'xl:sticky xl:top-12 xl:-mt-[22px] xl:-mr-6 xl:-mb-10 xl:h-[calc(100vh-3rem)] xl:overflow-y-auto xl:rounded-none xl:border-y-0 xl:border-r-0',
        isFirst && 'max-xl:hidden',
      )}
    >
      {/* A narrow screen does not show the list, whose heading the page has otherwise. */}
      {isFirst ? null : <h1 className="sr-only xl:hidden">Approvals</h1>}
      <div className="border-b border-line px-5 pt-3 pb-3.5">
        <div className="flex items-center gap-1">
          <Chip>{APPROVAL_KIND_LABELS[approval.kind]}</Chip>
          <span className="ml-auto text-xs text-ink-3">{index < 0 ? null : `${index + 1} of ${total}`}</span>
          <Neighbour to={to(previous)} label="Previous request">
            <ChevronUp aria-hidden="true" size={16} strokeWidth={1.75} />
          </Neighbour>
          <Neighbour to={to(next)} label="Next request">
            <ChevronDown aria-hidden="true" size={16} strokeWidth={1.75} />
          </Neighbour>
          <Link to={paths.approvals(search)} aria-label="Back to the list" className={`${ICON_LINK} xl:hidden`}>
            <X aria-hidden="true" size={16} strokeWidth={1.75} />
          </Link>
        </div>
        <h2 ref={heading} tabIndex={-1} className="mt-1 text-lg leading-6 font-[620] break-words outline-none">
          {requestTitle(approval)}
        </h2>
        <p className="text-sm break-words text-ink-2">
          {[requestParty(approval), approval.by].filter(Boolean).join(' · ')}
        </p>
      </div>
      <div className="space-y-4 px-5 py-4">
        <ActionProblems
          answer={answer}
          ofForms={[
            'rejectDraw',
            'declineCorrection',
            'returnCall',
            'returnDistribution',
            'returnWriteOff',
            'returnNavs',
            'returnStatements',
            'returnFundTerms',
            'returnInvestorTerms',
            'confirmPayoutAccount',
            'declineAccount',
          ]}
        />
        {tab === 'decided' ? (
          <p className="text-sm">
            This was {decisionWord(approval)}
            {approval.decidedBy ? ` by ${approval.decidedBy}` : ''}.
          </p>
        ) : null}
        <Details panel={panel} />
        <p className="text-sm">
          <Link to={panel.page} prefetch="intent" className="tap-text font-medium text-accent hover:underline">
            Open its page
          </Link>{' '}
          <span className="text-ink-3">for everything about it</span>
        </p>
      </div>
      {tab === 'decided' ? null : (
        <div
          ref={decision}
          className={classNames(
            'mt-auto border-t border-line bg-paper px-5 py-3.5',
            // The steps of a call back are too high to stay in view.
            panel.details.kind === 'payoutAccount' ? null : 'sticky bottom-0 max-sm:bottom-14',
          )}
        >
          <DecisionForms panel={panel} />
        </div>
      )}
    </section>
  );
}
