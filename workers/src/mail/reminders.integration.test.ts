import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Role, User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { callCapital } from '@tapeline/db/operations/capital/contributions.ts';
import { createBankAccount } from '@tapeline/db/operations/cash/bank-accounts.ts';
import { createPayment } from '@tapeline/db/operations/cash/payments.ts';
import {
  dueCalls,
  overdueToRemind,
  remindersOf,
  remindOfCalls,
  remindOverdue,
  sendReminder,
} from '@tapeline/db/operations/cash/reminders.ts';
import { setReminders } from '@tapeline/db/operations/funds/change-funds.ts';
import { deliveriesOf } from '@tapeline/db/operations/outbox/deliveries.ts';
import { seedFoundations } from '@tapeline/db/seed/seed-foundations.ts';
import { type Session, SYSTEM } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { addEntity } from '@tapeline/db/testing/entities.ts';
import { makeTenant, type TestTenant } from '@tapeline/db/testing/tenants.ts';
import { createTestDatabase, type TestDatabase } from '@tapeline/db/testing/test-store.ts';
import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { bankAccountCreateSchema, paymentCreateSchema } from '@tapeline/domain/cash/cash.schema.ts';
import { REMINDER_KINDS, type ReminderKind } from '@tapeline/domain/cash/reminders.ts';
import { createMailer } from '@tapeline/mail/mailer.ts';
import { openSmtpServer, type TestSmtpServer } from '@tapeline/mail/testing/smtp-server.ts';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendDueMail } from './activities.ts';

const log = pino({ level: 'silent' });
/** A Wednesday. */
const DUE = '2026-10-14';

let database: TestDatabase;
let server: TestSmtpServer;
let home: string;
let tenant: TestTenant;
let account: string;
let people: { both: string; second: string };
/** The parts of the two investors of a call of 400.00: one of 200.00 each. */
let parts: { id: string; lp: string }[];

const at = (day: string) => new Date(`${day}T09:00:00Z`);
const asProgram = <Result>(day: string, work: (session: Session) => Promise<Result>): Promise<Result> =>
  database.store.as(SYSTEM, work, { now: at(day) });
const asManager = <Result>(
  day: string,
  work: (session: Session) => Promise<Result>,
  fields: Parameters<typeof testActor>[0] = { type: 'manager' },
): Promise<Result> =>
  database.store.as(testActor({ ...fields, managerId: tenant.managerId }), work, { now: at(day), isKeyed: true });

beforeAll(async () => {
  [database, server] = await Promise.all([createTestDatabase(), openSmtpServer()]);
  home = await mkdtemp(join(tmpdir(), 'reminders-'));
  await asProgram('2026-01-01', seedFoundations);
});
afterAll(async () => {
  await Promise.all([database?.close(), server?.close()]);
  await rm(home, { recursive: true, force: true });
});

const IBAN = 'GB29NWBK60161331926819';
let calls = 0;

