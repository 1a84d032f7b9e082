import type { EntityCreate } from '@tapeline/domain/entities/entity.schema.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { CommitmentFees } from '@tapeline/domain/funds/fees.schema.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { Fund, LPCommitment } from '../entities/funds.ts';
import { Company, LP, LPGroup, Manager, Role, User } from '../entities/people.ts';
import { CurrencyRate } from '../entities/records.ts';
import { LegalEntity } from '../entities/register.ts';
import { ServiceProvider } from '../entities/service-providers.ts';
import { newId } from '../ids.ts';
import { todayOf } from '../operations/currencies/rates.ts';
import { recordJobFailure } from '../operations/jobs/job-failures.ts';
import { createMapping } from '../operations/mappings/mappings.ts';
import { createdMetadata } from '../operations/metadata.ts';
import { addDefaultTables } from '../operations/tables/tables.ts';
import { createTransaction } from '../operations/transactions/transactions.ts';
import type { Session } from '../store.ts';
import { setUpEarlier } from './demonstration/changes.ts';
import { demonstrationRates } from './demonstration/currency-course.ts';
import { northwindFacility } from './demonstration/facility.ts';
import { seedFundLife } from './demonstration/fund-life.ts';
import { seedFunds } from './demonstration/funds.ts';
import { seedGridViews } from './demonstration/grid-views.ts';
import { seedLendingActivity } from './demonstration/lending-activity.ts';
import { ALDER_MAPPING, NORTHWIND_MAPPING } from './demonstration/mappings.ts';
import { alderInvestment, keystoneLoan, severnFacility } from './demonstration/more-facilities.ts';
import { FIRST_TENANT_ORGANIZATIONS, type ListedOrganizations, MORE_TENANTS } from './demonstration/organizations.ts';
import { seedPeople } from './demonstration/people.ts';
import {
  ALDER_COMPANY,
  COMPANY_COUNSEL,
  DEMONSTRATION_MANAGER,
  FUND_ADMINISTRATOR,
  INVESTOR_EMAIL,
  KEYSTONE_COMPANY,
  MANAGER_COUNSEL,
  NORTHWIND_COMPANY,
  SEVERN_COMPANY,
} from './demonstration/portfolio.ts';
import { firstTenant, type SeededTenant, secondTenant, seededCompanies } from './demonstration-parties.ts';
import { seedFoundations } from './seed-foundations.ts';

interface Tenant {
  managerId: string;
  fundId: string;
  lpIds: string[];
}

function addEntity(session: Session, managerId: string, entity: EntityCreate): string {
  const { em, now } = session;
  const metadata = createdMetadata(session);
  return em.create(LegalEntity, { id: newId(now), managerId, ...entity, metadata }).id;
}

const FAILED_AGO_MS = 26 * 3_600_000;
/** A step that failed, so that the list of them has one; in the words of the workers. */
const FAILED_JOB = {
  activity: 'makeDueNotices',
  job: 'make-notices',
  reason:
    'Waiting notices and statements could not be made (the logo of the manager is not an image). Retrying does not help. Read the log of the workers, or send this text to support. The next scheduled run tries again.',
};

/** What the investors of a tenant's first fund pay. */
const FEES: CommitmentFees = {
  management: { invested: 1.25, interestIncome: 2 },
  success: { hurdle: 6, rate: 10, catchUp: 50 },
  transaction: { applied: true, cap: 0.5 },
};

function makeTenant(session: Session, { manager, fund, investors }: SeededTenant): Tenant {
  const { em, now } = session;
  const metadata = createdMetadata(session);
  const managerId = newId(now);
  const fundId = newId(now);
  em.create(Manager, { id: managerId, entityId: addEntity(session, managerId, manager), metadata });
  addDefaultTables(session, managerId, metadata);
  const { entity: fundEntity, ...terms } = fund;
  em.create(Fund, {
    id: fundId,
    managerId,
    ...terms,
    entityId: addEntity(session, managerId, fundEntity),
    type: 'ComingleFund',
    strategy: 'ABL',
    currency: 'USD',
    classes: [{ name: 'Class A', uniqueKey: 'A' }],
    metadata,
  });
  const lpIds = investors.map(({ entity, commitment, closingDate }) => {
    const id = newId(now);
    em.create(LP, { id, managerId, title: entity.name, entityId: addEntity(session, managerId, entity), metadata });
    em.create(LPCommitment, {
      id: newId(now),
      managerId,
      fundId,
      investorKind: 'LP',
      investorLPId: id,
      Class: 'A',
      closingDate,
      currency: 'USD',
      maxCommitment: commitment,
      activeCommitment: commitment,
      fees: FEES,
      metadata,
    });
    return id;
  });
  return { managerId, fundId, lpIds };
}

function makeCompany(session: Session, managerId: string, entity: EntityCreate): string {
  const id = newId(session.now);
  session.em.create(Company, {
    id,
    managerId,
    entityId: addEntity(session, managerId, entity),
    metadata: createdMetadata(session),
  });
  return id;
}

