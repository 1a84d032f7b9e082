import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FIRST_PLACE, referencesAfter } from '@tapeline/db/operations/storage/references.ts';
import { isKeptGeneration } from '@tapeline/db/operations/tapes/kept-generations.ts';
import { generationPrefix } from '@tapeline/db/operations/tapes/tapes.ts';
import { Refusal } from '@tapeline/domain/errors/refusal.ts';
import type { GenerationManifest } from '@tapeline/domain/tapes/generation.ts';
import pg, { escapeIdentifier } from 'pg';
import { openLake } from '../lake.ts';
import { workingPrefixes } from '../storage/attempt-objects.ts';
import { createMeter } from '../storage/meter.ts';
import { isMissingObject, type ObjectStore } from '../storage/object-store.ts';
import { type BackupPlace, bothEnd, putSealed, readSealed } from './backup-place.ts';
import { eachAtOnce } from './each-at-once.ts';
import {
  type BackupManifest,
  type BackupReader,
  folderReader,
  MANIFEST,
  newManifest,
  objectPath,
  tablePath,
  verifyBackup,
} from './manifest.ts';
import { INSTANCE_TABLE, linesOfTable, listTables, ranMigrations, seeAll } from './tables.ts';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const OBJECTS_AT_ONCE = 4;
const ROWS_AT_ONCE = 1000;

export interface BackupSource {
  /** The owner of the tables. */
  readonly databaseAdminUrl: string;
  readonly objects: ObjectStore;
}

/** An object that the backup needs, and what is known of its content. */
interface Wanted {
  key: string;
  checksum: string | null;
}

/**
 * Backs up the database and its objects into a folder: the tables as of one moment, and every object that they refer
 * to. Nothing that a published tape refers to is changed or deleted within a week, so the product can stay in use.
 * @param folder new or empty; it appears complete, or not at all
 * @throws Refusal badRequest if the folder is in use, or an object is missing or differs from the database's record
 */