beforeEach(async () => {
  calls += 1;
  await database.query(`delete from outbox; delete from notifications; update funds set reminders = '{}'`);
  server.messages.length = 0;
  server.behave('accept');
  tenant = await asProgram('2026-01-01', async (session) => {
    const made = await makeTenant(session);
    const roleId = newId();
    session.em.create(Role, { id: roleId, title: `Reader ${calls}`, level: 20, permissions: ['contributions/read'] });
    const add = (LPs: string[]) => {
      const id = newId();
      const person = { firstName: 'Ann', lastName: 'Investor', email: `${id}@example.test` };
      const of = { assoc: { LP: { id: LPs[0]! } }, managerId: made.managerId, LPs, roleId };
      session.em.create(User, { id, type: 'LP', status: 'Active', ...person, ...of });
      return id;
    };
    people = { both: add([...made.lpIds]), second: add([made.lpIds[1]!]) };
    const entityId = addEntity(session.em, made.managerId, 'Harbor Fund LP');
    await session.em.flush();
    await session.query('update funds set entity_id = $2 where id = $1', [made.fundId, entityId]);
    return made;
  });
  await database.query(
    `update lp_commitments set max_commitment = 1000, active_commitment = 1000 where manager_id = $1`,
    [tenant.managerId],
  );
  await database.query(`update entities set banks = $2::jsonb where id = (select entity_id from funds where id = $1)`, [
    tenant.fundId,
    JSON.stringify([
      { title: 'Calls', bankName: 'First Tidewater', accountNumber: '4471', IBAN, address: '1 Quay', type: 'Business' },
    ]),
  ]);
  account = (
    await asManager('2026-01-02', (session) =>
      createBankAccount(
        session,
        bankAccountCreateSchema.parse({
          title: 'Pay-in account',
          bankName: 'First Tidewater',
          accountNumber: IBAN,
          currency: 'USD',
          openingDate: '2026-01-01',
        }),
      ),
    )
  ).id;
  const made = await asManager('2026-09-30', (session) =>
    callCapital(
      session,
      contributionCreateSchema.parse({
        fund: tenant.fundId,
        callNumber: '9',
        cutOffDate: '2026-09-30',
        dueDate: DUE,
        amount: { sum: 400, currency: 'USD' },
        callPurposes: [{ title: 'A note', kind: 'investments', amount: 400 }],
        status: 'Active',
      }),
    ),
  );
  parts = tenant.lpIds.map((lp) => ({ lp, id: made.find(({ investorLPId }) => investorLPId === lp)!.id }));
});

const remind = (day: string) =>
  asProgram(day, async (session) => remindOfCalls(session, await dueCalls(session, { after: '', limit: 500 })));
const send = (day: string) => {
  const config = { nodeEnv: 'production', smtpUrl: server.url, mailFrom: 'Tapeline <no-reply@example.com>' } as const;
  const mailer = createMailer({ home, ...config }, log);
  return sendDueMail(
    { store: database.store, log, mailer, publicUrl: 'https://tapeline.example', appSecret: 'only for tests' },
    { now: () => at(day) },
  );
};
const pay = (amount: number, part: number, day = '2026-10-12') =>
  asManager(day, (session) =>
    createPayment(
      session,
      paymentCreateSchema.parse({
        bankAccount: account,
        direction: 'in',
        amount,
        bookedOn: day,
        remittance: `${calls}/${amount}/${part}`,
        allocations: [{ kind: 'contribution', document: parts[part]!.id, amount }],
      }),
    ),
  );
const choose = (reminders: readonly ReminderKind[]) =>
  asManager('2026-10-01', async (session) => {
    const [{ version } = { version: 0 }] = await session.query<{ version: number }>(
      'select version from funds where id = $1',
      [tenant.fundId],
    );
    await setReminders(session, { id: tenant.fundId, version, reminders });
  });
/** What was queued for a person, by the number of the part. */
const queued = async (user: string) =>
  (
    await database.query<{ document: string; key: string; status: string; problem: string | null }>(
      `select document_id as document, key, status, last_error as problem from outbox where user_id = $1 and kind = 'callDue' order by id`,
      [user],
    )
  ).map(({ document, key, ...rest }) => ({
    part: parts.findIndex(({ id }) => id === document),
    reminder: key.split('/').slice(3).join('/') || 'before',
    ...rest,
  }));
const remindersTo = async (user: string) => (await queued(user)).map(({ part, reminder }) => `${part} ${reminder}`);
const plainOf = (message: string): string =>
  message
    .slice(0, message.indexOf('Content-Type: text/html'))
    .replaceAll(/=\r?\n/g, '')
    .replaceAll('=3D', '=')
    .replaceAll('\r\n', '\n');
const mailsTo = (user: string): string[] =>
  server.messages.filter((message) => message.includes(`To: ${user}@example.test`)).map(plainOf);

