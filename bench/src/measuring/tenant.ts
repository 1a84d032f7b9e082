import { randomBytes } from 'node:crypto';
import { Company, User } from '@tapeline/db/entities/people.ts';
import { readEnvironment } from '@tapeline/db/environment.ts';
import { newId } from '@tapeline/db/ids.ts';
import { openSession } from '@tapeline/db/operations/identity/sessions.ts';
import { openStore, type Store, SYSTEM } from '@tapeline/db/store.ts';
import { endTenant } from '@tapeline/db/testing/tenants.ts';
import { seedFirstPortfolio } from '@tapeline/demonstration/portfolios.ts';
import { Caller } from '@tapeline/launch/client/caller.ts';

/** A manager with companies and mappings as the demonstration's first, which belongs to one bench. */
export interface BenchTenant {
  readonly managerId: string;
  readonly companyId: string;
  readonly store: Store;
  /** Adds people of the manager, each signed in at one of the web servers in turn. */
  callers(urls: readonly string[], count: number): Promise<Caller[]>;
  /** Ends its sign-ins, and closes the store. */
  end(): Promise<void>;
}

/** @param variables of the product's programs */
export async function addTenant(variables: NodeJS.ProcessEnv): Promise<BenchTenant> {
  const environment = readEnvironment(variables);
  const store = await openStore(environment);
  const mark = randomBytes(5).toString('hex');
  const email = (part: string) => `${part}-${mark}@tapeline.test`;
  const emails = {
    manager: email('manager'),
    analyst: email('analyst'),
    borrower: email('borrower'),
    investor: email('investor'),
  };
  const names = { managerName: `Bench ${mark}`, emails };
  const { managerId, companyId } = await store.as(SYSTEM, async (session) => {
    const tenant = await seedFirstPortfolio(session, names);
    const company = await session.em.findOneOrFail(
      Company,
      { managerId: tenant.managerId },
      { orderBy: { id: 'asc' } },
    );
    return { ...tenant, companyId: company.id };
  });
  return {
    managerId,
    companyId,
    store,
    async callers(urls, count) {
      const tokens = await store.as(SYSTEM, async (session) => {
        const { em, now } = session;
        const { roleId, assoc, type } = await em.findOneOrFail(User, { email: emails.manager });
        const users = Array.from({ length: count }, (_, at) =>
          em.create(User, {
            id: newId(now),
            firstName: 'Reader',
            lastName: `Number ${at + 1}`,
            email: email(`reader-${at + 1}`),
            roleId,
            isReadPrivacyAndTerms: true,
            isConfirmedUserDetails: true,
            type,
            assoc,
            managerId,
          }),
        );
        await em.flush();
        const opened: string[] = [];
        for (const { id } of users) opened.push((await openSession(session, id, {})).refreshToken);
        return opened;
      });
      return Promise.all(
        tokens.map((token, at) => Caller.resumed(urls[at % urls.length]!, environment.instanceName, token)),
      );
    },
    async end() {
      await store.as(SYSTEM, (session) => endTenant(session, managerId));
      await store.close();
    },
  };
}
