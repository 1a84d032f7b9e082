import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LPCommitment } from '@tapeline/db/entities/funds.ts';
import { LP, Role, User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { callCapital } from '@tapeline/db/operations/capital/contributions.ts';
import { recordNotices } from '@tapeline/db/operations/capital/due-notices.ts';
import { decideHeld, holdRestored, listHeldItems } from '@tapeline/db/operations/holds/holds.ts';
import { deliveriesOf, sendAgain } from '@tapeline/db/operations/outbox/deliveries.ts';
import { claimBeside, claimMail } from '@tapeline/db/operations/outbox/sending.ts';
import { seedFoundations } from '@tapeline/db/seed/seed-foundations.ts';
import { type Session, SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { addEntity } from '@tapeline/db/testing/entities.ts';
import { makeTenant, type TestTenant } from '@tapeline/db/testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { createMailer } from '@tapeline/mail/mailer.ts';
import { openSmtpServer, type TestSmtpServer } from '@tapeline/mail/testing/smtp-server.ts';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendDueMail } from './activities.ts';

const MORE_INVESTORS = ['Third Pension', 'Fourth Pension', 'Fifth Pension'];
const CONTACT = 'carla@contact.example';
const log = pino({ level: 'silent' });

let database: TestDatabase;
let server: TestSmtpServer;
let home: string;
let tenant: TestTenant;
let lps: string[];
/** A user of all five investors, and one of the first two. */
let ofAll: string;
let ofTwo: string;
/** The parts of a call of five investors, with their notices. */
let parts: { id: string; managerId: string; investorLPId: string | null; bundleId: string }[];

const asManager = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(testActor({ type: 'manager', managerId: tenant.managerId }), work);
const asProgram = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(SYSTEM, work);

beforeAll(async () => {
  [database, server] = await Promise.all([createTestDatabase(), openSmtpServer()]);
  home = await mkdtemp(join(tmpdir(), 'joined-mails-'));
  await asProgram(async (session) => {
    await seedFoundations(session);
    tenant = await makeTenant(session);
    const { em } = session;
    const { managerId, fundId } = tenant;
    const more = MORE_INVESTORS.map((title) => {
      const lp = em.create(LP, { id: newId(), managerId, title, entityId: addEntity(em, managerId, title) });
      em.create(LPCommitment, {
        id: newId(),
        managerId,
        fundId,
        investorKind: 'LP',
        investorLPId: lp.id,
        currency: 'USD',
        closingDate: '2026-01-31',
        maxCommitment: '10',
        activeCommitment: '10',
      });
      return lp.id;
    });
    lps = [...tenant.lpIds, ...more];
    const roleId = newId();
    em.create(Role, { id: roleId, title: 'Reader', level: 20, permissions: ['contributions/read', 'LPs/read'] });
    const add = (LPs: string[]) => {
      const id = newId();
      const person = { firstName: 'Ann', lastName: 'Investor', email: `${id}@example.test` };
      const assoc = { LP: { id: LPs[0]! } };
      em.create(User, { id, type: 'LP', status: 'Active', ...person, assoc, managerId, LPs, roleId });
      return id;
    };
    await em.flush();
    ofAll = add(lps);
    ofTwo = add(lps.slice(0, 2));
  });
  await database.query(
    `update entities set contacts = jsonb_build_array(jsonb_build_object('name', 'Carla Contact', 'email', $2::text))
     where id in (select entity_id from lps where id = any ($1))`,
    [lps.slice(3), CONTACT],
  );
});
afterAll(async () => {
  await Promise.all([database?.close(), server?.close()]);
  await rm(home, { recursive: true, force: true });
});

let calls = 0;

/** Issues a call of five investors that is due later. */
async function issue(): Promise<typeof parts> {
  calls += 1;
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const made = await asManager((session) =>
    callCapital(
      session,
      contributionCreateSchema.parse({
        fund: tenant.fundId,
        callNumber: `Joined ${calls}`,
        cutOffDate: inDays(0),
        dueDate: inDays(20),
        amount: { sum: 5, currency: 'USD' },
        callPurposes: [{ title: 'A note', kind: 'investments', amount: 5 }],
        status: 'Active',
      }),
    ),
  );
  expect(made).toHaveLength(5);
  return made.map(({ id, managerId, investorLPId, metadata }) => ({
    id,
    managerId,
    investorLPId: investorLPId ?? null,
    bundleId: metadata.bundleId!,
  }));
}

const record = (some: typeof parts) =>
  asProgram((session) =>
    recordNotices(
      session,
      some.map(({ id, managerId }) => ({
        notice: { table: 'contributions' as const, id, managerId },
        name: 'A notice',
        size: 1,
        checksum: 'a'.repeat(64),
      })),
    ),
  );

beforeEach(async () => {
  await database.query(`update contributions set status = 'Removed' where call_number like 'Joined%'`);
  await database.query('delete from outbox');
  await database.query(`update users set exclusive_resources = '{}' where id = $1`, [ofAll]);
  server.messages.length = 0;
  server.behave('accept');
  parts = await issue();
  await record(parts);
});

const send = (now = new Date()) => {
  const config = { nodeEnv: 'production', smtpUrl: server.url, mailFrom: 'Tapeline <no-reply@example.com>' } as const;
  const mailer = createMailer({ home, ...config }, log);
  return sendDueMail(
    { store: database.store, log, mailer, publicUrl: 'https://tapeline.example', appSecret: 'only for tests' },
    { now: () => now },
  );
};
const plainOf = (message: string): string =>
  message
    .slice(0, message.indexOf('Content-Type: text/html'))
    // SMTP doubles a dot at the start of a line.
    .replaceAll(/^\.\./gm, '.')
    .replaceAll(/=\r?\n/g, '')
    .replaceAll('=3D', '=');
const mailsTo = (address: string): string[] =>
  server.messages.filter((message) => message.includes(`To: ${address}`)).map(plainOf);
const statuses = (userId: string) =>
  database
    .query<{ status: string }>('select status from outbox where user_id = $1 order by id', [userId])
    .then((rows) => rows.map(({ status }) => status));
/** Where the notice of each investor is. */
const linksOf = async (investors: readonly string[]) =>
  (
    await database.query<{ title: string; fileId: string }>(
      `select l.title, c.file_id as "fileId" from contributions c join lps l on l.id = c.investor_lp_id
       where c.id = any ($1) and l.id = any ($2) order by l.title`,
      [parts.map(({ id }) => id), investors],
    )
  ).map(({ title, fileId }) => `- ${title}: https://tapeline.example/documents/${fileId}`);
const listed = (text: string) => text.split(/\r?\n/).filter((line) => line.startsWith('- '));

test('who stands for five investors gets one email that names each with its link, and five deliveries are recorded', async () => {
  expect(await statuses(ofAll)).toHaveLength(5);
  expect(await send()).toEqual({ sent: 3, failed: 0, ended: 0 });
  const [all, ...others] = mailsTo(`${ofAll}@example.test`);
  expect(others).toEqual([]);
  expect(all).toContain('This email is about 5 investors:');
  expect(listed(all!)).toEqual(await linksOf(lps));
  expect(all!.match(/has issued capital call/g)).toHaveLength(1);
  expect(await statuses(ofAll)).toEqual(Array(5).fill('Sent'));
  const ids = parts.map(({ id }) => id);
  const { rows } = await asManager((session) => deliveriesOf(session, 'contributions', ids));
  expect(rows.filter(({ email }) => email === `${ofAll}@example.test`).map(({ status }) => status)).toEqual(
    Array(5).fill('Sent'),
  );

  // Another person gets an email of its own, and so does a contact, who has no account.
  const two = mailsTo(`${ofTwo}@example.test`);
  expect(two).toHaveLength(1);
  expect(listed(two[0]!)).toEqual(await linksOf(lps.slice(0, 2)));
  const contact = mailsTo(CONTACT);
  expect(contact).toHaveLength(1);
  expect(listed(contact[0]!)).toEqual(await linksOf(lps.slice(3)));
  for (const title of MORE_INVESTORS.slice(1)) {
    expect(contact[0]).toContain(`You get this email as a contact of ${title}.`);
  }
});

test('an investor that is blocked for the person since is left out', async () => {
  const blocked = parts.find(({ investorLPId }) => investorLPId === lps[2])!;
  await database.query(`update users set exclusive_resources = array[$2::text] where id = $1`, [
    ofAll,
    `contributions/${blocked.id}`,
  ]);
  await send();
  const [mail, ...others] = mailsTo(`${ofAll}@example.test`);
  expect(others).toEqual([]);
  expect(listed(mail!)).toEqual(await linksOf(lps.filter((id) => id !== lps[2])));
  expect((await statuses(ofAll)).toSorted()).toEqual(['Sent', 'Sent', 'Sent', 'Sent', 'Skipped']);
});

test('while the mail server fails, all five wait, and the next attempt is the same email', async () => {
  server.behave('refuse');
  const at = new Date();
  await send(at);
  expect(await statuses(ofAll)).toEqual(Array(5).fill('Queued'));
  const [attempts] = await database.query(
    `select min(attempts) as least, max(attempts) as most, count(last_error)::int as errors from outbox where user_id = $1`,
    [ofAll],
  );
  expect(attempts).toEqual({ least: 1, most: 1, errors: 5 });
  server.behave('accept');
  await send(new Date(at.getTime() + 60_000));
  expect(mailsTo(`${ofAll}@example.test`)).toHaveLength(1);
  expect(await statuses(ofAll)).toEqual(Array(5).fill('Sent'));
});

test('one that is sent again goes alone', async () => {
  await send();
  server.messages.length = 0;
  for (const { id } of parts.slice(0, 2)) {
    const { rows } = await asManager((session) => deliveriesOf(session, 'contributions', [id]));
    const mine = rows.find(({ email }) => email === `${ofAll}@example.test`)!;
    await asManager((session) => sendAgain(session, 'contributions', { id: mine.id, documentIds: [id] }));
  }
  await send();
  const mails = mailsTo(`${ofAll}@example.test`);
  expect(mails).toHaveLength(2);
  for (const mail of mails) expect(listed(mail)).toEqual([]);
});

test('notices that are made in batches are told in one email, once the last one is made', async () => {
  parts = await issue();
  await database.query('delete from outbox');
  await record(parts.slice(0, 3));
  expect(await send()).toEqual({ sent: 0, failed: 0, ended: 0 });
  await record(parts.slice(3));
  await send();
  const mails = mailsTo(`${ofAll}@example.test`);
  expect(mails).toHaveLength(1);
  expect(listed(mails[0]!)).toHaveLength(5);
});

test('they are told after two minutes although the last one is not made', async () => {
  parts = await issue();
  await database.query('delete from outbox');
  await record(parts.slice(0, 3));
  await send(new Date(Date.now() + 119_000));
  expect(server.messages).toEqual([]);
  await send(new Date(Date.now() + 121_000));
  const mails = mailsTo(`${ofAll}@example.test`);
  expect(mails).toHaveLength(1);
  expect(listed(mails[0]!)).toHaveLength(3);
});

test('of senders at the same time, one claims all five', async () => {
  const claim = () =>
    asProgram(async (session) => {
      const mail = await claimMail(session, { leaseMs: 60_000 });
      return mail ? [mail, ...(await claimBeside(session, mail, { leaseMs: 60_000 }))] : [];
    });
  const claimed = await Promise.all(Array.from({ length: 6 }, claim));
  expect(claimed.map((mails) => mails.length).toSorted()).toEqual([0, 0, 0, 2, 2, 5]);
});

test('what a restore holds is not sent with what an administrator released', async () => {
  const asAdmin = <Result>(work: (session: Session) => Promise<Result>): Promise<Result> =>
    database.store.as(testActor({ type: 'admin' }), work);
  await asProgram((session) => holdRestored(session, { backupAt: new Date() }));
  expect(await send()).toEqual({ sent: 0, failed: 0, ended: 0 });
  const { rows } = await asAdmin((session) => listHeldItems(session, { skip: 0, limit: 100 }));
  const mine = rows.filter(({ to }) => to === `${ofAll}@example.test`).map(({ id }) => id);
  expect(mine).toHaveLength(5);
  await asAdmin((session) => decideHeld(session, { ids: mine.slice(1), decision: 'Release' }));
  await send();
  const [mail, ...others] = mailsTo(`${ofAll}@example.test`);
  expect(others).toEqual([]);
  expect(listed(mail!)).toHaveLength(4);
  expect((await statuses(ofAll)).toSorted()).toEqual(['Held', 'Sent', 'Sent', 'Sent', 'Sent']);
});
