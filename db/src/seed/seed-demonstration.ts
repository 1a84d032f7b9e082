import { northwindFacility } from '@tapeline/domain/demonstration/facility.ts';
import { ALDER_MAPPING, NORTHWIND_MAPPING } from '@tapeline/domain/demonstration/mappings.ts';
import { ALDER_COMPANY, DEMONSTRATION_MANAGER, NORTHWIND_COMPANY } from '@tapeline/domain/demonstration/portfolio.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import { parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { Fund, LPCommitment } from '../entities/funds.ts';
import { Company, type LegalEntity, LP, Manager, Role, User } from '../entities/people.ts';
import { newId } from '../ids.ts';
import { createMapping } from '../operations/mappings/mappings.ts';
import { createTransaction } from '../operations/transactions/transactions.ts';
import type { Session } from '../store.ts';
import { firstTenant, SECOND_TENANT, type SeededTenant, seededCompanies } from './demonstration-parties.ts';
import { seedFoundations } from './seed-foundations.ts';

interface Tenant {
  managerId: string;
  fundId: string;
  lpIds: string[];
}

function makeTenant({ em, now }: Session, { manager, fund, investors }: SeededTenant): Tenant {
  const managerId = newId(now);
  const fundId = newId(now);
  em.create(Manager, { id: managerId, entity: manager });
  em.create(Fund, {
    id: fundId,
    managerId,
    ...fund,
    type: 'ComingleFund',
    strategy: 'ABL',
    currency: 'USD',
    classes: [{ name: 'Class A', uniqueKey: 'A' }],
  });
  const lpIds = investors.map(({ entity, commitment, closingDate }) => {
    const id = newId(now);
    em.create(LP, { id, managerId, title: entity.name, entity });
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
    });
    return id;
  });
  return { managerId, fundId, lpIds };
}

function makeCompany({ em, now }: Session, managerId: string, entity: LegalEntity): string {
  const id = newId(now);
  em.create(Company, { id, managerId, entity });
  return id;
}

async function makeUsers(session: Session, users: readonly (Partial<User> & { email: string; role: string })[]) {
  const roles = new Map((await session.em.find(Role, { managerId: null })).map((role) => [role.title, role.id]));
  for (const { role, ...user } of users) {
    session.em.create(User, {
      id: newId(session.now),
      roleId: roles.get(role) ?? null,
      isReadPrivacyAndTerms: true,
      isConfirmedUserDetails: true,
      ...(user as Required<Pick<User, 'firstName' | 'lastName' | 'email' | 'type' | 'assoc'>>),
    });
  }
}

/**
 * One believable portfolio and a second tenant that must never see it: managers, a fund and investors each, companies
 * with their mappings, a facility under an Active contract, and an account of every kind. Tapes are uploaded later,
 * through the product. Does nothing where the first manager exists already; answers whether it seeded.
 */
export async function seedDemonstration(session: Session): Promise<boolean> {
  await seedFoundations(session);
  const [there] = await session.query('select 1 from managers where name = $1', [DEMONSTRATION_MANAGER]);
  if (there) return false;

  const companies = seededCompanies({ northwind: NORTHWIND_COMPANY, alder: ALDER_COMPANY });
  const first = makeTenant(session, firstTenant(DEMONSTRATION_MANAGER));
  const northwind = makeCompany(session, first.managerId, companies.northwind);
  const alder = makeCompany(session, first.managerId, companies.alder);
  const second = makeTenant(session, SECOND_TENANT);
  const fernhill = makeCompany(session, second.managerId, companies.fernhill);
  await session.em.flush();

  const [harbourLP, meridianLP] = [first.lpIds[0] as string, second.lpIds[0] as string];
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
  await makeUsers(session, [
    {
      email: 'admin@tapeline.test',
      role: 'Administrator',
      firstName: 'Ada',
      lastName: 'Quill',
      type: 'admin',
      assoc: { admin: true },
    },
    {
      email: 'manager@tapeline.test',
      role: 'Fund manager',
      firstName: 'Mara',
      lastName: 'Holt',
      ...manager(first.managerId, DEMONSTRATION_MANAGER),
    },
    {
      email: 'analyst@tapeline.test',
      role: 'Analyst',
      firstName: 'Anton',
      lastName: 'Reyes',
      ...manager(first.managerId, DEMONSTRATION_MANAGER),
    },
    {
      email: 'borrower@tapeline.test',
      role: 'Borrower',
      firstName: 'Bea',
      lastName: 'Lindqvist',
      ...company(first.managerId, northwind, NORTHWIND_COMPANY),
    },
    {
      email: 'investor@tapeline.test',
      role: 'Investor',
      firstName: 'Ines',
      lastName: 'Okoro',
      ...investor(first.managerId, harbourLP, 'Calder Valley Pension Scheme'),
    },
    {
      email: 'manager2@tapeline.test',
      role: 'Fund manager',
      firstName: 'Milo',
      lastName: 'Varga',
      ...manager(second.managerId, SECOND_TENANT.manager.name),
    },
    {
      email: 'borrower2@tapeline.test',
      role: 'Borrower',
      firstName: 'Bruno',
      lastName: 'Sato',
      ...company(second.managerId, fernhill, 'Fernhill Equipment Finance'),
    },
    {
      email: 'investor2@tapeline.test',
      role: 'Investor',
      firstName: 'Isla',
      lastName: 'Brandt',
      ...investor(second.managerId, meridianLP, 'Lakeside Insurance'),
    },
  ]);
  await session.em.flush();

  const mapping = await createMapping(session, { companyId: northwind, body: parseMapping(NORTHWIND_MAPPING) });
  await createMapping(session, { companyId: alder, body: parseMapping(ALDER_MAPPING) });
  const facility = northwindFacility({ company: northwind, mapping: mapping.id, fund: first.fundId });
  await createTransaction(session, transactionSchema.parse(facility));
  return true;
}
