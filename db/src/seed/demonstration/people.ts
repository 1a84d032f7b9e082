import { Company, LP, LPGroup, Manager, Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import type { Session } from '../../store.ts';

/** One person, by the name of the organization that they act for. */
interface Person {
  name: string;
  role: string;
  status?: 'Pending' | 'Disabled';
  /** Days since the last visit; left out for a person who never visited. */
  visitedDaysAgo?: number;
  exclusiveResources?: string[];
  inclusiveResources?: string[];
  phoneNumber?: string;
}

interface Organization {
  type: 'manager' | 'company' | 'LP' | 'LPGroup';
  name: string;
  domain: string;
  people: readonly Person[];
}

/** A group of the first manager's investors, which a user of its own acts for. */
const GROUP = { title: 'Charitable endowments', member: 'St Bride Endowment' };

/** People of the organizations of both managers, besides the accounts that the documentation names. */
const ORGANIZATIONS: readonly Organization[] = [
  {
    type: 'manager',
    name: 'Harbour Credit Partners',
    domain: 'harbourcredit.test',
    people: [
      { name: 'Jon Okafor', role: 'Fund manager', visitedDaysAgo: 1, phoneNumber: '12125550142' },
      { name: 'Helen Marsh', role: 'Fund manager', visitedDaysAgo: 3 },
      {
        name: 'Amina Farouk',
        role: 'Analyst',
        visitedDaysAgo: 2,
        inclusiveResources: ['repayments/write', 'LPs/write', 'LPs/commitments/write'],
        exclusiveResources: ['distributions/read', 'users/read'],
        phoneNumber: '442079460018',
      },
      { name: 'Daniel Roth', role: 'Analyst', visitedDaysAgo: 6 },
      { name: 'Priya Nair', role: 'Analyst', visitedDaysAgo: 1, inclusiveResources: ['companies/write'] },
      { name: 'Marcus Lindgren', role: 'Analyst', visitedDaysAgo: 41 },
      { name: 'Sofia Castellanos', role: 'Analyst', status: 'Pending' },
      { name: 'Ethan Whitlock', role: 'Analyst', status: 'Disabled', visitedDaysAgo: 212 },
      {
        name: 'Grace Oduya',
        role: 'Analyst',
        visitedDaysAgo: 9,
        exclusiveResources: ['LPs/read', 'LPs/commitments/read'],
      },
    ],
  },
  {
    type: 'company',
    name: 'Northwind Consumer Loans',
    domain: 'northwindloans.test',
    people: [
      { name: 'Carla Jensen', role: 'Borrower', visitedDaysAgo: 2, phoneNumber: '18015550177' },
      { name: 'Omar Haddad', role: 'Borrower', visitedDaysAgo: 5 },
      { name: 'Lucy Tran', role: 'Borrower', visitedDaysAgo: 12, exclusiveResources: ['assets/write'] },
      { name: 'Peter Novak', role: 'Borrower', status: 'Disabled', visitedDaysAgo: 98 },
    ],
  },
  {
    type: 'company',
    name: 'Alder Auto',
    domain: 'alderauto.test',
    people: [
      { name: 'Rosa Delgado', role: 'Borrower', visitedDaysAgo: 4 },
      { name: 'William Chu', role: 'Borrower', visitedDaysAgo: 20 },
      { name: 'Teresa Boone', role: 'Borrower', status: 'Pending' },
    ],
  },
  {
    type: 'LP',
    name: 'Calder Valley Pension Scheme',
    domain: 'caldervalley.test',
    people: [
      { name: 'Margaret Holroyd', role: 'Investor', visitedDaysAgo: 15, phoneNumber: '441422550119' },
      { name: 'Simon Ackroyd', role: 'Investor', visitedDaysAgo: 33 },
    ],
  },
  {
    type: 'LP',
    name: 'Orchard Family Office',
    domain: 'orchardfamily.test',
    people: [
      { name: 'Julian Ashworth', role: 'Investor', visitedDaysAgo: 8 },
      { name: 'Nadia Orlov', role: 'Investor', status: 'Pending' },
    ],
  },
  {
    type: 'LP',
    name: 'St Bride Endowment',
    domain: 'stbride.test',
    people: [{ name: 'Eleanor Whitcombe', role: 'Investor', visitedDaysAgo: 27 }],
  },
  {
    type: 'LPGroup',
    name: GROUP.title,
    domain: 'endowments.test',
    people: [
      { name: 'Victor Lambert', role: 'Investor', visitedDaysAgo: 11 },
      { name: 'Ruth Feldman', role: 'Investor', status: 'Pending' },
    ],
  },
  {
    type: 'manager',
    name: 'Meridian Lending Partners',
    domain: 'meridianlending.test',
    people: [
      { name: 'Karin Solberg', role: 'Fund manager', visitedDaysAgo: 2 },
      { name: 'Ian Mercer', role: 'Analyst', visitedDaysAgo: 4 },
      { name: 'Yara Benali', role: 'Analyst', status: 'Pending' },
    ],
  },
  {
    type: 'company',
    name: 'Fernhill Equipment Finance',
    domain: 'fernhill.test',
    people: [
      { name: 'George Kowalski', role: 'Borrower', visitedDaysAgo: 7 },
      { name: 'Alice Munroe', role: 'Borrower', status: 'Disabled', visitedDaysAgo: 160 },
    ],
  },
  {
    type: 'LP',
    name: 'Lakeside Insurance',
    domain: 'lakeside.test',
    people: [
      { name: 'Thomas Engel', role: 'Investor', visitedDaysAgo: 18 },
      { name: 'Monica Reyes', role: 'Investor', status: 'Pending' },
    ],
  },
];

/** "amina.farouk". */
const mailbox = (name: string): string => name.toLowerCase().replaceAll(' ', '.');

const DAY_MS = 86_400_000;

/** Adds the group, unless the manager has it, and puts its member into it. */
async function makeGroup({ em, now }: Session): Promise<void> {
  const member = await em.findOneOrFail(LP, { title: GROUP.member });
  const group = await em.findOne(LPGroup, { managerId: member.managerId, title: GROUP.title });
  member.groupId ??= (
    group ?? em.create(LPGroup, { id: newId(now), managerId: member.managerId, title: GROUP.title })
  ).id;
  await em.flush();
}

/** The association of an organization's users, and the tenant that they belong to. */
async function partyOf(
  { em }: Session,
  { type, name }: Organization,
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

/** The people of the demonstration, for the organizations of both managers. */
export async function seedPeople(session: Session): Promise<void> {
  const { em, now } = session;
  await makeGroup(session);
  const roles = new Map((await em.find(Role, { managerId: null })).map(({ title, id }) => [title, id]));
  for (const organization of ORGANIZATIONS) {
    const party = await partyOf(session, organization);
    for (const { name, role, status = 'Active', visitedDaysAgo, ...more } of organization.people) {
      const [firstName = '', lastName = ''] = name.split(' ');
      em.create(User, {
        id: newId(now),
        status,
        firstName,
        lastName,
        email: `${mailbox(name)}@${organization.domain}`,
        roleId: roles.get(role) ?? null,
        type: organization.type,
        ...party,
        ...more,
        lastVisited: visitedDaysAgo === undefined ? null : new Date(now.getTime() - visitedDaysAgo * DAY_MS),
        isReadPrivacyAndTerms: status !== 'Pending',
        isConfirmedUserDetails: status !== 'Pending',
      });
    }
  }
  await em.flush();
}
