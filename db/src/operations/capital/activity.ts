import { activityStatement } from '@tapeline/domain/capital/activity-statement.ts';
import type { NamedActivity } from '@tapeline/domain/capital/print-activity.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { classNameOf, classTitle } from '@tapeline/domain/funds/class-title.ts';
import { asProgram, type Session } from '../../store.ts';
import { type CommitmentView, getCommitment, getFund } from '../funds/funds.ts';
import { requirePermission } from '../permission.ts';
import { ledgersOf } from './ledgers.ts';
import { today } from './notices.ts';

/** What the documents of an activity statement need: the commitment, its calls, distributions and write-offs. */
export const ACTIVITY_PERMISSIONS = [
  'LPs/commitments/read',
  'contributions/read',
  'distributions/read',
  'funds/read',
] as const;

/**
 * The activity statement of a commitment up to a day: today, unless another one is given. Its sums are in the currency
 * of the fund.
 * @throws Refusal notFound; forbidden without `ACTIVITY_PERMISSIONS`
 */
export async function activityOf(
  session: Session,
  { id, cutOffDate = today(session) }: { id: string; cutOffDate?: CalendarDate | undefined },
): Promise<{ commitment: CommitmentView; statement: NamedActivity }> {
  for (const key of ACTIVITY_PERMISSIONS) requirePermission(session, key);
  const commitment = await getCommitment(session, id);
  const fund = await getFund(session, commitment.fundId);
  const ledger = (await ledgersOf(session, [id])).get(id)!;
  // An investor does not see the manager's document, but knows its name from every notice.
  const [manager] = await asProgram(session, () =>
    session.query<{ name: string }>('select name from managers where id = $1', [commitment.managerId]),
  );
  const ofClass = fund.classes.find(({ uniqueKey }) => uniqueKey === commitment.Class);
  return {
    commitment,
    statement: {
      ...activityStatement(ledger, cutOffDate),
      issuer: manager?.name ?? fund.title,
      fundTitle: fund.title,
      className: ofClass ? classTitle(ofClass.name) : classNameOf([], commitment.Class),
      investorTitle: commitment.investor?.title ?? 'Investor',
      currency: commitment.currency,
      issueDate: today(session),
    },
  };
}
