import { listDraws } from '@tapeline/db/operations/draws/draw-views.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { daysBetween } from '@tapeline/domain/dates/calendar-date.ts';
import { isPending } from '@tapeline/domain/draws/exceptions.ts';
import { totalByCurrency } from '@tapeline/domain/money/totals.ts';

/** Draw requests as Home and Monitoring show them, with how long each has waited. */
export async function readDraws(
  session: Session,
  query: { filter?: object; sort: Record<string, 1 | -1>; limit: number },
) {
  const { documents, total } = await listDraws(session, query);
  const today = todayOf(session);
  return {
    total,
    draws: documents.map((draw) => ({
      id: draw.id,
      code: draw.code,
      status: draw.status,
      company: draw.companyName,
      note: `${draw.transactionTitle}, ${draw.noteTitle}`,
      // Amounts in several currencies are never added up.
      amounts: totalByCurrency(draw.draws.flatMap(({ amounts }) => amounts)),
      dueDate: draw.dueDate,
      requestedOn: draw.metadata.iat.slice(0, 10),
      waitedDays: Math.max(0, daysBetween(draw.metadata.iat.slice(0, 10), today)),
      exceptions: [...new Set(draw.exceptions.filter(isPending).map(({ exception }) => exception.message))],
    })),
  };
}

export type DashboardDraws = Awaited<ReturnType<typeof readDraws>>;

/** The requests that nobody has decided yet, the oldest first. */
export const readWaitingDraws = (session: Session, command: { limit: number }) =>
  readDraws(session, {
    filter: { status: { in: ['Pending', 'In Review'] } },
    sort: { 'metadata.iat': 1 },
    limit: command.limit,
  });
