import { publishAnnouncement } from '@tapeline/db/operations/announcements/announcements.ts';
import { tell } from '@tapeline/db/operations/outbox/tell.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { announcementCreateSchema } from '@tapeline/domain/communication/announcement.schema.ts';
import { openSmtpServer, type TestSmtpServer } from '@tapeline/mail/testing/smtp-server.ts';
import type { dueCalls, lateTapes } from '@tapeline/workflows/all-workflows.ts';
import { mailRunOf } from '@tapeline/workflows/mail/messages.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordWorkflow } from '../testing/histories.ts';
import {
  openTapeCluster,
  type TapeCluster,
  TEST_INSTANCE,
  TEST_QUEUES,
  until,
  type WorkerProcess,
} from '../testing/tape-cluster.ts';
import { mailScheduleOf, wakeMail } from './schedule.ts';

let cluster: TapeCluster;
let server: TestSmtpServer;
let worker: WorkerProcess;

const startWorker = async () => {
  [worker] = (await cluster.startWorkers(1, {
    SMTP_URL: server.url,
    PUBLIC_URL: 'https://tapeline.example',
    WORKER_QUEUES: 'workflows,io',
  })) as [WorkerProcess];
};

beforeAll(async () => {
  [cluster, server] = await Promise.all([openTapeCluster({ batchRows: 1000 }), openSmtpServer()]);
  await startWorker();
  // Only the runs that the tests ask for should count.
  await cluster.client.schedule.getHandle(mailScheduleOf(TEST_INSTANCE)).pause('tests');
});
afterAll(async () => {
  await cluster?.close();
  await server?.close();
});
beforeEach(async () => {
  await cluster.database.query('delete from outbox');
  server.messages.length = 0;
  server.offered.length = 0;
  server.behave('accept');
});

/** Queues an email about a company for each of the manager's people, once for each key. */
async function queue(keys: readonly string[]): Promise<number> {
  const companyId = await cluster.companyId('Northwind Consumer Loans');
  return cluster.asSystem(async (session) => {
    const [company] = await session.query<{ managerId: string }>(
      'select manager_id as "managerId" from companies where id = $1',
      [companyId],
    );
    let queued = 0;
    for (const key of keys) {
      queued += await tell(session, {
        to: { manager: company!.managerId, can: 'assets/read' },
        kind: 'tapeLate',
        resource: 'companies',
        documentId: companyId,
        key,
        subject: `About ${key}`,
        lines: ['A line.'],
        page: '/monitoring/tapes',
        pageTitle: 'Open the tapes',
      });
    }
    return queued;
  });
}

const wake = () => wakeMail(cluster.client, TEST_INSTANCE);
const outbox = () =>
  cluster.database.query<{ id: string; status: string; attempts: number; error: string | null }>(
    'select id, status, attempts, last_error as error from outbox order by id',
  );
const allAre = (status: string) => async () => (await outbox()).every((row) => row.status === status);
/** Ends all leases and waits, as time would. */
const passTime = () =>
  cluster.database.query(`update outbox set next_attempt_at = now() - interval '1 second' where status = 'Queued'`);
/** Waits until the mail run has ended. It tries again by itself if a message is refused. */
const runEnded = () =>
  until(async () => {
    const { status } = await cluster.client.workflow.getHandle(mailRunOf(TEST_INSTANCE).workflowId).describe();
    return status.name !== 'RUNNING';
  });
const messageId = (message: string): string => /^Message-ID: (.*)$/im.exec(message)?.[1] ?? '';

test('what a commit queued is sent at once, with a link to the page', async () => {
  const queued = await queue(['one']);
  expect(queued).toBeGreaterThan(0);
  await wake();
  await until(allAre('Sent'));
  expect(server.messages).toHaveLength(queued);
  expect(server.messages[0]).toContain('https://tapeline.example/monitoring/tapes');
});

test('a failing mail server loses nothing: emails wait and are sent when it works again', async () => {
  server.behave('refuse');
  const queued = await queue(['two', 'three']);
  await wake();
  await until(async () => (await outbox()).some(({ error }) => error?.includes('451')));
  await runEnded();
  server.behave('accept');
  await passTime();
  await wake();
  await until(allAre('Sent'));
  expect(new Set(server.messages.map(messageId)).size).toBe(queued);
  expect(server.messages).toHaveLength(queued);
});

test('a recipient whom the mail server rejects for good is given up with the reason', async () => {
  server.behave('reject');
  await queue(['four']);
  await wake();
  await until(allAre('Failed'));
  for (const row of await outbox()) expect(row).toMatchObject({ attempts: 1, error: expect.stringContaining('554') });
});

test('a killed sender loses and doubles nothing', async () => {
  const keys = Array.from({ length: 6 }, (_, index) => `killed ${index}`);
  const queued = await queue(keys);
  expect(queued).toBeGreaterThanOrEqual(6);
  server.behave('hang');
  await wake();
  // The message has arrived, but the sender is killed before it has the answer.
  await until(async () => server.offered.length > 0);
  await worker.end('SIGKILL');
  server.behave('accept');
  await passTime();
  await startWorker();
  await wake();
  await until(allAre('Sent'));
  expect(server.messages).toHaveLength(queued);
  // The one that was in progress came again under the same id, by which a mail server recognizes it.
  expect(server.offered).toHaveLength(queued + 1);
  expect(new Set(server.offered.map(messageId)).size).toBe(queued);
  await recordWorkflow(cluster, mailRunOf(TEST_INSTANCE).workflowId, 'killed');
});

/** Set to 5000 for the size that the product is made for (about 4 minutes on a busy machine). */
const RECIPIENTS = Number(process.env.RECIPIENTS ?? 150);

