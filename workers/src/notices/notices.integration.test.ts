import { buffer } from 'node:stream/consumers';
import { LP, User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { callCapital, changeContributions, listContributions } from '@tapeline/db/operations/capital/contributions.ts';
import { createNavs } from '@tapeline/db/operations/capital/navs.ts';
import { regenerateNotices } from '@tapeline/db/operations/capital/notices.ts';
import { createCapitalAccounts, listCapitalAccounts } from '@tapeline/db/operations/capital/statements.ts';
import { createCommitment } from '@tapeline/db/operations/commitments/change-commitments.ts';
import { createFund } from '@tapeline/db/operations/funds/change-funds.ts';
import type { Session } from '@tapeline/db/store.ts';
import { testActor } from '@tapeline/db/testing/actors.ts';
import { addEntity } from '@tapeline/db/testing/entities.ts';
import { contributionCreateSchema } from '@tapeline/domain/capital/contribution.schema.ts';
import { navCreateSchema } from '@tapeline/domain/capital/nav.schema.ts';
import { commitmentCreateSchema } from '@tapeline/domain/commitments/commitment.schema.ts';
import { fundCreateSchema } from '@tapeline/domain/funds/fund.schema.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import { openS3Store } from '@tapeline/lake/storage/s3-store.ts';
import { startObjectStorage } from '@tapeline/lake/testing/object-storage.ts';
import { noticeRunOf } from '@tapeline/workflows/notices/messages.ts';
import pino from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { recordWorkflow } from '../testing/histories.ts';
import { openTapeCluster, type TapeCluster } from '../testing/tape-cluster.ts';
import { makeDueNotices } from './activities.ts';
import { wakeNotices } from './schedule.ts';

let cluster: TapeCluster;
let managerId: string;
let roleId: string;
beforeAll(async () => {
  cluster = await openTapeCluster({ batchRows: 1000 });
  const [row] = await cluster.database.query<{ managerId: string; roleId: string }>(
    `select m.id as "managerId", r.id as "roleId" from managers m, roles r where r.title = 'Investor' order by m.code limit 1`,
  );
  ({ managerId, roleId } = row!);
  // The documents of the demonstration are not what this is about.
  for (const table of ['contributions', 'distributions', 'capital_accounts'])
    await cluster.database.query(`update ${table} set file_problem = 'Not in this test' where file_id is null`);
});
afterAll(() => cluster?.close());

const manager = () => testActor({ type: 'manager', managerId });
const asManager = <Result>(work: (session: Session) => Promise<Result>) => cluster.database.store.as(manager(), work);

/** A fund whose investors have committed 1,000 each, and a person of the first one. */
async function makeFund(title: string, investors: number): Promise<{ fund: string; lps: string[]; person: string }> {
  return asManager(async (session) => {
    const { fund } = await createFund(
      session,
      fundCreateSchema.parse({ title, type: 'SMA', strategy: 'ABL', currency: 'USD', targetSize: 1, hardCap: 1 }),
    );
    const lps: string[] = [];
    for (let index = 0; index < investors; index += 1) {
      const name = `${title} investor ${index + 1}`;
      const lp = session.em.create(LP, {
        id: newId(session.now),
        managerId,
        title: name,
        entityId: addEntity(session.em, managerId, name),
      });
      await session.em.flush();
      await createCommitment(
        session,
        commitmentCreateSchema.parse({
          fund: fund.id,
          investor: { id: lp.id, kind: 'LP' },
          closingDate: '2025-01-31',
          maxCommitment: 1000,
        }),
      );
      lps.push(lp.id);
    }
    const id = newId();
    const person = `${id}@example.test`;
    const assoc = { LP: { id: lps[0]! } };
    session.em.create(User, {
      id,
      type: 'LP',
      status: 'Active',
      firstName: 'Ann',
      lastName: 'Investor',
      email: person,
      assoc,
      managerId,
      LPs: [lps[0]!],
      roleId,
    });
    return { fund: fund.id, lps, person: id };
  });
}

const callOf = (fund: string, investors: number, changes = {}) =>
  contributionCreateSchema.parse({
    fund,
    cutOffDate: '2025-03-03',
    dueDate: '2099-03-17',
    callNumber: '1',
    amount: { sum: 100 * investors, currency: 'USD' },
    callPurposes: [{ title: 'Investments', kind: 'investments', amount: 100 * investors }],
    status: 'Active',
    ...changes,
  });
const mails = (userId: string) =>
  cluster.database.query<{ kind: string; subject: string }>('select kind, subject from outbox where user_id = $1', [
    userId,
  ]);
const context = () => ({ store: cluster.database.store, objects: cluster.objects, log: pino({ level: 'silent' }) });
const filesOf = async (fund: string) =>
  (await asManager((session) => listContributions(session, { filter: { fund }, limit: 1000 }))).documents.map(
    ({ file }) => file,
  );

/** Several batches. `NOTICE_INVESTORS=500` measures a large fund. */
const INVESTORS = Number(process.env.NOTICE_INVESTORS ?? 20);
const isLarge = INVESTORS > 100;

/** Holds what a statement locks until it is released. */
async function hold(sql: string, values: readonly unknown[] = []): Promise<() => Promise<void>> {
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = cluster.asSystem(async (session) => {
    await session.query(sql, values);
    held.resolve();
    await released.promise;
  });
  await Promise.race([held.promise, holding]);
  return async () => {
    released.resolve();
    await holding;
  };
}

test('every issued notice is made once although a worker is killed, and mailed once', {
  timeout: 900_000,
}, async () => {
  const { fund, person } = await makeFund('Many investors', INVESTORS);
  const parts = await asManager((session) => callCapital(session, callOf(fund, INVESTORS)));
  const made = async () => (await filesOf(fund)).filter(Boolean).length;
  const isMade = (count: number) =>
    vi.waitFor(async () => expect(await made()).toBe(count), { timeout: 600_000, interval: 200 });
  const half = parts.slice(0, INVESTORS / 2).map(({ id }) => id);
  const releaseHalf = await hold('select from contributions where id = any ($1) for update', [half]);
  const [first] = await cluster.startWorkers(1, { WORKER_QUEUES: 'workflows,compute' });
  const started = Date.now();
  await wakeNotices(cluster.client, 'tests');
  await isMade(INVESTORS - half.length);
  const seconds = (Date.now() - started) / 1000;
  if (isLarge) process.stdout.write(`${INVESTORS - half.length} notices in ${seconds.toFixed(1)} s\n`);
  // The worst moment: the files are stored, and nothing is recorded.
  const releaseFiles = await hold('lock table files in share row exclusive mode');
  await releaseHalf();
  await wakeNotices(cluster.client, 'tests');
  await vi.waitFor(
    async () => {
      const waiting = await cluster.database.query(
        `select from pg_locks where relation = 'files'::regclass and not granted`,
      );
      expect(waiting.length).toBeGreaterThan(0);
    },
    { timeout: 120_000, interval: 100 },
  );
  await first!.end('SIGKILL');
  await releaseFiles();
  expect(await made()).toBe(INVESTORS - half.length);
  const [second] = await cluster.startWorkers(1, { WORKER_QUEUES: 'workflows,compute' });
  const resumed = Date.now();
  await isMade(INVESTORS);
  if (isLarge) process.stdout.write(`the other half after the kill in ${(Date.now() - resumed) / 1000} s\n`);
  await recordWorkflow(cluster, noticeRunOf('tests').workflowId, 'killed');
  // The other tests make the notices themselves. A worker's schedule would make some before them.
  await second!.end('SIGKILL');
  const files = await filesOf(fund);
  expect(new Set(files.map((file) => file?.key)).size).toBe(INVESTORS);
  const [stored] = await cluster.database.query<{ count: number }>(
    `select count(*)::int as count from files f where f.status = 'Active' and exists (
       select from contributions c where c.fund_id = $1 and starts_with(f.key, 'contributions/' || c.id))`,
    [fund],
  );
  expect(stored?.count).toBe(INVESTORS);
  expect(await mails(person)).toEqual([
    { kind: 'callIssued', subject: 'Many investors: capital call 1, due 17 Mar 2099' },
  ]);
});

test('a notice made again is the same file, and is not mailed again; a draft has none', async () => {
  const { fund, person } = await makeFund('Two investors', 2);
  const drafts = await asManager((session) => callCapital(session, callOf(fund, 2, { status: 'Draft' })));
  await makeDueNotices(context());
  expect(await filesOf(fund)).toEqual([null, null]);
  const ids = drafts.map(({ id }) => id);
  await expect(asManager((session) => regenerateNotices(session, 'contributions', ids))).rejects.toThrow(
    'A draft has no notice',
  );
  await asManager((session) =>
    changeContributions(
      session,
      drafts.map(({ id, version }) => ({ id, version, status: 'Active' })),
    ),
  );
  await makeDueNotices(context());
  const files = await filesOf(fund);
  expect(files.map((file) => file?.name).sort()).toEqual([
    'CALL-01 Two investors investor 1.pdf',
    'CALL-01 Two investors investor 2.pdf',
  ]);
  const [file] = files;
  const bytes = await buffer(await cluster.objects.getStream(objectKey(file!.bucket, file!.key)));
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  await asManager((session) => regenerateNotices(session, 'contributions', ids));
  await makeDueNotices(context());
  expect((await filesOf(fund)).map((one) => [one?.key, one?.checksum])).toEqual(
    files.map((one) => [one?.key, one?.checksum]),
  );
  expect(await mails(person)).toHaveLength(1);
});

test('nobody is mailed about a call that was due before it was entered', async () => {
  const { fund, person } = await makeFund('History', 2);
  await asManager((session) => callCapital(session, callOf(fund, 2, { dueDate: '2025-03-17' })));
  await makeDueNotices(context());
  expect([...new Set((await filesOf(fund)).map(Boolean))]).toEqual([true]);
  expect(await mails(person)).toEqual([]);
});

test('wrong keys of the storage or a missing bucket end the run, and the notices are made when they are corrected', async () => {
  const { fund } = await makeFund('Wrong keys', 2);
  await asManager((session) => callCapital(session, callOf(fund, 2)));
  const storage = await startObjectStorage();
  onTestFinished(() => storage.close());
  const { settings } = storage;
  for (const change of [{ keys: { ...settings.keys, secretAccessKey: 'wrong' } }, { bucket: 'elsewhere' }]) {
    const objects = await openS3Store({ ...settings, ...change }, cluster.folder);
    await expect(makeDueNotices({ ...context(), objects })).rejects.toMatchObject({ code: 'serverError' });
    await objects.close();
  }
  expect(await makeDueNotices(context())).toEqual({ made: 2, failed: 0, isMoreDue: false });
  expect([...new Set((await filesOf(fund)).map(Boolean))]).toEqual([true]);
});

test('an investor downloads its own notice, and sees nobody else’s', async () => {
  const { fund, lps } = await makeFund('Own notices', 2);
  await asManager((session) => callCapital(session, callOf(fund, 2)));
  await makeDueNotices(context());
  const investor = testActor({ type: 'LP', managerId, lpIds: [lps[0]!] });
  const { documents } = await cluster.database.store.as(investor, (session) =>
    listContributions(session, { filter: { fund } }),
  );
  expect(documents.map(({ file }) => file?.name)).toEqual(['CALL-01 Own notices investor 1.pdf']);
  const visible = await cluster.database.store.as(investor, (session) =>
    session.query<{ name: string }>(`select name from files where name like 'CALL-01 Own notices%'`),
  );
  expect(visible).toEqual([{ name: 'CALL-01 Own notices investor 1.pdf' }]);
});

test('a computed statement becomes a file; one whose data cannot be printed fails alone and says why', async () => {
  const { fund, lps } = await makeFund('Statements', 2);
  const investors = lps.map((id) => ({ id, kind: 'LP' as const }));
  await asManager(async (session) => {
    await callCapital(session, callOf(fund, 2));
    const nav = { fund, cutOffDate: '2025-12-31', gross: 110, net: 105, currency: 'USD' };
    await createNavs(
      session,
      investors.map((investor) => navCreateSchema.parse({ ...nav, investor })),
    );
    await createCapitalAccounts(
      session,
      investors.map((investor) => ({ fund, investor, cutOffDate: '2025-12-31' })),
    );
  });
  await cluster.database.query(
    `update capital_accounts set statement = statement - 'periods' where fund_id = $1 and investor_lp_id = $2`,
    [fund, lps[1]],
  );
  expect(await makeDueNotices(context())).toMatchObject({ failed: 1, isMoreDue: false });
  const { documents } = await asManager((session) => listCapitalAccounts(session, { filter: { fund } }));
  const byInvestor = Object.fromEntries(documents.map((one) => [one.investorLPId, one]));
  expect(byInvestor[lps[0]!]?.file?.name).toBe('Capital account 2025-12-31 Statements investor 1.pdf');
  expect(byInvestor[lps[1]!]).toMatchObject({ file: null, fileProblem: expect.stringMatching(/./) });
});