export async function backUp(source: BackupSource, folder: string, now = new Date()): Promise<BackupManifest> {
  const target = resolve(folder);
  const there = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') return ['a file'];
    throw error;
  });
  if (there.length > 0) throw new Refusal('badRequest', `${target} is not empty: choose a new folder for the backup`);
  await mkdir(dirname(target), { recursive: true, mode: PRIVATE_FOLDER });
  const making = `${target}.partial-${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(making, { mode: PRIVATE_FOLDER });
    const manifest = await writeBackup(source, (path, content) => writeFileOf(join(making, path), content), now);
    await verify(folderReader(making), manifest);
    await writeWhole(join(making, MANIFEST), textOf(manifest));
    await rename(making, target);
    return manifest;
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    throw error;
  }
}

/**
 * As `backUp`, encrypted into a place: nothing is written anywhere before it is encrypted. The manifest comes last, so that
 * an interrupted backup is none; what it has stored is removed if it fails.
 * @throws Refusal badRequest if the name is in use, or as `backUp`
 */
export async function backUpSealed(
  source: BackupSource,
  { place, name, key }: { place: BackupPlace; name: string; key: Buffer },
  now = new Date(),
): Promise<BackupManifest> {
  // What is there already must not be removed if this fails.
  if (!(await place.isFree(name)))
    throw new Refusal('badRequest', `${name} in ${place.label} is not empty: choose another name for the backup`);
  const put: Put = (path, content) => putSealed({ place, name, key }, path, content);
  try {
    const manifest = await writeBackup(source, put, now);
    await verify(
      {
        label: (path) => `${place.label}/${name}/${path}`,
        read: (path) => readSealed({ place, name, key }, path),
        // What is in the backup has the same checksum.
        localPath: (object) => source.objects.localPath(object),
      },
      manifest,
    );
    await put(MANIFEST, Readable.from([Buffer.from(textOf(manifest))]));
    return manifest;
  } catch (error) {
    await place.remove(name).catch(() => {});
    throw error;
  }
}

/** Stores a file of a backup under its path. */
type Put = (path: string, content: Readable) => Promise<void>;

const textOf = (manifest: BackupManifest): string => `${JSON.stringify(manifest, null, 1)}\n`;

async function writeFileOf(path: string, content: Readable): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  await pipeline(content, createWriteStream(path, { flags: 'wx', mode: PRIVATE_FILE, flush: true }));
}

async function verify(reader: BackupReader, manifest: BackupManifest): Promise<void> {
  const lake = await openLake({ spillLimit: 'nothing', threads: 1 });
  try {
    await verifyBackup(reader, manifest, lake);
  } finally {
    lake.close();
  }
}

async function writeWhole(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', PRIVATE_FILE);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeBackup({ databaseAdminUrl, objects }: BackupSource, put: Put, now: Date) {
  const client = new pg.Client({ connectionString: databaseAdminUrl });
  // A server that ends the connection between two queries reports it here as well; the next query throws.
  client.on('error', () => {});
  await client.connect();
  try {
    // One snapshot of the whole database, however long reading takes.
    await client.query('begin isolation level repeatable read read only');
    await seeAll(client);
    const migrations = await ranMigrations(client);
    if (migrations.length === 0) throw new Refusal('badRequest', 'The database has no Tapeline tables yet');
    const tables: BackupManifest['tables'] = [];
    for (const { name } of await listTables(client)) tables.push(await writeTable(client, name, put));
    const { wanted, tapes, replaced } = await wantedObjects(client, objects);
    const { rows: instances } = await client.query<{ id: string }>(`select id from ${INSTANCE_TABLE}`);
    const sequences = await readSequences(client);
    await client.query('commit');
    const copied = await copyObjects(objects, wanted, put);
    const instance = instances[0]?.id ?? null;
    return newManifest({
      createdAt: now.toISOString(),
      instance,
      migrations,
      tables,
      sequences,
      objects: copied,
      tapes,
      replaced,
    });
  } finally {
    await client.end();
  }
}

async function writeTable(client: pg.ClientBase, name: string, put: Put) {
  const hash = createHash('sha256');
  let rows = 0;
  let size = 0;
  async function* measured() {
    for await (const lines of linesOfTable(client, name)) {
      const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
      rows += lines.length;
      size += text.length;
      hash.update(text);
      yield text;
    }
  }
  await put(tablePath(name), Readable.from(measured()));
  return { name, rows, size, sha256: hash.digest('hex') };
}

async function readSequences(client: pg.ClientBase): Promise<BackupManifest['sequences']> {
  const { rows: names } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace
       and relname not like 'mikro_orm_migrations%' order by 1`,
  );
  const sequences: BackupManifest['sequences'] = [];
  for (const { name } of names) {
    const { rows } = await client.query<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${escapeIdentifier(name)}`,
    );
    sequences.push({ name, last: rows[0]?.last ?? '1', isCalled: rows[0]?.called ?? false });
  }
  return sequences;
}

/** Every object that an active row refers to. */
async function wantedObjects(client: pg.ClientBase, objects: ObjectStore) {
  const wanted = new Map<string, Wanted>();
  const want = (key: string, checksum: string | null = null) => {
    if (!wanted.get(key)?.checksum) wanted.set(key, { key, checksum });
  };
  const query = async <Row>(sql: string, values?: readonly unknown[]) =>
    (await client.query(sql, values ? [...values] : [])).rows as Row[];
  for (let place: string | null = FIRST_PLACE; place !== null; ) {
    const { references, next } = await referencesAfter({ query }, place, ROWS_AT_ONCE);
    for (const { key, checksum } of references) want(key, checksum);
    place = next;
  }
  const tapes: BackupManifest['tapes'] = [];
  const replaced: BackupManifest['replaced'] = [];
  const { rows: kept } = await client.query<{
    tape: string;
    generation: string;
    manifest: GenerationManifest;
    isPublished: boolean;
    assets: string | null;
  }>(
    `select t.id as tape, g.id as generation, g.manifest, g.id = t.generation_id as "isPublished",
       case when g.id = t.generation_id then t.counts ->> 'assets' else (
         select b.result #>> '{totals,assets}' from borrowing_bases b
         where b.tape_id = t.id and b.generation_id = g.id and b.status <> 'Removed' order by b.code limit 1) end as assets
     from loan_tapes t join tape_generations g on g.tape_id = t.id where ${isKeptGeneration('g', 't')} order by t.id, g.id`,
  );
  for (const { tape, generation, manifest, isPublished, assets } of kept) {
    const files = [...manifest.assets];
    if (isPublished) tapes.push({ id: tape, assets: Number(assets), files });
    else replaced.push({ id: tape, assets: assets === null ? null : Number(assets), files });
    // Besides the objects that rows refer to: the tape's column profiles.
    const objectPrefix = generationPrefix(tape, generation);
    const working = workingPrefixes({ objectPrefix });
    for await (const { key } of objects.list(objectPrefix)) {
      if (!working.some((prefix) => key.startsWith(prefix))) want(key);
    }
  }
  return { wanted: [...wanted.values()], tapes, replaced };
}

async function copyObjects(objects: ObjectStore, wanted: readonly Wanted[], put: Put) {
  const copied: BackupManifest['objects'] = [];
  await eachAtOnce(wanted, OBJECTS_AT_ONCE, async ({ key, checksum }) => {
    const { through, measured } = createMeter();
    const content = await objects.getStream(key).catch((error) => {
      throw isMissingObject(error)
        ? new Refusal('badRequest', `The object ${key} is missing in ${objects.place}: the backup would be incomplete`)
        : error;
    });
    await bothEnd(pipeline(content, through), put(objectPath(key), through));
    const found = measured();
    if (checksum !== null && found.checksum !== checksum) {
      throw new Refusal('badRequest', `The object ${key} in ${objects.place} has changed: its checksum does not match`);
    }
    copied.push({ key, size: found.size, sha256: found.checksum });
  });
  return copied.sort((a, b) => (a.key < b.key ? -1 : 1));
}
