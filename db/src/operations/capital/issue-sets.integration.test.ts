import type { SecondPersonKind, SecondPersonRule } from '@tapeline/domain/approvals/second-person.ts';
import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { navCreateSchema } from '@tapeline/domain/capital/nav.schema.ts';
import { capitalAccountCreateSchema } from '@tapeline/domain/capital/statement.schema.ts';
import { writeOffCreateSchema } from '@tapeline/domain/capital/write-off.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { PERMISSION_KEYS, type UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Role, User } from '../../entities/people.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, type SessionOptions, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { makeTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { findApproval } from '../approvals/approvals.ts';
import { createCommitment } from '../commitments/change-commitments.ts';
import { createFund } from '../funds/change-funds.ts';
import { changeSecondPerson, readSecondPerson } from '../managers/second-person.ts';
import { callCapital } from './contributions.ts';
import { ISSUES_OF_LINES, issueStates } from './issue-approval.ts';
import { returnToPreparer, submitForIssue } from './issue-requests.ts';
import { issueSet, reviewSet, type SetTable, setsToIssue } from './issue-reviews.ts';
import { changeNavs, createNavs, navDrafts, removeNavs, settleNavDrafts, submitNavs } from './navs.ts';
import { changeCapitalAccounts, createCapitalAccounts } from './statements.ts';
import { changeWriteOffs, createWriteOffs } from './write-offs.ts';

let database: TestDatabase;
let managerId: string;
let fund: string;
let lps: string[];
let [ada, ben]: UserActor[] = [];
const NEVER: SecondPersonRule = { when: 'never', amount: null };
const ALWAYS: SecondPersonRule = { when: 'always', amount: null };
const from = (sum: string, currency = 'USD'): SecondPersonRule => ({ when: 'from', amount: { sum, currency } });

async function person({ em, now }: Session, firstName: string, roleId: string): Promise<UserActor> {
  const userId = newId(now);
  const own = { firstName, lastName: 'Ray', email: `${userId}@example.test` };
  const ready = { isReadPrivacyAndTerms: true, isConfirmedUserDetails: true };
  const assoc = { manager: { id: managerId } };
  em.create(User, { id: userId, ...own, ...ready, roleId, type: 'manager', assoc, managerId });
  return { ...testActor({ type: 'manager', managerId }), userId, ...own };
}

const as = <Result>(
  actor: UserActor | undefined,
  work: (session: Session) => Promise<Result>,
  options: SessionOptions = {},
): Promise<Result> => database.store.as(actor!, work, options);

const usd = (sum: string | number) => ({ sum, currency: 'USD' });

beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    const tenant = await makeTenant(session);
    ({ managerId, lpIds: lps } = tenant);
    const roleId = newId(session.now);
    session.em.create(Role, { id: roleId, title: 'Everything', level: 5, permissions: [...PERMISSION_KEYS] } as never);
    ada = await person(session, 'Ada', roleId);
    ben = await person(session, 'Ben', roleId);
    await session.em.flush();
  });
  await as(ada, async (session) => {
    const body = { title: 'Quay Fund', type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 5000, hardCap: 9000 };
    ({
      fund: { id: fund },
    } = await createFund(session, fundCreateSchema.parse(body)));
    for (const id of lps) {
      const commitment = { fund, investor: { id, kind: 'LP' }, closingDate: '2025-01-31', maxCommitment: 100_000 };
      await createCommitment(session, commitmentCreateSchema.parse(commitment));
    }
    const call = {
      fund,
      cutOffDate: '2025-02-05',
      dueDate: '2025-02-20',
      callNumber: '1',
      amount: usd(100_000),
      callPurposes: [{ title: 'A loan', kind: 'investments', amount: 100_000 }],
      status: 'Active',
    };
    await callCapital(session, contributionCreateSchema.parse(call));
    await createNavs(session, navsOf('50000', { cutOffDate: '2025-02-28', status: 'Active' }));
  });
  const always = {
    calls: NEVER,
    distributions: NEVER,
    writeOffs: from('1000'),
    navs: from('1000'),
    statements: ALWAYS,
  };
  await as(ada, async (session) => {
    const { version } = await readSecondPerson(session);
    await changeSecondPerson(session, { version, rules: always });
  });
});
afterAll(() => database.close());

