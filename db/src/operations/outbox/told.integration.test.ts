import { companyUpdateSchema } from '@tapeline/domain/companies/company.schema.ts';
import { fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { entityUpdateSchema } from '@tapeline/domain/entities/entity.schema.ts';
import type { MailKind } from '@tapeline/domain/mail/mail.ts';
import type { PermissionKey, UserType } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { LegalEntity } from '../../entities/register.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { toldOfInvestor } from '../capital/tell-investors.ts';
import { dueCalls, remindOfCalls } from '../cash/reminders.ts';
import { updateCompany } from '../companies/companies.ts';
import { updateEntity } from '../entities/entities.ts';
import { getLP } from '../investors/investors.ts';
import { failTape, restartTape } from '../tapes/generations.ts';
import { removeTape } from '../tapes/tapes.ts';

const PERMISSIONS: readonly PermissionKey[] = [
  'assets/read',
  'assets/write',
  'companies/read',
  'contributions/read',
  'entities/read',
  'entities/write',
  'LPs/read',
];

let database: TestDatabase;
let tenant: TestTenant;
/** Users by name: "idle" has no permission; the others all of the above. */
const people = new Map<string, string>();

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    tenant = await makeTenant(session);
    const other = await makeTenant(session);
    const [full, idle] = [newId(), newId()];
    session.em.create(Role, { id: full, title: 'Full', level: 12, permissions: [...PERMISSIONS] });
    session.em.create(Role, { id: idle, title: 'Idle', level: 12, permissions: [] });
    const add = (name: string, type: UserType, of: Partial<User>, roleId = full) => {
      const id = newId();
      people.set(id, name);
      const assoc = of.companyId
        ? { company: { id: of.companyId } }
        : of.LPs?.[0]
          ? { LP: { id: of.LPs[0] } }
          : { manager: { id: of.managerId ?? tenant.managerId } };
      const person = { firstName: 'Ann', lastName: 'Example', email: `${id}@example.test` };
      session.em.create(User, {
        id,
        type,
        roleId,
        ...person,
        assoc,
        managerId: tenant.managerId,
        ...of,
      });
    };
    add('manager', 'manager', {});
    add('idle manager', 'manager', {}, idle);
    add('foreign manager', 'manager', { managerId: other.managerId });
    add('borrower', 'company', { companyId: tenant.companies[0]!.id });
    add('idle borrower', 'company', { companyId: tenant.companies[0]!.id }, idle);
    add('other borrower', 'company', { companyId: tenant.companies[1]!.id });
    add('investor', 'LP', { LPs: [tenant.lpIds[0]!] });
    add('idle investor', 'LP', { LPs: [tenant.lpIds[0]!] }, idle);
    add('other investor', 'LP', { LPs: [tenant.lpIds[1]!] });
    add('foreign investor', 'LP', { managerId: other.managerId, LPs: [other.lpIds[0]!] });
  });
});
afterAll(() => database.close());
beforeEach(() => database.query('delete from notifications; delete from outbox'));

const asProgram = <Result>(work: (session: Session) => Promise<Result>) => database.store.as(SYSTEM, work);
const asManager = <Result>(work: (session: Session) => Promise<Result>) =>
  database.store.as(testActor({ type: 'manager', managerId: tenant.managerId, firstName: 'Mara' }), work);

interface Told {
  name: string;
  title: string;
  text: string;
  level: string;
  action: boolean;
  page: string;
}
/** The notifications of one kind, and whether each has an email. */
async function told(kind: MailKind): Promise<Told[]> {
  const rows = await database.query<Omit<Told, 'name'> & { user: string; mailed: boolean }>(
    `select n.user_id as user, n.title, n.description as text, n.level, n.action_required as action, n.page,
       exists (select from outbox o where o.key = n.key and o.user_id = n.user_id) as mailed
     from notifications n where n.kind = $1 order by n.id`,
    [kind],
  );
  expect(rows.filter(({ mailed }) => !mailed)).toEqual([]);
  return rows.map(({ user, mailed: _, ...row }) => ({ name: people.get(user) ?? user, ...row }));
}
const names = (rows: readonly Told[]) => rows.map(({ name }) => name).sort();

describe('a tape that failed', () => {
  const tapeId = () => tenant.companies[0]!.tapeId;
  const process = () =>
    database.query(
      `update loan_tapes set scheduler_status = 'Processing', process_status = 'Pending', generation_id = null,
         published_at = null where id = $1`,
      [tapeId()],
    );
  const fail = () =>
    asProgram((session) => failTape(session, { tapeId: tapeId(), failure: 'No sheet is called Loans' }));

  test('is told to those of its borrower and manager who upload tapes, once for each attempt', async () => {
    await process();
    await fail();
    await fail();
    const rows = await told('tapeFailed');
    expect(names(rows)).toEqual(['borrower', 'manager']);
    expect(rows[0]).toMatchObject({ level: 'danger', action: true, page: `/monitoring/tapes/${tapeId()}` });
    expect(rows[0]?.title).toMatch(/^The loan tape of A company for .* failed$/);
    expect(rows[0]?.text).toContain('Reason: No sheet is called Loans');

    await asManager((session) => restartTape(session, { tapeId: tapeId() }));
    expect((await told('tapeFailed')).map(({ action }) => action)).toEqual([false, false]);
    await fail();
    expect((await told('tapeFailed')).map(({ action }) => action)).toEqual([false, false, true, true]);
    await asManager((session) => removeTape(session, { id: tapeId() }));
    expect((await told('tapeFailed')).some(({ action }) => action)).toBe(false);
  });
});