async function makeUsers(session: Session, users: readonly (Partial<User> & { email: string; role: string })[]) {
  const roles = new Map((await session.em.find(Role, { managerId: null })).map((role) => [role.title, role.id]));
  for (const { role, ...user } of users) {
    session.em.create(User, {
      id: newId(session.now),
      metadata: createdMetadata(session),
      roleId: roles.get(role) ?? null,
      isReadPrivacyAndTerms: true,
      isConfirmedUserDetails: true,
      ...(user as Required<Pick<User, 'firstName' | 'lastName' | 'email' | 'type' | 'assoc'>>),
    });
  }
}

const manager = (id: string, title: string) => ({
  type: 'manager' as const,
  assoc: { manager: { id, title } },
  managerId: id,
});
const company = (managerId: string, id: string, title: string) => ({
  type: 'company' as const,
  assoc: { company: { id, title } },
  managerId,
  companyId: id,
});
const investor = (managerId: string, id: string, title: string) => ({
  type: 'LP' as const,
  assoc: { LP: { id, title } },
  managerId,
  LPs: [id],
});

/** Names of a portfolio that must be unique in the database. */
export interface PortfolioNames<Person extends string> {
  managerName: string;
  emails: Record<Person, string>;
}

const COMPANIES = seededCompanies({ northwind: NORTHWIND_COMPANY, alder: ALDER_COMPANY });

/**
 * The portfolio of the demonstration's first manager: a fund and its investors, two companies with their mappings, a
 * facility under an Active contract, and an account of every type except admin. Its borrower belongs to Northwind.
 * Requires the foundations.
 */
export async function seedFirstPortfolio(
  session: Session,
  { managerName, emails }: PortfolioNames<'manager' | 'analyst' | 'borrower' | 'investor'>,
): Promise<{ managerId: string }> {
  const { managerId, fundId, lpIds } = makeTenant(session, firstTenant(managerName));
  const northwind = makeCompany(session, managerId, COMPANIES.northwind);
  const alder = makeCompany(session, managerId, COMPANIES.alder);
  await session.em.flush();
  await makeUsers(session, [
    {
      email: emails.manager,
      role: 'Fund manager',
      firstName: 'Mara',
      lastName: 'Holt',
      ...manager(managerId, managerName),
    },
    {
      email: emails.analyst,
      role: 'Analyst',
      firstName: 'Anton',
      lastName: 'Reyes',
      ...manager(managerId, managerName),
    },
    {
      email: emails.borrower,
      role: 'Borrower',
      firstName: 'Bea',
      lastName: 'Lindqvist',
      ...company(managerId, northwind, NORTHWIND_COMPANY),
    },
    {
      email: emails.investor,
      role: 'Investor',
      firstName: 'Ines',
      lastName: 'Okoro',
      ...investor(managerId, lpIds[0] as string, 'Calder Valley Pension Scheme'),
    },
  ]);
  await session.em.flush();
  const mapping = await createMapping(session, { companyId: northwind, body: parseMapping(NORTHWIND_MAPPING) });
  await createMapping(session, { companyId: alder, body: parseMapping(ALDER_MAPPING) });
  const facility = northwindFacility({ company: northwind, mapping: mapping.id, fund: fundId });
  await createTransaction(session, transactionSchema.parse(facility));
  return { managerId };
}

/** The portfolio of the second manager: a fund and a company without a mapping. Requires the foundations. */
export async function seedSecondPortfolio(
  session: Session,
  { managerName, emails }: PortfolioNames<'manager' | 'borrower' | 'investor'>,
): Promise<{ managerId: string }> {
  const { managerId, lpIds } = makeTenant(session, secondTenant(managerName));
  const fernhill = makeCompany(session, managerId, COMPANIES.fernhill);
  await session.em.flush();
  await makeUsers(session, [
    {
      email: emails.manager,
      role: 'Fund manager',
      firstName: 'Milo',
      lastName: 'Varga',
      ...manager(managerId, managerName),
    },
    {
      email: emails.borrower,
      role: 'Borrower',
      firstName: 'Bruno',
      lastName: 'Sato',
      ...company(managerId, fernhill, 'Fernhill Equipment Finance'),
    },
    {
      email: emails.investor,
      role: 'Investor',
      firstName: 'Isla',
      lastName: 'Brandt',
      ...investor(managerId, lpIds[0] as string, 'Lakeside Insurance'),
    },
  ]);
  await session.em.flush();
  return { managerId };
}

/** Adds companies, investors with their groups, and service providers to a manager. */
async function addOrganizations(
  session: Session,
  managerId: string,
  organizations: ListedOrganizations,
): Promise<void> {
  const { em, now } = session;
  const groups = new Map<string, string>();
  for (const { entity, domains } of organizations.companies) {
    em.create(Company, { id: newId(now), managerId, domains, entityId: addEntity(session, managerId, entity) });
  }
  for (const { entity, domains, group } of organizations.investors) {
    if (group && !groups.has(group))
      groups.set(group, em.create(LPGroup, { id: newId(now), managerId, title: group }).id);
    em.create(LP, {
      id: newId(now),
      managerId,
      title: entity.name,
      domains,
      groupId: (group && groups.get(group)) || null,
      entityId: addEntity(session, managerId, entity),
    });
  }
  for (const { entities, ...provider } of organizations.providers) {
    const entityIds = entities.map((entity) => addEntity(session, managerId, entity));
    em.create(ServiceProvider, { id: newId(now), managerId, ...provider, entityIds });
  }
  await em.flush();
}