const navsOf = (net: string, changes: object = {}) =>
  lps.map((id) =>
    navCreateSchema.parse({
      fund,
      investor: { id, kind: 'LP' },
      cutOffDate: '2025-03-31',
      gross: net,
      net,
      currency: 'USD',
      status: 'Draft',
      ...changes,
    }),
  );

/** How a draft of each kind is entered for two investors, so that its amount is this one, each on a day of its own. */
let days = 0;
const nextDay = () => {
  days += 1;
  return new Date(Date.UTC(2025, 2, days)).toISOString().slice(0, 10);
};
const ENTER: Readonly<
  Record<SetTable, (actor: UserActor | undefined, amount: number, status?: 'Draft' | 'Active') => Promise<string>>
> = {
  write_offs: async (actor, amount, status = 'Draft') => {
    const body = writeOffCreateSchema.parse({ fund, cutOffDate: nextDay(), amount: usd(amount), status });
    const [first] = await as(actor, (session) => createWriteOffs(session, [body]));
    return activityOf('write_offs', first!.id);
  },
  navs: async (actor, amount, status = 'Draft') => {
    const bodies = navsOf(String(amount / lps.length), { cutOffDate: nextDay(), status });
    const [first] = await as(actor, (session) => createNavs(session, bodies));
    return activityOf('navs', first!.id);
  },
  capital_accounts: async (actor, _, status = 'Draft') => {
    const cutOffDate = nextDay();
    const bodies = lps.map((id) =>
      capitalAccountCreateSchema.parse({ fund, investor: { id, kind: 'LP' }, cutOffDate, status }),
    );
    const [first] = await as(actor, (session) => createCapitalAccounts(session, bodies));
    return activityOf('capital_accounts', first!.id);
  },
};
const activityOf = async (table: SetTable, id: string): Promise<string> => {
  const [row] = await database.query<{ id: string }>(`select activity_id as id from ${table} where id = $1`, [id]);
  return row!.id;
};

const TABLES = ['write_offs', 'navs', 'capital_accounts'] as const;
const KINDS = { write_offs: 'writeOff', navs: 'navs', capital_accounts: 'statements' } as const;
const REFUSED = { code: 'badRequest', reasons: { status: { code: 'secondPerson' } } };

const versioned = async (session: Session, table: SetTable, id: string) => ({
  id,
  version: (await reviewSet(session, table, id)).version,
});
const issue = (actor: UserActor | undefined, table: SetTable, id: string, options: SessionOptions = {}) =>
  as(actor, async (session) => issueSet(session, table, await versioned(session, table, id)), options);
const submit = (actor: UserActor | undefined, table: SetTable, id: string) =>
  as(actor, async (session) => submitForIssue(session, table, await versioned(session, table, id)));
const giveBack = (actor: UserActor | undefined, table: SetTable, id: string, reason = 'A value is missing.') =>
  as(actor, async (session) => returnToPreparer(session, table, { ...(await versioned(session, table, id)), reason }));
const stateOf = (actor: UserActor | undefined, id: string) =>
  as(actor, async (session) => (await issueStates(session, [id])).get(id));
const tabOf = async (actor: UserActor | undefined, table: SetTable, id: string) =>
  (await database.store.read(actor!, (session) => findApproval(session, { kind: KINDS[table], id })))?.tab ?? null;
const statusesOf = async (table: SetTable, id: string) =>
  (await database.query<{ status: string }>(`select distinct status from ${table} where activity_id = $1`, [id])).map(
    ({ status }) => status,
  );
const told = (table: SetTable, id: string, kind: string) =>
  database.query(
    `select u.first_name as name, n.action_required as "isOpen", n.description from notifications n join users u on u.id = n.user_id
     where n.kind = $2 and n.document_id = any (select t.id from ${table} t where t.activity_id = $1) order by 1`,
    [id, kind],
  );

