import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { LoanTape, TapeGeneration } from '@tapeline/db/entities/tapes.ts';
import { BASELINE, MIGRATIONS } from '@tapeline/db/migrations/index.ts';
import { FOLDED } from '@tapeline/db/migrations/version.ts';
import { forgetFailedRuns, lastBackupRuns } from '@tapeline/db/operations/backups/backup-runs.ts';
import { saveBorrowingBase } from '@tapeline/db/operations/borrowing-bases/borrowing-bases.ts';
import { fileStored, registerFile } from '@tapeline/db/operations/files/files.ts';
import { instanceId } from '@tapeline/db/operations/storage/instance.ts';
import { beginGeneration, completeTape, publishGeneration } from '@tapeline/db/operations/tapes/generations.ts';
import { createFirstContract } from '@tapeline/db/operations/transactions/contracts.ts';
import { createTransaction } from '@tapeline/db/operations/transactions/transactions.ts';
import { openStore, SYSTEM } from '@tapeline/db/store.ts';
import { type EmptyDatabase, makeEmptyDatabase } from '@tapeline/db/testing/empty-database.ts';
import { northwindFacility } from '@tapeline/demonstration/facilities.ts';
import type { BorrowingBaseResult } from '@tapeline/domain/borrowing-base/result.ts';
import { transactionContractSchema } from '@tapeline/domain/facilities/contract.schema.ts';
import { transactionSchema } from '@tapeline/domain/facilities/transaction.schema.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import { backUp, backUpSealed } from '@tapeline/lake/backup/back-up.ts';
import { bucketPlace, fetchBackup, folderPlace, isSealed } from '@tapeline/lake/backup/backup-place.ts';
import { recorded } from '@tapeline/lake/backup/recorded.ts';
import { rehearseRestore } from '@tapeline/lake/backup/rehearse-restore.ts';
import { restore } from '@tapeline/lake/backup/restore.ts';
import { openFileStore } from '@tapeline/lake/storage/file-store.ts';
import { objectKey } from '@tapeline/lake/storage/object-store.ts';
import { openS3Store } from '@tapeline/lake/storage/s3-store.ts';
import { sweepObjects } from '@tapeline/lake/storage/sweep.ts';
import { startObjectStorage, type TestObjectStorage } from '@tapeline/lake/testing/object-storage.ts';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { catchTape, goOn, partsOf } from './testing/caught-tape.ts';
import { readPublished } from './testing/published-tape.ts';
import { openTapeCluster, type TapeCluster } from './testing/tape-cluster.ts';
import { LOAN_MAPPING, manyLoans, writeLoans } from './testing/tape-file.ts';

vi.setConfig({ testTimeout: 300_000 });

const BATCH_ROWS = 1000;
const DAY_MS = 24 * 3_600_000;
const { loans, counts } = manyLoans(5000);

let storage: TestObjectStorage;
let cluster: TapeCluster;
/** A backup that was made while a tape was being read. */
let folder = '';
let publishedId = '';
let runningId = '';

beforeAll(async () => {
  storage = await startObjectStorage();
  cluster = await openTapeCluster({ batchRows: BATCH_ROWS, storage });
  const companyId = await cluster.companyId('Alder Auto');
  const mappingId = await cluster.createMapping(companyId, LOAN_MAPPING);
  const path = join(cluster.folder, 'loans.xlsx');
  await writeLoans(path, loans());
  const makeTape = (cutOffDate: string) => cluster.createTape({ companyId, mappingId, cutOffDate, path });
  const workers = await cluster.startWorkers(1);
  publishedId = (await makeTape('2024-01-31')).id;
  await cluster.startTape(publishedId);
  await cluster.finish(publishedId);
  // Texts that a careless format would corrupt.
  await cluster.asSystem(({ query }) =>
    query('update entities set description = $1 where id = (select entity_id from companies where id = $2)', [
      'two\nlines, a \u2028 separator, "quotes" and \\ a backslash',
      companyId,
    ]),
  );
  const { tape } = await catchTape(
    cluster,
    workers,
    () => makeTape('2024-02-29'),
    async (tapeId) => (await partsOf(cluster, tapeId, 'staged')) >= 2,
  );
  runningId = tape.id;
  folder = join(cluster.folder, 'backups', 'running');
  await backUp({ databaseAdminUrl: cluster.database.adminUrl, objects: cluster.objects }, folder);
  goOn(workers);
  await cluster.finish(runningId);
}, 300_000);
afterAll(async () => {
  await cluster?.close();
  await storage?.close();
});

