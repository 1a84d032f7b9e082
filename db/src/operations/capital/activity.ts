import { type ActivityStatement, activityStatement } from '@tapeline/domain/capital/activity-statement.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import type { Session } from '../../store.ts';
import { getCommitment } from '../funds/funds.ts';
import { requirePermission } from '../permission.ts';
import { ledgersOf } from './ledgers.ts';
import { today } from './notices.ts';

/** The activity of one investor in a fund, or in one of its classes, in the currency of the fund. */
export interface CommitmentActivity extends ActivityStatement {
  readonly commitment: string;
  readonly fund: string;
  readonly currency: string;
}

/**
 * The activity statement of a commitment up to a day: today, unless another one is given.
 * @throws Refusal notFound; forbidden for whoever cannot read commitments, calls and distributions
 */
export async function activityOf(
  session: Session,
  { id, cutOffDate = today(session) }: { id: string; cutOffDate?: CalendarDate | undefined },
): Promise<CommitmentActivity> {
  for (const key of ['LPs/commitments/read', 'contributions/read', 'distributions/read'] as const) {
    requirePermission(session, key);
  }
  const commitment = await getCommitment(session, id);
  const ledger = (await ledgersOf(session, [id])).get(id)!;
  return {
    commitment: id,
    fund: commitment.fundId,
    currency: commitment.currency,
    ...activityStatement(ledger, cutOffDate),
  };
}