/** The further facilities of the demonstration's first manager, whose organizations are there. */
async function addFacilities(session: Session, managerId: string): Promise<void> {
  const { em } = session;
  const companies = await em.find(Company, { managerId });
  const entities = await em.find(LegalEntity, { managerId });
  const { id: fund } = await em.findOneOrFail(Fund, { managerId });
  const idOf = (documents: readonly { id: string; name: string }[], name: string): string => {
    const found = documents.find((document) => document.name === name);
    if (!found) throw new Error(`The demonstration has no ${name}`);
    return found.id;
  };
  const partiesOf = (company: string) => ({
    company: idOf(companies, company),
    fund,
    companyCounsel: idOf(entities, COMPANY_COUNSEL),
    managerCounsel: idOf(entities, MANAGER_COUNSEL),
    agent: idOf(entities, FUND_ADMINISTRATOR),
  });
  for (const facility of [
    severnFacility(partiesOf(SEVERN_COMPANY)),
    keystoneLoan(partiesOf(KEYSTONE_COMPANY)),
    alderInvestment(partiesOf(ALDER_COMPANY)),
  ])
    await createTransaction(session, transactionSchema.parse(facility));
}

/** A tenant of the demonstration that has organizations and one user, and no portfolio yet. */
async function makeFurtherTenant(session: Session, tenant: (typeof MORE_TENANTS)[number]): Promise<void> {
  const { em, now } = session;
  const managerId = newId(now);
  const [firstName, lastName] = tenant.person;
  em.create(Manager, {
    id: managerId,
    domains: tenant.domains,
    entityId: addEntity(session, managerId, tenant.manager),
  });
  addDefaultTables(session, managerId);
  await addOrganizations(session, managerId, tenant);
  const user = { email: tenant.email, role: 'Fund manager', firstName, lastName };
  await makeUsers(session, [{ ...user, ...manager(managerId, tenant.manager.name) }]);
}

/**
 * A realistic portfolio and a second tenant that must never see it: the manager, fund and investors of each, companies
 * with their mappings, a facility under an Active contract, and an account of every type. Tapes are uploaded later,
 * through the product. Does nothing if the first manager already exists.
 * @returns whether anything was seeded
 */
export async function seedDemonstration(session: Session): Promise<boolean> {
  await seedFoundations(session);
  const [there] = await session.query('select 1 from managers where name = $1', [DEMONSTRATION_MANAGER]);
  if (there) return false;

  for (const { date, rates } of demonstrationRates(todayOf(session))) {
    session.em.create(CurrencyRate, { id: newId(session.now), rates: { ...rates }, lastUpdate: date });
  }
  const harbour = await setUpEarlier(session, async (earlier) => {
    const { managerId } = await seedFirstPortfolio(earlier, {
      managerName: DEMONSTRATION_MANAGER,
      emails: {
        manager: 'manager@tapeline.test',
        analyst: 'analyst@tapeline.test',
        borrower: 'borrower@tapeline.test',
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
    return managerId;
  });
  const [first] = await session.query<{ id: string }>('select id from managers where name = $1', [
    DEMONSTRATION_MANAGER,
  ]);
  if (first) {
    await addOrganizations(session, first.id, FIRST_TENANT_ORGANIZATIONS);
    await addFacilities(session, first.id);
    await seedFunds(session, first.id);
    await seedFundLife(session, first.id);
  }
  for (const tenant of MORE_TENANTS) await makeFurtherTenant(session, tenant);
  await makeUsers(session, [
    {
      // Has signed up, but has neither accepted the terms nor confirmed the details.
      email: 'newcomer@tapeline.test',
      role: 'Analyst',
      firstName: 'Noor',
      lastName: 'Adeyemi',
      isReadPrivacyAndTerms: false,
      isConfirmedUserDetails: false,
      ...manager(harbour, DEMONSTRATION_MANAGER),
    },
    {
      // Is invited, and has not signed up.
      email: 'invited@tapeline.test',
      role: 'Analyst',
      firstName: 'Tomas',
      lastName: 'Keller',
      status: 'Pending',
      isReadPrivacyAndTerms: false,
      isConfirmedUserDetails: false,
      ...manager(harbour, DEMONSTRATION_MANAGER),
    },
    {
      email: 'admin@tapeline.test',
      role: 'Administrator',
      firstName: 'Ada',
      lastName: 'Quill',
      type: 'admin',
      assoc: { admin: true },
    },
  ]);
  await session.em.flush();
  await seedPeople(session);
  await seedLendingActivity(session, harbour);
  // Long enough ago that a new demonstration raises no alert.
  await recordJobFailure({ ...session, now: new Date(session.now.getTime() - FAILED_AGO_MS) }, FAILED_JOB);
  await seedGridViews(session, 'manager@tapeline.test');
  return true;
}