test('an announcement reaches each of many borrowers once, although its sender is killed', async () => {
  const [company] = await cluster.database.query<{ id: string; managerId: string; roleId: string }>(
    `select c.id, c.manager_id as "managerId", u.role_id as "roleId" from companies c join users u on u.company_id = c.id
     limit 1`,
  );
  await cluster.database.query(
    `insert into users (id, type, email, first_name, last_name, status, role_id, manager_id, company_id, assoc)
     select 'f' || lpad(to_hex(n), 23, '0'), 'company', n || '@many.example', 'Many', 'Borrower', 'Active', $1, $2, $3::text,
       jsonb_build_object('company', jsonb_build_object('id', $3::text))
     from generate_series(1, $4::int) n`,
    [company!.roleId, company!.managerId, company!.id, RECIPIENTS],
  );
  const author = testActor({ type: 'manager', managerId: company!.managerId, permissions: ['announcements/write'] });
  const body = announcementCreateSchema.parse({
    resource: { kind: 'companies', id: company!.id },
    title: 'New account',
    description: 'Send payments to our **new** account.',
  });
  const published = await cluster.database.store.as(author, (session) => publishAnnouncement(session, body));
  const users = published.users ?? 0;
  expect(users).toBeGreaterThanOrEqual(RECIPIENTS);
  await wake();
  const patience = { withinMs: 120_000 + 100 * RECIPIENTS };
  await until(async () => server.messages.length >= RECIPIENTS / 3, patience);
  await worker.end('SIGKILL');
  await passTime();
  await startWorker();
  await wake();
  await until(allAre('Sent'), patience);
  const recipients = server.messages.map((message) => /^To: (.*)$/im.exec(message)?.[1]);
  expect(new Set(recipients).size).toBe(users);
  const people = await cluster.database.query<{ email: string }>(
    `select email from users where company_id = $1 and status = 'Active'`,
    [company!.id],
  );
  expect([...new Set(recipients)].sort()).toEqual(people.map(({ email }) => email).sort());
  // At most the one that was in progress comes again, under the same id.
  expect(new Set(server.messages.map(messageId)).size).toBe(users);
  expect(server.messages.length).toBeLessThanOrEqual(users + 1);
  expect(server.messages[0]).toContain('<strong>new</strong>');
  // The next tests tell these people nothing.
  await cluster.database.query(
    `delete from outbox where user_id in (select id from users where email like '%@many.example')`,
  );
  await cluster.database.query(
    `delete from notifications where user_id in (select id from users where email like '%@many.example')`,
  );
  await cluster.database.query(`delete from users where email like '%@many.example'`);
});

test('the daily run tells the borrower and the manager about each late tape once', async () => {
  const run = (id: string) =>
    cluster.client.workflow.execute<typeof lateTapes>('lateTapes', {
      taskQueue: TEST_QUEUES.workflows,
      workflowId: `late-tapes/${id}`,
      args: [],
    });
  // The contract has been in force for long, and no tape was ever uploaded.
  await cluster.database.query(`update contracts set cut_off_date = '2020-01-31' where status = 'Active'`);
  const { tapes } = await run('first');
  expect(tapes).toBeGreaterThan(0);
  const rows = await cluster.database.query<{ type: string; subject: string }>(
    `select distinct u.type, o.subject from outbox o join users u on u.id = o.user_id where o.subject like '%Northwind%' or u.type = 'company'`,
  );
  expect(rows.map(({ type }) => type)).toEqual(expect.arrayContaining(['company', 'manager']));
  await until(allAre('Sent'));
  const sent = server.messages.length;
  expect(sent).toBe((await outbox()).length);
  expect(await run('second')).toEqual({ tapes: 0 });
  expect(await outbox()).toHaveLength(sent);
});

test('the daily run reminds the investors of calls that are soon due once', async () => {
  const run = (id: string) =>
    cluster.client.workflow.execute<typeof dueCalls>('dueCalls', {
      taskQueue: TEST_QUEUES.workflows,
      workflowId: `due-calls/${id}`,
      args: [],
    });
  expect(await run('none')).toEqual({ told: 0 });
  await cluster.database.query(
    `with calls as (
       update capital_calls set due_date = current_date + 2
         where id in (select activity_id from contributions where status = 'Active' and investor_lp_id is not null
           -- Parts that were transferred follow the documents by operations only.
           and fund_id not in (select fund_id from transfers where share_percent is not null)) returning id)
     update contributions set due_date = current_date + 2 where activity_id in (select id from calls) and status <> 'Removed'`,
  );
  const { told } = await run('first');
  expect(told).toBeGreaterThan(0);
  await until(allAre('Sent'));
  const strangers = await cluster.database.query(
    `select u.email from outbox o join users u on u.id = o.user_id join contributions c on c.id = o.document_id
     join lps l on l.id = c.investor_lp_id
     where not l.id = any (u.lps) and l.group_id is distinct from u.assoc #>> '{LPGroup,id}'`,
  );
  expect(strangers).toEqual([]);
  const [sent] = await cluster.database.query<{ users: number; contacts: number }>(
    `select count(user_id)::int as users, (count(*) - count(user_id))::int as contacts from outbox`,
  );
  expect(sent?.users).toBe(told);
  expect(sent?.contacts).toBeGreaterThan(0);
  const mails = (await outbox()).length;
  // A person of several investors gets what says the same of each of them in one email.
  const [distinct] = await cluster.database.query<{ emails: number }>(
    `select count(distinct (coalesce(user_id, contact_email), subject))::int as emails from outbox`,
  );
  expect(distinct?.emails).toBeLessThan(mails);
  expect(server.messages).toHaveLength(distinct?.emails ?? 0);
  expect(await run('second')).toEqual({ told: 0 });
  expect(await outbox()).toHaveLength(mails);
});
