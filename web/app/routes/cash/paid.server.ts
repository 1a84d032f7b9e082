import { listObligations, type ObligationQuery, owedBy } from '@tapeline/db/operations/cash/obligations.ts';
import { listCredits } from '@tapeline/db/operations/cash/payments.ts';
import type { Session } from '@tapeline/db/store.ts';
import { subtract, sum } from '@tapeline/domain/money/decimal.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { shownObligation } from './owed-table.tsx';

/** Amounts of one page. */
const MOST = 50;

/** What was paid of what is owed, in each currency, with the amounts themselves; credits for those who may read payments. */
export async function paidOf(session: Session, query: ObligationQuery, { withRows = true } = {}) {
  const { activities } = await owedBy(session, query);
  const { obligations, total } = withRows
    ? await listObligations(session, { ...query, limit: query.limit ?? MOST })
    : { obligations: [], total: 0 };
  const credits =
    query.party && can(session.actor, 'payments/read')
      ? await listCredits(session, { party: query.party, direction: query.direction ?? 'in' })
      : [];
  return {
    total,
    rows: obligations.map(shownObligation),
    currencies: [...Map.groupBy(activities, ({ currency }) => currency)].map(([currency, own]) => {
      const amount = sum(own.map((one) => one.amount));
      const paid = sum(own.map(({ allocated }) => allocated));
      return {
        currency,
        paid,
        short: subtract(amount, paid),
        overdue: sum(own.map(({ overdue }) => overdue)),
        credit: credits.find((one) => one.currency === currency)?.amount ?? null,
      };
    }),
  };
}
export type Paid = Awaited<ReturnType<typeof paidOf>>;
