import { createReadStream } from 'node:fs';
import { migrate } from '@tapeline/db/migrate.ts';
import { beforeBaseline, compareMigrations, recognize } from '@tapeline/db/migrations/version.ts';
import { forgetFailedRuns } from '@tapeline/db/operations/backups/backup-runs.ts';
import { dueCalls, remindOfCalls } from '@tapeline/db/operations/cash/reminders.ts';
import { remindOfDraw } from '@tapeline/db/operations/draws/recheck-draws.ts';
import { drawsToRemindOf, forgetWatched } from '@tapeline/db/operations/draws/watched-draws.ts';
import { holdRestored } from '@tapeline/db/operations/holds/holds.ts';
import { listUnreportedLateTapes } from '@tapeline/db/operations/monitoring/tapes-due.ts';
import { outboxBacklog } from '@tapeline/db/operations/outbox/backlog.ts';
import { mailLateTape } from '@tapeline/db/operations/outbox/late-tape-mails.ts';
import { giveUpReplaced } from '@tapeline/db/operations/tapes/generations.ts';
import { endProcessing } from '@tapeline/db/operations/tapes/stranded.ts';
import { getTape, listTapesInProgress } from '@tapeline/db/operations/tapes/tapes.ts';
import { openStore, type Store, systemActor } from '@tapeline/db/store.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import pg, { escapeIdentifier, escapeLiteral } from 'pg';
import { openLake } from '../lake.ts';
import { claimStorage, ownerOfStorage } from '../storage/claim.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { eachAtOnce } from './each-at-once.ts';
import { type BackupManifest, folderReader, objectFile, readManifest, tableFile, verifyBackup } from './manifest.ts';
import {
  countRowsOf,
  INSTANCE_TABLE,
  linesOfTable,
  listTables,
  RowsDigest,
  ranMigrations,
  seeAll,
  type Table,
} from './tables.ts';

const RESTORER = systemActor('Restore');
const INTERRUPTED = 'The tape was being processed when the backup was made and was not saved. Try again.';
const OBJECTS_AT_ONCE = 4;
/** Backups from before this migration have no objects of replaced generations. */
const KEEPING_REPLACED = '133-kept-generations';
/** Rows are sent in batches of up to this many characters. */
const BATCH_LENGTH = 2 ** 20;
/** Tables that a new installation fills itself: rows in them do not mean that the database is in use. */
const FOUNDATIONS = new Set(['roles', 'permissions', 'document_codes', 'currency_rates', INSTANCE_TABLE]);

export interface RestoreTarget {
  readonly databaseUrl: string;
  /** The owner of the tables. */
  readonly databaseAdminUrl: string;
  readonly objects: ObjectStore;
}

export interface Restored {
  readonly manifest: BackupManifest;
  /** Tapes that were being processed when the backup was made; each shows that it can be retried. */
  readonly interrupted: number;
  /** Emails that wait for an administrator's decision. */
  readonly held: number;
}

/**
 * Restores a backup into a database and object storage. Everything is checked before anything is written; the tables
 * are restored in one transaction, after the objects.
 * @param options.replace deletes what the database holds
 * @throws Refusal badRequest if the backup is incomplete, or the target is in use
 */
export async function restore(
  target: RestoreTarget,
  folder: string,
  { replace = false }: { replace?: boolean } = {},
): Promise<Restored> {
  const manifest = await readManifest(folder);
  const migrations = migrationsOf(manifest);
  const lake = await openLake({ spillLimit: 'nothing', threads: 1 });
  try {
    await verifyBackup(folderReader(folder), manifest, lake);
  } finally {
    lake.close();
  }
  await requireUsable(target, migrations, replace);

  await migrate(target.databaseAdminUrl, { to: migrations.at(-1)! });
  const store = await openStore({ databaseUrl: target.databaseUrl, databasePoolSize: 2 });
  try {
    await adoptStorage(store, target.objects, manifest);
    await putObjects(target.objects, manifest, folder);
    await asOwner(target.databaseAdminUrl, (client) => loadTables(client, manifest, folder));
    await migrate(target.databaseAdminUrl);
    if (!migrations.includes(KEEPING_REPLACED)) await store.as(RESTORER, giveUpReplaced);
    await store.as(RESTORER, (session) => holdRestored(session, { backupAt: new Date(manifest.createdAt) }));
    const interrupted = await endInterrupted(store);
    await holdReminders(store);
    await store.as(RESTORER, forgetWatched);
    await store.as(RESTORER, forgetFailedRuns);
    const { held } = await store.as(RESTORER, outboxBacklog);
    return { manifest, interrupted, held };
  } finally {
    await store.close();
  }
}

