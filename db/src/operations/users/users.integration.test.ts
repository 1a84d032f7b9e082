import { isRefusal } from '@tapeline/domain/errors/refusal.ts';
import { PERMISSION_KEYS, type UserActor } from '@tapeline/domain/people/actor.ts';
import { type UserCreate, userCreateSchema } from '@tapeline/domain/people/user.schema.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Company, LP, LPGroup, Manager, Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { createAdmin } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { countStatements } from '../../testing/count-statements.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { getCompany, listCompanies } from '../companies/companies.ts';
import { getEntity, listEntities } from '../entities/entities.ts';
import { listFunds } from '../funds/funds.ts';
import { confirmEmail, openEmailRequests, stopAddressChange } from '../identity/address-changes.ts';
import { loadActor, loadSignedInActor } from '../identity/load-actor.ts';
import { sendSecretMail } from '../identity/secret-mails.ts';
import { familyLives, openSession, rotateRefreshToken } from '../identity/sessions.ts';
import { createLP } from '../investors/investors.ts';
import { createPermission, listPermissions, updatePermission } from '../permissions/permissions.ts';
import { removeExpired } from '../retention/retention.ts';
import { createRole, listRoles, updateRole } from '../roles/roles.ts';
import { listTransactions } from '../transactions/transactions.ts';
import { createUser, removeUsers, updateUser, updateUsers } from './change-users.ts';
import { organizationOfDomain } from './organizations.ts';
import { getUser, type UserView } from './users.ts';

let database: TestDatabase;
let roles: Record<string, string>;
const ids = { manager: '', otherManager: '', northwind: '', lp: '', secondLP: '', otherLP: '', group: newId() };

