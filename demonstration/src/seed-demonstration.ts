import { Manager } from '@tapeline/db/entities/people.ts';
import { CurrencyRate } from '@tapeline/db/entities/records.ts';
import { newId } from '@tapeline/db/ids.ts';
import { recordJobFailure } from '@tapeline/db/operations/jobs/job-failures.ts';
import { seedFoundations } from '@tapeline/db/seed/seed-foundations.ts';
import type { Session } from '@tapeline/db/store.ts';
import { todayOf } from '@tapeline/db/today.ts';
import { setUpEarlier } from './acting.ts';
import { seedCash } from './cash.ts';
import { demonstrationRates } from './currency-course.ts';
import { readData } from './data.ts';
import { seedFundLife, seedFunds } from './funds.ts';
import { seedGridViews } from './grid-views.ts';
import { seedInvoices } from './invoices.ts';
import { addFacilities, seedLendingActivity } from './lending.ts';
import { ANALYST_EMAIL, BORROWER_EMAIL, DEMONSTRATION_MANAGER, INVESTOR_EMAIL, UPLOADER_EMAIL } from './names.ts';
import { addFurtherManagers, addOrganizations, addPeople } from './organizations.ts';
import { addUsers, ofManager, seedFirstPortfolio, seedSecondPortfolio } from './portfolios.ts';

/** A person whose account the documentation names, besides those of the portfolios. */
interface Account {
  readonly email: string;
  readonly role: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly status?: 'Pending';
  readonly isReadPrivacyAndTerms?: boolean;
  readonly isConfirmedUserDetails?: boolean;
  readonly isAdmin?: boolean;
}

/** A step that failed, so that the list of them has one; in the words of the workers. */
interface FailedJob {
  readonly hoursAgo: number;
  readonly activity: string;
  readonly job: string;
  readonly reason: string;
}

/**
 * A realistic portfolio and a second tenant that must never see it: the manager, fund and investors of each, companies
 * with their mappings, a facility under an Active contract, and an account of every type. Tapes are uploaded later,
 * through the product. Does nothing if the first manager already exists.
 * @returns whether anything was seeded
 */
export async function seedDemonstration(session: Session): Promise<boolean> {
  await seedFoundations(session);
  if ((await session.em.count(Manager, { name: DEMONSTRATION_MANAGER })) > 0) return false;

  for (const { date, rates } of demonstrationRates(todayOf(session))) {
    session.em.create(CurrencyRate, { id: newId(session.now), rates: { ...rates }, lastUpdate: date });
  }
  const managerId = await setUpEarlier(session, async (earlier) => {
    const first = await seedFirstPortfolio(earlier, {
      managerName: DEMONSTRATION_MANAGER,
      emails: {
        manager: UPLOADER_EMAIL,
        analyst: ANALYST_EMAIL,
        borrower: BORROWER_EMAIL,
        investor: INVESTOR_EMAIL,
      },
    });
    await seedSecondPortfolio(earlier, {
      managerName: 'Meridian Lending Partners',
      emails: {
        manager: 'manager2@tapeline.test',
        borrower: 'borrower2@tapeline.test',
        investor: 'investor2@tapeline.test',
      },
    });
    return first.managerId;
  });
  await addOrganizations(session, managerId);
  await addFacilities(session, managerId);
  await seedFunds(session, managerId);
  await seedFundLife(session, managerId);
  await addFurtherManagers(session);
  await addUsers(
    session,
    readData<Account[]>('accounts').map(({ isAdmin, ...account }) => ({
      ...account,
      ...(isAdmin
        ? { type: 'admin' as const, assoc: { admin: true as const } }
        : ofManager(managerId, DEMONSTRATION_MANAGER)),
    })),
  );
  await addPeople(session);
  await seedLendingActivity(session, managerId);
  await seedInvoices(session, managerId);
  await seedCash(session);
  // Long enough ago that a new demonstration raises no alert.
  const { hoursAgo, ...failure } = readData<FailedJob>('failed-job');
  await recordJobFailure({ ...session, now: new Date(session.now.getTime() - hoursAgo * 3_600_000) }, failure);
  await seedGridViews(session, UPLOADER_EMAIL);
  return true;
}