const source = () => ({ databaseAdminUrl: cluster.database.adminUrl, objects: cluster.objects });

/** Every file below a folder except those of databases, which come and go, of caches, and what workers write meanwhile. */
const filesOf = async (root: string): Promise<string[]> =>
  (await readdir(root, { recursive: true }))
    .filter((path) => !/(^|\/)(data|mail|object-cache|postgres|scratch)(\/|$)/.test(path))
    .sort();

async function emptyTarget() {
  const database = await makeEmptyDatabase();
  const home = await mkdtemp(join(cluster.folder, 'restored-'));
  const objects = await openFileStore({ home, appSecret: 'only for tests', publicUrl: 'http://localhost' });
  onTestFinished(async () => {
    await objects.close();
    await database.close();
  });
  return { ...database, objects, home };
}

const tableNames = ({ query }: Pick<EmptyDatabase, 'query'>) =>
  query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname not in ('mikro_orm_migrations', 'instance') order by 1`,
  ).then((rows) => rows.map(({ name }) => name));

const linesOf = async (backup: string, table: string) =>
  (await readFile(join(backup, 'tables', `${table}.jsonl`), 'utf8')).split('\n').sort();

test('a backup that was made while a tape was processed is restored completely into a new database and new storage', async () => {
  const target = await emptyTarget();
  const restoredFrom = new Date();
  const { manifest, interrupted, held } = await restore(target, folder);
  expect(interrupted).toBe(1);

  const store = await openStore({ databaseUrl: target.databaseUrl, databasePoolSize: 2 });
  onTestFinished(() => store.close());
  const tapeOf = (id: string) => store.as(SYSTEM, (session) => session.em.findOneOrFail(LoanTape, { id }));
  expect(await tapeOf(publishedId)).toMatchObject({ counts, schedulerStatus: 'Completed', processStatus: 'Completed' });
  expect(await tapeOf(runningId)).toMatchObject({
    generationId: null,
    schedulerStatus: 'Completed',
    failure: expect.stringContaining('Try again'),
  });
  // Every asset and errored row is present and unchanged.
  const reading = {
    ...cluster,
    tape: tapeOf,
    objects: target.objects,
    asSystem: (work: never) => store.as(SYSTEM, work),
  };
  expect(await readPublished(reading as TapeCluster, publishedId)).toEqual(await readPublished(cluster, publishedId));
  expect(manifest.tapes).toEqual([expect.objectContaining({ id: publishedId, assets: counts.assets })]);
  for (const id of [publishedId, runningId]) {
    const { bucket, key, size } = (await tapeOf(id)).attachment;
    expect(await target.objects.head(objectKey(bucket, key))).toMatchObject({ size });
  }

  // Nothing is sent before an administrator decides.
  const mails = await target.query<{ status: string; n: number }>(
    `select status, count(*)::int as n from outbox where status <> 'Sent' group by status`,
  );
  expect(mails).toEqual([{ status: 'Held', n: held }]);
  expect(held).toBeGreaterThan(0);

  // The tables are unchanged: rows that the owner's policies hide are included, and the policies are enabled again.
  const told = await target.query<{ kind: string; mails: number }>(
    `select n.kind, (select count(*)::int from outbox o where o.key = n.key and o.user_id = n.user_id and o.status = 'Held') as mails
     from notifications n where created_at >= $1`,
    [restoredFrom],
  );
  // Of the tape that was ended, and of those that are late: the daily job would queue these after the hold.
  expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(['tapeFailed', 'tapeLate']));
  expect([...new Set(told.map(({ mails }) => mails === 1))]).toEqual([true]);
  // Ending the tape added one line of history as well.
  const added: Record<string, number> = { history: 1, notifications: told.length, outbox: told.length, holds: 1 };
  const rows = new Map(manifest.tables.map((table) => [table.name, table.rows]));
  for (const table of await tableNames(target)) {
    const [row] = await target.query<{ n: number }>(`select count(*)::int as n from ${table}`);
    expect([table, row?.n]).toEqual([table, (rows.get(table) ?? 0) + (added[table] ?? 0)]);
  }
  const open = await target.query(
    `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and relname <> 'mikro_orm_migrations' and not (relrowsecurity and relforcerowsecurity)`,
  );
  expect(open).toEqual([]);
  expect(await target.query(`select tgname from pg_trigger where tgenabled = 'D'`)).toEqual([]);

  // A second backup, by an owner whom row-level security binds, is identical.
  const again = join(cluster.folder, 'backups', 'again');
  const second = await backUp(target, again);
  expect(second.objects).toEqual(manifest.objects);
  // The line of history of the tape that was ended.
  expect(second.sequences).toEqual(
    manifest.sequences.map((one) =>
      one.name === 'history_order' ? { ...one, last: String(Number(one.last) + 1) } : one,
    ),
  );
  for (const { name } of manifest.tables) {
    if (['loan_tapes', 'instance'].includes(name) || name in added) continue;
    expect([name, await linesOf(again, name)]).toEqual([name, await linesOf(folder, name)]);
  }

  // It is a separate instance, whose sweep finds nothing to delete.
  expect(await store.as(SYSTEM, instanceId)).not.toBe(manifest.instance);
  const quiet = { info: () => {}, warn: () => {} };
  const sweep = (days: number) =>
    sweepObjects({ store, objects: target.objects, log: quiet }, { now: new Date(Date.now() + days * DAY_MS) });
  for (const days of [0, 8, 30]) expect(await sweep(days)).toMatchObject({ trashed: [], deleted: [] });
});

test('restored into its own storage, an older backup is the same instance, and later objects stay', async () => {
  const database = await makeEmptyDatabase();
  onTestFinished(() => database.close());
  const before = await cluster.keys('lake/');
  const { manifest } = await restore({ ...database, objects: cluster.objects }, folder);
  const store = await openStore({ databaseUrl: database.databaseUrl, databasePoolSize: 2 });
  onTestFinished(() => store.close());
  expect(await store.as(SYSTEM, instanceId)).toBe(manifest.instance);
  const quiet = { info: () => {}, warn: () => {} };
  for (const days of [0, 8, 16, 30]) {
    await sweepObjects({ store, objects: cluster.objects, log: quiet }, { now: new Date(Date.now() + days * DAY_MS) });
  }
  // The tape that was published after the backup still has its objects: a later backup can be restored.
  const { generationId } = await cluster.tape(runningId);
  const later = before.filter((key) => key.endsWith('assets.parquet') && key.includes(`${generationId}`));
  expect(later).not.toEqual([]);
  expect(await cluster.keys('lake/')).toEqual(expect.arrayContaining(later));
  expect((await readPublished(cluster, publishedId)).assets).toHaveLength(counts.assets);
});

test('a replaced generation that a borrowing base was calculated from is backed up, and counted', async () => {
  const { tape, generation, copy } = await cluster.asSystem(async (session) => {
    const from = await session.em.findOneOrFail(LoanTape, { id: runningId });
    const { companyId: company, mappingId: mapping, managerId } = from;
    const [fund] = await session.query<{ id: string }>('select id from funds where manager_id = $1 limit 1', [
      managerId,
    ]);
    const facility = northwindFacility({ company, mapping, fund: fund!.id });
    const document = { ...facility, notes: [{ ...facility.notes[0]!, contracts: [] }] };
    const { id: transactionId, notes } = await createTransaction(session, transactionSchema.parse(document));
    const terms = { cutOffDate: '2024-01-01', assetsETL: mapping, advanceRate: { defaultRate: 100 } };
    const contract = await createFirstContract(session, {
      transactionId,
      noteId: notes[0]!.id,
      contract: transactionContractSchema.parse(terms),
    });
    const { em } = session;
    const old = await em.findOneOrFail(TapeGeneration, { id: from.generationId ?? '' });
    await saveBorrowingBase(session, {
      tapeId: from.id,
      generationId: old.id,
      contractId: contract.id,
      currency: 'USD',
      netBB: '1.00',
      firstBB: '2.00',
      result: { totals: { assets: counts.assets } } as BorrowingBaseResult,
      resultKey: old.manifest!.assets[0]!,
    });
    return { tape: from, generation: old, copy: await beginGeneration(session, { tapeId: from.id }) };
  });
  const assets = `${copy.objectPrefix}assets.parquet`;
  await cluster.objects.putStream(assets, await cluster.objects.getStream(generation.manifest!.assets[0]!));
  await cluster.asSystem(async (session) => {
    const manifest = { ...generation.manifest!, assets: [assets], errored: [] };
    const { statistics } = tape;
    await publishGeneration(session, { tapeId: tape.id, ...copy, manifest, counts, statistics: statistics! });
    await completeTape(session, { tapeId: tape.id });
  });
  const made = join(cluster.folder, 'backups', 'replaced');
  const { replaced, objects } = await backUp(source(), made);
  const { assets: files } = generation.manifest!;
  expect(replaced).toEqual([{ id: tape.id, assets: counts.assets, files }]);
  const keys = objects.map(({ key }) => key);
  expect(keys).toEqual(expect.arrayContaining([...files, ...generation.manifest!.errored, assets]));

  const manifestOf = async (from: string) => {
    const target = await emptyTarget();
    await restore(target, from);
    const [row] = await target.query<{ manifest: GenerationManifest }>(
      'select manifest from tape_generations where id = $1',
      [generation.id],
    );
    return row?.manifest;
  };
  expect(await manifestOf(made)).toEqual(generation.manifest);
  // A certificate that does not agree with the number of assets, and a missing part, are noticed.
  const copyOf = async (spoil: Parameters<typeof change>[1]) => {
    const other = `${made}-${randomBytes(4).toString('hex')}`;
    await cp(made, other, { recursive: true });
    await change(other, spoil);
    return other;
  };
  await expect(manifestOf(await copyOf((manifest) => (manifest.replaced[0].assets += 1)))).rejects.toMatchObject({
    message: expect.stringContaining('The backup is wrong'),
  });
  // Versions before this one backed up no replaced generation: what its rows say is not kept.
  const earlier = await copyOf((manifest) => {
    manifest.migrations = manifest.migrations.filter((one: string) => one !== '133-kept-generations');
    delete manifest.replaced;
  });
  expect(await manifestOf(earlier)).toMatchObject({ swept: true });
});

test('a target in use is refused before anything is written, unless replacing is requested', async () => {
  const target = await emptyTarget();
  await restore(target, folder);
  await expect(restore(target, folder)).rejects.toMatchObject({
    message: expect.stringMatching(/not empty.*--replace/),
  });
  await target.query(`update entities set name = 'Changed'`);
  expect((await restore(target, folder, { replace: true })).manifest.tapes).toHaveLength(1);
  expect(await target.query(`select 1 from companies where name = 'Changed'`)).toEqual([]);

  const store = await openStore({ databaseUrl: target.databaseUrl, databasePoolSize: 1 });
  onTestFinished(() => store.close());
  await store.ping();
  await expect(restore(target, folder, { replace: true })).rejects.toMatchObject({
    message: expect.stringContaining('Stop the web app and all workers'),
  });
});

test.each([
  ['a table is truncated', async (copy: string) => cut(join(copy, 'tables', 'companies.jsonl')), 'damaged'],
  ['an object is missing', async (copy: string) => rm(await firstAssets(copy)), 'missing'],
  ['an object has a changed byte', async (copy: string) => cut(await firstAssets(copy)), 'damaged'],
  ['the manifest is missing', async (copy: string) => rm(join(copy, 'manifest.json')), 'is not a backup'],
  [
    'a key leads out of the folder',
    async (copy: string) => change(copy, (manifest) => (manifest.objects[0].key = '../../etc/passwd')),
    'cannot be used',
  ],
  [
    'a later version made it',
    async (copy: string) => change(copy, (manifest) => manifest.migrations.push('999-x')),
    'later version',
  ],
  [
    'only some of the migrations before the baseline ran',
    async (copy: string) => change(copy, (manifest) => manifest.migrations.splice(0, BASELINE.length, '01-of-then')),
    `it has 1 of the ${FOLDED.count} migrations that were folded into the baseline`,
  ],
])('a backup in which %s is refused, and nothing is written', async (_what, harm, message) => {
  const copy = join(cluster.folder, 'backups', `harmed-${Math.random()}`);
  await cp(folder, copy, { recursive: true });
  await harm(copy);
  const target = await emptyTarget();
  await expect(restore(target, copy)).rejects.toMatchObject({ message: expect.stringContaining(message) });
  expect(await tableNames(target)).toEqual([]);
  const stored: string[] = [];
  for await (const { key } of target.objects.list('')) stored.push(key);
  expect(stored).toEqual([]);
});

test('a backup from before the baseline, in which all migrations of then ran, is restored like one of today', async () => {
  const copy = join(cluster.folder, 'backups', 'before-the-baseline');
  await cp(folder, copy, { recursive: true });
  const folded = [...Array.from({ length: FOLDED.count - 1 }, (_, index) => `${index + 1}-of-then`), FOLDED.last];
  await change(copy, (manifest) => manifest.migrations.splice(0, BASELINE.length, ...folded));
  const target = await emptyTarget();
  expect((await restore(target, copy)).manifest.tapes).toHaveLength(1);
  expect(await target.query('select name from mikro_orm_migrations order by id')).toEqual(
    MIGRATIONS.map(({ name }) => ({ name })),
  );
});

test('a backup that fails leaves nothing that looks like one', async () => {
  const file = await cluster.asSystem(async (session) => {
    const registered = await registerFile(session, { bucket: 'loanTapes', name: 'a.csv', size: 1, type: 'text/csv' });
    return fileStored(session, { ...registered, checksum: 'f'.repeat(64) });
  });
  const failing = join(cluster.folder, 'backups', 'failing');
  const source = { databaseAdminUrl: cluster.database.adminUrl, objects: cluster.objects };
  await expect(backUp(source, failing)).rejects.toMatchObject({ message: expect.stringContaining(file.key) });
  expect((await readdir(dirname(failing))).filter((name) => name.startsWith(basename(failing)))).toEqual([]);
  await cluster.asSystem(({ query }) => query(`update files set status = 'Removed' where id = $1`, [file.id]));
  // A folder that is not empty is not written to.
  await expect(backUp(source, folder)).rejects.toMatchObject({ message: expect.stringContaining('not empty') });
});

test('an encrypted backup in a second bucket is fetched as it was, and restoring it is rehearsed in a database that is removed again', async () => {
  const key = randomBytes(32);
  const work = await mkdtemp(join(cluster.folder, 'work-'));
  const bucket = await openS3Store({ ...storage.settings, prefix: 'second/' }, work);
  const place = bucketPlace(bucket);
  onTestFinished(() => place.close());
  const name = '2026-11-26T03-00-12Z';
  const before = await filesOf(cluster.folder);
  const made = await backUpSealed(source(), { place, name, key });
  expect(await place.list()).toEqual([name]);
  // Nothing was written here, neither plain nor encrypted.
  expect(await filesOf(cluster.folder)).toEqual(before);
  await expect(backUpSealed(source(), { place, name, key })).rejects.toMatchObject({ code: 'badRequest' });
  // Nothing of it can be read in the bucket.
  let bytes = 0;
  for await (const stored of bucket.list('backups/')) {
    const content = await buffer(await bucket.getStream(stored.key));
    expect(content.subarray(0, 15).toString()).toBe('tapeline-sealed');
    expect(content.includes('Alder Auto')).toBe(false);
    bytes += content.length;
  }
  expect(bytes).toBeGreaterThan(100_000);

  const fetched = join(work, 'fetched');
  await fetchBackup(fetched, { place, name, key });
  const manifest = await readFile(join(fetched, 'manifest.json'), 'utf8');
  expect(JSON.parse(manifest)).toEqual(made);
  const target = await emptyTarget();
  // Of a rehearsal that was killed long ago.
  const owner = new URL(target.databaseAdminUrl).username;
  await target.query(`create database tapeline_restore_test_1700000000000_0a1b2c3d owner ${owner}`);
  const { manifest: restored, held } = await rehearseRestore(target, fetched, work);
  expect(restored).toEqual(JSON.parse(manifest));
  expect(held).toBeGreaterThan(0);
  const left = () => target.query(`select from pg_database where datname like 'tapeline_restore_test_%'`);
  expect(await left()).toEqual([]);
  // A backup that cannot be restored leaves nothing either.
  await cut(join(fetched, 'tables', 'companies.jsonl'));
  await expect(rehearseRestore(target, fetched, work)).rejects.toMatchObject({
    message: expect.stringContaining('damaged'),
  });
  expect(await left()).toEqual([]);
  expect((await readdir(work)).filter((entry) => entry.startsWith('restore-test-'))).toEqual([]);

  const fetchWith = (otherKey: Buffer) =>
    fetchBackup(join(work, randomBytes(4).toString('hex')), { place, name, key: otherKey });
  await expect(fetchWith(randomBytes(32))).rejects.toMatchObject({ message: expect.stringContaining('BACKUP_KEY') });
  const companies = `backups/${name}/tables/companies.jsonl.sealed`;
  const whole = await buffer(await bucket.getStream(companies));
  await bucket.putStream(companies, Readable.from([whole.subarray(0, -1)]));
  await expect(fetchWith(key)).rejects.toMatchObject({ message: expect.stringContaining('damaged') });
  await bucket.delete(companies);
  await expect(fetchWith(key)).rejects.toMatchObject({ message: expect.stringContaining('incomplete') });
  // What a killed backup leaves is no backup. It is removed once no backup can still be working on it.
  const killed = '2026-11-25T03-00-12Z';
  await place.put(`${killed}/tables/companies.jsonl.sealed`, Readable.from([whole]));
  await place.put('of-others/notes.txt', Readable.from([whole]));
  expect(await place.list()).toEqual([name]);
  expect(await place.tidy(new Date(Date.now() + DAY_MS))).toBe(0);
  expect(await place.tidy(new Date(Date.now() + 3 * DAY_MS))).toBe(1);
  expect(await place.isFree(killed)).toBe(true);
  expect(await place.isFree('of-others')).toBe(false);
  await place.remove(name);
  expect(await place.list()).toEqual([]);
});

test('the commands back up into a second bucket, encrypted, and restore from it', async () => {
  const home = await mkdtemp(join(cluster.folder, 'commands-'));
  const { endpoint, region, bucket, keys } = storage.settings;
  const variables = {
    PATH: process.env.PATH,
    NODE_ENV: 'development' as const,
    TAPELINE_HOME: home,
    DATABASE_URL: cluster.database.databaseUrl,
    DATABASE_ADMIN_URL: cluster.database.adminUrl,
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
    BACKUP_KEY: randomBytes(32).toString('hex'),
    BACKUP_S3_ENDPOINT: endpoint,
    BACKUP_S3_REGION: region,
    BACKUP_S3_BUCKET: bucket,
    BACKUP_S3_ACCESS_KEY_ID: keys.accessKeyId,
    BACKUP_S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
  };
  const run = (command: 'backup' | 'restore', words: string[], more: Record<string, string> = {}) =>
    promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, `../../lake/src/commands/${command}.ts`), ...words],
      {
        env: { ...variables, ...more },
      },
    );
  const { stdout } = await run('backup', ['--prune']);
  expect(stdout).toMatch(/^Backed up \d+ rows and \d+ objects .* encrypted, to\ns3:\/\/tapes\/backups\/20[\dTZ-]+\n$/);
  // Without the key, or with another one, nothing opens it.
  for (const key of ['', randomBytes(32).toString('hex')]) {
    await expect(run('restore', ['--rehearse', '--latest'], { BACKUP_KEY: key })).rejects.toMatchObject({
      stderr: expect.stringContaining('BACKUP_KEY'),
    });
  }
  const rehearsed = await run('restore', ['--rehearse', '--latest']);
  expect(rehearsed.stdout).toMatch(
    /^The restore was rehearsed and its database removed\. Restored the backup of .* tapes with \d+ assets\.\n$/,
  );
  const { backup, restoreTest } = await cluster.asSystem((session) => lastBackupRuns(session));
  expect([backup.failure, restoreTest.failure]).toEqual([null, null]);
  expect(await readdir(join(home, 'backup-work'))).not.toContainEqual(
    expect.stringMatching(/^(making|opened|restore-test)-/),
  );
});

test('an encrypted backup that fails leaves nothing in the bucket', async () => {
  const work = await mkdtemp(join(cluster.folder, 'work-'));
  const place = bucketPlace(await openS3Store({ ...storage.settings, prefix: 'failing/' }, work));
  onTestFinished(() => place.close());
  const objects = Object.create(cluster.objects, {
    getStream: {
      value: async (key: string) => {
        if (key.startsWith('lake/')) throw new Error('The storage went away');
        return cluster.objects.getStream(key);
      },
    },
  });
  const backup = { place, name: '2026-11-26T03-00-12Z', key: randomBytes(32) };
  await expect(backUpSealed({ ...source(), objects }, backup)).rejects.toThrow('The storage went away');
  expect(await place.isFree(backup.name)).toBe(true);
});

test('an encrypted backup can be a folder as well, and what comes of a run is recorded', async () => {
  const key = randomBytes(32);
  const root = await mkdtemp(join(cluster.folder, 'sealed-'));
  const place = folderPlace(root);
  await backUpSealed(source(), { place, name: '2026-11-26', key });
  expect(await place.list()).toEqual(['2026-11-26']);
  expect(await isSealed(join(root, '2026-11-26'))).toBe(true);
  const fetched = join(root, 'fetched');
  await fetchBackup(fetched, { place, name: '2026-11-26', key });
  expect(await linesOf(fetched, 'companies')).toEqual(await linesOf(folder, 'companies'));
  await mkdir(join(root, '2026-11-25T03-00-12Z.partial-0a1b2c3d'));
  expect(await place.tidy(new Date())).toBe(0);
  expect(await place.tidy(new Date(Date.now() + 3 * DAY_MS))).toBe(1);
  await place.remove('2026-11-26');
  expect(await place.list()).toEqual(['fetched']);
  // A folder with something else in it is refused, and stays as it is.
  await mkdir(join(root, 'others', 'tables'), { recursive: true });
  await writeFile(join(root, 'others', 'tables', 'companies.jsonl.sealed'), 'of somebody else');
  await expect(backUpSealed(source(), { place, name: 'others', key })).rejects.toMatchObject({ code: 'badRequest' });
  expect(await readdir(join(root, 'others', 'tables'))).toEqual(['companies.jsonl.sealed']);

  const environment = { databaseUrl: cluster.database.databaseUrl, databasePoolSize: 1 };
  const runs = () => cluster.asSystem((session) => lastBackupRuns(session));
  const { restoreTest: earlier } = await runs();
  const before = new Date();
  expect(await recorded(environment, 'backup', async () => 'made')).toBe('made');
  const { backup, restoreTest } = await runs();
  expect(backup.succeededAt!.getTime()).toBeGreaterThanOrEqual(before.getTime());
  expect([backup.failure, restoreTest]).toEqual([null, earlier]);
  const fails = async () => {
    throw new Error('The disk is full');
  };
  await expect(recorded(environment, 'backup', fails)).rejects.toThrow('The disk is full');
  expect((await runs()).backup).toEqual({
    succeededAt: backup.succeededAt,
    failure: { at: expect.any(Date), reason: 'The disk is full' },
  });
  await recorded(environment, 'backup', async () => {});
  expect((await runs()).backup.failure).toBeNull();
  await expect(recorded(environment, 'backup', fails, { recordsFailure: false })).rejects.toThrow('The disk is full');
  expect((await runs()).backup.failure).toBeNull();
  await expect(recorded(environment, 'backup', fails)).rejects.toThrow('The disk is full');
  await cluster.asSystem((session) => forgetFailedRuns(session));
  expect((await runs()).backup).toMatchObject({ succeededAt: expect.any(Date), failure: null });
});

const firstAssets = async (copy: string) => {
  const { tapes } = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8'));
  return join(copy, 'objects', tapes[0].files[0]);
};

async function cut(path: string): Promise<void> {
  const content = await readFile(path);
  content[content.length - 2] = (content[content.length - 2] ?? 0) ^ 1;
  await writeFile(path, content);
}

// biome-ignore lint/suspicious/noExplicitAny: the test damages what the schema describes
async function change(copy: string, how: (manifest: any) => void): Promise<void> {
  const path = join(copy, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  how(manifest);
  await writeFile(path, JSON.stringify(manifest));
}
