import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { navCreateSchema } from '@tapeline/domain/capital/nav.schema.ts';
import type { CapitalAccountCreate, ReportCreate } from '@tapeline/domain/capital/statement.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { fromEpochDay, toEpochDay } from '@tapeline/domain/dates/calendar-date.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import type { PermissionKey, UserActor } from '@tapeline/domain/people/actor.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LP, Role, User } from '../../entities/people.ts';
import { StoredFile } from '../../entities/records.ts';
import { newId } from '../../ids.ts';
import { seedFoundations } from '../../seed/seed-foundations.ts';
import { type Session, SYSTEM } from '../../store.ts';
import { testActor } from '../../testing/actors.ts';
import { countStatements } from '../../testing/count-statements.ts';
import { addEntity } from '../../testing/entities.ts';
import { makeTenant, type TestTenant } from '../../testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { createCommitment } from '../commitments/change-commitments.ts';
import { createFund } from '../funds/change-funds.ts';
import { classesOfMainFund } from '../funds/main-funds.ts';
import { deliveriesOf, sendAgain, toldOf as toldPeople } from '../outbox/deliveries.ts';
import { claimMail, NOT_SENT, recipientOf, recordFailure, recordSent, recordSkipped } from '../outbox/sending.ts';
import { getCallHeader } from './calls-and-distributions.ts';
import { readNotices } from './compose-notices.ts';
import { callCapital, changeContributions, removeContributions, stepCall } from './contributions.ts';
import { recordNoticeProblem, recordNotices } from './due-notices.ts';
import { createNavs } from './navs.ts';
import { regenerateNotices } from './notices.ts';
import { changeReports, createReports } from './reports.ts';
import { changeCapitalAccounts, createCapitalAccounts, removeCapitalAccounts } from './statements.ts';
import { nobodyTold, tellWithdrawn, whoIsTold } from './tell-investors.ts';
import { withdrawnFile, withdrawnHeader } from './withdrawn.ts';

let database: TestDatabase;
let one: TestTenant;
let roleId: string;
/** A person of each investor of the tenant, and of one that has committed to nothing. */
let people: string[];
beforeAll(async () => {
  database = await createTestDatabase();
  await database.store.as(SYSTEM, async (session) => {
    await seedFoundations(session);
    one = await makeTenant(session);
    roleId = newId();
    const permissions: PermissionKey[] = ['funds/read', 'contributions/read'];
    session.em.create(Role, { id: roleId, title: 'Reader', level: 20, permissions });
    await session.em.flush();
    people = [...one.lpIds, await addInvestor(session)].map((lp) => addPerson(session, lp));
  });
});
afterAll(() => database.close());

const asManager = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(testActor({ type: 'manager', managerId: one.managerId }), work);
const asProgram = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(SYSTEM, work);

const issueCall = (callNumber: string) =>
  asManager((session) =>
    callCapital(
      session,
      contributionCreateSchema.parse({
        fund: one.fundId,
        callNumber,
        cutOffDate: '2026-05-01',
        dueDate: '2026-05-20',
        amount: { sum: 2, currency: 'USD' },
        callPurposes: [{ title: 'A note', kind: 'investments', amount: 2 }],
        status: 'Active',
      }),
    ),
  );
const CHECKSUM = 'a'.repeat(64);
const made = ({ id, managerId }: { id: string; managerId: string }) => ({
  notice: { table: 'contributions' as const, id, managerId },
  name: 'A notice',
  size: 1,
  checksum: CHECKSUM,
});

test('a call can be closed with the version of its issue, whatever becomes of its notices meanwhile', async () => {
  const [first, second] = await issueCall('Version');
  const history = () => database.query(`select id from history where document_id = $1`, [first!.id]);
  const changes = await history();
  await asProgram((session) => recordNotices(session, [made(first!)]));
  await asProgram((session) => recordNoticeProblem(session, { table: 'contributions', id: second!.id }, 'No NAV'));
  await asManager((session) => regenerateNotices(session, 'contributions', [first!.id, second!.id]));
  await asProgram((session) => recordNotices(session, [made(first!)]));
  expect(await history()).toEqual(changes);
  const [closed] = await asManager((session) =>
    changeContributions(session, [{ id: first!.id, version: first!.version, status: 'Closed' }]),
  );
  expect(closed).toMatchObject({ status: 'Closed', file: { checksum: CHECKSUM } });
});