const as = <Result>(actor: UserActor | typeof SYSTEM, work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(actor, work);
const userOf = (email: string) => as(SYSTEM, ({ em }) => em.findOneOrFail(User, { email, status: { $ne: 'Removed' } }));
const actorOf = async (email: string) => (await loadActor(database.store, (await userOf(email)).id))!;
const admin = () => actorOf('admin@tapeline.test');
const manager = () => actorOf('manager@tapeline.test');

let counted = 0;
/** The body of a new user of the first tenant's manager. */
function bodyOf(more: Partial<UserCreate> = {}): UserCreate {
  counted += 1;
  return userCreateSchema.parse({
    firstName: 'Amina',
    lastName: 'Farouk',
    email: `person${counted}@harbour.test`,
    type: 'manager',
    assoc: { manager: { id: ids.manager } },
    ...more,
  });
}
const create = async (actor: UserActor, more: Partial<UserCreate> = {}): Promise<UserView> =>
  as(actor, (session) => createUser(session, bodyOf(more)));
/** A user who has signed up. */
async function createActive(actor: UserActor, more: Partial<UserCreate> = {}): Promise<UserActor> {
  const { id, version } = await create(actor, more);
  await as(SYSTEM, (session) => updateUser(session, { id, body: { version, status: 'Active' } }));
  return (await loadActor(database.store, id))!;
}
const change = async (actor: UserActor, id: string, body: Parameters<typeof updateUser>[1]['body'] | object) =>
  as(actor, async (session) => {
    const { version } = await getUser(session, id);
    return updateUser(session, { id, body: { version, ...body } });
  });
/** The code and the fields of a refusal. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isRefusal(error)) throw error ?? new Error('was not refused');
  return [error.code, ...Object.keys(error.flags ?? {})].join(' ');
}

beforeAll(async () => {
  database = await createTestDatabase({ demonstration: true });
  await as(SYSTEM, async (session) => {
    const { em } = session;
    const [one, two] = await em.find(Manager, {}, { orderBy: { id: 'asc' } });
    ids.manager = one!.id;
    ids.otherManager = two!.id;
    ids.northwind = (await em.findOneOrFail(Company, { name: 'Northwind Consumer Loans' })).id;
    const lps = await em.find(LP, { managerId: one!.id }, { orderBy: { title: 'asc' } });
    [ids.lp, ids.secondLP] = [lps[0]!.id, lps[1]!.id];
    ids.otherLP = (await em.findOneOrFail(LP, { managerId: two!.id })).id;
    em.create(LPGroup, { id: ids.group, managerId: one!.id, title: 'Endowments' });
    lps[2]!.groupId = ids.group;
    roles = Object.fromEntries((await em.find(Role, { managerId: null })).map(({ title, id }) => [title, id]));
  });
});
afterAll(() => database.close());

describe('a new user', () => {
  test('is Pending, and belongs to the tenant of the organization', async () => {
    const actor = await manager();
    const analyst = await create(actor, { role: roles.Analyst });
    expect(analyst).toMatchObject({
      status: 'Pending',
      managerId: ids.manager,
      organization: 'Harbour Credit Partners',
      roleTitle: 'Analyst',
      isReadPrivacyAndTerms: false,
    });
    const borrower = await create(actor, {
      type: 'company',
      assoc: { company: { id: ids.northwind } },
      role: roles.Borrower,
    });
    expect(borrower).toMatchObject({
      managerId: ids.manager,
      companyId: ids.northwind,
      organization: 'Northwind Consumer Loans',
    });
    const group = await create(actor, { type: 'LPGroup', assoc: { LPGroup: { id: ids.group } }, role: roles.Investor });
    expect(group).toMatchObject({ managerId: ids.manager, organization: 'Endowments' });
    const investor = await createActive(actor, {
      type: 'LP',
      assoc: { LP: { id: ids.lp } },
      LPs: [ids.secondLP],
      role: roles.Investor,
    });
    expect(investor.lpIds).toEqual([ids.lp, ids.secondLP]);
  });

  test('has an email that no other user has, in any tenant, until that one is removed', async () => {
    const actor = await manager();
    expect(await refusal(create(actor, { email: 'manager2@tapeline.test' }))).toBe('badRequest email');
    const first = await create(actor, { email: 'again@harbour.test' });
    expect(await refusal(create(actor, { email: 'again@harbour.test' }))).toBe('badRequest email');
    await as(actor, (session) => removeUsers(session, [first.id]));
    expect((await create(actor, { email: 'again@harbour.test' })).id).not.toBe(first.id);
  });

  test('belongs to an organization that the actor can see, with LPs of the same manager', async () => {
    const actor = await manager();
    expect(await refusal(create(actor, { assoc: { manager: { id: ids.otherManager } } }))).toBe('badRequest assoc');
    const lp = { type: 'LP', role: roles.Investor } as const;
    expect(await refusal(create(actor, { ...lp, assoc: { LP: { id: ids.otherLP } } }))).toBe('badRequest assoc');
    expect(await refusal(create(actor, { ...lp, assoc: { LP: { id: ids.lp } }, LPs: [ids.otherLP] }))).toBe(
      'badRequest LPs',
    );
    expect(await refusal(create(await admin(), { ...lp, assoc: { LP: { id: ids.lp } }, LPs: [ids.otherLP] }))).toBe(
      'badRequest LPs',
    );
    expect(await refusal(create(actor, { LPs: [ids.lp] }))).toBe('badRequest LPs');
    expect(await refusal(create(actor, { type: 'admin', assoc: { admin: true } }))).toBe('forbidden');
    expect(await refusal(create(await actorOf('analyst@tapeline.test')))).toBe('forbidden');
  });

  test('has a role that users of the type can have', async () => {
    const borrower = { type: 'company', assoc: { company: { id: ids.northwind } } } as const;
    const actor = await admin();
    expect(await refusal(create(actor, { ...borrower, role: roles.Analyst }))).toBe('badRequest role');
    expect(await refusal(create(actor, { role: newId() }))).toBe('badRequest role');
    const own = await as(await actorOf('manager2@tapeline.test'), (session) =>
      createRole(session, { title: 'Of the other tenant', level: 9, permissions: [] }),
    );
    expect(await refusal(create(actor, { role: own.id }))).toBe('badRequest role');
    expect(await refusal(create(await manager(), { role: own.id }))).toBe('badRequest role');
  });
});

describe('nobody gives what they do not have', () => {
  test('neither a role of a higher level, nor one with permissions that they do not have', async () => {
    expect(await refusal(create(await manager(), { role: roles.Administrator }))).toBe('forbidden role');
    const withoutFunds = await createActive(await manager(), {
      role: roles['Fund manager'],
      exclusiveResources: ['funds/read'],
    });
    expect(await refusal(create(withoutFunds, { role: roles.Analyst }))).toBe('forbidden role');
    expect(
      (await create(withoutFunds, { role: roles.Borrower, type: 'company', assoc: { company: { id: ids.northwind } } }))
        .roleTitle,
    ).toBe('Borrower');
  });

  test('neither a permission, nor by no longer blocking one', async () => {
    const withoutFunds = await createActive(await manager(), {
      role: roles['Fund manager'],
      exclusiveResources: ['funds/read'],
    });
    const analyst = await create(await manager(), { role: roles.Analyst, exclusiveResources: ['funds/read'] });
    expect(await refusal(change(withoutFunds, analyst.id, { inclusiveResources: ['funds/read'] }))).toBe(
      'forbidden inclusiveResources',
    );
    expect(await refusal(change(withoutFunds, analyst.id, { exclusiveResources: [] }))).toBe(
      'forbidden exclusiveResources',
    );
    const changed = await change(withoutFunds, analyst.id, { inclusiveResources: ['repayments/write'] });
    expect(changed.inclusiveResources).toEqual(['repayments/write']);
    const actor = await manager();
    expect(await refusal(change(actor, analyst.id, { inclusiveResources: ['managers/write'] }))).toBe(
      'badRequest inclusiveResources',
    );
    expect(await refusal(change(actor, analyst.id, { inclusiveResources: ['nothing/read'] }))).toBe(
      'badRequest inclusiveResources',
    );
  });

  test('nor a role with a permission or a level that they do not have', async () => {
    const actor = await manager();
    const role = { title: 'Treasury', level: 5, permissions: ['funds/read'] };
    expect(await refusal(as(actor, (session) => createRole(session, { ...role, level: 4 })))).toBe('forbidden level');
    expect(
      await refusal(as(actor, (session) => createRole(session, { ...role, permissions: ['managers/write'] }))),
    ).toBe('forbidden permissions');
    expect(await refusal(as(actor, (session) => createRole(session, { ...role, permissions: ['no/read'] })))).toBe(
      'badRequest permissions',
    );
    const created = await as(actor, (session) => createRole(session, role));
    expect(created).toMatchObject({ managerId: ids.manager, version: 1 });
    expect(await refusal(as(actor, (session) => createRole(session, { ...role, title: 'TREASURY' })))).toBe(
      'badRequest title',
    );
    const update = (body: object, of = created) =>
      as(actor, (session) => updateRole(session, { id: of.id, body: { ...role, version: of.version, ...body } }));
    expect(await refusal(update({ level: 4 }))).toBe('forbidden level');
    expect(await refusal(update({ permissions: ['managers/write'] }))).toBe('forbidden permissions');
    const [shared] = (await as(actor, (session) => listRoles(session, { filter: { title: 'Analyst' } }))).documents;
    expect(await refusal(update({}, shared!))).toBe('forbidden');
    expect((await update({ level: 30 })).version).toBe(2);
    expect(await refusal(update({ level: 29 }))).toBe('badRequest version');
  });

  test('nor change what a role gives its holders without holding all of it', async () => {
    const actor = await manager();
    const role = { title: 'Treasurer', level: 12, permissions: ['funds/read', 'roles/write', 'repayments/write'] };
    const made = await as(actor, (session) => createRole(session, role));
    const clerk: UserActor = {
      ...actor,
      userId: newId(),
      level: 12,
      permissions: ['roles/write', 'roles/read', 'funds/read'],
    };
    const update = (by: UserActor, body: object, version = made.version) =>
      as(by, (session) => updateRole(session, { id: made.id, body: { ...role, version, ...body } }));
    // Of the same level, but without one of its permissions: the holders keep what they have.
    expect(await refusal(update(clerk, { permissions: [] }))).toBe('forbidden permissions');
    expect(await refusal(update(clerk, { permissions: ['funds/read'], level: 20 }))).toBe(
      'forbidden permissions level',
    );
    expect(await refusal(update(clerk, { level: 20 }))).toBe('forbidden level');
    const holder: UserActor = { ...clerk, permissions: [...clerk.permissions, 'repayments/write'] };
    const changed = await update(holder, { permissions: ['funds/read', 'roles/write'] });
    expect(changed.permissions).toEqual(['funds/read', 'roles/write']);
    // A title is no right.
    const renamed = { ...role, permissions: changed.permissions, title: 'Cashier' };
    expect((await update(clerk, renamed, changed.version)).title).toBe('Cashier');
    // The database holds the same line.
    const stored = (by: UserActor, keys: readonly string[]) =>
      as(by, ({ query }) => query('update roles set permissions = $2 where id = $1', [made.id, [...keys]]));
    await as(SYSTEM, ({ query }) =>
      query('update roles set permissions = $2 where id = $1', [made.id, role.permissions]),
    );
    await expect(stored(clerk, [])).rejects.toThrow('every permission of a role');
    await expect(stored(holder, [...role.permissions, 'entities/write'])).rejects.toThrow(
      'only give permissions that you have',
    );
    await stored(holder, ['funds/read']);
  });

  test('a role whose users cannot hold a permission does not get it', async () => {
    const actor = await manager();
    const role = await as(actor, (session) =>
      createRole(session, { title: 'Servicer', level: 16, permissions: ['assets/read'] }),
    );
    await create(actor, { type: 'company', assoc: { company: { id: ids.northwind } }, role: role.id });
    const body = { title: role.title, level: 16, permissions: ['assets/read', 'funds/read'], version: role.version };
    expect(await refusal(as(actor, (session) => updateRole(session, { id: role.id, body })))).toBe(
      'badRequest permissions',
    );
  });
});

describe('levels', () => {
  test('protect users of a higher level from those of a lower', async () => {
    const low = await as(await manager(), (session) =>
      createRole(session, { title: 'User administration', level: 12, permissions: ['users/read', 'users/write'] }),
    );
    const lower = await createActive(await manager(), { role: low.id });
    const higher = await create(await manager(), { role: roles.Analyst });
    expect(await refusal(change(lower, higher.id, { firstName: 'Renamed' }))).toBe('forbidden');
    expect(await refusal(change(lower, higher.id, { status: 'Disabled' }))).toBe('forbidden');
    expect(await refusal(as(lower, (session) => removeUsers(session, [higher.id])))).toBe('forbidden');
    const peer = await create(await manager(), { role: low.id });
    expect((await change(lower, peer.id, { firstName: 'Renamed' })).firstName).toBe('Renamed');
    // The same below the operations.
    const past = as(lower, ({ query }) => query(`update users set first_name = 'Past' where id = $1`, [higher.id]));
    await expect(past).rejects.toThrow('the user has a higher level');
    const raised = as(lower, ({ query }) =>
      query('update users set role_id = $2 where id = $1', [peer.id, roles.Analyst]),
    );
    await expect(raised).rejects.toThrow('the user has a higher level');
  });

  test('nobody changes their own access, but their own name', async () => {
    const actor = await createActive(await manager(), { role: roles.Analyst, inclusiveResources: ['users/write'] });
    expect(await refusal(change(actor, actor.userId, { inclusiveResources: [] }))).toBe('forbidden');
    expect(await refusal(change(actor, actor.userId, { role: roles.Borrower }))).toBe('forbidden');
    expect(await refusal(as(actor, (session) => removeUsers(session, [actor.userId])))).toBe('forbidden');
    expect((await change(actor, actor.userId, { firstName: 'Amelia' })).firstName).toBe('Amelia');
    const own = as(actor, ({ query }) =>
      query(`update users set inclusive_resources = '{funds/write}' where id = $1`, [actor.userId]),
    );
    await expect(own).rejects.toThrow('users cannot change their own access');
  });
});

describe('an update', () => {
  test('follows the states, names its version, and keeps the tenant', async () => {
    const actor = await manager();
    const user = await create(actor, { role: roles.Analyst });
    expect(await refusal(as(actor, (session) => updateUser(session, { id: user.id, body: { version: 9 } })))).toBe(
      'badRequest version',
    );
    expect((await change(actor, user.id, { status: 'Active' })).status).toBe('Active');
    expect(await refusal(change(actor, user.id, { status: 'Pending' }))).toBe('badRequest status');
    expect(await refusal(change(actor, user.id, { type: 'LP' }))).toBe('badRequest type');
    expect(await refusal(change(actor, user.id, { assoc: { manager: { id: ids.otherManager } } }))).toBe(
      'badRequest assoc',
    );
    const other = await actorOf('manager2@tapeline.test');
    expect(await refusal(as(other, (session) => updateUser(session, { id: user.id, body: { version: 2 } })))).toBe(
      'notFound',
    );
    expect((await change(actor, user.id, { status: 'Removed' })).status).toBe('Removed');
    expect(await refusal(change(actor, user.id, { status: 'Active' }))).toBe('notFound');
  });

  test('of many users is all or nothing, in as many statements as of one', async () => {
    const actor = await manager();
    const created = [];
    for (let n = 0; n < 20; n += 1) created.push(await create(actor, { role: roles.Analyst }));
    const items = created.map(({ id, version }) => ({ id, version, status: 'Disabled' as const }));
    const failing = [...items.slice(0, 2), { ...items[2]!, role: roles.Administrator! }];
    expect(await refusal(as(actor, (session) => updateUsers(session, failing)))).toBe('forbidden 2.role');
    expect((await userOf(created[0]!.email)).status).toBe('Pending');
    const few = await countStatements(() => as(actor, (session) => updateUsers(session, items.slice(0, 2))));
    const many = await countStatements(() => as(actor, (session) => updateUsers(session, items.slice(2))));
    expect(many).toBeLessThanOrEqual(few);
    expect((await userOf(created[19]!.email)).status).toBe('Disabled');
  });

  test('that disables or removes a user signs them out at once', async () => {
    const actor = await manager();
    for (const body of [{ status: 'Disabled' }, { status: 'Removed' }]) {
      const user = await createActive(actor, { role: roles.Analyst });
      const now = new Date();
      const signedIn = await as(SYSTEM, (session) => openSession(session, user.userId, {}));
      expect(await loadSignedInActor(database.store, signedIn, now)).toMatchObject({ userId: user.userId });
      await change(actor, user.userId, body);
      expect(await loadSignedInActor(database.store, signedIn, now)).toBeNull();
      const refreshed = rotateRefreshToken(database.store, { refreshToken: signedIn.refreshToken, now });
      await expect(refreshed).rejects.toMatchObject({ code: 'unauthorized' });
    }
  });
});

test.each([
  ['users', 'first_name'],
  ['users', 'last_name'],
  ['entities', 'name'],
  ['funds', 'title'],
  ['lps', 'title'],
  ['transactions', 'title'],
])('a name of more than one line is refused by the database: %s.%s', async (table, column) => {
  const write = (text: string) =>
    database.query(`update ${table} set ${column} = '${text}' where id = (select min(id) from ${table})`);
  await expect(write('Har\nbour')).rejects.toMatchObject({ constraint: `${table}_${column}_name` });
  await expect(write('Har\u202ebour')).rejects.toMatchObject({ constraint: `${table}_${column}_name` });
  await expect(database.query(`select is_name('Zoë – Łęcki'), names_hold('[{"name":"Harbour"}]')`)).resolves.toEqual([
    { is_name: true, names_hold: true },
  ]);
  await expect(database.query(`select names_hold('{"a":[{"name":"Har\\nbour"}]}') as holds`)).resolves.toEqual([
    { holds: false },
  ]);
});

describe('a clerk who may edit users', () => {
  const clerk = async () =>
    createActive(await manager(), {
      role: (
        await as(await manager(), (session) =>
          createRole(session, {
            title: `Clerk ${newId().slice(-6)}`,
            level: 5,
            permissions: ['users/read', 'users/write', 'roles/read', 'funds/read'],
          }),
        )
      ).id,
    });

  test.each([
    ['email', { email: 'mine@harbour.test' }],
    ['recoveryEmail', { recoveryEmail: 'mine@harbour.test' }],
    ['role', { role: null }],
    // Otherwise they could first take away what they lack.
    ['exclusiveResources', { exclusiveResources: [...PERMISSION_KEYS] }],
    ['inclusiveResources', { inclusiveResources: ['funds/read'] }],
  ])('cannot change the %s of a user who holds more, by call or by statement', async (field, body) => {
    const [actor, target] = [await clerk(), await createActive(await manager(), { role: roles['Fund manager'] })];
    expect(await refusal(change(actor, target.userId, body))).toBe(`forbidden ${field}`);
    const column = {
      email: 'pending_email',
      recoveryEmail: 'recovery_email',
      role: 'role_id',
      exclusiveResources: 'exclusive_resources',
      inclusiveResources: 'inclusive_resources',
    }[field];
    const statement = as(actor, ({ query }) =>
      query(`update users set ${column} = $2 where id = $1`, [target.userId, Object.values(body)[0]]),
    );
    await expect(statement).rejects.toMatchObject({ constraint: 'users_rights' });
    expect((await change(actor, target.userId, { firstName: 'Amine' })).firstName).toBe('Amine');
  });

  test('cannot change how somebody signs in who sees a document that is blocked for them', async () => {
    const entries = { exclusiveResources: [`companies/${ids.northwind}`] };
    const analyst = { role: roles.Analyst };
    const actor = await createActive(await manager(), { role: roles['Fund manager'], ...entries });
    const [seeing, blind] = [
      await createActive(await manager(), analyst),
      await createActive(await manager(), { ...analyst, ...entries }),
    ];
    expect(await refusal(change(actor, seeing.userId, { email: 'seeing@harbour.test' }))).toBe('forbidden email');
    expect(await refusal(change(actor, seeing.userId, { role: null }))).toBe('forbidden role');
    const pending = (of: UserActor) =>
      as(actor, ({ query }) =>
        query(`update users set pending_email = 'past@harbour.test' where id = $1 returning id`, [of.userId]),
      );
    await expect(pending(seeing)).rejects.toMatchObject({ constraint: 'users_rights' });
    expect((await change(actor, blind.userId, { email: 'blind@harbour.test' })).pendingEmail).toBe(
      'blind@harbour.test',
    );
    expect(await pending(blind)).toHaveLength(1);
    // Nor invite somebody who sees it.
    expect(await refusal(create(actor, { ...analyst, exclusiveResources: [] }))).toBe('forbidden exclusiveResources');
    for (const body of [analyst, { ...analyst, ...entries }])
      expect((await create(actor, body)).exclusiveResources).toEqual(entries.exclusiveResources);
    const past = as(actor, ({ query }) =>
      query(
        `insert into users (id, first_name, last_name, email, type, assoc, manager_id, role_id)
         select $2, first_name, last_name, 'unseen@harbour.test', type, assoc, manager_id, role_id from users where id = $1`,
        [seeing.userId, newId()],
      ),
    );
    await expect(past).rejects.toMatchObject({ constraint: 'users_given_rights' });
  });

  test('can change what somebody who holds no more signs in with, and gives nothing they lack', async () => {
    const [actor, equal] = [await clerk(), await clerk()];
    expect((await change(actor, equal.userId, { email: 'equal@harbour.test' })).pendingEmail).toBe(
      'equal@harbour.test',
    );
    const given = as(actor, ({ query }) =>
      query(`update users set inclusive_resources = '{entities/write}' where id = $1`, [equal.userId]),
    );
    await expect(given).rejects.toMatchObject({ constraint: 'users_given_rights' });
    const unconfirmed = as(actor, ({ query }) =>
      query(`update users set email = 'direct@harbour.test' where id = $1`, [equal.userId]),
    );
    await expect(unconfirmed).rejects.toMatchObject({ constraint: 'users_email_confirmed' });
  });
});

describe('a new address', () => {
  const appSecret = 'the secret of this test';
  const origin = {};
  /** The links of the emails that were queued to an address, the latest last. */
  async function linksTo(address: string, now = new Date()) {
    const links: { link: 'confirm' | 'stop'; token: string; text: string }[] = [];
    const sender = {
      send: async ({ to, text }: { to: string; text: string }) => {
        const [, link, token] = /login\/address\?(confirm|stop)=(\S+)/.exec(text) ?? [];
        if (to === address) links.push({ link: link as 'confirm', token: token!, text });
      },
      probe: async () => undefined,
      isFinal: () => true,
      appSecret,
      publicUrl: 'https://tapeline.example',
    };
    while (await sendSecretMail(database.store, sender, { now: new Date(now.getTime() + 1000) }));
    return links;
  }
  const signInOf = (userId: string) => as(SYSTEM, (session) => openSession(session, userId, {}));
  const lives = (signedIn: { userId: string; familyId: string }) => familyLives(database.store, signedIn, new Date());
  /** A user who has confirmed a recovery email. */
  async function withRecovery(email: string): Promise<UserActor> {
    const user = await createActive(await manager(), { role: roles.Analyst });
    await as(SYSTEM, ({ query }) =>
      query('update users set recovery_email = $2, confirmed_recovery_email = $2 where id = $1', [user.userId, email]),
    );
    return user;
  }
  const use = (run: typeof confirmEmail, token: string, now = new Date()) =>
    run(database.store, { appSecret, token, now, origin });

  test('works once it is confirmed from there, and the old one can stop it for 72 hours', async () => {
    const user = await createActive(await manager(), { role: roles.Analyst });
    const signedIn = await signInOf(user.userId);
    await change(await manager(), user.userId, { email: 'moved@harbour.test' });
    expect(await userOf(user.email)).toMatchObject({ id: user.userId, pendingEmail: 'moved@harbour.test' });
    expect(await lives(signedIn)).toBe(true);
    const [confirm] = await linksTo('moved@harbour.test');
    // A link stops or confirms, and only its own change.
    await expect(use(stopAddressChange, confirm!.token)).rejects.toMatchObject({ code: 'badRequest' });
    await use(confirmEmail, confirm!.token);
    expect((await userOf('moved@harbour.test')).id).toBe(user.userId);
    expect(await lives(signedIn)).toBe(false);
    await expect(use(confirmEmail, confirm!.token)).rejects.toMatchObject({ code: 'badRequest' });
    const [told] = await linksTo(user.email);
    expect(told).toMatchObject({ link: 'stop', text: expect.stringContaining('is now moved@harbour.test') });
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000);
    await expect(use(stopAddressChange, told!.token, hours(73))).rejects.toMatchObject({ code: 'badRequest' });
    const taker = await signInOf(user.userId);
    await use(stopAddressChange, told!.token, hours(71));
    expect(await userOf(user.email)).toMatchObject({ id: user.userId, pendingEmail: null });
    expect(await lives(taker)).toBe(false);
  });

  test('is forgotten when it is stopped, cancelled or replaced before it is confirmed', async () => {
    const actor = await manager();
    const user = await createActive(actor, { role: roles.Analyst });
    await change(actor, user.userId, { email: 'first@harbour.test' });
    const [first] = await linksTo('first@harbour.test');
    await change(actor, user.userId, { email: 'next@harbour.test' });
    await expect(use(confirmEmail, first!.token)).rejects.toMatchObject({ code: 'badRequest' });
    const [next] = await linksTo('next@harbour.test');
    await change(actor, user.userId, { pendingEmail: null });
    await expect(use(confirmEmail, next!.token)).rejects.toMatchObject({ code: 'badRequest' });
    await change(actor, user.userId, { email: 'last@harbour.test' });
    const stop = (await linksTo(user.email)).at(-1);
    await use(stopAddressChange, stop!.token);
    expect((await userOf(user.email)).pendingEmail).toBeNull();
    expect(await refusal(change(actor, user.userId, { pendingEmail: 'last@harbour.test' }))).toBe(
      'badRequest pendingEmail',
    );
    expect(await refusal(change(actor, user.userId, { email: 'manager2@tapeline.test' }))).toBe('badRequest email');
  });

  test('that is not confirmed within 7 days ends, can be asked for again, and is cleared', async () => {
    const actor = await manager();
    const user = await createActive(actor, { role: roles.Analyst });
    const address = 'late@harbour.test';
    await change(actor, user.userId, { email: address });
    const requests = () => as(SYSTEM, (session) => openEmailRequests(session, [user.userId]));
    const clear = (now: Date) =>
      database.store.as(SYSTEM, (session) => removeExpired(session, { kind: 'emailsNotConfirmed', limits, most: 10 }), {
        now,
      });
    const limits = { mailDays: 1, notificationDays: 1, unusedDays: 1, removedDays: 1, historyYears: null };
    const until = (await requests()).get(user.userId)!;
    expect(until.getTime() - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    await clear(new Date(until.getTime() - 1000));
    expect((await userOf(user.email)).pendingEmail).toBe(address);
    // Asking again while it waits sends nothing.
    const [first, ...more] = await linksTo(address);
    expect(more).toEqual([]);
    await change(actor, user.userId, { email: address });
    expect(await linksTo(address)).toEqual([]);
    await as(SYSTEM, ({ query }) =>
      query(`update address_changes set expires_at = now() - interval '1 second' where user_id = $1`, [user.userId]),
    );
    await expect(use(confirmEmail, first!.token)).rejects.toMatchObject({ code: 'badRequest' });
    expect((await requests()).size).toBe(0);
    await change(actor, user.userId, { email: address });
    const [again] = await linksTo(address);
    expect(again).toMatchObject({ link: 'confirm' });
    expect((await requests()).size).toBe(1);
    await as(SYSTEM, ({ query }) =>
      query(`update address_changes set expires_at = now() - interval '1 second' where user_id = $1`, [user.userId]),
    );
    expect(await clear(new Date())).toBeGreaterThan(0);
    expect((await userOf(user.email)).pendingEmail).toBeNull();
  });

  test('of an invited user works at once: the invitation confirms it', async () => {
    const user = await create(await manager(), { role: roles.Analyst });
    await change(await manager(), user.id, { email: 'invited@harbour.test' });
    expect((await userOf('invited@harbour.test')).pendingEmail).toBeNull();
  });

  test('is not confirmed for rights that have changed, or for somebody who could not ask for it any more', async () => {
    const actor = await manager();
    const requested = async (by: UserActor, name: string) => {
      const user = await createActive(actor, { role: roles.Analyst, inclusiveResources: ['users/read'] });
      await change(by, user.userId, { email: `${name}@harbour.test` });
      const [confirm] = await linksTo(`${name}@harbour.test`);
      return { user, token: confirm!.token };
    };
    const changes = [
      { role: null },
      { exclusiveResources: ['funds/read'] },
      { inclusiveResources: [] },
      { email: 'rights3@harbour.test', role: null },
    ];
    for (const [index, body] of changes.entries()) {
      const { user, token } = await requested(actor, `rights${index}`);
      expect((await change(actor, user.userId, body)).pendingEmail).toBeNull();
      await expect(use(confirmEmail, token)).rejects.toMatchObject({ code: 'badRequest' });
    }
    for (const [index, lost] of [{ status: 'Disabled' }, { exclusiveResources: ['funds/read'] }].entries()) {
      const asking = await createActive(actor, { role: roles['Fund manager'] });
      const { user, token } = await requested(asking, `asked${index}`);
      await change(actor, asking.userId, lost);
      await expect(use(confirmEmail, token)).rejects.toMatchObject({ code: 'badRequest' });
      expect((await userOf(user.email)).id).toBe(user.userId);
    }
  });

  test('sends 5 letters an hour to an address and 300 for a person, and none when it is asked for again', async () => {
    const actor = await manager();
    const user = await createActive(actor, { role: roles.Analyst });
    const ask = (index: number) => change(actor, user.userId, { email: `often${index}@harbour.test` });
    for (let index = 1; index <= 5; index += 1) await ask(index);
    expect((await ask(5)).pendingEmail).toBe('often5@harbour.test');
    expect(await linksTo('often5@harbour.test')).toHaveLength(1);
    expect(await refusal(ask(6))).toBe('tooMany');
    expect((await userOf(user.email)).pendingEmail).toBe('often5@harbour.test');
    const sender = await createActive(actor, { role: roles['Fund manager'] });
    // Each request sends two letters.
    await as(SYSTEM, ({ query, now }) =>
      query(
        `insert into limited_calls (id, limit_key, called_at)
         select 'e' || lpad(to_hex(n), 23, '0'), $1, $2 from generate_series(1, 298) as n`,
        [`address/from/${sender.userId}`, now],
      ),
    );
    const other = await createActive(actor, { role: roles.Analyst });
    await change(sender, other.userId, { email: 'within@harbour.test' });
    expect(await refusal(change(sender, other.userId, { email: 'beyond@harbour.test' }))).toBe('tooMany');
  });

  test('that was removed cannot be restored from its mailbox, and links of a disabled user do not work', async () => {
    const actor = await manager();
    const user = await withRecovery('old@harbour.test');
    await change(actor, user.userId, { recoveryEmail: null });
    const told = await as(SYSTEM, ({ query }) =>
      query(`select letter ->> 'to' as "to" from secret_mails where letter ->> 'from' = 'old@harbour.test'`),
    );
    expect(told).toEqual([{ to: user.email }]);
    const [stop] = await linksTo(user.email);
    await change(actor, user.userId, { status: 'Disabled' });
    await expect(use(stopAddressChange, stop!.token)).rejects.toMatchObject({ code: 'badRequest' });
    await change(actor, user.userId, { status: 'Active' });
    await use(stopAddressChange, stop!.token);
    expect((await userOf(user.email)).confirmedRecoveryEmail).toBe('old@harbour.test');
  });

  test('to recover the account is left out when another account has confirmed it meanwhile', async () => {
    const user = await withRecovery('shared@harbour.test');
    await change(await manager(), user.userId, { recoveryEmail: null });
    const [stop] = await linksTo(user.email);
    // The other one is removed with it.
    await as(SYSTEM, ({ query }) =>
      query(`update users set recovery_email = 'next@harbour.test', confirmed_recovery_email = null where id = $1`, [
        user.userId,
      ]),
    );
    await withRecovery('shared@harbour.test');
    await use(stopAddressChange, stop!.token);
    expect(await userOf(user.email)).toMatchObject({ recoveryEmail: null, confirmedRecoveryEmail: null });
  });

  test('to recover the account is told to the owner, and stopping it undoes what followed', async () => {
    const actor = await manager();
    const user = await withRecovery('spare@harbour.test');
    await change(actor, user.userId, { recoveryEmail: 'taken@harbour.test' });
    // It is removed until its owner confirms the other one, so only the email of the account is told.
    const [stop] = await linksTo(user.email);
    await change(actor, user.userId, { email: 'after@harbour.test' });
    const [confirm] = await linksTo('after@harbour.test');
    await use(confirmEmail, confirm!.token);
    await use(stopAddressChange, stop!.token);
    expect(await userOf(user.email)).toMatchObject({
      recoveryEmail: 'spare@harbour.test',
      confirmedRecoveryEmail: 'spare@harbour.test',
    });
  });
});

