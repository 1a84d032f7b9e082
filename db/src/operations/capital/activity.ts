import { activityStatement, combinedActivity } from '@tapeline/domain/capital/activity-statement.ts';
import type { CurrencyActivity, InvestorActivity, NamedActivity } from '@tapeline/domain/capital/print/activity.ts';
import type { CalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { classNameOf, classTitle } from '@tapeline/domain/funds/class-title.ts';
import { type Actor, can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import { joined } from '@tapeline/domain/printing/printed-figures.ts';
import type { Session } from '../../store.ts';
import { todayOf } from '../../today.ts';
import { type CommitmentView, getCommitment, getFund } from '../funds/funds.ts';
import { getLP } from '../investors/investors.ts';
import { managerNameOf } from '../managers/managers.ts';
import { requirePermission } from '../permission.ts';
import { ledgersOf } from './ledgers.ts';

/** What the documents of an activity statement need: the commitment, its calls, distributions and write-offs. */
export const ACTIVITY_PERMISSIONS: readonly PermissionKey[] = [
  'LPs/commitments/read',
  'contributions/read',
  'distributions/read',
  'funds/read',
];

/**
 * Whether a person may see what is called from a single investor, unfunded and distributed to it: such a figure often
 * is the amount of one call or distribution.
 */
export const seesActivity = (actor: Actor): boolean => ACTIVITY_PERMISSIONS.every((key) => can(actor, key));

interface OfDay {
  readonly id: string;
  /** Entries up to this day. Today, unless another one is given. */
  readonly cutOffDate?: CalendarDate | undefined;
}

const titleOfClass = (classes: Parameters<typeof classNameOf>[0], key: string | null): string | null => {
  const found = classes.find(({ uniqueKey }) => uniqueKey === key);
  return found ? classTitle(found.name) : classNameOf([], key);
};

/**
 * The activity statement of a commitment up to a day. Its sums are in the currency of the fund.
 * @throws Refusal notFound; forbidden unless `seesActivity`
 */
export async function activityOf(
  session: Session,
  { id, cutOffDate = todayOf(session) }: OfDay,
): Promise<{ commitment: CommitmentView; statement: NamedActivity }> {
  for (const key of ACTIVITY_PERMISSIONS) requirePermission(session, key);
  const commitment = await getCommitment(session, id);
  const fund = await getFund(session, commitment.fundId);
  const ledger = (await ledgersOf(session, [id])).get(id)!;
  return {
    commitment,
    statement: {
      ...activityStatement(ledger, cutOffDate),
      issuer: (await managerNameOf(session, commitment.managerId)) ?? fund.title,
      fundTitle: fund.title,
      className: titleOfClass(fund.classes, commitment.Class ?? null),
      investorTitle: commitment.investor?.title ?? 'Investor',
      currency: commitment.currency,
      issueDate: todayOf(session),
    },
  };
}

interface Committed {
  readonly id: string;
  readonly fund: string;
  readonly fundTitle: string;
  readonly classes: Parameters<typeof classNameOf>[0];
  readonly Class: string | null;
  readonly currency: string;
}

/**
 * The activity statement of an investor over its visible commitments up to a day, for each currency.
 * @throws Refusal notFound; forbidden unless `seesActivity` and LPs/read
 */
export async function activityOfInvestor(
  session: Session,
  { id, cutOffDate = todayOf(session) }: OfDay,
): Promise<InvestorActivity> {
  for (const key of ACTIVITY_PERMISSIONS) requirePermission(session, key);
  const investor = await getLP(session, id);
  const commitments = await session.query<Committed>(
    `select c.id, c.fund_id as fund, f.title as "fundTitle", f.classes, c.class as "Class", c.currency
     from lp_commitments c join funds f on f.id = c.fund_id
     where c.investor_lp_id = $1 and c.status in ('Active', 'Closed') order by f.title, c.class, c.id`,
    [id],
  );
  const ledgers = await ledgersOf(
    session,
    commitments.map((one) => one.id),
  );
  const currencies = [...Map.groupBy(commitments, ({ currency }) => currency)]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([currency, all]): CurrencyActivity => {
      const { entries, closing } = combinedActivity(
        all.map((one) => ledgers.get(one.id)!),
        cutOffDate,
      );
      return {
        currency,
        closing,
        entries: entries.map(({ ledger, ...entry }) => {
          const { id: commitment, fund, fundTitle, classes, Class } = all[ledger]!;
          return { ...entry, commitment, fund, Class, fundTitle: joined(fundTitle, titleOfClass(classes, Class)) };
        }),
      };
    });
  return {
    issuer: (await managerNameOf(session, investor.managerId)) ?? investor.title,
    investor: { id, title: investor.title, formalName: investor.entity.name, code: investor.code },
    investorTitle: investor.title,
    cutOffDate,
    issueDate: todayOf(session),
    currencies,
  };
}