test('a call can be closed on the page that was opened before its notices were made', async () => {
  const [first] = await issueCall('Stamp');
  const id = first!.metadata.bundleId!;
  const { version } = await asManager((session) => getCallHeader(session, id));
  await asProgram((session) => recordNotices(session, [made(first!)]));
  await asManager((session) => stepCall(session, { id, version, status: 'Closed' }));
  expect(await asManager((session) => getCallHeader(session, id))).toMatchObject({ status: 'Closed', notices: 1 });
});

const CLASSES = [
  { name: 'Class A', uniqueKey: 'A' },
  { name: 'Class B', uniqueKey: 'B' },
];
/** Recent, so that investors are told. */
const today = () => new Date().toISOString().slice(0, 10);

/** A fund of the manager with two classes, in which each investor has committed to one. */
async function twoClasses(mainFund?: string) {
  const lps = one.lpIds;
  const fund = await asManager(async (session) => {
    const created = await createFund(
      session,
      fundCreateSchema.parse({
        title: 'Pier Fund',
        type: 'SMA',
        strategy: 'ABL',
        currency: 'USD',
        targetSize: 1,
        hardCap: 1,
        classes: CLASSES,
        mainFund,
      }),
    );
    for (const [index, id] of lps.entries()) {
      const investor = { id, kind: 'LP' } as const;
      await createCommitment(
        session,
        commitmentCreateSchema.parse({
          fund: created.fund.id,
          Class: CLASSES[index]!.uniqueKey,
          investor,
          closingDate: '2025-01-31',
          maxCommitment: 1000,
        }),
      );
      const nav = {
        fund: created.fund.id,
        Class: CLASSES[index]!.uniqueKey,
        cutOffDate: '2025-12-31',
        currency: 'USD',
      };
      await createNavs(session, [navCreateSchema.parse({ ...nav, investor, gross: 1, net: 1 })]);
    }
    return created.fund.id;
  });
  return { fund, lps };
}

/** An investor that has committed to nothing. */
async function addInvestor(session: Session): Promise<string> {
  const { managerId } = one;
  const entityId = addEntity(session.em, managerId, 'Outsider');
  const lp = session.em.create(LP, { id: newId(), managerId, title: 'Outsider', entityId });
  await session.em.flush();
  return lp.id;
}

function addPerson(session: Session, lp: string, more: Partial<User> = {}): string {
  const id = newId();
  session.em.create(User, {
    id,
    type: 'LP',
    status: 'Active',
    firstName: 'Ann',
    lastName: 'Investor',
    email: `${id}@example.test`,
    assoc: { LP: { id: lp } },
    managerId: one.managerId,
    LPs: [lp],
    roleId,
    ...more,
  });
  return id;
}

async function upload(bucket: 'capitalAccounts' | 'fundReports') {
  const key = newId();
  await asProgram(async ({ em, now }) => {
    em.create(StoredFile, {
      id: newId(),
      bucket,
      key,
      name: 'File.pdf',
      size: 1,
      type: 'application/pdf',
      checksum: 'none',
      status: 'Active',
      managerId: one.managerId,
      createdAt: now,
    });
  });
  return { bucket, key, name: 'File.pdf', size: 1, type: 'application/pdf' };
}

/** Who was told of a document, and how often. */
const toldOf = async (documentId: string): Promise<string[]> =>
  (
    await database.query<{ id: string }>('select user_id as id from outbox where document_id = $1 order by 1', [
      documentId,
    ])
  ).map(({ id }) => id);