describe('the reminders of a fund', () => {
  test('are each sent once, on its day, while something is open', async () => {
    for (const day of [
      '2026-10-08',
      '2026-10-09',
      '2026-10-10',
      DUE,
      '2026-10-15',
      '2026-10-21',
      '2026-10-28',
      '2026-11-04',
    ])
      for (const _ of [1, 2]) await remind(day);
    expect(await remindersTo(people.second)).toEqual(['1 before', '1 due', '1 late1', '1 late5', '1 late10']);
    await database.query('delete from outbox; delete from notifications');
    await pay(199, 1);
    await remind(DUE);
    expect(await remindersTo(people.second)).toEqual(['1 due']);
    await pay(1, 1, '2026-10-14');
    await remind('2026-10-15');
    expect(await remindersTo(people.second)).toEqual(['1 due']);
    expect(await remindersTo(people.both)).toEqual(['0 due', '1 due', '0 late1']);
  });

  test('are those that the fund chose, and none if it chose none', async () => {
    await choose(['late1']);
    for (const day of ['2026-10-09', DUE, '2026-10-15', '2026-10-21']) await remind(day);
    expect(await remindersTo(people.second)).toEqual(['1 late1']);
    await choose([]);
    await database.query('delete from outbox; delete from notifications');
    for (const day of ['2026-10-09', DUE, '2026-10-15']) await remind(day);
    expect(await remindersTo(people.second)).toEqual([]);
    await expect(
      database.query(`update funds set reminders = '{never}' where id = $1`, [tenant.fundId]),
    ).rejects.toThrow('funds_reminders');
    await choose([...REMINDER_KINDS].reverse());
    const [stored] = await database.query<{ reminders: string[] }>('select reminders from funds where id = $1', [
      tenant.fundId,
    ]);
    expect(stored?.reminders).toEqual(REMINDER_KINDS);
    const history = await database.query<{ fields: string }>(
      `select h::text as fields from history h where h::text like '%reminders%' and h::text like $1`,
      [`%${tenant.fundId}%`],
    );
    expect(history.length).toBeGreaterThan(0);
  });

  test('end with the due date if no account for the call was open then', async () => {
    await database.query(`update bank_accounts set opening_date = '2026-10-15' where id = $1`, [account]);
    await remind(DUE);
    await remind('2026-10-15');
    expect(await remindersTo(people.second)).toEqual(['1 due']);
    await database.query(`update bank_accounts set opening_date = $2 where id = $1`, [account, DUE]);
    await remind('2026-10-16');
    expect(await remindersTo(people.second)).toEqual(['1 due', '1 late1']);
  });

  test('are not sent of what was paid after they were queued, and say what is open when they are sent', async () => {
    await remind('2026-10-15');
    await pay(200, 1, '2026-10-15');
    await pay(150.5, 0, '2026-10-15');
    expect(await send('2026-10-15')).toEqual({ sent: 1, failed: 0, ended: 1 });
    expect(await queued(people.second)).toMatchObject([
      { status: 'Skipped', problem: 'Not sent: it was paid or closed first' },
    ]);
    expect(mailsTo(people.second)).toEqual([]);
    const [mail] = mailsTo(people.both);
    expect(mail).toContain('was due on 14 Oct 2026');
    expect(mail).toContain('Amount to pay: 49.50 USD, the rest of 200.00 USD');
    expect(mail).toMatch(/Payment reference: [A-Z]+\d+-C9-\d{3}-\d/);
    expect(mail).toContain('IBAN: GB29 NWBK 6016 1331 9268 19');
    expect((await queued(people.both)).map(({ status }) => status).toSorted()).toEqual(['Sent', 'Skipped']);
  });

  test('are one email for several investors, with what each pays', async () => {
    await pay(50, 1);
    await remind('2026-10-15');
    expect(await send('2026-10-15')).toEqual({ sent: 2, failed: 0, ended: 0 });
    const [both, ...others] = mailsTo(people.both);
    expect(others).toEqual([]);
    expect(both).toContain('This email is about 2 investors:');
    const listed = both!.split('\n').filter((line) => line.startsWith('- '));
    expect(listed).toHaveLength(2);
    expect(listed.filter((line) => /: 200\.00 USD to pay, reference [A-Z]+\d+-C9-/.test(line))).toHaveLength(1);
    expect(listed.filter((line) => /: 150\.00 USD to pay, reference [A-Z]+\d+-C9-/.test(line))).toHaveLength(1);
    expect(both!.match(/IBAN/g)).toHaveLength(1);
    // Nobody reads the amount of another investor.
    const [second] = mailsTo(people.second);
    expect(second).toContain('150.00 USD');
    expect(second).not.toContain('Amount to pay: 200.00 USD');
    expect(second!.match(/-C9-/g)).toHaveLength(1);
  });
});

