import { Fund, LPCommitment } from '@tapeline/db/entities/funds.ts';
import { Company, LP, Manager, Role, User } from '@tapeline/db/entities/people.ts';
import { LegalEntity } from '@tapeline/db/entities/register.ts';
import { newId } from '@tapeline/db/ids.ts';
import { createMapping } from '@tapeline/db/operations/mappings/mappings.ts';
import { createdMetadata } from '@tapeline/db/operations/metadata.ts';
import { addDefaultTables } from '@tapeline/db/operations/tables/tables.ts';
import { createTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import type { Session } from '@tapeline/db/store.ts';
import { type EntityInput, entityCreateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { CommitmentFees } from '@tapeline/domain/funds/fees.schema.ts';
import { type MappingInput, parseMapping } from '@tapeline/domain/tapes/mapping.schema.ts';
import { fillIn, readData } from './data.ts';
import { northwindFacility } from './facilities.ts';

/** A manager with one fund, its companies and people, as its file has it. Amounts are US dollars. */
interface Portfolio {
  readonly manager: EntityInput;
  readonly fund: {
    readonly title: string;
    readonly entity: EntityInput;
    readonly description: string;
    readonly targetSize: string;
    readonly hardCap: string;
    readonly closingDate: string;
  };
  readonly fees: CommitmentFees;
  readonly investors: readonly {
    readonly entity: EntityInput;
    readonly commitment: string;
    /** The closing at which it joined the fund. */
    readonly closingDate: string;
  }[];
  /** Each with the file of its mapping, if it has one. */
  readonly companies: readonly { readonly entity: EntityInput; readonly mapping?: string }[];
  readonly accounts: readonly {
    /** Its key among the emails. */
    readonly account: string;
    readonly role: string;
    readonly firstName: string;
    readonly lastName: string;
    /** The name of the company or the investor that it acts for; the manager if neither is named. */
    readonly company?: string;
    readonly investor?: string;
  }[];
}

/** Names of a portfolio that must be unique in the database. */
export interface PortfolioNames<Person extends string> {
  managerName: string;
  emails: Record<Person, string>;
}

/** Adds an entity to the register of a manager. @returns its id */
export function addEntity(session: Session, managerId: string, entity: EntityInput): string {
  const { em, now } = session;
  const metadata = createdMetadata(session);
  return em.create(LegalEntity, { id: newId(now), managerId, ...entityCreateSchema.parse(entity), metadata }).id;
}

type SeededUser = Partial<User> & Pick<User, 'email' | 'firstName' | 'lastName' | 'type' | 'assoc'>;

/** Adds people who have signed up, unless their fields say otherwise. */
export async function addUsers(session: Session, users: readonly (SeededUser & { role: string })[]): Promise<void> {
  const roles = new Map((await session.em.find(Role, { managerId: null })).map((role) => [role.title, role.id]));
  for (const { role, ...user } of users) {
    session.em.create(User, {
      id: newId(session.now),
      metadata: createdMetadata(session),
      roleId: roles.get(role) ?? null,
      isReadPrivacyAndTerms: true,
      isConfirmedUserDetails: true,
      ...user,
    });
  }
  await session.em.flush();
}

/** The association of a manager's own users. */
export const ofManager = (id: string, title: string) => ({
  type: 'manager' as const,
  assoc: { manager: { id, title } },
  managerId: id,
});

async function addPortfolio(
  session: Session,
  file: string,
  { managerName, emails }: PortfolioNames<string>,
): Promise<{ managerId: string }> {
  const data = fillIn(readData<Portfolio>(file), { manager: managerName });
  const { em, now } = session;
  const metadata = createdMetadata(session);
  const managerId = newId(now);
  const fundId = newId(now);
  em.create(Manager, { id: managerId, entityId: addEntity(session, managerId, data.manager), metadata });
  addDefaultTables(session, managerId, metadata);
  const { entity: fundEntity, ...terms } = data.fund;
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
  const investors = new Map<string, string>();
  for (const { entity, commitment, closingDate } of data.investors) {
    const id = newId(now);
    investors.set(entity.name, id);
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
      fees: data.fees,
      metadata,
    });
  }
  const companies = new Map<string, string>();
  for (const { entity } of data.companies) {
    const id = newId(now);
    companies.set(entity.name, id);
    em.create(Company, { id, managerId, entityId: addEntity(session, managerId, entity), metadata });
  }
  await em.flush();
  await addUsers(
    session,
    data.accounts.map(({ account, company, investor, ...person }) => {
      const email = emails[account] ?? '';
      if (company) {
        const companyId = companies.get(company) ?? '';
        const assoc = { company: { id: companyId, title: company } };
        return { ...person, email, type: 'company', assoc, managerId, companyId };
      }
      if (investor) {
        const id = investors.get(investor) ?? '';
        return { ...person, email, type: 'LP', assoc: { LP: { id, title: investor } }, managerId, LPs: [id] };
      }
      return { ...person, email, ...ofManager(managerId, managerName) };
    }),
  );
  const mappings = new Map<string, string>();
  for (const { entity, mapping } of data.companies) {
    if (!mapping) continue;
    const body = parseMapping(readData<MappingInput>(mapping));
    const companyId = companies.get(entity.name) ?? '';
    mappings.set(mapping, (await createMapping(session, { companyId, body })).id);
  }
  const mapping = mappings.get('northwind-mapping');
  const [company] = companies.values();
  if (mapping && company) {
    await createTransaction(session, transactionSchema.parse(northwindFacility({ company, mapping, fund: fundId })));
  }
  return { managerId };
}

/**
 * The portfolio of the demonstration's first manager: a fund and its investors, two companies with their mappings, a
 * facility under an Active contract, and an account of every type except admin. Its borrower belongs to Northwind.
 * Requires the foundations.
 */
export const seedFirstPortfolio = (
  session: Session,
  names: PortfolioNames<'manager' | 'analyst' | 'borrower' | 'investor'>,
): Promise<{ managerId: string }> => addPortfolio(session, 'first-portfolio', names);

/** The portfolio of the second manager: a fund and a company without a mapping. Requires the foundations. */
export const seedSecondPortfolio = (
  session: Session,
  names: PortfolioNames<'manager' | 'borrower' | 'investor'>,
): Promise<{ managerId: string }> => addPortfolio(session, 'second-portfolio', names);