describe.each(['write_offs', 'navs'] as const)('%s from an amount on', (table) => {
  test('are issued alone by who prepared them below it, and by somebody else from it on', async () => {
    const below = await ENTER[table](ada, 999.98);
    await issue(ada, table, below);
    expect(await statusesOf(table, below)).toEqual(['Active']);
    const reaching = await ENTER[table](ada, 1000);
    await expect(issue(ada, table, reaching)).rejects.toMatchObject(REFUSED);
    expect(await statusesOf(table, reaching)).toEqual(['Draft']);
    await issue(ben, table, reaching);
    expect(await statusesOf(table, reaching)).toEqual(['Active']);
  });

  test('are entered as issued below it only', async () => {
    expect(await statusesOf(table, await ENTER[table](ada, 999.98, 'Active'))).toEqual(['Active']);
    await expect(ENTER[table](ada, 1000, 'Active')).rejects.toMatchObject(REFUSED);
  });
});

test('a gross NAV of the amount needs a second person although the net one is below it', async () => {
  const bodies = navsOf('10', { cutOffDate: nextDay(), gross: '500' });
  const [first] = await as(ada, (session) => createNavs(session, bodies));
  const id = await activityOf('navs', first!.id);
  await expect(issue(ada, 'navs', id)).rejects.toMatchObject(REFUSED);
});

test.each(['gross', 'net'])('NAVs below zero are not set off against others: %s', async (value) => {
  const cutOffDate = nextDay();
  const [up, down] = [navsOf('0', { cutOffDate, [value]: '500' }), navsOf('0', { cutOffDate, [value]: '-500' })];
  const [first] = await as(ada, (session) => createNavs(session, [up[0]!, down[1]!]));
  const id = await activityOf('navs', first!.id);
  expect(await stateOf(ada, id)).toMatchObject({ isNeeded: true });
  await expect(issue(ada, 'navs', id)).rejects.toMatchObject(REFUSED);
  await as(ada, (session) => changeNavs(session, [{ id: first!.id, version: 1, [value]: '499.99' } as never]));
  expect(await stateOf(ada, id)).toMatchObject({ isNeeded: false });
});

test('NAVs that are entered one after another count together', async () => {
  const cutOffDate = nextDay();
  const [one, two] = navsOf('500', { cutOffDate, status: 'Active' });
  await as(ada, (session) => createNavs(session, [one!]));
  await expect(as(ada, (session) => createNavs(session, [two!]))).rejects.toMatchObject(REFUSED);
});

test('an issued NAV is corrected in place by nobody alone: it is withdrawn and entered again as a draft', async () => {
  const id = await ENTER.navs(ada, 2000);
  await issue(ben, 'navs', id);
  const [nav] = await database.query<{ id: string; version: number }>(
    'select id, version from navs where activity_id = $1 order by id',
    [id],
  );
  await expect(as(ada, (session) => changeNavs(session, [{ ...nav!, net: '1' }]))).rejects.toMatchObject(REFUSED);
  await as(ada, (session) => removeNavs(session, { ids: [nav!.id], reason: 'Entered wrongly' }));
  expect(await statusesOf('navs', id)).toEqual(expect.arrayContaining(['Active', 'Removed']));
});

test('statements always need one, and the file that is made of a computed one does not prepare it', async () => {
  const id = await ENTER.capital_accounts(ada, 0);
  await expect(ENTER.capital_accounts(ada, 0, 'Active')).rejects.toMatchObject(REFUSED);
  await submit(ada, 'capital_accounts', id);
  await as(SYSTEM as never, ({ query }) =>
    query(`update capital_accounts set file_problem = 'No fonts' where activity_id = $1`, [id]),
  );
  expect(await stateOf(ben, id)).toMatchObject({ preparedBy: 'Ada Ray', submittedAt: expect.any(String) });
  await issue(ben, 'capital_accounts', id);
  expect(await statusesOf('capital_accounts', id)).toEqual(['Active']);
});

