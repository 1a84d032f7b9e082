import { issueNetted, type Netting } from '@tapeline/db/operations/capital/netting.ts';
import { nobodyTold, type WhoIsTold, whoIsTold } from '@tapeline/db/operations/capital/tell-investors.ts';
import { issuedAgain, withdrawnHeader } from '@tapeline/db/operations/capital/withdrawn.ts';
import {
  type AnnouncedResource,
  type Deliveries,
  deliveriesOf,
  seesDeliveries,
} from '@tapeline/db/operations/outbox/deliveries.ts';
import type { Withdrawn } from '@tapeline/db/operations/outbox/withdrawn-page.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { Screen } from '../../http/screen.server.ts';

type Table = 'contributions' | 'distributions';

/** The emails about the parts of a call or distribution, each with the investor whom its part is for. */
export async function shownDeliveries(
  session: Session,
  resource: AnnouncedResource,
  parts: readonly { id: string; investor: string | null }[],
): Promise<Deliveries> {
  const investors = new Map(parts.map(({ id, investor }) => [id, investor]));
  const found = await deliveriesOf(session, resource, [...investors.keys()]);
  return {
    ...found,
    rows: found.rows.map((delivery) => ({
      ...delivery,
      party: investors.get(delivery.documentId) ?? delivery.party,
    })),
  };
}

/** What is shown instead of a call or distribution that was withdrawn. */
interface Gone {
  readonly withdrawn: ShownWithdrawal;
  readonly callNumber: string;
  /** What has its number now, if it was issued again. */
  readonly again: string | null;
}

/** What the page of a call or distribution shows, or that it was withdrawn. @throws Refusal notFound as `load` */
export async function orWithdrawn<Page>(
  session: Session,
  table: Table,
  id: string,
  load: () => Promise<Page>,
): Promise<Page | Gone> {
  try {
    return await load();
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'notFound') throw error;
    const withdrawn = await withdrawnHeader(session, table, id);
    if (!withdrawn) throw error;
    return {
      withdrawn: await shownWithdrawal(session, withdrawn),
      callNumber: withdrawn.callNumber ?? '',
      again: await issuedAgain(session, table, id),
    };
  }
}

/** What a page says where a withdrawn document was. */
export interface ShownWithdrawal {
  readonly text: string;
  readonly reason: string | null;
  readonly deliveries: Deliveries;
  /** Where its history is, and an administrator deletes it for good; null for who may not read it. */
  readonly historyOf: { readonly resource: string; readonly id: string } | null;
}

export async function shownWithdrawal(
  session: Session,
  { resource, text, reason, documentIds }: Withdrawn,
): Promise<ShownWithdrawal> {
  const [id] = documentIds;
  return {
    text,
    reason,
    deliveries: await deliveriesOf(session, resource, documentIds),
    historyOf: id && seesDeliveries(session, resource) && can(session.actor, 'history/read') ? { resource, id } : null,
  };
}

/** Who would be told of a draft if it were issued, or why it cannot be issued. */
export type IssueReview = { readonly who: WhoIsTold; readonly warnings: string[] } | { readonly problem: string };

/** Issues a draft in a dry run, to ask who would be told. */
export const reviewIssue = (
  screen: Screen,
  table: Table,
  ids: readonly string[],
  issue: (session: Session) => Promise<void>,
): Promise<IssueReview> =>
  screen
    .dryRun(async (session) => {
      await issue(session);
      const who = await whoIsTold(session, table, ids);
      return { who, warnings: nobodyTold(who) };
    })
    .catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      return { problem: error.message };
    });

/**
 * Issues a draft and what it is netted with in a dry run, to ask who would be told. Investors of the other one alone are among
 * them.
 */
export const reviewNetted = (screen: Screen, pair: Netting): Promise<IssueReview> =>
  screen
    .dryRun(async (session) => {
      await issueNetted(session, pair);
      const called = await whoIsTold(
        session,
        'contributions',
        pair.lines.flatMap(({ contributionId }) => contributionId ?? []),
      );
      const alone = pair.lines.filter(({ contributionId }) => contributionId === null);
      const paid = await whoIsTold(
        session,
        'distributions',
        alone.flatMap(({ distributionId }) => distributionId ?? []),
      );
      const who = {
        investors: [...called.investors, ...paid.investors],
        // The two are past together; one of them can have no lines here.
        isPast: called.isPast || paid.isPast,
      };
      return { who, warnings: nobodyTold(who) };
    })
    .catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      return { problem: error.message };
    });

interface Reviewed {
  readonly netting: Netting | null;
  readonly id: string;
  readonly version: number;
  readonly mayWrite: boolean;
  readonly shares: readonly { readonly id: string }[];
}

/** The page of a call or distribution with the review of its issue, if the address asks for it. */
export async function withReview<Page extends Reviewed>(
  screen: Screen,
  table: Table,
  page: Page | Gone,
  step: (session: Session, command: { id: string; version: number; status: 'Active' }) => Promise<void>,
): Promise<(Page & { review: IssueReview | null }) | (Gone & { review: null })> {
  if ('withdrawn' in page) return { ...page, review: null };
  if (!page.mayWrite || screen.url.searchParams.get('ask') !== 'issue') return { ...page, review: null };
  const { id, version } = page;
  if (page.netting) return { ...page, review: await reviewNetted(screen, page.netting) };
  const ids = page.shares.map((share) => share.id);
  const issue = (session: Session) => step(session, { id, version, status: 'Active' });
  return { ...page, review: await reviewIssue(screen, table, ids, issue) };
}
