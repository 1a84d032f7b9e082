import { Fund, LPCommitment } from '@tapeline/db/entities/funds.ts';
import { Company, LP, Manager, Role, User } from '@tapeline/db/entities/people.ts';
import { LegalEntity } from '@tapeline/db/entities/register.ts';
import type { Environment } from '@tapeline/db/environment.ts';
import { newId } from '@tapeline/db/ids.ts';
import { openSession } from '@tapeline/db/operations/identity/sessions.ts';
import { openStore, type Store, SYSTEM } from '@tapeline/db/store.ts';
import { endTenant } from '@tapeline/db/testing/tenants.ts';
import type { ChangedBy } from '@tapeline/domain/documents/document.schema.ts';

/** A tenant whose lists are measured. */
export interface Portfolio {
  readonly managerId: string;
  /** Opens a sign-in of its manager's user. @returns the refresh token */
  openSignIn(): Promise<string>;
  /** Ends the accounts of both tenants. */
  end(): Promise<void>;
}

interface Tenant {
  readonly managerId: string;
  readonly userId: string;
}

const CITIES = ['New York', 'Boston', 'Chicago', 'Austin', 'Denver', 'Seattle', 'Atlanta', 'Charlotte'];

const legalEntity = (name: string, index: number) => ({
  name,
  formalId: `${20 + (index % 70)}-${String(1_000_000 + index * 7919).slice(-7)}`,
  description: 'Lends to originators of consumer and auto loans against their books.',
  nationality: {
    isPrimary: true,
    name: 'Head office',
    country: 'US',
    city: CITIES[index % CITIES.length]!,
    state: 'NY',
  },
  business: {
    type: 'LLC' as const,
    formalName: name,
    dateEstablished: '2019-03-04',
    industries: ['Financial services'],
  },
});

/**
 * Creates two tenants of the same size, of which the caller may see one.
 * @param documents of each collection
 */
export async function createPortfolio(environment: Environment, documents: number): Promise<Portfolio> {
  const store = await openStore(environment);
  const [tenant, other] = [
    await createTenant(store, 'Harbour', documents),
    await createTenant(store, 'Meridian', documents),
  ];
  return {
    managerId: tenant.managerId,
    openSignIn: () => store.as(SYSTEM, async (session) => (await openSession(session, tenant.userId, {})).refreshToken),
    async end() {
      for (const { managerId } of [tenant, other]) await store.as(SYSTEM, (session) => endTenant(session, managerId));
      await store.close();
    },
  };
}

function createTenant(store: Store, name: string, documents: number): Promise<Tenant> {
  return store.as(SYSTEM, async (session) => {
    const { em, now } = session;
    const managerId = newId(now);
    const entityIdOf = (title: string, index: number) =>
      em.create(LegalEntity, { id: newId(now), managerId, ...legalEntity(title, index) }).id;
    const manager = em.create(Manager, { id: managerId, entityId: entityIdOf(`${name} Credit Management`, 0) });
    await em.flush();
    const role = await em.findOneOrFail(Role, { title: 'Fund manager', managerId: null });
    const user = em.create(User, {
      id: newId(now),
      firstName: 'Ruth',
      lastName: name,
      email: `ruth-${managerId}@${name.toLowerCase()}.test`,
      roleId: role.id,
      isReadPrivacyAndTerms: true,
      isConfirmedUserDetails: true,
      type: 'manager',
      assoc: { manager: { id: manager.id } },
      managerId: manager.id,
    });
    const createdBy: ChangedBy = {
      agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      ip: '198.51.100.7',
      locale: 'en-US',
      timestamp: now.toISOString(),
      entity: { id: user.id, firstName: 'Ruth', lastName: name },
    };
    const document = () => ({
      id: newId(now),
      managerId: manager.id,
      metadata: { iat: now.toISOString(), createdBy },
    });
    const fund = em.create(Fund, {
      ...document(),
      title: `${name} Private Credit I`,
      type: 'ComingleFund',
      strategy: 'ABL',
      currency: 'USD',
      targetSize: '125000000',
      hardCap: '150000000',
      closingDate: '2026-03-31',
    });
    await em.flush();
    for (let index = 0; index < documents; index += 1) {
      em.create(Company, {
        ...document(),
        entityId: entityIdOf(`${name} Originator ${index}`, index),
        domains: [`originator-${index}.test`],
      });
      const title = `${name} Investor ${index}`;
      em.create(LP, { ...document(), title, entityId: entityIdOf(title, index), groupId: null });
    }
    await em.flush();
    const investors = await em.find(LP, { managerId: manager.id });
    for (const [index, investor] of investors.entries()) {
      em.create(LPCommitment, {
        ...document(),
        fundId: fund.id,
        investorKind: 'LP',
        investorLPId: investor.id,
        closingDate: '2025-12-15',
        currency: 'USD',
        maxCommitment: `${250_000 + index * 1_000}.25`,
        activeCommitment: `${250_000 + index * 1_000}.25`,
        fees: { management: { committed: 1.75 } },
      });
    }
    return { managerId: manager.id, userId: user.id };
  });
}