/**
 * The migrations of a backup by the names of today: those that were folded are the baseline.
 * @throws Refusal badRequest if this version does not have all of them
 */
function migrationsOf({ migrations }: BackupManifest): string[] {
  const { later, folded } = compareMigrations(migrations.map((name) => ({ name, checksum: null })));
  if (later.length > 0) {
    throw new Refusal(
      'badRequest',
      `The backup was made by a later version of Tapeline (${later.join(', ')}): update Tapeline first`,
    );
  }
  if (folded.length > 0) throw new Refusal('badRequest', beforeBaseline('backup', folded));
  return recognize(migrations);
}

export async function asOwner<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Refuses a target that is in use, before anything is written. */
async function requireUsable(target: RestoreTarget, migrations: readonly string[], replace: boolean): Promise<void> {
  const appUser = new URL(target.databaseUrl).username;
  await asOwner(target.databaseAdminUrl, async (client) => {
    await client.query('begin');
    await seeAll(client);
    const { rows } = await client.query<{ users: number }>(
      `select count(*)::int as users from pg_stat_activity
       where datname = current_database() and usename = $1 and pid <> pg_backend_pid() and usename <> current_user`,
      [decodeURIComponent(appUser)],
    );
    if ((rows[0]?.users ?? 0) > 0) {
      throw new Refusal('badRequest', 'The database is in use. Stop the web app and all workers, then restore');
    }
    const ran = recognize(await ranMigrations(client));
    const ahead = ran.filter((name) => !migrations.includes(name));
    if (ahead.length > 0) {
      throw new Refusal(
        'badRequest',
        `The database is of a later version than the backup (${ahead.join(', ')}): use an empty database. It is migrated after the restore`,
      );
    }
    if (!replace) {
      for (const { name } of ran.length > 0 ? await listTables(client) : []) {
        if (FOUNDATIONS.has(name)) continue;
        const count = await countRowsOf(client, name);
        if (count > 0) {
          throw new Refusal(
            'badRequest',
            `The database is not empty (${name} has ${count} rows): use an empty one, or add --replace to overwrite it`,
          );
        }
      }
    }
    await client.query('rollback');
  });
}

/**
 * Restored into the storage that the backup came from, the database is the same instance; anywhere else it becomes a
 * new one.
 */
async function adoptStorage(store: Store, objects: ObjectStore, manifest: BackupManifest): Promise<void> {
  const owner = await ownerOfStorage(objects);
  if (owner !== null && owner === manifest.instance) {
    await store.as(RESTORER, async (session) => {
      await session.query(`delete from ${INSTANCE_TABLE}`);
      await session.query(`insert into ${INSTANCE_TABLE} (id, created_at) values ($1, $2)`, [owner, session.now]);
    });
  }
  await claimStorage(store, objects);
}

const putObjects = (objects: ObjectStore, manifest: BackupManifest, folder: string): Promise<void> =>
  eachAtOnce(manifest.objects, OBJECTS_AT_ONCE, async ({ key, size, sha256 }) => {
    const stored = await objects.putStream(key, createReadStream(objectFile(folder, key)));
    if (stored.size !== size || stored.checksum !== sha256) throw new Error(`${key} was not restored correctly`);
  });

