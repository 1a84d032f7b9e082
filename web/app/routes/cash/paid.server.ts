import { listObligations, type ObligationQuery } from '@tapeline/db/operations/cash/obligations.ts';
import { listCredits } from '@tapeline/db/operations/cash/payments.ts';
import type { Session } from '@tapeline/db/store.ts';
import { type Actor, can } from '@tapeline/domain/people/actor.ts';
import { shownObligation } from './owed-table.tsx';

/** Amounts of one page, in each currency. */
const MAX_SHOWN = 50;

/** Investors and borrowers have pages of their own of what they owe. */
export const mayOpenObligations = (actor: Actor): boolean =>
  actor.kind === 'user' && actor.lpIds.length === 0 && actor.type !== 'company';

/** What was paid of what is owed, in each currency, with the amounts themselves; credits for those who may read payments. */
export async function paidOf(session: Session, query: ObligationQuery, { withRows = true } = {}) {
  const { sums } = await listObligations(session, { ...query, limit: 0 });
  const credits =
    query.party && can(session.actor, 'payments/read')
      ? await listCredits(session, { party: query.party, direction: query.direction ?? 'in' })
      : [];
  const currencies = [];
  for (const totals of sums) {
    const { currency } = totals;
    const { obligations } = withRows
      ? await listObligations(session, { ...query, currency, isOpenFirst: true, limit: MAX_SHOWN })
      : { obligations: [] };
    currencies.push({
      totals,
      rows: obligations.map(shownObligation),
      credit: credits.find((one) => one.currency === currency)?.amount ?? null,
    });
  }
  return { mayOpen: mayOpenObligations(session.actor), currencies };
}
export type Paid = Awaited<ReturnType<typeof paidOf>>;