test('a NAV that moves to another day belongs to the NAVs of that day, and ends the request of the first', async () => {
  const [id, other] = [await ENTER.navs(ada, 1000), await ENTER.navs(ada, 1000)];
  await submit(ada, 'navs', id);
  const [nav] = await database.query<{ id: string; version: number }>(
    'select id, version from navs where activity_id = $1 order by id',
    [id],
  );
  const cutOffDate = nextDay();
  await as(ben, (session) => changeNavs(session, [{ ...nav!, cutOffDate }]));
  expect(await stateOf(ben, id)).toMatchObject({ isOwn: true, submittedAt: null });
  expect(await told('navs', id, 'issueWaits')).toEqual([]);
  expect(await activityOf('navs', nav!.id)).not.toBe(id);
  expect(await stateOf(ada, other)).toMatchObject({ isOwn: true });
});

test('the only NAVs of a day are moved to another day, where they are prepared', async () => {
  const id = await ENTER.navs(ada, 2000);
  const rows = await database.query<{ id: string; version: number }>(
    'select id, version from navs where activity_id = $1 order by id',
    [id],
  );
  const cutOffDate = nextDay();
  await as(ben, (session) =>
    changeNavs(
      session,
      rows.map((row) => ({ ...row, cutOffDate })),
    ),
  );
  const moved = await activityOf('navs', rows[0]!.id);
  expect(moved).not.toBe(id);
  expect(await stateOf(ben, id)).toBeUndefined();
  await expect(issue(ben, 'navs', moved)).rejects.toMatchObject(REFUSED);
  await issue(ada, 'navs', moved);
});

describe('the draft NAVs of a day, on their fund', () => {
  const entered = async (amount: number) => {
    const id = await ENTER.navs(ada, amount);
    const [first] = await database.query<{ id: string; day: string }>(
      'select id, cut_off_date::text as day from navs where activity_id = $1 order by id',
      [id],
    );
    return { id, nav: first!.id, cutOffDate: first!.day };
  };
  const shown = (cutOffDate: string) =>
    as(ada, async (session) => (await navDrafts(session, fund)).find((one) => one.cutOffDate === cutOffDate)!);
  const settle = (actor: UserActor | undefined, cutOffDate: string, version: number, step: 'issue' | 'discard') =>
    as(actor, (session) => settleNavDrafts(session, { fundId: fund, cutOffDate, version, step }));

  test.each(['issue', 'discard'] as const)('%s as they were seen, as a whole', async (step) => {
    const { id, nav, cutOffDate } = await entered(100);
    const { version } = await shown(cutOffDate);
    await as(ben, (session) => changeNavs(session, [{ id: nav, version: 1, net: '1' }]));
    await expect(settle(ada, cutOffDate, version, step)).rejects.toMatchObject({ code: 'badRequest' });
    const again = (await shown(cutOffDate)).version;
    const blocked = { ...ada!, blockedDocuments: [`navs/${nav}`] };
    await expect(settle(blocked, cutOffDate, again, step)).rejects.toMatchObject({
      flags: { investors: 'are not all visible to you' },
    });
    expect(await statusesOf('navs', id)).toEqual(['Draft']);
    await settle(ada, cutOffDate, again, step);
    expect(await statusesOf('navs', id)).toEqual([step === 'issue' ? 'Active' : 'Removed']);
  });

  test('are not issued there by anybody where they need a second person', async () => {
    const { id, cutOffDate } = await entered(1000);
    const { version } = await shown(cutOffDate);
    for (const actor of [ada, ben]) {
      await expect(settle(actor, cutOffDate, version, 'issue')).rejects.toMatchObject(REFUSED);
    }
    expect(await statusesOf('navs', id)).toEqual(['Draft']);
    await settle(ben, cutOffDate, version, 'discard');
    expect(await statusesOf('navs', id)).toEqual(['Removed']);
  });
});

