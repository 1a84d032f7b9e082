import { Link } from '@remix-run/react';
import type { Approval } from '@tapeline/db/operations/approvals/approvals.ts';
import type { ApprovalKind } from '@tapeline/domain/approvals/approval-kinds.ts';
import { codeLabel } from '@tapeline/domain/documents/code-labels.ts';
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  Diff,
  FilePen,
  FileX,
  Gauge,
  HandCoins,
  Landmark,
  type LucideIcon,
  ScrollText,
  Send,
  ShieldCheck,
} from 'lucide-react';
import { classNames } from '../../components/class-names.ts';
import { Money, Name } from '../../components/figures/figures.tsx';
import { formatCount } from '../../components/figures/format.ts';
import { blockerOf, decisionWord, dueText, requestParty, requestTitle, shortDay } from './approval-words.ts';

export const KIND_ICONS: Readonly<Record<ApprovalKind, LucideIcon>> = {
  draw: HandCoins,
  correction: FilePen,
  call: ArrowDownToLine,
  distribution: ArrowUpFromLine,
  writeOff: FileX,
  navs: Gauge,
  statements: ScrollText,
  fundTerms: FilePen,
  investorTerms: FilePen,
  contract: ScrollText,
  adjustment: Diff,
  waiver: ShieldCheck,
  payoutAccount: Landmark,
  paymentRun: Send,
};

const TONES = { good: 'text-good', warning: 'text-warning', danger: 'text-danger' } as const;

/** The amounts of a request, each in its currency; the number of rows of a correction. */
export function RequestAmount({ approval: { amounts, kind, count } }: { approval: Approval }) {
  if (amounts.length > 0) {
    return (
      <>
        {amounts.map((amount) => (
          <span key={amount.currency} className="block font-medium">
            <Money value={amount} withCurrency zero="figure" />
          </span>
        ))}
        {kind === 'payoutAccount' ? <span className="block text-xs text-ink-2">next payment</span> : null}
      </>
    );
  }
  if (kind === 'correction') return <span className="text-ink-2">{formatCount(count ?? 0, 'row')}</span>;
  return (
    <span className="text-ink-3">
      <span aria-hidden="true">–</span>
      <span className="sr-only">No amount</span>
    </span>
  );
}

function Blocker({ approval, today }: { approval: Approval; today: string }) {
  const { tone, text, note } = blockerOf(approval, today);
  return (
    <>
      <span className={classNames('flex items-center gap-1.5 font-medium', TONES[tone])}>
        <i aria-hidden="true" className="size-1.5 flex-none rounded-full bg-current" />
        {text}
      </span>
      {note ? <span className="block pl-3 text-xs text-ink-2">{note}</span> : null}
    </>
  );
}

const day = (instant: string | null, today: string) => (instant === null ? '' : shortDay(instant.slice(0, 10), today));

function Due({ due, today }: { due: string | null; today: string }) {
  if (due === null) return <span className="text-ink-3">–</span>;
  const { text, tone } = dueText(due, today);
  return <span className={tone ? `font-medium ${TONES[tone]}` : 'font-medium'}>{text}</span>;
}

/**
 * Requests, two or three lines each. In a narrow column the day of the request is left out; on a phone a row is a card.
 * @param isDecided whether the last columns say who decided, and when
 */
export function ApprovalTable({
  approvals,
  today,
  isDecided,
  isShown,
  to,
}: {
  approvals: readonly Approval[];
  today: string;
  isDecided: boolean;
  isShown: (approval: Approval) => boolean;
  to: (approval: Approval) => string;
}) {
  const head = 'px-3 py-2 text-xs font-medium text-ink-3';
  const cell = 'px-3 py-2.5 align-top max-sm:p-0';
  return (
    <div className="@container">
      <table className="w-full border-collapse text-sm max-sm:block">
        <caption className="sr-only">Requests, {isDecided ? 'latest decision' : 'due'} first</caption>
        <thead className="max-sm:sr-only">
          <tr className="border-b border-line text-left">
            <th scope="col" className={head}>
              Request
            </th>
            <th scope="col" className={`${head} text-right`}>
              Amount
            </th>
            <th scope="col" className={`${head} @max-2xl:hidden`}>
              Since
            </th>
            <th scope="col" className={head}>
              {isDecided ? 'Decided' : 'Due'}
            </th>
            <th scope="col" className={head}>
              {isDecided ? 'Decision' : 'What blocks it'}
            </th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {approvals.map((approval) => {
            const Icon = KIND_ICONS[approval.kind];
            const shown = isShown(approval);
            return (
              <tr
                key={`${approval.kind}-${approval.id}`}
                className={classNames(
                  'relative border-b border-line last:border-b-0 hover:bg-hover',
                  'max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-4 max-sm:gap-y-1 max-sm:px-3 max-sm:py-2.5',
                  shown && 'xl:bg-selected xl:shadow-[inset_2px_0_var(--accent)]',
                )}
              >
                <td className={classNames(cell, 'min-w-40')}>
                  <span className="flex gap-2.5">
                    <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="mt-0.5 flex-none text-ink-2" />
                    <span className="min-w-0">
                      <Link
                        to={to(approval)}
                        prefetch="intent"
                        preventScrollReset
                        aria-current={shown ? 'true' : undefined}
                        className="font-[550] after:absolute after:inset-0 hover:text-accent"
                      >
                        {requestTitle(approval)}
                      </Link>
                      <span className="block text-xs break-words text-ink-2">
                        <Name length={60}>{requestParty(approval)}</Name>
                      </span>
                      {approval.by ? (
                        <span className="block text-xs text-ink-3 max-sm:hidden">{approval.by}</span>
                      ) : null}
                    </span>
                  </span>
                </td>
                <td className={`${cell} figures text-right whitespace-nowrap`}>
                  <RequestAmount approval={approval} />
                </td>
                <td className={`${cell} whitespace-nowrap text-ink-2 max-sm:hidden @max-2xl:hidden`}>
                  {day(approval.since, today)}
                </td>
                <td className={`${cell} whitespace-nowrap max-sm:order-last max-sm:text-right`}>
                  {isDecided ? day(approval.decidedAt, today) : <Due due={approval.due} today={today} />}
                </td>
                <td className={`${cell} max-sm:pl-[26px]`}>
                  {isDecided ? (
                    <>
                      <span className="font-medium">{codeLabel(decisionWord(approval))}</span>
                      {approval.decidedBy ? (
                        <span className="block text-xs text-ink-2">{approval.decidedBy}</span>
                      ) : null}
                    </>
                  ) : (
                    <Blocker approval={approval} today={today} />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