describe('changed bank details', () => {
  const bank = { title: 'Main account', accountNumber: '0012345678', address: '1 High Street', type: 'Business' };
  const entityOf = async (table: 'lps' | 'companies' | 'funds', id: string) => {
    const [row] = await database.query<{ id: string }>(`select entity_id as id from ${table} where id = $1`, [id]);
    return row!.id;
  };
  const change = async (id: string, fields: object) =>
    asManager(async (session) => {
      const { name, formalId, nationality, banks, version } = await session.em.findOneOrFail(LegalEntity, { id });
      const body = entityUpdateSchema.parse({ name, formalId, nationality, banks, version, ...fields });
      return updateEntity(session, { id, body });
    });

  test('of an investor are told to it and to those who keep the register, without the account', async () => {
    const id = await entityOf('lps', tenant.lpIds[0]!);
    await change(id, { description: 'Nothing about accounts' });
    expect(await told('bankDetailsChanged')).toEqual([]);
    await change(id, { banks: [bank] });
    const rows = await told('bankDetailsChanged');
    expect(names(rows)).toEqual(['investor', 'manager']);
    for (const row of rows) expect(row).toMatchObject({ level: 'danger', action: false });
    expect(rows.find(({ name }) => name === 'manager')?.text).toMatch(/^Mara .*\n\nInvestor Investor one\n/);
    expect(JSON.stringify(rows)).not.toContain('12345678');

    // An empty field is the same as a missing one.
    await change(id, { banks: [{ ...bank, IBAN: '' }] });
    expect(await told('bankDetailsChanged')).toHaveLength(2);
    await change(id, { banks: [{ ...bank, accountNumber: '99' }] });
    expect(await told('bankDetailsChanged')).toHaveLength(4);
  });

  test('of a company are told to it, and another entity with other accounts counts as a change', async () => {
    const companyId = tenant.companies[0]!.id;
    const own = await entityOf('companies', companyId);
    await change(own, { banks: [bank] });
    expect(names(await told('bankDetailsChanged'))).toEqual(['borrower', 'manager']);

    const switchTo = async (entity: string) =>
      asManager(async (session) => {
        const [row] = await session.query<{ version: number }>('select version from companies where id = $1', [
          companyId,
        ]);
        const body = companyUpdateSchema.parse({ entity, domains: [], version: row?.version });
        await updateCompany(session, { id: companyId, body });
      });
    const copy = await asProgram(async ({ em }) => {
      const { managerId, name, formalId, nationality, banks } = await em.findOneOrFail(LegalEntity, { id: own });
      return em.create(LegalEntity, { id: newId(), managerId, name, formalId, nationality, banks }).id;
    });
    await switchTo(copy);
    expect(await told('bankDetailsChanged')).toHaveLength(2);
    await switchTo(await entityOf('companies', tenant.companies[1]!.id));
    expect(names(await told('bankDetailsChanged'))).toEqual(['borrower', 'borrower', 'manager', 'manager']);
  });

  test('name the parties that the reader may see, and no others', async () => {
    const [lp, companyId] = [tenant.lpIds[0]!, tenant.companies[0]!.id];
    const shared = await entityOf('lps', lp);
    const own = await entityOf('companies', companyId);
    await database.query('update companies set entity_id = $2 where id = $1', [companyId, shared]);
    const [manager] = [...people].find(([, name]) => name === 'manager')!;
    const namedTo = async (exclusiveResources: string[], accountNumber: string) => {
      await database.query('update users set exclusive_resources = $2 where id = $1', [manager, exclusiveResources]);
      await change(shared, { banks: [{ ...bank, accountNumber }] });
      const rows = (await told('bankDetailsChanged')).filter(({ name }) => name === 'manager');
      return rows
        .at(-1)!
        .text.split('\n')
        .filter((line) => /^(Borrower|Investor) /.test(line));
    };
    expect(await namedTo([], '0001')).toEqual(['Investor Investor one', 'Borrower Investor one']);
    expect(await namedTo([`LPs/${lp}`], '0002')).toEqual(['Borrower Investor one']);
    expect(await namedTo(['companies/read'], '0003')).toEqual(['Investor Investor one']);
    expect(await namedTo(['LPs/read', 'companies/read'], '0004')).toEqual([]);
    await database.query(`update users set exclusive_resources = '{}' where id = $1`, [manager]);
    await database.query('update companies set entity_id = $2 where id = $1', [companyId, own]);
  });

  test('of a fund are told to the manager, and of an entity that nobody refers to they are not', async () => {
    const [free, used] = await asProgram(async ({ em }) =>
      ['Free', 'Used'].map(
        (name) =>
          em.create(LegalEntity, {
            id: newId(),
            managerId: tenant.managerId,
            name,
            formalId: '1',
            nationality: { country: 'US' },
          }).id,
      ),
    );
    await database.query('update funds set entity_id = $2 where id = $1', [tenant.fundId, used]);
    await change(free!, { banks: [bank] });
    expect(await told('bankDetailsChanged')).toEqual([]);
    await change(used!, { banks: [bank] });
    expect(names(await told('bankDetailsChanged'))).toEqual(['manager']);
  });
});