describe('the last administrator', () => {
  test('stays, however two administrators act at once', async () => {
    const first = await admin();
    const secondEmail = 'second@tapeline.test';
    await as(SYSTEM, (session) => createAdmin(session, { email: secondEmail }));
    const second = await actorOf(secondEmail);
    const results = await Promise.allSettled([
      change(first, second.userId, { status: 'Disabled' }),
      change(second, first.userId, { role: roles.Analyst }),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [refused] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refused).toMatchObject({
      code: 'badRequest',
      message: expect.stringContaining('last active administrator'),
    });
    const [left] = await as(SYSTEM, ({ query }) =>
      query<{ id: string }>(`select id from users where type = 'admin' and status = 'Active' and role_id = $1`, [
        roles.Administrator,
      ]),
    );
    const last = (await loadActor(database.store, left!.id))!;
    // Neither through the role or the permissions.
    const [role] = (await as(last, (session) => listRoles(session, { filter: { title: 'Administrator' } }))).documents;
    const demoted = as(last, (session) =>
      updateRole(session, { id: role!.id, body: { ...role!, permissions: ['users/read'] } }),
    );
    expect(await refusal(demoted)).toBe('badRequest');
    const [permission] = (await as(last, (session) => listPermissions(session, { filter: { key: 'users/write' } })))
      .documents;
    const taken = as(last, (session) =>
      updatePermission(session, { id: permission!.id, body: { ...permission!, allowed: ['manager'] } }),
    );
    expect(await refusal(taken)).toBe('badRequest');
    await as(SYSTEM, ({ query }) =>
      query(`update users set status = 'Active', role_id = $1 where type = 'admin'`, [roles.Administrator]),
    );
  });
});

describe('a document that is blocked or allowed', () => {
  test('is hidden with what belongs to it, or shown, for this user alone', async () => {
    const actor = await manager();
    const blocked = await createActive(actor, {
      role: roles.Analyst,
      exclusiveResources: [`companies/${ids.northwind}`],
    });
    const names = async (of: UserActor) => ({
      companies: (await as(of, (session) => listCompanies(session))).documents.map(({ name }) => name),
      transactions: (await as(of, (session) => listTransactions(session))).total,
    });
    const all = await names(actor);
    expect(all.companies).toEqual(expect.arrayContaining(['Northwind Consumer Loans', 'Alder Auto']));
    const others = all.companies.filter((name) => name !== 'Northwind Consumer Loans');
    // Northwind has one facility.
    expect(await names(blocked)).toEqual({ companies: others, transactions: all.transactions - 1 });
    const history = await as(blocked, ({ query }) =>
      query('select 1 from history where document_id = $1', [ids.northwind]),
    );
    expect(history).toEqual([]);
    await change(actor, blocked.userId, { inclusiveResources: [`companies/${ids.northwind}`] });
    expect((await names((await loadActor(database.store, blocked.userId))!)).companies).toEqual(all.companies);
  });

  test('hides its entity with it, unless another visible document has the same entity', async () => {
    const actor = await manager();
    const { entityId } = await as(actor, (session) => getCompany(session, ids.northwind));
    const analyst = { role: roles.Analyst };
    const without = await createActive(actor, { ...analyst, exclusiveResources: [`companies/${ids.northwind}`] });
    const seen = (of: UserActor) => as(of, ({ query }) => query('select from entities where id = $1', [entityId]));
    const changes = (of: UserActor) =>
      as(of, ({ query }) => query('select from history where document_id = $1', [entityId]));
    expect([await seen(actor), await seen(without)]).toEqual([[{}], []]);
    expect([(await changes(actor)).length > 0, await changes(without)]).toEqual([true, []]);
    expect(await refusal(as(without, (session) => getEntity(session, entityId)))).toBe('notFound');

    const investor = await as(actor, (session) =>
      createLP(session, {
        title: 'Northwind Pension',
        entity: { kind: 'known', id: entityId, fields: {} },
        domains: [],
      }),
    );
    expect(await seen(without)).toEqual([{}]);
    await change(actor, without.userId, {
      exclusiveResources: [`companies/${ids.northwind}`, `LPs/${investor.id}`],
    });
    const withNeither = (await loadActor(database.store, without.userId))!;
    expect(await seen(withNeither)).toEqual([]);
    // No other entity is hidden.
    expect((await as(withNeither, (session) => listEntities(session))).total).toBe(
      (await as(actor, (session) => listEntities(session))).total - 1,
    );
    await as(SYSTEM, ({ query }) => query(`update lps set status = 'Removed' where id = $1`, [investor.id]));
  });

  test('is allowed beyond what the type sees, within the tenant, and read only', async () => {
    const actor = await manager();
    const [listed] = (await as(actor, (session) => listFunds(session))).documents;
    const fund = listed!.fund;
    await as(SYSTEM, async ({ query }) => {
      for (const table of ['write_offs', 'distributions', 'contributions', 'lp_commitments']) {
        await query(`update ${table} set status = 'Removed' where investor_lp_id = $1`, [ids.secondLP]);
      }
    });
    const investor = { type: 'LP', assoc: { LP: { id: ids.secondLP } }, role: roles.Investor } as const;
    const without = await createActive(actor, investor);
    const invited = await createActive(actor, { ...investor, inclusiveResources: [`funds/${fund.id}`] });
    const titles = async (of: UserActor) =>
      (await as(of, (session) => listFunds(session))).documents.map((one) => one.fund.title);
    expect(await titles(without)).toEqual([]);
    expect(await titles(invited)).toEqual([fund.title]);
    const written = await as(invited, ({ query }) =>
      query(`update funds set title = 'Mine' where id = $1 returning id`, [fund.id]),
    );
    expect(written).toEqual([]);
  });

  test('is one that the actor can see, and of the tenant of the user', async () => {
    const other = await actorOf('manager2@tapeline.test');
    const theirs = { assoc: { manager: { id: ids.otherManager } }, role: roles.Analyst };
    for (const field of ['inclusiveResources', 'exclusiveResources'] as const)
      expect(await refusal(create(other, { ...theirs, [field]: [`companies/${ids.northwind}`] }))).toBe(
        `badRequest ${field}`,
      );
    expect(
      await refusal(create(await admin(), { ...theirs, inclusiveResources: [`companies/${ids.northwind}`] })),
    ).toBe('badRequest inclusiveResources');
    const analyst = await create(await manager(), {
      role: roles.Analyst,
      exclusiveResources: [`companies/${ids.northwind}`],
    });
    const blind = await createActive(await manager(), {
      role: roles['Fund manager'],
      exclusiveResources: [`companies/${ids.northwind}`],
    });
    expect(await refusal(change(blind, analyst.id, { exclusiveResources: [] }))).toBe('forbidden exclusiveResources');
    expect(await refusal(change(blind, analyst.id, { inclusiveResources: [`companies/${ids.northwind}`] }))).toBe(
      'badRequest inclusiveResources',
    );
  });
});

test('permissions are changed by administrators of all managers, and lost at once by types that no longer hold them', async () => {
  const actor = await admin();
  const body = { title: 'Reports read', key: 'reports/read', allowed: ['manager'] as const };
  const created = await as(actor, (session) => createPermission(session, { ...body, allowed: [...body.allowed] }));
  expect(await refusal(as(actor, (session) => createPermission(session, { ...body, allowed: ['manager'] })))).toBe(
    'badRequest key',
  );
  expect(
    await refusal(
      as(await manager(), (session) => createPermission(session, { ...body, key: 'other/read', allowed: ['manager'] })),
    ),
  ).toBe('forbidden');
  const analyst = await createActive(actor, { role: roles.Analyst, inclusiveResources: ['reports/read'] });
  expect(analyst.permissions).toContain('reports/read');
  // Only administrators give what the product itself does not check.
  expect(await refusal(create(await manager(), { inclusiveResources: ['reports/read'] }))).toBe(
    'forbidden inclusiveResources',
  );
  const updated = { ...body, id: created.id, version: created.version };
  expect(
    await refusal(
      as(actor, (session) =>
        updatePermission(session, { id: created.id, body: { ...updated, key: 'a/read', allowed: ['manager'] } }),
      ),
    ),
  ).toBe('badRequest key');
  await as(actor, (session) => updatePermission(session, { id: created.id, body: { ...updated, allowed: ['admin'] } }));
  expect((await loadActor(database.store, analyst.userId))?.permissions).not.toContain('reports/read');
  expect(PERMISSION_KEYS).not.toContain('reports/read');
});

describe('the organization of an email domain', () => {
  const ofDomain = (actor: UserActor, domain: string) => as(actor, (session) => organizationOfDomain(session, domain));
  const setDomains = (table: 'companies' | 'lps', id: string, domains: readonly string[]) =>
    as(SYSTEM, ({ query }) => query(`update ${table} set domains = $1 where id = $2`, [JSON.stringify(domains), id]));

  test('is the only active one that has it, and that the actor can see', async () => {
    const actor = await manager();
    await setDomains('companies', ids.northwind, ['northwind-mail.test', 'shared-mail.test']);
    await setDomains('lps', ids.lp, ['pension-mail.test', 'shared-mail.test']);
    expect(await ofDomain(actor, 'northwind-mail.test')).toMatchObject({ type: 'company', id: ids.northwind });
    expect(await ofDomain(actor, 'pension-mail.test')).toMatchObject({ type: 'LP', id: ids.lp });
    expect(await ofDomain(actor, 'shared-mail.test')).toBeNull();
    expect(await ofDomain(actor, 'mail.test')).toBeNull();
    expect(await ofDomain(await actorOf('manager2@tapeline.test'), 'northwind-mail.test')).toBeNull();
    const analyst = { role: roles.Analyst };
    const withoutIt = await createActive(actor, { ...analyst, exclusiveResources: [`companies/${ids.northwind}`] });
    expect(await ofDomain(withoutIt, 'northwind-mail.test')).toBeNull();
    const withoutAny = await createActive(actor, { ...analyst, exclusiveResources: ['companies/read'] });
    expect(await ofDomain(withoutAny, 'northwind-mail.test')).toBeNull();
    await setDomains('companies', ids.northwind, []);
    await setDomains('lps', ids.lp, []);
  });
});
