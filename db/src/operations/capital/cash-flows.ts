import { type CashFlow, cashFlowsOf } from '@tapeline/domain/capital/activity-statement.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import { classNameOf } from '@tapeline/domain/funds/class-title.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { listObligations, type Obligation } from '../cash/obligations.ts';
import { requirePermission } from '../permission.ts';
import { ACTIVITY_PERMISSIONS } from './activity.ts';
import { ledgersOf } from './ledgers.ts';

/** A payment of an investor. */
export interface NamedCashFlow extends CashFlow {
  readonly investorTitle: string;
  readonly fundTitle: string;
  /** The name of its class. */
  readonly className: string | null;
  /** Of the fund: amounts are never converted. */
  readonly currency: string;
  /** What the investor of a call states when it pays. */
  readonly reference: string | null;
  /** What of it is netted, what was paid, when, and what is open. Null if it has no obligation. */
  readonly paid: Pick<Obligation, 'netted' | 'allocated' | 'paidOn' | 'open'> | null;
}

interface Committed extends Pick<NamedCashFlow, 'investorTitle' | 'fundTitle' | 'currency'> {
  readonly id: string;
  readonly classes: Parameters<typeof classNameOf>[0];
  readonly Class: string | null;
}

/** Whose payments: all that the actor can see, of a fund, or of an investor. */
export interface CashFlowScope {
  readonly fundId?: string | undefined;
  readonly investorId?: string | undefined;
}

/** Commitments of one list: each brings its whole history. */
const MAX_COMMITMENTS = 5_000;

/** What is owed by issued calls and distributions, by commitment, kind and number. */
async function owedOf(session: Session, commitmentIds: readonly string[]): Promise<Map<string, Obligation>> {
  const issued = await session.query<{ id: string; key: string }>(
    `select id, concat_ws('/', commitment_id, 'cont', call_number) as key from contributions
       where commitment_id = any ($1) and status in ('Active', 'Closed')
     union all select id, concat_ws('/', commitment_id, 'dist', call_number) from distributions
       where commitment_id = any ($1) and status in ('Active', 'Closed')`,
    [commitmentIds],
  );
  const { obligations } = await listObligations(session, { documents: issued.map(({ id }) => id) });
  const owed = new Map(obligations.map((one) => [one.documentId, one]));
  return new Map(issued.flatMap(({ id, key }) => (owed.has(id) ? [[key, owed.get(id)!] as const] : [])));
}

/**
 * Every call that was due and every distribution up to today, the earliest first: the payments of activity statements. An
 * investor gets those of its own commitments, everyone else those of all visible ones.
 * @throws Refusal forbidden without `ACTIVITY_PERMISSIONS`; badRequest for more than 5,000 commitments
 */
export async function cashFlows(
  session: Session,
  { fundId, investorId }: CashFlowScope = {},
): Promise<{ cashFlows: NamedCashFlow[]; cutOffDate: CalendarDate }> {
  for (const key of ACTIVITY_PERMISSIONS) requirePermission(session, key);
  const { actor } = session;
  const own = actor.kind === 'user' && actor.lpIds.length > 0 ? [...actor.lpIds] : null;
  const commitments = await session.query<Committed>(
    `select c.id, f.title as "fundTitle", f.classes, c.class as "Class", c.currency,
       coalesce(l.title, i.title, '') as "investorTitle"
     from lp_commitments c join funds f on f.id = c.fund_id
       left join lps l on l.id = c.investor_lp_id left join funds i on i.id = c.investor_fund_id
     where c.status in ('Active', 'Closed') and ($1::text[] is null or c.investor_lp_id = any ($1))
       and ($2::text is null or c.fund_id = $2) and ($3::text is null or coalesce(c.investor_lp_id, c.investor_fund_id) = $3)
     order by f.title, l.title, c.class, c.id limit ${MAX_COMMITMENTS + 1}`,
    [own, fundId ?? null, investorId ?? null],
  );
  if (commitments.length > MAX_COMMITMENTS) {
    throw new Refusal('badRequest', 'Payments are listed for at most 5,000 commitments. Export those of one fund');
  }
  const ids = commitments.map(({ id }) => id);
  const ledgers = await ledgersOf(session, ids);
  const owed = await owedOf(session, ids);
  const cutOffDate = todayOf(session);
  const flows = commitments.flatMap(({ id, classes, Class, ...names }) => {
    const ledger = ledgers.get(id);
    const className = classNameOf(classes, Class);
    const shown = ledger ? cashFlowsOf(ledger, cutOffDate) : [];
    return shown.map((flow): NamedCashFlow => {
      const paid = owed.get(`${id}/${flow.actionType}/${flow.title}`) ?? null;
      return {
        ...flow,
        ...names,
        className,
        paid,
        reference: flow.actionType === 'cont' ? (paid?.reference ?? null) : null,
      };
    });
  });
  // Of one day, those of one fund stay together.
  return { cashFlows: flows.toSorted((a, b) => a.date.localeCompare(b.date)), cutOffDate };
}
