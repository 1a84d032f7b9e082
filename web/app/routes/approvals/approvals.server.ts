import {
  type Approval,
  type ApprovalTab,
  findApproval,
  listApprovals,
  type PlacedApproval,
  placeApproval,
} from '@tapeline/db/operations/approvals/approvals.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { APPROVAL_KINDS, type ApprovalKind } from '@tapeline/domain/approvals/approval-kinds.ts';
import { kindsDecidedBy } from '@tapeline/domain/approvals/approval-permissions.ts';
import { calendarDateOf } from '@tapeline/domain/dates/calendar-day.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { skipOf } from '../../components/page/skip.ts';
import type { Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';
import { decidedText, handedText } from './approval-words.ts';
import { blockOf, questionOf } from './decision-words.server.ts';

import { readDetails } from './details.server.ts';

const PAGE_LENGTH = 50;
const isKind = (value: string | null | undefined): value is ApprovalKind =>
  APPROVAL_KINDS.some((kind) => kind === value);

/** What the address asks for: the tab, the kind and the request that was just decided. */
export function approvalQuery(url: URL): { tab: ApprovalTab; kind: ApprovalKind | null } {
  const tab = url.searchParams.get('tab');
  const only = url.searchParams.get('only');
  return { tab: tab === 'others' || tab === 'decided' ? tab : 'mine', kind: isKind(only) ? only : null };
}

/** The part of the address that the list's links keep. */
export const searchOf = ({ tab, kind }: { tab: ApprovalTab; kind: ApprovalKind | null }) => ({
  tab: tab === 'mine' ? undefined : tab,
  only: kind ?? undefined,
});

/** A document's key in the address: "draw-65f0…". */
function keyOf(text: string | null): { kind: ApprovalKind; id: string } | null {
  const [kind, id] = (text ?? '').split('-');
  return isKind(kind) && idSchema.safeParse(id).success ? { kind, id: id! } : null;
}

/** Those who decide nothing have no such page. */
function requireDecider({ actor }: Screen): void {
  if (kindsDecidedBy(actor).length === 0) throw new Refusal('forbidden');
}

export async function readApprovalList(screen: Screen) {
  requireDecider(screen);
  const { url, db } = screen;
  const query = approvalQuery(url);
  return db(async (session) => {
    const page = await listApprovals(session, { ...query, skip: skipOf(url.searchParams), limit: PAGE_LENGTH });
    const key = keyOf(url.searchParams.get('done'));
    const done = key && (await findApproval(session, key));
    return {
      ...page,
      ...query,
      limit: PAGE_LENGTH,
      today: todayOf(session),
      done: done?.tab === 'decided' ? decidedText(done.approval) : handedText(url.searchParams.get('handed')),
    };
  });
}

const PAGES: Readonly<Record<ApprovalKind, (approval: Approval) => string>> = {
  draw: ({ id }) => paths.draw(id),
  correction: ({ id, parentId }) => paths.proposal(parentId ?? '', id),
  call: ({ id }) => paths.capitalCall(id),
  distribution: ({ id }) => paths.distribution(id),
  writeOff: ({ parentId }) => paths.fund(parentId ?? '', { view: 'navs' }),
  navs: ({ parentId }) => paths.fund(parentId ?? '', { view: 'navs' }),
  statements: ({ parentId }) => {
    const mainFund = /^mainFunds\/(.+)$/.exec(parentId ?? '')?.[1];
    return mainFund ? paths.mainFund(mainFund) : paths.fund(parentId ?? '', { view: 'documents' });
  },
  fundTerms: ({ id }) => paths.fund(id, { view: 'terms' }),
  investorTerms: ({ id, parentId }) => paths.commitment(parentId ?? '', id),
  contract: ({ id }) => paths.contract(id),
  waiver: ({ parentId }) => paths.covenant(parentId ?? ''),
  adjustment: ({ parentId }) => `${paths.borrowingBase(parentId ?? '')}#adjustments`,
  payoutAccount: ({ parentId }) => {
    const borrower = /^companies\/(.+)$/.exec(parentId ?? '')?.[1];
    return borrower ? paths.company(borrower) : paths.investor(parentId ?? '', { view: 'details' });
  },
  paymentRun: ({ id }) => paths.paymentRun(id),
};

/** The page of a request, where everything about it is shown and changed. */
const pageOf = (approval: Approval): string => PAGES[approval.kind](approval);

/** The key of a request in the address of its panel. */
export function keyOfParams({ kind, id }: Screen['params']): { kind: ApprovalKind; id: string } | null {
  if (kind === undefined) return null;
  if (!isKind(kind) || !idSchema.safeParse(id).success) throw new Refusal('notFound');
  return { kind, id: id! };
}

/**
 * The request in the panel: what is asked, the checks, and its neighbours. Without one in the address, the first of the
 * list. A request that has left the tab, because somebody else decided it, is shown as it is.
 * @returns null if the list is empty
 */
export async function readApprovalPanel(screen: Screen) {
  requireDecider(screen);
  const { url, db, params } = screen;
  const query = approvalQuery(url);
  const key = keyOfParams(params);
  const placed = await db(async (session): Promise<(PlacedApproval & { tab: ApprovalTab }) | null> => {
    const found = await placeApproval(session, query, key);
    if (found) return { ...found, tab: query.tab };
    if (!key) return null;
    const elsewhere = await findApproval(session, key);
    return elsewhere && { ...elsewhere, index: -1, previous: null, next: null };
  });
  if (!placed) {
    if (key) throw new Refusal('notFound');
    return null;
  }
  const details = await readDetails(screen, placed.approval, placed.tab === 'mine');
  return {
    ...placed,
    isFirst: key === null,
    search: searchOf(query),
    today: calendarDateOf(new Date()),
    page: pageOf(placed.approval),
    details,
    block: blockOf(details, placed.tab),
    question: questionOf(details, placed.approval),
    ask: url.searchParams.get('ask'),
  };
}
export type ApprovalPanel = NonNullable<Awaited<ReturnType<typeof readApprovalPanel>>>;
