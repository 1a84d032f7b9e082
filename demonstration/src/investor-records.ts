import { LP, Manager } from '@tapeline/db/entities/people.ts';
import { declineAccountRequest, requestAccount } from '@tapeline/db/operations/investors/account-requests.ts';
import { getLP, updateLP } from '@tapeline/db/operations/investors/investors.ts';
import { confirmPayoutAccount } from '@tapeline/db/operations/investors/payout-accounts.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { accountRequestSchema } from '@tapeline/domain/investors/account-request.schema.ts';
import { lpUpdateSchema } from '@tapeline/domain/investors/lp.schema.ts';
import { asManager, type Done, daysBefore } from './acting.ts';
import { readData } from './data.ts';
import { COLLEAGUE_EMAIL, DEMONSTRATION_MANAGER } from './names.ts';

interface InvestorRecord {
  /** Its title. */
  readonly investor: string;
  /** Fields of the investor; a day is a number of days from the seeding. */
  readonly record: object;
  /** How a colleague checked its pay-out accounts; omitted while they wait. */
  readonly check?: { readonly number: string; readonly contact: string };
  /** Whether a colleague entered the record, so that the manager's first user confirms the account. */
  readonly chosenByColleague?: boolean;
}

/** The records of the first manager's investors: complete ones, one that has expired, one that expires soon, and others. */
export async function addInvestorRecords(session: Session): Promise<void> {
  const { id: managerId } = await session.em.findOneOrFail(Manager, { name: DEMONSTRATION_MANAGER });
  const today = toEpochDay(todayOf(session));
  const dated = (value: object): object =>
    JSON.parse(JSON.stringify(value), (_, part) => (typeof part === 'number' ? fromEpochDay(today + part) : part));
  const now = session.now.toISOString();
  for (const { investor, record, check, chosenByColleague } of readData<InvestorRecord[]>('investor-records')) {
    const { id } = await session.em.findOneOrFail(LP, { managerId, title: investor });
    const stored = await asManager(
      session,
      now,
      async (acting) => {
        const { title, domains, version, entityId: entity, groupId } = await getLP(acting, id);
        const group = groupId ? { id: groupId } : null;
        const body = lpUpdateSchema.parse({ title, domains, version, entity, group, ...dated(record) });
        return updateLP(acting, { id, body });
      },
      chosenByColleague ? COLLEAGUE_EMAIL : undefined,
    );
    if (check === undefined) continue;
    for (const payout of stored.payoutAccounts) {
      const confirm = (acting: Session) =>
        confirmPayoutAccount(acting, {
          id: payout.id,
          check: { ...check, calledOn: now.slice(0, 10), readBack: true },
        });
      await asManager(session, now, confirm, COLLEAGUE_EMAIL);
    }
  }
}

interface AskedAccount extends Done {
  /** Of the user of the investor or the borrower who asks. */
  readonly email: string;
  readonly request: object;
  readonly declined?: Done & { readonly reason: string };
}

/** An investor asks for another account, which waits, and a borrower for one that was declined. */
export async function addAccountRequests(session: Session): Promise<void> {
  const at = ({ daysAgo, time }: Done) => daysBefore(session.now, daysAgo, time).toISOString();
  for (const { email, request, declined, ...asked } of readData<AskedAccount[]>('account-requests')) {
    const { id } = await asManager(
      session,
      at(asked),
      (acting) => {
        const { actor } = acting;
        if (actor.kind !== 'user') throw new Error(`${email} is not a user`);
        const party = actor.companyId
          ? ({ kind: 'companies', id: actor.companyId } as const)
          : ({ kind: 'LPs', id: actor.lpIds[0] ?? '' } as const);
        return requestAccount(acting, { party, body: accountRequestSchema.parse(request) });
      },
      email,
    );
    if (!declined) continue;
    const { reason, ...decided } = declined;
    await asManager(session, at(decided), (acting) => declineAccountRequest(acting, { id, reason }), COLLEAGUE_EMAIL);
  }
}