describe('investors are told once', () => {
  const statement = (fund: string, lp: string, more: Partial<CapitalAccountCreate> = {}) =>
    asManager(async (session) => {
      const [account] = await createCapitalAccounts(session, [
        { fund, investor: { id: lp, kind: 'LP' }, cutOffDate: today(), ...more },
      ]);
      return account!;
    });
  const publish = ({ id, version }: { id: string; version: number }) =>
    asManager(async (session) => (await changeCapitalAccounts(session, [{ id, version, status: 'Active' }]))[0]!);

  test('of a computed statement that is published after its file was made', async () => {
    const { fund, lps } = await twoClasses();
    const account = await statement(fund, lps[0]!);
    const file = {
      ...made(account),
      notice: { table: 'capital_accounts' as const, id: account.id, managerId: one.managerId },
    };
    await asProgram((session) => recordNotices(session, [file]));
    expect(await toldOf(account.id)).toEqual([]);
    const published = await publish(account);
    expect(await toldOf(account.id)).toEqual([people[0]]);
    await asManager((session) => changeCapitalAccounts(session, [{ ...published, status: 'Closed' }]));
    await asProgram((session) => recordNotices(session, [file]));
    expect(await toldOf(account.id)).toEqual([people[0]]);
  });

  test('of one that is published before its file is made, when the file is there', async () => {
    const { fund, lps } = await twoClasses();
    const account = await statement(fund, lps[0]!, { status: 'Active' });
    expect(await toldOf(account.id)).toEqual([]);
    const notice = { table: 'capital_accounts' as const, id: account.id, managerId: one.managerId };
    await asProgram((session) => recordNotices(session, [{ ...made(account), notice }]));
    expect(await toldOf(account.id)).toEqual([people[0]]);
  });

  test('of an uploaded statement, created or changed to Active', async () => {
    const { fund, lps } = await twoClasses();
    const draft = await statement(fund, lps[1]!, { fileMetadata: await upload('capitalAccounts') });
    expect(await toldOf(draft.id)).toEqual([]);
    await publish(draft);
    expect(await toldOf(draft.id)).toEqual([people[1]]);
    const active = await statement(fund, lps[0]!, { fileMetadata: await upload('capitalAccounts'), status: 'Active' });
    expect(await toldOf(active.id)).toEqual([people[0]]);
  });

  test('of a report: the investors of its fund, class or main fund', async () => {
    const mainFund = await database
      .query<{ id: string }>('select id from main_funds where manager_id = $1', [one.managerId])
      .then(([row]) => row!.id);
    const { fund } = await twoClasses(mainFund);
    const keys = (await asManager((session) => classesOfMainFund(session, mainFund))).map(({ key }) => key);
    expect(keys).toEqual(['A', 'B']);
    const [first, second] = people;
    const report = async (of: Partial<ReportCreate>) => {
      const fileMetadata = await upload('fundReports');
      const [draft] = await asManager((session) =>
        createReports(session, [{ cutOffDate: today(), fileMetadata, ...of }]),
      );
      expect(await toldOf(draft!.id)).toEqual([]);
      const { id, version } = draft!;
      const [active] = await asManager((session) => changeReports(session, [{ id, version, status: 'Active' }]));
      await asManager((session) => changeReports(session, [{ id, version: active!.version, status: 'Closed' }]));
      return toldOf(id);
    };
    expect(await report({ fund })).toEqual([first, second].sort());
    expect(await report({ fund, Class: 'B' })).toEqual([second]);
    expect(await report({ mainFund })).toEqual([first, second].sort());
    expect(await report({ mainFund, Class: 'B' })).toEqual([second]);
    const fileMetadata = await upload('fundReports');
    const [active] = await asManager((session) =>
      createReports(session, [{ cutOffDate: today(), fileMetadata, fund, Class: 'A', status: 'Active' }]),
    );
    expect(await toldOf(active!.id)).toEqual([first]);
  });

  test('and not of what is long past', async () => {
    const { fund, lps } = await twoClasses();
    const fileMetadata = await upload('capitalAccounts');
    const old = await statement(fund, lps[0]!, { fileMetadata, cutOffDate: '2025-12-31', status: 'Active' });
    expect(await toldOf(old.id)).toEqual([]);
  });
});