describe('the page of an investor', () => {
  test('says who is told of its calls: its users who may read them, and its contacts', async () => {
    const listed = async (actor: Parameters<typeof database.store.as>[0]) =>
      database.store.as(actor, async (session) => {
        const rows = await toldOfInvestor(session, await getLP(session, tenant.lpIds[0]!));
        return rows.map(({ by, name, email }) => [by, name, people.get(email?.split('@')[0] ?? '') ?? email]);
      });
    const [entity] = await database.query<{ id: string }>('select entity_id as id from lps where id = $1', [
      tenant.lpIds[0],
    ]);
    await database.query('update entities set contacts = $2::jsonb where id = $1', [
      entity!.id,
      JSON.stringify([
        { name: 'Cleo Marsh', email: 'cleo@adviser.test' },
        { name: 'No Address', email: '' },
      ]),
    ]);
    const manager = (permissions?: PermissionKey[]) =>
      testActor({ type: 'manager', managerId: tenant.managerId, ...(permissions ? { permissions } : {}) });
    expect(await listed(manager())).toEqual([
      ['user', 'Ann Example', 'investor'],
      ['contact', 'Cleo Marsh', 'cleo@adviser.test'],
    ]);
    // Names of users are for those who may read users.
    expect(await listed(manager(['LPs/read', 'entities/read']))).toEqual([
      ['user', null, null],
      ['contact', 'Cleo Marsh', 'cleo@adviser.test'],
    ]);
    await database.query(`update entities set contacts = '[]' where id = $1`, [entity!.id]);
  });
});

describe('a call that is soon due', () => {
  const callOf = async (lp: string) => {
    const [row] = await database.query<{ id: string }>('select id from contributions where investor_lp_id = $1', [lp]);
    return row!.id;
  };
  const today = toEpochDay(new Date().toISOString().slice(0, 10));
  /** Gives the contribution a call of its own that is due on this day. */
  const due = (id: string, days: number, status = 'Active') =>
    database.query(
      `with call as (
         insert into capital_calls (id, manager_id, fund_id, currency, number, cut_off_date, due_date)
           select $4, manager_id, fund_id, currency, call_number, least(cut_off_date, $2), $2 from contributions where id = $1
           on conflict (fund_id, number, cut_off_date, due_date) where status <> 'Removed' do update set due_date = excluded.due_date
           returning id, cut_off_date)
       update contributions t set activity_id = call.id, cut_off_date = call.cut_off_date,
         due_date = $2, status = $3 from call where t.id = $1`,
      [id, fromEpochDay(today + days), status, newId()],
    );
  const remind = async () => {
    for (let after = ''; ; ) {
      const last = await asProgram(async (session) => {
        const calls = await dueCalls(session, { after, limit: 1 });
        await remindOfCalls(session, calls);
        return calls.at(-1);
      });
      if (last === undefined) return;
      after = last;
    }
  };

  test('is told to its investor once, from five days before until the day', async () => {
    const id = await callOf(tenant.lpIds[0]!);
    for (const days of [6, -1]) {
      await due(id, days);
      await remind();
      expect(await told('callDue')).toEqual([]);
    }
    await due(id, 5);
    await remind();
    await remind();
    const rows = await told('callDue');
    expect(names(rows)).toEqual(['investor']);
    expect(rows[0]).toMatchObject({ level: 'warning', action: false });
    expect(rows[0]?.title).toMatch(/^A fund: capital call 1 is due on /);
    // Moved to another day, it is due again.
    await due(id, 0);
    await remind();
    expect(names(await told('callDue'))).toEqual(['investor', 'investor']);
  });

  test('is not told of drafts, of what is closed and of what was removed', async () => {
    const id = await callOf(tenant.lpIds[1]!);
    // A call whose principal was returned or written off is neither withdrawn nor made a draft again.
    for (const table of ['write_offs', 'distributions'])
      await database.query(`update ${table} set status = 'Removed' where investor_lp_id = $1`, [tenant.lpIds[1]]);
    for (const status of ['Draft', 'Closed', 'Removed']) {
      await due(id, 3, status);
      await remind();
    }
    expect(names(await told('callDue'))).not.toContain('other investor');
    await due(id, 3);
    await remind();
    expect(names(await told('callDue'))).toContain('other investor');
  });
});
