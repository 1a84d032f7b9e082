import { listObligations, type ObligationQuery, owedBy } from '@tapeline/db/operations/cash/obligations.ts';
import { listCredits } from '@tapeline/db/operations/cash/payments.ts';
import type { Session } from '@tapeline/db/store.ts';
import { sum } from '@tapeline/domain/money/decimal.ts';
import { type Actor, can } from '@tapeline/domain/people/actor.ts';
import { shownObligation } from './owed-table.tsx';

/** Amounts of one page, in each currency. */
export const MAX_SHOWN = 50;

/** Investors and borrowers have pages of their own of what they owe. */
export const mayOpenObligations = (actor: Actor): boolean =>
  actor.kind === 'user' && actor.lpIds.length === 0 && actor.type !== 'company';

/** What was paid of what is owed, in each currency, with the amounts themselves; credits for those who may read payments. */
export async function paidOf(session: Session, query: ObligationQuery, { withRows = true } = {}) {
  const { activities } = await owedBy(session, query);
  const credits =
    query.party && can(session.actor, 'payments/read') ? await listCredits(session, { party: query.party }) : [];
  const currencies = [];
  for (const [currency, own] of Map.groupBy(activities, (one) => one.currency)) {
    const { obligations, total } = withRows
      ? await listObligations(session, { ...query, currency, isOpenFirst: true, limit: MAX_SHOWN })
      : { obligations: [], total: 0 };
    currencies.push({
      currency,
      rows: obligations.map(shownObligation),
      totals: {
        count: total,
        amount: sum(own.map(({ amount }) => amount)),
        allocated: sum(own.map(({ allocated }) => allocated)),
        open: sum(own.map(({ open }) => open)),
      },
      overdue: sum(own.map(({ overdue }) => overdue)),
      credit: credits.find((one) => one.currency === currency)?.amount ?? null,
    });
  }
  return { mayOpen: mayOpenObligations(session.actor), currencies };
}
export type Paid = Awaited<ReturnType<typeof paidOf>>;