describe('a reminder that a person sends', () => {
  const byHand = (day: string, part = 1, fields?: Parameters<typeof testActor>[0]) =>
    asManager(day, (session) => sendReminder(session, parts[part]!.id, 'USD'), fields);

  test('is sent whatever the fund sends, once a day, and logged', async () => {
    await choose([]);
    await byHand('2026-10-20');
    await expect(byHand('2026-10-20')).rejects.toThrow('A reminder was already sent today');
    await byHand('2026-10-21');
    expect(await remindersTo(people.second)).toEqual(['1 byHand/2026-10-20', '1 byHand/2026-10-21']);
    await send('2026-10-21');
    const { rows } = await asManager('2026-10-21', (session) => deliveriesOf(session, 'contributions', [parts[1]!.id]));
    expect(rows.filter(({ reminder }) => reminder === 'byHand').map(({ status }) => status)).toEqual(
      Array(4).fill('Sent'),
    );
    const log = await asManager('2026-10-21', (session) =>
      remindersOf(
        session,
        parts.map(({ id }) => id),
      ),
    );
    expect([...log]).toEqual([
      [parts[1]!.id, { count: 2, latest: 'byHand', latestAt: expect.stringContaining('2026-10-21') }],
    ]);
  });

  test('takes the place of that of the fund on its day, which follows the next day', async () => {
    await byHand('2026-10-15');
    await remind('2026-10-15');
    expect(await remindersTo(people.second)).toEqual(['1 byHand/2026-10-15']);
    await remind('2026-10-16');
    expect(await remindersTo(people.second)).toEqual(['1 byHand/2026-10-15', '1 late1']);
    await expect(byHand('2026-10-16')).rejects.toThrow('A reminder was already sent today');
  });

  test('is refused for who may not write payments, for what is paid, and if it may be paid', async () => {
    await expect(
      byHand('2026-10-15', 1, { type: 'manager', permissions: ['payments/read', 'contributions/read'] }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    await pay(200, 1);
    await expect(byHand('2026-10-15')).rejects.toThrow('Nothing is open');
    await database.query(`update bank_accounts set opening_date = '2026-10-15' where id = $1`, [account]);
    await expect(byHand('2026-10-15', 0)).rejects.toThrow('it may be paid');
    expect(await remindersTo(people.both)).toEqual([]);
  });

  test('is refused if nobody can be told', async () => {
    await database.query(`update users set status = 'Disabled' where id = any ($1)`, [Object.values(people)]);
    await expect(byHand('2026-10-15')).rejects.toThrow('No user or contact of the investor can be told');
  });

  test('goes to all investors of a selection with something overdue who were not reminded today', async () => {
    const query = { currency: 'USD', fund: tenant.fundId };
    const open = (day: string) =>
      asManager(day, async (session) => (await overdueToRemind(session, query)).map(({ documentId }) => documentId));
    const all = (day: string, ids = parts.map(({ id }) => id)) =>
      asManager(day, (session) => remindOverdue(session, query, ids));
    const ofCall = async (day: string) => (await open(day)).filter((id) => parts.some((part) => part.id === id));
    expect(await ofCall(DUE)).toEqual([]);
    await pay(200, 0);
    expect(await ofCall('2026-10-15')).toEqual([parts[1]!.id]);
    // Only what the person was shown.
    await expect(all('2026-10-15', [parts[0]!.id])).rejects.toThrow('Nobody can be reminded now');
    expect(await all('2026-10-15')).toBe(1);
    expect(await ofCall('2026-10-15')).toEqual([]);
    await expect(all('2026-10-15')).rejects.toThrow('Nobody can be reminded now');
    expect(await remindersTo(people.both)).toEqual(['1 byHand/2026-10-15']);
    expect(await ofCall('2026-10-16')).toEqual([parts[1]!.id]);
  });
});