describe.each(TABLES)('a request for %s', (table) => {
  test('waits for all others, who are told, and is answered by the issue', async () => {
    const id = await ENTER[table](ada, 1000);
    expect([await tabOf(ada, table, id), await tabOf(ben, table, id)]).toEqual(['mine', null]);
    await submit(ada, table, id);
    expect([await tabOf(ada, table, id), await tabOf(ben, table, id)]).toEqual(['others', 'mine']);
    expect(await told(table, id, 'issueWaits')).toMatchObject([{ name: 'Ben', isOpen: true }]);
    await expect(submit(ada, table, id)).rejects.toMatchObject({ message: 'It waits for a second person already' });
    await issue(ben, table, id);
    expect(await told(table, id, 'issueWaits')).toMatchObject([{ isOpen: false }]);
    expect(await told(table, id, 'issueDecided')).toEqual([
      { name: 'Ada', isOpen: false, description: expect.stringContaining('Ben Ray has issued the') },
    ]);
    expect([await tabOf(ada, table, id), await tabOf(ben, table, id)]).toEqual(['decided', 'decided']);
    await expect(issue(ben, table, id)).rejects.toMatchObject({ message: 'It was issued already' });
  });

  test('is returned with a reason by somebody else, and can be made again', async () => {
    const id = await ENTER[table](ada, 1000);
    await expect(giveBack(ben, table, id)).rejects.toMatchObject({ code: 'badRequest' });
    await submit(ada, table, id);
    await expect(giveBack(ada, table, id)).rejects.toMatchObject({ code: 'badRequest' });
    await giveBack(ben, table, id);
    expect(await stateOf(ada, id)).toMatchObject({ returned: { by: 'Ben Ray', reason: 'A value is missing.' } });
    expect(await told(table, id, 'issueDecided')).toMatchObject([
      { name: 'Ada', description: expect.stringContaining('Reason: A value is missing.') },
    ]);
    await submit(ada, table, id);
    await issue(ben, table, id);
  });

  test('is answered once by two people at once', async () => {
    const id = await ENTER[table](ada, 1000);
    const failures = (results: readonly PromiseSettledResult<unknown>[]) =>
      results.filter(({ status }) => status === 'rejected').length;
    expect(failures(await Promise.allSettled([submit(ada, table, id), submit(ada, table, id)]))).toBe(1);
    expect(failures(await Promise.allSettled([issue(ben, table, id), giveBack(ben, table, id)]))).toBeLessThan(2);
    const [stored] = await database.query<{ returned: unknown; issued: unknown }>(
      'select returned, issued from preparations where document_id = $1',
      [id],
    );
    expect(stored!.issued === null || stored!.returned === null).toBe(true);
  });

  test('is refused by the database as well, whatever writes', async () => {
    const id = await ENTER[table](ada, 1000);
    const sql = `update ${table} set status = 'Active' where activity_id = $1`;
    await expect(as(ada, ({ query }) => query(sql, [id]))).rejects.toMatchObject(REFUSED);
    await as(ben, ({ query }) => query(sql, [id]));
    expect(await statusesOf(table, id)).toEqual(['Active']);
  });

  test('is for the version that was seen, and for those who may write funds and see it whole', async () => {
    const id = await ENTER[table](ada, 1000);
    await expect(as(ada, (session) => submitForIssue(session, table, { id, version: 99 }))).rejects.toMatchObject({
      code: 'badRequest',
    });
    await expect(submit(ben, table, id)).rejects.toMatchObject({ code: 'badRequest' });
    const permissions = PERMISSION_KEYS.filter((key) => key !== 'funds/write');
    await expect(submit({ ...ada!, permissions }, table, id)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(issue({ ...ben!, permissions }, table, id)).rejects.toMatchObject({ code: 'forbidden' });
    const seen = await stateOf(testActor({ type: 'LP', managerId, lpIds: [lps[0]!] }), id);
    expect(seen).toBeUndefined();
    // A dry run shows the issue to who may not issue it.
    await expect(issue(ada, table, id, { rollback: true })).resolves.toBeUndefined();
    const open = await as(ada, (session) => setsToIssue(session, { fundId: fund }, [table]));
    expect(open.map((one) => one.id)).toContain(id);
  });
});

describe.each(['navs', 'capital_accounts'] as const)('%s of which somebody else issues one', (table) => {
  const issueOne = async (id: string) => {
    const [one] = await database.query<{ id: string; version: number }>(
      `select id, version from ${table} where activity_id = $1 order by id`,
      [id],
    );
    await as(ben, async (session) => {
      const items = [{ ...one!, status: 'Active' as const }];
      await (table === 'navs' ? changeNavs(session, items) : changeCapitalAccounts(session, items));
    });
  };

  test('still wait for the others: they are submitted, returned and issued', async () => {
    const id = await ENTER[table](ada, 1000);
    await issueOne(id);
    await submit(ada, table, id);
    expect(await tabOf(ben, table, id)).toBe('mine');
    await giveBack(ben, table, id);
    expect(await stateOf(ada, id)).toMatchObject({ submittedAt: null, returned: { by: 'Ben Ray' } });
    await submit(ada, table, id);
    await issue(ben, table, id);
    expect(await statusesOf(table, id)).toEqual(['Active']);
    expect(await tabOf(ada, table, id)).toBe('decided');
  });

  test('keep the request, which the last issue answers', async () => {
    const id = await ENTER[table](ada, 1000);
    await submit(ada, table, id);
    await issueOne(id);
    expect(await told(table, id, 'issueWaits')).toMatchObject([{ isOpen: true }]);
    expect(await told(table, id, 'issueDecided')).toEqual([]);
    expect(await tabOf(ben, table, id)).toBe('mine');
    await issue(ben, table, id);
    expect(await told(table, id, 'issueWaits')).toMatchObject([{ isOpen: false }]);
    expect(await told(table, id, 'issueDecided')).toMatchObject([{ name: 'Ada' }]);
  });
});

test('a whole is named: one NAV of two is not submitted', async () => {
  const id = await ENTER.navs(ada, 1000);
  const parts = await database.query<{ id: string; version: number }>(
    'select id, version from navs where activity_id = $1 order by id',
    [id],
  );
  await expect(as(ada, (session) => submitNavs(session, parts.slice(0, 1)))).rejects.toMatchObject({
    flags: { documents: 'must name all parts' },
  });
  const views = await as(ada, (session) => submitNavs(session, parts));
  expect(views.map(({ secondPerson }) => typeof secondPerson?.submittedAt)).toEqual(['string', 'string']);
});

test.each(['Q1 losses', '65F0C3A2B1D4E5F6A7B8C9D0', ' 65f0c3a2b1d4e5f6a7b8c9d0', ''])(
  'a write-off whose metadata hold "%s" stands for itself',
  async (bundleId) => {
    const [{ id } = { id: '' }] = await database.query<{ id: string }>(
      `select id from write_offs where activity_id = $1 order by id`,
      [await ENTER.write_offs(ada, 10)],
    );
    await database.query(
      `update write_offs set metadata = metadata || jsonb_build_object('bundleId', $2::text) where id = $1`,
      [id, bundleId],
    );
    expect(await activityOf('write_offs', id)).toBe(id);
  },
);

test('what the lines of a page share is added up once', async () => {
  const id = await ENTER.navs(ada, 100);
  const [row] = await database.query<Record<string, unknown>>(
    `explain (analyze, format json) with page as (select * from navs where activity_id = $1) ${ISSUES_OF_LINES}`,
    [id],
  );
  const plan = JSON.stringify(row);
  const [, loops] = /"Function Name":"amount_to_issue"[^{}]*?"Actual Loops":(\d+)/.exec(plan) ?? [];
  expect(Number(loops), plan).toBe(1);
});

test('a change of a draft write-off ends its request', async () => {
  const id = await ENTER.write_offs(ada, 1000);
  await submit(ada, 'write_offs', id);
  const [part] = await database.query<{ id: string; version: number }>(
    'select id, version from write_offs where activity_id = $1 order by id',
    [id],
  );
  await as(ben, (session) => changeWriteOffs(session, [{ ...part!, amount: usd('501') } as never]));
  expect(await stateOf(ben, id)).toMatchObject({ isOwn: true, submittedAt: null });
  expect(await told('write_offs', id, 'issueWaits')).toMatchObject([{ isOpen: false }]);
});

test.each<[SecondPersonKind, SecondPersonRule, boolean]>([
  ['writeOffs', from('1'), true],
  ['navs', from('1'), true],
  ['statements', ALWAYS, true],
  ['statements', from('1'), false],
])('the database stores a rule of %s with an amount only where there is one', async (kind, rule, holds) => {
  const [row] = await database.query<{ holds: boolean }>('select second_person_holds($1) as holds', [
    JSON.stringify({ [kind]: rule }),
  ]);
  expect(row!.holds).toBe(holds);
});
