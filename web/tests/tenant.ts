import { randomBytes } from 'node:crypto';
import { Role, User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { systemActor } from '@tapeline/db/store.ts';
import { endTenant } from '@tapeline/db/testing/tenants.ts';
import { seedFirstPortfolio, seedSecondPortfolio } from '@tapeline/demonstration/portfolios.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { type ApiClient, signedIn } from './api-client.ts';
import { productStore } from './product-store.ts';

const FIXTURE = systemActor('Test fixture');

/** A manager with users and companies that belong to one test file. Other tests neither see nor change them. */
export interface Tenant {
  readonly managerName: string;
  /** Emails by role, for signing in. */
  readonly emails: {
    readonly manager: string;
    readonly analyst: string;
    readonly borrower: string;
    readonly investor: string;
  };
  /** An API client that is signed in as the manager. */
  readonly manager: ApiClient;
}

/**
 * Creates a tenant for all tests of the calling file. Call it at the top level of the file. The tenant has what the
 * demonstration's first manager has, except for tapes: the companies Northwind Consumer Loans and Alder Auto with their
 * mappings, and Northwind's facility. Its tapes and sessions are removed after the file's tests, even if some fail.
 *
 * The demonstration's own accounts (`manager@tapeline.test` and the others) are shared by all files, which run in
 * parallel. Use them only in tests that do not change anything.
 */
export function ownTenant(): Tenant {
  return create('Harbour Credit Partners', seedFirstPortfolio);
}

/**
 * Like `ownTenant`, but with what the demonstration's second manager has: the company Fernhill Equipment Finance, which
 * has no mapping. There is no analyst.
 */
export function ownTenantWithoutMappings(): Omit<Tenant, 'emails'> & {
  readonly emails: Omit<Tenant['emails'], 'analyst'>;
} {
  return create('Meridian Lending Partners', seedSecondPortfolio);
}

function create(name: string, seed: typeof seedFirstPortfolio): Tenant {
  const mark = randomBytes(5).toString('hex');
  const managerName = `${name} ${mark}`;
  const email = (part: string) => `${part}-${mark}@tapeline.test`;
  const emails = {
    manager: email('manager'),
    analyst: email('analyst'),
    borrower: email('borrower'),
    investor: email('investor'),
  };
  let managerId: string | null = null;
  let manager: ApiClient | null = null;
  beforeAll(async () => {
    const store = await productStore();
    ({ managerId } = await store.as(FIXTURE, (session) => seed(session, { managerName, emails })));
    manager = await signedIn(emails.manager);
  });
  afterAll(async () => {
    if (managerId === null) return;
    await removeTapes(await signedIn(emails.manager));
    const ended = managerId;
    await (await productStore()).as(FIXTURE, (session) => endTenant(session, ended));
  });
  return {
    managerName,
    emails,
    get manager() {
      if (manager === null) throw new Error('the tenant is there once the hooks before the tests have run');
      return manager;
    },
  };
}

async function removeTapes(manager: ApiClient): Promise<void> {
  const tapes: { id: string }[] = (await manager.get('/crud/loanTape', { limit: 1000 })).json;
  for (const { id } of tapes) {
    const body = { loanTapeId: id, removePublished: true };
    const answer = await manager.call('DELETE', '/LTP/assets/deleteProcess', { body });
    // The test may already have removed it.
    expect([200, 404], answer.text).toContain(answer.status);
  }
}

/** Adds an analyst to the tenant of this manager: invited (Pending), unless other fields are given. */
export async function inviteUser(
  managerEmail: string,
  fields: Partial<User> = {},
): Promise<{ id: string; email: string }> {
  const store = await productStore();
  const email = `invited-${randomBytes(5).toString('hex')}@tapeline.test`;
  return store.as(FIXTURE, async ({ em }) => {
    const { managerId, assoc } = await em.findOneOrFail(User, { email: managerEmail });
    const role = await em.findOneOrFail(Role, { title: 'Analyst', managerId: null });
    const names = { firstName: 'Ivo', lastName: 'Marsh', type: 'manager' as const };
    const { id } = em.create(User, {
      id: newId(),
      email,
      ...names,
      assoc,
      managerId,
      roleId: role.id,
      status: 'Pending',
      ...fields,
    });
    return { id, email };
  });
}
