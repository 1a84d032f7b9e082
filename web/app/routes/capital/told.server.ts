import { deliveriesOf } from '@tapeline/db/operations/capital/deliveries.ts';
import { nobodyTold, type WhoIsTold, whoIsTold } from '@tapeline/db/operations/capital/tell-investors.ts';
import { withdrawnBundle } from '@tapeline/db/operations/capital/withdrawn.ts';
import type { Session } from '@tapeline/db/store.ts';
import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import type { Screen } from '../../http/screen.server.ts';
import type { ShownDelivery } from './who-is-told.tsx';

type Table = 'contributions' | 'distributions';

/** The emails about the parts of a call or distribution, each with the investor whom it is for. */
export async function shownDeliveries(
  session: Session,
  table: Table,
  parts: readonly { id: string; investor: string | null }[],
): Promise<ShownDelivery[]> {
  const investors = new Map(parts.map(({ id, investor }) => [id, investor]));
  const found = await deliveriesOf(session, table, [...investors.keys()]);
  return found.map((delivery) => ({ ...delivery, investor: investors.get(delivery.documentId) ?? null }));
}

/** What the page of a call or distribution shows, or that it was withdrawn. @throws Refusal notFound as `load` */
export async function orWithdrawn<Page>(
  session: Session,
  table: Table,
  id: string,
  load: () => Promise<Page>,
): Promise<Page | { withdrawn: Awaited<ReturnType<typeof shownWithdrawal>>; callNumber: string }> {
  try {
    return await load();
  } catch (error) {
    if (!isRefusal(error) || error.code !== 'notFound') throw error;
    const withdrawn = await withdrawnBundle(session, table, id);
    if (!withdrawn) throw error;
    return { withdrawn: await shownWithdrawal(session, table, withdrawn), callNumber: withdrawn.callNumber ?? '' };
  }
}

async function shownWithdrawal(
  session: Session,
  table: Table,
  { text, reason, documentIds }: { text: string; reason: string | null; documentIds: readonly string[] },
) {
  const parts = documentIds.map((id) => ({ id, investor: null }));
  return { text, reason, deliveries: await shownDeliveries(session, table, parts) };
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
