import { Notification } from '@tapeline/db/entities/notification.ts';
import { Role, User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { SYSTEM } from '@tapeline/db/store.ts';
import { DOCUMENT_COLLECTIONS, type DocumentCollection } from '@tapeline/domain/people/access.ts';
import { PERMISSION_KEYS } from '@tapeline/domain/people/actor.ts';
import { expect } from 'vitest';
import { type MarkedDocuments, word } from './marked-documents.ts';
import { productStore } from './product-store.ts';
import { type ScreenClient, screensOf } from './screen-client.ts';
import type { Tenant } from './tenant.ts';

const OWNERS: Readonly<Record<string, readonly DocumentCollection[]>> = {
  'a commitment, a main fund, a contract and a tape': ['LPCommitments', 'mainFunds', 'contracts', 'loanTapes'],
  'an investor and a facility': ['LPs', 'transactions'],
  'a fund and a company': ['funds', 'companies'],
};

/** What is blocked for one person each: every document once, while what it belongs to is shown. */
export const BLOCKED: Readonly<Record<string, readonly DocumentCollection[]>> = {
  'one document of a commitment, a fund, a borrower and a facility each': DOCUMENT_COLLECTIONS.filter(
    (name) => !Object.values(OWNERS).flat().includes(name),
  ),
  ...OWNERS,
};

/** Each is taken from one person. */
export const READS = PERMISSION_KEYS.filter((key) => key.endsWith('/read'));
const WRITES = PERMISSION_KEYS.filter((key) => key.endsWith('/write'));

/** People who read the marked documents: each lacks something else. */
export class Readers {
  readonly emails = new Map<string, string>();
  readonly #clients = new Map<string, Promise<ScreenClient>>();

  clientOf(name: string): Promise<ScreenClient> {
    const client = this.#clients.get(name) ?? screensOf(this.emails.get(name)!);
    this.#clients.set(name, client);
    return client;
  }
}

/** What was told to each person, before and after a document was blocked: the title of a notification. */
const told = (name: string, collection: DocumentCollection) => `News of ${word(collection)} for ${name}`;

/** Adds them to the tenant: one who may read and write everything, and one for each thing that can be hidden. */
export async function addReaders(tenant: Tenant, marked: MarkedDocuments): Promise<Readers> {
  const readers = new Readers();
  const { managerId } = marked;
  const store = await productStore();
  await store.as(SYSTEM, async ({ em, now }) => {
    const role = await em.findOneOrFail(Role, { title: 'Fund manager', managerId: null });
    const add = async (name: string, exclusiveResources: string[]) => {
      const user = em.create(User, {
        id: newId(now),
        email: `hidden-${newId(now)}@tapeline.test`,
        firstName: 'Hedda',
        lastName: 'Stone',
        type: 'manager',
        assoc: { manager: { id: managerId } },
        managerId,
        roleId: role.id,
        exclusiveResources,
        isReadPrivacyAndTerms: true,
        isConfirmedUserDetails: true,
      });
      readers.emails.set(name, user.email);
      await em.flush();
      for (const [collection, { row }] of marked.planted) {
        em.create(Notification, {
          id: newId(now),
          userId: user.id,
          key: `planted/${collection}`,
          kind: 'callIssued',
          resource: collection,
          documentId: row.id,
          title: told(name, collection),
          description: '',
          page: '/funds',
          pageTitle: 'Open it',
          level: 'info',
          actionRequired: false,
          createdAt: now,
        });
      }
    };
    await add('everything', []);
    for (const [name, blocked] of Object.entries(BLOCKED))
      await add(
        name,
        blocked.map((collection) => `${collection}/${marked.idOf(collection)}`),
      );
    // A company is called what its entity is called.
    for (const key of READS) await add(key, key === 'companies/read' ? [key, 'entities/read'] : [key]);
    await add('no permission to write', WRITES);
  });
  await changeAccounts(tenant, marked.entity);
  return readers;
}

/** The bank details of the entity change that several parties share. */
async function changeAccounts(tenant: Tenant, entity: string): Promise<void> {
  const { json: document } = await tenant.manager.get(`/crud/entities/${entity}`);
  const banks = [{ title: 'Main account', accountNumber: '0012345678', address: '1 High Street', type: 'Business' }];
  const changed = await tenant.manager.call('PUT', `/crud/entities/${entity}`, { body: { ...document, banks } });
  expect(changed.status, changed.text).toBe(200);
}
