import { type CashFlow, cashFlowsOf } from '@tapeline/domain/capital/activity-statement.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import type { Session } from '../../store.ts';
import { requirePermission } from '../permission.ts';
import { ACTIVITY_PERMISSIONS } from './activity.ts';
import { ledgersOf } from './ledgers.ts';
import { today } from './notices.ts';

/** A payment of one of the actor's investors. */
export interface OwnCashFlow extends CashFlow {
  readonly investorTitle: string;
  readonly fundTitle: string;
  /** The name of its class. */
  readonly className: string | null;
  /** Of the fund: amounts are never converted. */
  readonly currency: string;
}

interface Committed extends Pick<OwnCashFlow, 'investorTitle' | 'fundTitle' | 'currency'> {
  readonly id: string;
  readonly classes: Parameters<typeof classNameOf>[0];
  readonly Class: string | null;
}

/**
 * Every call that was due and every distribution up to today of the investors that the actor stands for, in all funds,
 * the earliest first: the payments of their activity statements.
 * @throws Refusal forbidden without `ACTIVITY_PERMISSIONS`; notFound for anyone but an investor
 */
export async function ownCashFlows(session: Session): Promise<{ cashFlows: OwnCashFlow[]; cutOffDate: CalendarDate }> {
  for (const key of ACTIVITY_PERMISSIONS) requirePermission(session, key);
  const { actor } = session;
  if (actor.kind !== 'user' || actor.lpIds.length === 0) throw new Refusal('notFound');
  const commitments = await session.query<Committed>(
    `select c.id, f.title as "fundTitle", f.classes, c.class as "Class", c.currency, l.title as "investorTitle"
     from lp_commitments c join funds f on f.id = c.fund_id join lps l on l.id = c.investor_lp_id
     where c.investor_lp_id = any ($1) and c.status in ('Active', 'Closed') order by f.title, l.title, c.class, c.id`,
    [actor.lpIds],
  );
  const ledgers = await ledgersOf(
    session,
    commitments.map(({ id }) => id),
  );
  const cutOffDate = today(session);
  const cashFlows = commitments.flatMap(({ id, classes, Class, ...named }) => {
    const ledger = ledgers.get(id);
    const className = classNameOf(classes, Class);
    return ledger ? cashFlowsOf(ledger, cutOffDate).map((flow) => ({ ...flow, ...named, className })) : [];
  });
  // Of one day, those of one fund stay together.
  return { cashFlows: cashFlows.toSorted((a, b) => a.date.localeCompare(b.date)), cutOffDate };
}