describe('a call reaches whoever must know', () => {
  /** Issues a call that is due later, with its notices made. */
  const issue = async (callNumber: string) => {
    const parts = await asManager((session) =>
      callCapital(
        session,
        contributionCreateSchema.parse({
          fund: one.fundId,
          callNumber,
          cutOffDate: today(),
          dueDate: fromEpochDay(toEpochDay(today()) + 20),
          amount: { sum: 2, currency: 'USD' },
          callPurposes: [{ title: 'A note', kind: 'investments', amount: 2 }],
          status: 'Active',
        }),
      ),
    );
    await asProgram((session) => recordNotices(session, parts.map(made)));
    const of = (lp: string) => parts.find(({ investorLPId }) => investorLPId === lp)!;
    return { parts, first: of(one.lpIds[0]!), second: of(one.lpIds[1]!) };
  };
  const contacts = (lp: string, emails: readonly string[]) =>
    database.query(
      `update entities set contacts = (select coalesce(jsonb_agg(jsonb_build_object('name', 'Carla Contact', 'email', email)), '[]')
         from unnest($2::text[]) as email) where id = (select entity_id from lps where id = $1)`,
      [lp, emails],
    );
  const status = (id: string, to: string) => database.query('update users set status = $2 where id = $1', [id, to]);
  const sendAll = async () => {
    const sent: { to: string | undefined; key: string; text: string }[] = [];
    for (;;) {
      const mail = await asProgram((session) => claimMail(session, { leaseMs: 60_000 }));
      if (!mail) return sent;
      const to = (await asProgram((session) => recipientOf(session, mail)))?.email;
      sent.push({ to, key: mail.subject, text: mail.text });
      await asProgram((session) => (to ? recordSent(session, mail) : recordSkipped(session, mail, NOT_SENT.noReader)));
    }
  };
  beforeEach(async () => {
    await database.query('delete from notifications');
    await database.query('delete from outbox');
  });
  afterEach(async () => {
    // The investors have committed to little.
    await database.query(`update contributions set status = 'Removed' where cut_off_date = $1`, [today()]);
    for (const lp of one.lpIds) await contacts(lp, []);
    await status(people[0]!, 'Active');
    await database.query('update users set email = $2 where id = $1', [people[0], `${people[0]}@example.test`]);
  });

  test('an invited user, who finds it after the first sign-in, and the contacts of the entity, each address once', async () => {
    await status(people[0]!, 'Pending');
    await contacts(one.lpIds[0]!, ['carla@example.test', 'CARLA@example.test', `${people[0]}@EXAMPLE.test`]);
    const { first } = await issue('Reach 1');
    const told = await asManager((session) => whoIsTold(session, 'contributions', [first.id]));
    expect(told.investors.map(({ investor, told }) => [investor, told.map(({ by }) => by)])).toEqual([
      ['Investor one', ['invited', 'contact']],
    ]);
    const sent = (await sendAll()).filter(({ to }) => to === 'carla@example.test' || to?.startsWith(people[0]!));
    expect(sent.map(({ to }) => to).sort()).toEqual([`${people[0]}@example.test`, 'carla@example.test'].sort());
    expect(sent.find(({ to }) => to === 'carla@example.test')?.text).toContain(
      'You get this email as a contact of Investor one.',
    );
    const notified = await database.query<{ page: string }>('select page from notifications where user_id = $1', [
      people[0],
    ]);
    expect(notified).toEqual([{ page: `/capital/calls/${first.metadata.bundleId}` }]);
  });

  test('and a review names the investors of whom nobody is told', async () => {
    await status(people[0]!, 'Disabled');
    const { parts } = await issue('Reach 2');
    const review = () =>
      asManager((session) =>
        whoIsTold(
          session,
          'contributions',
          parts.map(({ id }) => id),
        ),
      );
    expect(nobodyTold(await review())).toEqual([
      'No one is notified: Investor one. Invite a user of each, or add a contact with an email to its entity',
    ]);
    await contacts(one.lpIds[0]!, ['carla@example.test']);
    expect(nobodyTold(await review())).toEqual([]);
    const past = await issueCall('Reach 3');
    const told = await asManager((session) =>
      whoIsTold(
        session,
        'contributions',
        past.map(({ id }) => id),
      ),
    );
    expect(nobodyTold(told)[0]).toContain('its date has passed');
  });

  test('only the contacts who receive call notices, and all of them, as the review says, if none does', async () => {
    const receiving = (...kinds: (string[] | null)[]) =>
      database.query('update entities set contacts = $2 where id = (select entity_id from lps where id = $1)', [
        one.lpIds[0],
        JSON.stringify(
          kinds.map((receives, at) => ({ name: 'Carla Contact', email: `carla${at}@example.test`, receives })),
        ),
      ]);
    const toldOf = async (callNumber: string) => {
      const { first } = await issue(callNumber);
      const who = await asManager((session) => whoIsTold(session, 'contributions', [first.id]));
      const queued = await database.query<{ email: string }>(
        `select contact_email as email from outbox where document_id = $1 and contact_email is not null order by 1`,
        [first.id],
      );
      const previewed = who.investors.flatMap(({ told }) =>
        told.flatMap(({ by, email }) => (by === 'contact' ? email : [])),
      );
      expect(previewed.toSorted()).toEqual(queued.map(({ email }) => email));
      return { emails: previewed, warnings: nobodyTold(who), id: first.id };
    };
    await receiving(['calls', 'tax'], ['statements'], null, []);
    const { emails, warnings, id } = await toldOf('Received 1');
    expect(emails).toEqual(['carla0@example.test', 'carla2@example.test']);
    expect(warnings).toEqual([]);
    expect(await sendAll()).not.toEqual([]);
    // Whoever was told of a call is told that it is withdrawn.
    await receiving([], [], [], []);
    await asManager((session) => tellWithdrawn(session, 'contributions', [id]));
    const withdrawn = await database.query<{ email: string }>(
      `select contact_email as email from outbox where kind = 'noticeWithdrawn' and contact_email is not null order by 1`,
    );
    expect(withdrawn.map(({ email }) => email)).toEqual(['carla0@example.test', 'carla2@example.test']);
    await receiving(['statements'], []);
    const none = await toldOf('Received 2');
    expect(none.emails).toEqual(['carla0@example.test', 'carla1@example.test']);
    expect(none.warnings).toEqual([
      'No contact receives this kind of document, so all contacts are notified: Investor one',
    ]);
  });

  test('promises the wire instructions only if the notice has them', async () => {
    const textOf = async (id: string) =>
      (await database.query<{ text: string }>('select text from outbox where document_id = $1', [id]))[0]?.text;
    const { first } = await issue('Wire 1');
    expect(await textOf(first.id)).toContain('The notice states no account to pay into');
    await database.query(`update funds set entity_id = (select entity_id from lps where id = $2) where id = $1`, [
      one.fundId,
      one.lpIds[1],
    ]);
    await database.query(
      `update entities set banks = '[{"title": "Main", "accountNumber": "12", "address": "1 High Street", "type": "Business"}]'
       where id = (select entity_id from funds where id = $1)`,
      [one.fundId],
    );
    const { first: withBank } = await issue('Wire 2');
    expect(await textOf(withBank.id)).toContain('with the amount and the wire instructions');
    await database.query('update funds set entity_id = null where id = $1', [one.fundId]);
  });

  test('a contact who was removed meanwhile, or whose call was withdrawn first, gets nothing', async () => {
    await contacts(one.lpIds[0]!, ['carla@example.test']);
    await issue('Gone 1');
    await contacts(one.lpIds[0]!, []);
    expect((await sendAll()).map(({ to }) => to)).not.toContain('carla@example.test');
    await contacts(one.lpIds[0]!, ['carla@example.test']);
    const { parts } = await issue('Gone 2');
    await asManager((session) => removeContributions(session, { ids: parts.map(({ id }) => id), reason: 'Wrong' }));
    const sent = await sendAll();
    expect(sent.map(({ to }) => to)).not.toContain('carla@example.test');
    // The user has seen the notification, so the withdrawal is told.
    expect(sent.map(({ key }) => key)).toContainEqual(expect.stringMatching(/^Withdrawn: A fund: capital call Gone 2/));
  });

  test('a contact with an account gets only what the account may read, in the preview and when it is sent', async () => {
    const [lp] = one.lpIds as [string];
    const two = await asProgram(makeTenant);
    const manager: Partial<User> = { type: 'manager', LPs: [], assoc: { manager: { id: one.managerId } } };
    const accounts = await asProgram(async (session) => ({
      disabled: addPerson(session, lp, { status: 'Disabled' }),
      idle: addPerson(session, lp, { roleId: null }),
      blocked: addPerson(session, lp, { exclusiveResources: [`funds/${one.fundId}`] }),
      blockedManager: addPerson(session, lp, { ...manager, exclusiveResources: [`LPs/${lp}`] }),
      idleManager: addPerson(session, lp, { ...manager, roleId: null }),
      ofAnotherInvestor: people[2]!,
      manager: addPerson(session, lp, manager),
      removed: addPerson(session, lp, { status: 'Removed' }),
      foreign: addPerson(session, two.lpIds[0]!, {
        managerId: two.managerId,
        status: 'Disabled',
      }),
    }));
    const addressOf = (id: string) => `${id}@example.test`;
    /** Issues a call with these contacts. @returns who is told as a contact, by the preview and by the queue */
    const toldAmong = async (callNumber: string, emails: readonly string[]) => {
      await contacts(lp, emails);
      const { first } = await issue(callNumber);
      const { investors } = await asManager((session) => whoIsTold(session, 'contributions', [first.id]));
      const previewed = investors.flatMap(({ told }) =>
        told.flatMap(({ by, email }) => (by === 'contact' ? email : [])),
      );
      const queued = await database.query<{ email: string }>(
        'select contact_email as email from outbox where document_id = $1 and contact_email is not null order by id',
        [first.id],
      );
      return { previewed, queued: queued.map(({ email }) => email) };
    };
    const { manager: reader, removed, foreign, ...hidden } = accounts;
    const nobody = { previewed: [], queued: [] };
    const inCapitals = Object.values(hidden).map((id) => addressOf(id).toUpperCase());
    expect(await toldAmong('Account 1', inCapitals.slice(0, 3))).toEqual(nobody);
    expect(await toldAmong('Account 2', inCapitals.slice(3))).toEqual(nobody);
    const told = [...[reader, removed, foreign].map(addressOf), 'carla@example.test'];
    expect(await toldAmong('Account 3', told)).toEqual({ previewed: told, queued: told });

    // Between the change and its email, one is disabled, and a contact gets an account that may not read it.
    await status(reader, 'Disabled');
    await database.query('update users set email = $2 where id = $1', [accounts.idle, 'carla@example.test']);
    const sent = (await sendAll()).flatMap(({ to }) => to ?? []);
    expect(told.filter((email) => sent.includes(email))).toEqual([removed, foreign].map(addressOf));
    const { ofAnotherInvestor: _, ...own } = accounts;
    await database.query(`update users set status = 'Removed' where id = any ($1)`, [Object.values(own)]);
  });

  test('that it is withdrawn is hidden with what it belonged to, and so is its address', async () => {
    const [lp] = one.lpIds as [string];
    const { first, parts } = await issue('Hidden 1');
    await sendAll();
    await asManager((session) => removeContributions(session, { ids: parts.map(({ id }) => id), reason: 'Wrong' }));
    const [row] = await database.query<{ commitment: string }>(
      'select commitment_id as commitment from contributions where id = $1',
      [first.id],
    );
    const hiding = [
      `contributions/${first.id}`,
      `LPCommitments/${row!.commitment}`,
      `funds/${one.fundId}`,
      `LPs/${lp}`,
    ];
    const as = (blockedDocuments: string[], work: (session: Session) => Promise<unknown>) =>
      database.store.as(
        testActor({ type: 'LP', userId: people[0]!, managerId: one.managerId, lpIds: [lp], blockedDocuments }),
        work,
      );
    const notified = (session: Session) => session.query(`select id from notifications where kind = 'noticeWithdrawn'`);
    const address = (session: Session) => withdrawnHeader(session, 'contributions', first.metadata.bundleId!);
    const other = [`LPCommitments/${newId()}`, `funds/${newId()}`];
    expect(await as(other, notified)).toHaveLength(1);
    expect(await as(other, address)).toMatchObject({ callNumber: 'Hidden 1', documentIds: [first.id] });
    const permitted = (permissions: PermissionKey[]) =>
      database.store.as(
        testActor({ type: 'LP', userId: people[0]!, managerId: one.managerId, lpIds: [lp], permissions }),
        notified,
      );
    expect(await permitted(['contributions/read'])).toHaveLength(1);
    expect(await permitted(['LPs/read'])).toEqual([]);
    for (const blocked of hiding) {
      expect(await as([blocked], notified), blocked).toEqual([]);
      expect(await as([blocked], address), blocked).toBeNull();
    }

    await database.query('update users set exclusive_resources = $2 where id = $1', [
      people[0],
      [`LPCommitments/${row!.commitment}`],
    ]);
    expect((await sendAll()).flatMap(({ to }) => to ?? [])).toEqual([`${people[1]}@example.test`]);
    await database.query(`update users set exclusive_resources = '{}' where id = $1`, [people[0]]);
  });

  test('the file of a withdrawn statement of a main fund is hidden with the main fund', async () => {
    const [lp] = one.lpIds as [string];
    const [group] = await database.query<{ id: string }>('select id from main_funds where manager_id = $1', [
      one.managerId,
    ]);
    await twoClasses(group!.id);
    const fileMetadata = await upload('capitalAccounts');
    const [account] = await asManager((session) =>
      createCapitalAccounts(session, [
        {
          mainFund: group!.id,
          investor: { id: lp, kind: 'LP' },
          cutOffDate: today(),
          fileMetadata,
          status: 'Active',
        },
      ]),
    );
    await asManager((session) => removeCapitalAccounts(session, { ids: [account!.id], reason: 'Wrong' }));
    const [row] = await database.query<{ file: string }>('select file_id as file from capital_accounts where id = $1', [
      account!.id,
    ]);
    const found = (blockedDocuments: string[]) =>
      database.store.as(
        testActor({ type: 'LP', userId: people[0]!, managerId: one.managerId, lpIds: [lp], blockedDocuments }),
        (session) => withdrawnFile(session, row!.file),
      );
    expect(await found([])).toMatchObject({ documentIds: [account!.id] });
    expect(await found([`mainFunds/${newId()}`])).not.toBeNull();
    expect(await found([`mainFunds/${group!.id}`])).toBeNull();
  });

  test('whoever was told of it is told once that it is withdrawn, also after they cannot see it', async () => {
    await contacts(one.lpIds[0]!, ['carla@example.test']);
    const { first, second } = await issue('Back 1');
    await sendAll();
    await contacts(one.lpIds[1]!, ['late@example.test']);
    await asManager((session) => removeContributions(session, { ids: [first.id, second.id], reason: 'Wrong' }));
    const sent = await sendAll();
    expect(sent.map(({ to }) => to).sort()).toEqual(
      [`${people[0]}@example.test`, `${people[1]}@example.test`, 'carla@example.test'].sort(),
    );
    for (const { text } of sent) expect(text).toContain('has withdrawn capital call Back 1');
    for (const { text } of sent) expect(text).toContain('Do not pay it.');
  });

  test('that it is withdrawn is found in the product by an investor who may not read investors', async () => {
    const { first } = await issue('Found 1');
    await asManager((session) => removeContributions(session, { ids: [first.id], reason: 'Wrong' }));
    const notified = (permissions: readonly PermissionKey[]) =>
      database.store.as(
        testActor({ type: 'LP', userId: people[0]!, managerId: one.managerId, lpIds: [one.lpIds[0]!], permissions }),
        (session) => session.query<{ title: string }>(`select title from notifications where kind = 'noticeWithdrawn'`),
      );
    expect(await notified(['contributions/read'])).toMatchObject([
      { title: expect.stringContaining('capital call Found 1') },
    ]);
    expect(await notified(['LPs/read', 'distributions/read'])).toEqual([]);
  });

  describe('and its emails', () => {
    const listed = (ids: readonly string[], as: Partial<UserActor> = {}) =>
      database.store.as(testActor({ type: 'manager', managerId: one.managerId, ...as }), (session) =>
        deliveriesOf(session, 'contributions', ids),
      );
    const again = (id: string, documentId: string, as: Partial<UserActor> = {}) =>
      database.store.as(testActor({ type: 'manager', managerId: one.managerId, ...as }), (session) =>
        sendAgain(session, 'contributions', { id, documentIds: [documentId] }),
      );

    test('are sent again to the same person, once, whether they arrived or failed', async () => {
      await contacts(one.lpIds[0]!, ['carla@example.test']);
      const { first } = await issue('Again 1');
      const [contact, user] = (await listed([first.id])).rows;
      expect([contact, user]).toMatchObject([
        { by: 'contact', name: 'Carla Contact', email: 'carla@example.test', status: 'Queued', kind: 'callIssued' },
        { by: 'user', email: `${people[0]}@example.test`, status: 'Queued', sentAt: null },
      ]);
      // One that waits is not queued twice.
      await expect(again(user!.id, first.id)).rejects.toMatchObject({
        code: 'badRequest',
        message: expect.stringContaining('still waits'),
      });
      // The contact's address does not exist, and the user has got it.
      for (;;) {
        const mail = await asProgram((session) => claimMail(session, { leaseMs: 60_000 }));
        if (!mail) break;
        await asProgram(async (session) =>
          mail.contactEmail
            ? void (await recordFailure(session, mail, { error: '550 No such address', isFinal: true }))
            : recordSent(session, mail),
        );
      }
      const ended = await listed([first.id]);
      expect(ended).toMatchObject({ total: 2, failed: 1, told: 1 });
      // Whoever publishes sees first what did not arrive.
      expect(ended.rows).toMatchObject([
        { by: 'contact', status: 'Failed', problem: '550 No such address', sentAt: null },
        { by: 'user', status: 'Sent', problem: null, sentAt: expect.any(String) },
      ]);
      await again(ended.rows[0]!.id, first.id);
      await again(ended.rows[1]!.id, first.id);
      await expect(again(ended.rows[1]!.id, first.id)).rejects.toMatchObject({ code: 'badRequest' });
      const sent = await sendAll();
      expect(sent.map(({ to }) => to).sort()).toEqual([`${people[0]}@example.test`, 'carla@example.test'].sort());
      expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
      expect(await listed([first.id])).toMatchObject({ total: 4, failed: 1, told: 2 });
      // What is sent again is no new occasion: nobody has a second notification.
      expect(await database.query('select id from notifications where document_id = $1', [first.id])).toHaveLength(1);
    });

    test('are listed and sent again only by people of the manager who may issue it', async () => {
      const { first, second } = await issue('Again 2');
      await sendAll();
      const [mine] = (await listed([first.id])).rows;
      const [other] = (await listed([second.id])).rows;
      const none = { rows: [], total: 0, failed: 0, told: 0 };
      const reader: Partial<UserActor> = { permissions: ['contributions/read', 'users/read', 'LPs/read'] };
      const investor: Partial<UserActor> = { type: 'LP', userId: people[0]!, lpIds: [one.lpIds[0]!] };
      for (const as of [reader, investor]) {
        expect(await listed([first.id], as)).toEqual(none);
        await expect(again(mine!.id, first.id, as)).rejects.toMatchObject({ code: 'forbidden' });
      }
      // An email about another document, one of another tenant's, and none.
      await expect(again(other!.id, first.id)).rejects.toMatchObject({ code: 'notFound' });
      await expect(again(mine!.id, first.id, { managerId: newId() })).rejects.toMatchObject({ code: 'notFound' });
      await expect(again(newId(), first.id)).rejects.toMatchObject({ code: 'notFound' });
      await expect(again('nothing', first.id)).rejects.toMatchObject({ code: 'notFound' });
      expect(await sendAll()).toEqual([]);
      // Without the permission to read users, the delivery is there without its person.
      const blind: Partial<UserActor> = { permissions: ['contributions/write'] };
      expect((await listed([first.id], blind)).rows).toMatchObject([{ name: null, email: null, status: 'Sent' }]);
    });

    test('of people whom the actor cannot see are not counted out to it', async () => {
      const { fund, lps } = await twoClasses();
      const [report] = await asManager(async (session) =>
        createReports(session, [
          { fund, cutOffDate: today(), fileMetadata: await upload('fundReports'), status: 'Active' } as ReportCreate,
        ]),
      );
      const of = (blockedDocuments: string[]) =>
        database.store.as(testActor({ type: 'manager', managerId: one.managerId, blockedDocuments }), (session) =>
          deliveriesOf(session, 'reports', [report!.id]),
        );
      expect((await of([])).rows.map(({ email }) => email).sort()).toEqual(
        people
          .slice(0, 2)
          .map((id) => `${id}@example.test`)
          .sort(),
      );
      expect((await of([`LPs/${lps[0]}`])).rows.map(({ email }) => email)).toEqual([`${people[1]}@example.test`]);
    });

    test('tell, before it is removed, who is told that it is withdrawn, and cannot be sent again afterwards', async () => {
      await contacts(one.lpIds[0]!, ['carla@example.test']);
      const { first } = await issue('Again 3');
      await sendAll();
      const withdrawal = (session: Session) =>
        toldPeople(session, 'contributions', { ids: [first.id], about: 'withdrawal' });
      expect(await asManager(withdrawal)).toEqual([]);
      const told = await asManager(async (session) => {
        await removeContributions(session, { ids: [first.id], reason: 'Wrong' });
        return withdrawal(session);
      });
      expect(told.map(({ by, email }) => [by, email]).sort()).toEqual(
        [
          ['user', `${people[0]}@example.test`],
          ['contact', 'carla@example.test'],
        ].sort(),
      );
      await sendAll();
      const notice = (await listed([first.id])).rows.find(({ kind }) => kind === 'noticeWithdrawn')!;
      await expect(again(notice.id, first.id)).rejects.toMatchObject({
        message: 'What was withdrawn cannot be sent again',
      });
    });
  });

  test('nobody is told of the removal of a draft', async () => {
    const [draft] = await asManager((session) =>
      callCapital(
        session,
        contributionCreateSchema.parse({
          fund: one.fundId,
          callNumber: 'Draft 1',
          cutOffDate: today(),
          dueDate: today(),
          amount: { sum: 2, currency: 'USD' },
          callPurposes: [{ title: 'A note', kind: 'investments', amount: 2 }],
        }),
      ),
    );
    await asManager((session) => removeContributions(session, { ids: [draft!.id] }));
    expect(await sendAll()).toEqual([]);
  });
});

describe('the number of queries does not grow', () => {
  test('with the statements of a list', async () => {
    const { fund, lps } = await twoClasses();
    const creating = (count: number) =>
      countStatements(() =>
        asManager((session) =>
          createCapitalAccounts(
            session,
            Array.from({ length: count }, (_, index) => ({
              fund,
              investor: { id: lps[index % 2]!, kind: 'LP' as const },
              cutOffDate: today(),
            })),
          ),
        ),
      );
    const few = await creating(2);
    expect(await creating(40)).toBe(few);
  });

  test('with the notices of a batch', async () => {
    const calls = [await issueCall('Batch 1'), await issueCall('Batch 2'), await issueCall('Batch 3')].flat();
    const make = (parts: typeof calls) =>
      countStatements(() =>
        asProgram(async (session) => {
          const claimed = parts.map(({ id }) => ({ table: 'contributions' as const, id }));
          const notices = await readNotices(session, claimed, async () => null);
          expect(notices.map((notice) => notice.compose().name)).toHaveLength(parts.length);
          await recordNotices(session, parts.map(made));
        }),
      );
    const few = await make(calls.slice(0, 1));
    expect(await make(calls.slice(1))).toBe(few);
  });
});
