import { Company, LP, LPGroup, Manager, type User } from '@tapeline/db/entities/people.ts';
import { ServiceProvider } from '@tapeline/db/entities/service-providers.ts';
import { newId } from '@tapeline/db/ids.ts';
import { addDefaultTables } from '@tapeline/db/operations/tables/tables.ts';
import type { Session } from '@tapeline/db/store.ts';
import type { EntityInput } from '@tapeline/domain/entities/entity.schema.ts';
import { readData } from './data.ts';
import { addEntity, addUsers, ofManager } from './portfolios.ts';

interface Organizations {
  readonly companies: readonly { readonly entity: EntityInput; readonly domains: string[] }[];
  readonly investors: readonly { readonly entity: EntityInput; readonly domains: string[]; readonly group?: string }[];
  readonly providers: readonly {
    readonly title: string;
    readonly type: string;
    readonly description: string;
    readonly entities: readonly EntityInput[];
  }[];
}

/** A manager that has organizations and one user, and no portfolio yet. */
interface FurtherManager extends Organizations {
  readonly manager: EntityInput;
  readonly domains: string[];
  readonly email: string;
  readonly person: readonly [firstName: string, lastName: string];
}

/** Adds companies, investors with their groups, and service providers to a manager. */
export async function addOrganizations(
  session: Session,
  managerId: string,
  { companies, investors, providers }: Organizations = readData('organizations'),
): Promise<void> {
  const { em, now } = session;
  const groups = new Map<string, string>();
  for (const { entity, domains } of companies) {
    em.create(Company, { id: newId(now), managerId, domains, entityId: addEntity(session, managerId, entity) });
  }
  for (const { entity, domains, group } of investors) {
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
  for (const { entities, ...provider } of providers) {
    const entityIds = entities.map((entity) => addEntity(session, managerId, entity));
    em.create(ServiceProvider, { id: newId(now), managerId, ...provider, entityIds });
  }
  await em.flush();
}

/** Adds managers without a portfolio, each with its organizations and one user. */
export async function addFurtherManagers(session: Session): Promise<void> {
  const { em, now } = session;
  for (const { manager, domains, email, person, ...organizations } of readData<FurtherManager[]>('further-managers')) {
    const managerId = newId(now);
    em.create(Manager, { id: managerId, domains, entityId: addEntity(session, managerId, manager) });
    addDefaultTables(session, managerId);
    await addOrganizations(session, managerId, organizations);
    const [firstName, lastName] = person;
    const user = { email, role: 'Fund manager', firstName, lastName };
    await addUsers(session, [{ ...user, ...ofManager(managerId, manager.name) }]);
  }
}

/** People of one organization, found by its name. */
interface Staff {
  readonly type: 'manager' | 'company' | 'LP' | 'LPGroup';
  readonly name: string;
  readonly domain: string;
  readonly people: readonly {
    readonly name: string;
    readonly role: string;
    readonly status?: 'Pending' | 'Disabled';
    /** Days since the last visit; left out for a person who never visited. */
    readonly visitedDaysAgo?: number;
    readonly exclusiveResources?: string[];
    readonly inclusiveResources?: string[];
    readonly phoneNumber?: string;
    /** Other investors that an investor's user acts for. */
    readonly alsoFor?: readonly string[];
  }[];
}

interface People {
  /** A group of the first manager's investors, which users of its own act for. */
  readonly group: { readonly title: string; readonly member: string };
  readonly organizations: readonly Staff[];
}

const DAY_MS = 86_400_000;

/** Adds the group, unless the manager has it, and puts its member into it. */
async function makeGroup({ em, now }: Session, { title, member }: People['group']): Promise<void> {
  const investor = await em.findOneOrFail(LP, { title: member });
  const { managerId } = investor;
  const group = await em.findOne(LPGroup, { managerId, title });
  investor.groupId ??= (group ?? em.create(LPGroup, { id: newId(now), managerId, title })).id;
  await em.flush();
}

/** The association of an organization's users, and the tenant that they belong to. */
async function partyOf(
  { em }: Session,
  { type, name }: Staff,
): Promise<Pick<User, 'assoc' | 'managerId' | 'companyId' | 'LPs'>> {
  const none = { companyId: null, LPs: [] as string[] };
  if (type === 'manager') {
    const { id } = await em.findOneOrFail(Manager, { name });
    return { ...none, assoc: { manager: { id, title: name } }, managerId: id };
  }
  if (type === 'company') {
    const { id, managerId } = await em.findOneOrFail(Company, { name });
    return { ...none, assoc: { company: { id, title: name } }, managerId, companyId: id };
  }
  if (type === 'LP') {
    const { id, managerId } = await em.findOneOrFail(LP, { title: name });
    return { ...none, assoc: { LP: { id, title: name } }, managerId, LPs: [id] };
  }
  const { id, managerId } = await em.findOneOrFail(LPGroup, { title: name });
  return { ...none, assoc: { LPGroup: { id, title: name } }, managerId };
}

/** The people of the organizations of both managers, besides the accounts that the documentation names. */
export async function addPeople(session: Session): Promise<void> {
  const { group, organizations } = readData<People>('people');
  await makeGroup(session, group);
  for (const organization of organizations) {
    const party = await partyOf(session, organization);
    const others = await session.em.find(LP, {
      managerId: party.managerId,
      title: { $in: organization.people.flatMap(({ alsoFor = [] }) => alsoFor) },
    });
    await addUsers(
      session,
      organization.people.map(({ name, status = 'Active', visitedDaysAgo, alsoFor = [], ...more }) => {
        const [firstName = '', lastName = ''] = name.split(' ');
        return {
          status,
          firstName,
          lastName,
          email: `${name.toLowerCase().replaceAll(' ', '.')}@${organization.domain}`,
          type: organization.type,
          ...party,
          LPs: [...party.LPs, ...others.filter(({ title }) => alsoFor.includes(title)).map(({ id }) => id)],
          ...more,
          lastVisited: visitedDaysAgo === undefined ? null : new Date(session.now.getTime() - visitedDaysAgo * DAY_MS),
          isReadPrivacyAndTerms: status !== 'Pending',
          isConfirmedUserDetails: status !== 'Pending',
        };
      }),
    );
  }
}