/** Fills the tables in one transaction; nothing is visible until it commits. */
async function loadTables(client: pg.Client, manifest: BackupManifest, folder: string): Promise<void> {
  await client.query('begin');
  await seeAll(client);
  const tables = (await listTables(client)).filter(({ name }) => name !== INSTANCE_TABLE);
  const stored = new Map(manifest.tables.map((table) => [table.name, table]));
  const strange = manifest.tables.filter(
    ({ name }) => name !== INSTANCE_TABLE && !tables.some((table) => table.name === name),
  );
  if (strange.length > 0) throw new Refusal('badRequest', `The database has no table ${strange[0]?.name}`);
  const names = tables.map(({ name }) => escapeIdentifier(name));
  // The owner bypasses the policies in this transaction only: the tables are locked until it commits.
  for (const name of names) {
    await client.query(`alter table ${name} no force row level security`);
    await client.query(`alter table ${name} disable trigger user`);
  }
  await client.query(`truncate ${names.join(', ')}`);
  for (const table of tables) {
    const digest = new RowsDigest();
    const rows = await loadTable(client, table, tableFile(folder, table.name), digest);
    const counted = await countRowsOf(client, table.name);
    const wanted = stored.get(table.name)?.rows ?? 0;
    if (rows !== wanted || counted !== wanted) {
      throw new Error(`${table.name} has ${counted} rows after the restore, but the backup has ${wanted}`);
    }
    const found = new RowsDigest();
    for await (const lines of linesOfTable(client, table.name)) for (const line of lines) found.add(line);
    if (!found.equals(digest)) throw new Error(`${table.name} differs from the backup after the restore`);
  }
  for (const { name, last, isCalled } of manifest.sequences) {
    await client.query(`select setval(${escapeLiteral(escapeIdentifier(name))}::regclass, $1, $2)`, [last, isCalled]);
  }
  // No worker may send what was queued, also if the restore ends before it is held.
  for (const name of ['outbox', 'secret_mails'].filter((one) => stored.has(one))) {
    await client.query(`update ${name} set next_attempt_at = 'infinity' where status = 'Queued'`);
  }
  // Deferred constraints are checked now: a table with pending checks cannot be altered.
  await client.query('set constraints all immediate');
  for (const name of names) {
    await client.query(`alter table ${name} enable trigger user`);
    await client.query(`alter table ${name} force row level security`);
  }
  await client.query('commit');
}

async function loadTable(
  client: pg.Client,
  { name, columns }: Table,
  path: string,
  digest: RowsDigest,
): Promise<number> {
  const table = escapeIdentifier(name);
  const list = columns.map((column) => escapeIdentifier(column)).join(', ');
  const insert = `insert into ${table} (${list}) overriding system value
    select ${list} from jsonb_populate_recordset(null::${table}, $1::jsonb)`;
  let batch: string[] = [];
  let length = 0;
  let rows = 0;
  const send = async () => {
    if (batch.length === 0) return;
    rows += (await client.query(insert, [`[${batch.join(',')}]`])).rowCount ?? 0;
    batch = [];
    length = 0;
  };
  for await (const line of linesOf(path)) {
    digest.add(line);
    batch.push(line);
    length += line.length;
    if (length >= BATCH_LENGTH) await send();
  }
  await send();
  return rows;
}

/** Lines separated by line feeds only; `node:readline` also splits at other characters. */
async function* linesOf(path: string): AsyncIterable<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const read = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let from = 0;
    for (let end = read.indexOf(10); end >= 0; end = read.indexOf(10, from)) {
      yield read.toString('utf8', from, end);
      from = end + 1;
    }
    rest = read.subarray(from);
  }
  if (rest.length > 0) throw new Error(`${path} is truncated`);
}

/** No workflow continues the tapes that were being processed: each is marked as failed and can be retried. */
async function endInterrupted(store: Store): Promise<number> {
  const tapes = await store.as(RESTORER, (session) => listTapesInProgress(session));
  for (const { id: tapeId } of tapes) {
    await store.as(RESTORER, async (session) => {
      await endProcessing(session, await getTape(session, tapeId), INTERRUPTED);
    });
  }
  return tapes.length;
}

const REMINDED_AT_ONCE = 500;

/**
 * Queues the reminders of what is due by now, so that they are held with the rest: the jobs that remind, which tell each
 * person once, may run after the hold has ended.
 */
async function holdReminders(store: Store): Promise<void> {
  const late = await store.as(RESTORER, (session) =>
    listUnreportedLateTapes(session, { limit: Number.MAX_SAFE_INTEGER }),
  );
  for (const tape of late) await store.as(RESTORER, (session) => mailLateTape(session, tape));
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = { after, limit: REMINDED_AT_ONCE };
    const calls: string[] = await store.as(RESTORER, (session) => dueCalls(session, page));
    await store.as(RESTORER, (session) => remindOfCalls(session, calls));
    after = calls.at(-1);
  }
  const draws = await store.as(RESTORER, drawsToRemindOf);
  for (const draw of draws) await store.as(RESTORER, (session) => remindOfDraw(session, draw));
}
